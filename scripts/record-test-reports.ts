// node scripts/record-test-reports.ts [name ...]: runs small projects with the real vitest, jest, mocha, ava, tape, node and cargo, and keeps
// what they report for the tests of the readers (test/adapters/checks). Packages come from the network.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
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
const crash = 'throw new Error("at load");\n';

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
  cargo: {
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
  },
} as const;

/** What is said to run the tests, where that is not the package's name. */
const scripts: Readonly<Record<string, string>> = {
  vitest: "vitest run",
  tape: "tape test/*.js",
  node: "node --test --test-reporter=tap",
};

/** By name, each as it is installed: `ava`, or `ava@6` for another version than the latest. */
const wanted = new Map(process.argv.slice(2).map((spec) => [spec.replace(/@.*/, ""), spec]));
mkdirSync(recorded, { recursive: true });
for (const [name, files] of Object.entries(projects)) {
  if (wanted.size > 0 && !wanted.has(name)) continue;
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
  const isPackage = name !== "cargo";
  if (isPackage)
    writeFileSync(join(root, "package.json"), JSON.stringify({ scripts: { test: scripts[name] ?? name } }));
  if (isPackage && name !== "node")
    execFileSync("npm", ["install", "--no-audit", "--no-fund", wanted.get(name) ?? name], {
      cwd: root,
      stdio: "ignore",
    });
  const file = join(root, "report");
  const command = isPackage ? "npm test" : "cargo test";
  // Without a reporter of its own, what it prints is all there is.
  const found = reportingFor(command, treeFiles(root), { file });
  const reporting = "why" in found ? ({ command, source: "stdout", environment: {} } as const) : found;
  const env = { ...process.env, ...reporting.environment };
  const { stdout, status } = spawnSync("/bin/sh", ["-c", reporting.command], { cwd: root, env, encoding: "utf8" });
  const report = reporting.source === "stdout" ? stdout : readFileSync(file, "utf8");
  writeFileSync(join(recorded, `${name}.txt`), report.replaceAll(root, "/repository").trimEnd().concat("\n"));
  console.log(`${name}: exit code ${status}, ${report.length} characters`);
}
