// node scripts/record-test-reports.ts [name ...]: runs small projects with the real vitest, jest, mocha, ava, tape, node, cargo, nextest and
// dotnet, and keeps what they report for the tests of the readers (test/adapters/checks). Packages come from the network. What is not
// installed is passed over and named; of nextest and dotnet there is no recording yet.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { treeFiles } from "../src/adapters/checks/tree-files.ts";
import { reportingFor } from "../src/core/validation/reporter.ts";

const recorded = join(import.meta.dirname, "../test/adapters/checks/recorded");

const jestTests = `test("top", () => {});
describe("outer", () => {
  test("good", () => {});
  test("bad 5ms", () => expect(1).toBe(2));
  test.skip("left out", () => {});
});
`;
/** TRX names the person and the machine. */
const who = /(runUser|computerName|runDeploymentRoot|<TestRun [^>]*\bname)="[^"]*"/g;
const crash = 'throw new Error("at load");\n';

const crate = {
  "Cargo.toml": '[package]\nname = "letters"\nversion = "0.1.0"\nedition = "2021"\n',
  "src/lib.rs": `#[cfg(test)]
mod tests {
    #[test]
    fn good() {}
    #[test]
    fn bad() { assert_eq!(1, 2); }
    #[test]
    #[ignore]
    fn left_out() {}
    #[test]
    #[should_panic]
    fn panics() { panic!("as it should"); }
}
`,
};

const projects = {
  vitest: {
    "a.test.js": `import { describe, expect, test } from "vitest";\n${jestTests}`,
    "crash.test.js": crash,
  },
  jest: { "a.test.js": jestTests, "crash.test.js": crash },
  mocha: {
    "test/a.js": `const assert = require("node:assert");
it("top", () => {});
describe("outer", () => {
  it("good", () => {});
  it("bad 5ms", () => assert.equal(1, 2));
  it.skip("left out", () => {});
});
describe("hooked", () => {
  before(() => { throw new Error("no"); });
  it("never runs", () => {});
});
`,
  },
  ava: {
    "a.test.mjs": `import test from "ava";
test("top", (t) => t.pass());
test("bad 5ms", (t) => t.is(1, 2));
test.skip("left out", (t) => t.fail());
test.failing("known", (t) => t.fail());
`,
    "b.test.mjs": `import test from "ava";
test("top", (t) => t.pass());
`,
  },
  tape: {
    "test/a.js": `const test = require("tape");
test("top", (t) => { t.equal(1, 1); t.equal(2, 2); t.end(); });
test("outer", (t) => {
  t.test("good", (s) => { s.ok(true, "is so"); s.end(); });
  t.test("bad 5ms", (s) => { s.equal(1, 2); s.end(); });
  t.end();
});
`,
  },
  node: {
    "a.test.mjs": `import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
test("top", () => {});
describe("outer", () => {
  it("good", () => {});
  it("bad 5ms", () => assert.equal(1, 2));
  it.skip("left out", () => {});
  it.todo("later", () => assert.fail("not yet"));
});
`,
  },
  cargo: crate,
  nextest: crate,
  dotnet: {
    "Letters.Tests.csproj": `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net8.0</TargetFramework>
    <RollForward>Major</RollForward>
    <IsPackable>false</IsPackable>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Microsoft.NET.Test.Sdk" Version="17.*" />
    <PackageReference Include="xunit" Version="2.*" />
    <PackageReference Include="xunit.runner.visualstudio" Version="2.*" />
  </ItemGroup>
</Project>
`,
    "LetterTests.cs": `using Xunit;
namespace Letters.Tests;
public class LetterTests
{
    [Fact] public void Good() { }
    [Fact] public void Bad() => Assert.Equal(1, 2);
    [Fact(Skip = "not today")] public void LeftOut() { }
    [Theory, InlineData(1), InlineData(2)] public void Rows(int row) => Assert.Equal(1, row);
}
`,
  },
} as const;

/** What is said to run the tests, where that is not the package's name. */
const scripts: Readonly<Record<string, string>> = {
  vitest: "vitest run",
  tape: "tape test/*.js",
  node: "node --test --test-reporter=tap",
};

/** What is no package of npm, and how it runs the tests. */
const commands: Readonly<Record<string, string>> = {
  cargo: "cargo test",
  nextest: "cargo nextest run",
  dotnet: "dotnet test",
};
const versions: Readonly<Record<string, string>> = {
  cargo: "cargo --version",
  nextest: "cargo nextest --version",
  dotnet: "dotnet --version",
};

/** By name, each as it is installed: `ava`, or `ava@6` for another version than the latest. */
const wanted = new Map(process.argv.slice(2).map((spec) => [spec.replace(/@.*/, ""), spec]));
mkdirSync(recorded, { recursive: true });
for (const [name, files] of Object.entries(projects)) {
  if (wanted.size > 0 && !wanted.has(name)) continue;
  if (spawnSync("/bin/sh", ["-c", versions[name] ?? "npm --version"]).status !== 0) {
    console.log(`${name}: it is not installed`);
    continue;
  }
  const root = realpathSync(mkdtempSync(join(tmpdir(), `record-${name}-`)));
  try {
    record(name, root, files);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function record(name: string, root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const isPackage = commands[name] === undefined;
  if (isPackage)
    writeFileSync(join(root, "package.json"), JSON.stringify({ scripts: { test: scripts[name] ?? name } }));
  if (isPackage && name !== "node")
    execFileSync("npm", ["install", "--no-audit", "--no-fund", wanted.get(name) ?? name], {
      cwd: root,
      stdio: "ignore",
    });
  const file = join(root, "report");
  const command = commands[name] ?? "npm test";
  // Without a reporter of its own, what it prints is all there is.
  const found = reportingFor(command, treeFiles(root), { file });
  const reporting = "why" in found ? ({ command, source: "stdout", environment: {} } as const) : found;
  const env = { ...process.env, ...reporting.environment };
  const { stdout, status } = spawnSync("/bin/sh", ["-c", reporting.command], { cwd: root, env, encoding: "utf8" });
  const report = reporting.source === "stdout" ? stdout : readFileSync(reportIn(reporting.source, file), "utf8");
  const text = report.replaceAll(root, "/repository").replaceAll(who, '$1="recorded"');
  writeFileSync(join(recorded, `${name}.txt`), text.trimEnd().concat("\n"));
  console.log(`${name}: exit code ${status}, ${report.length} characters`);
}

function reportIn(source: unknown, file: string): string {
  return source === "folder" ? join(file, readdirSync(file).find((name) => name.endsWith(".trx")) ?? "") : file;
}
