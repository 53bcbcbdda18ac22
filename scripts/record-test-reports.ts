// node scripts/record-test-reports.ts [name ...]: runs small projects with the real runners and keeps what they report for the tests of
// the readers (test/adapters/checks). Packages of npm come from the network. What is not installed is passed over and named; of nextest
// and dotnet there is no recording yet.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { treeFiles } from "../src/adapters/checks/tree-files.ts";
import { reportingFor } from "../src/core/validation/reporter.ts";
import { commands, packages, projects, scripts, versions } from "./runner-projects.ts";

const recorded = join(import.meta.dirname, "../test/adapters/checks/recorded");

/** Some name the person and the machine. */
const who = /(runUser|computerName|runDeploymentRoot|hostname|<TestRun [^>]*\bname)="[^"]*"/g;
/** Maven's report has all of the machine's. */
const properties = / *<properties>[\s\S]*?<\/properties>\n/g;
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
    execFileSync(
      "npm",
      ["install", "--no-audit", "--no-fund", (wanted.get(name) ?? name).replace(name, packages[name] ?? name)],
      {
        cwd: root,
        stdio: "ignore",
      },
    );
  const file = join(root, "report");
  const command = commands[name] ?? "npm test";
  // Without a reporter of its own, what it prints is all there is.
  const found = reportingFor(command, treeFiles(root), { file });
  const reporting = "why" in found ? ({ command, source: "stdout", environment: {} } as const) : found;
  const env = { ...process.env, ...reporting.environment };
  const run = spawnSync("/bin/sh", ["-c", reporting.command], { cwd: root, env, encoding: "utf8" });
  const report = reporting.source === "stdout" ? run.stdout : readFileSync(reportIn(reporting.source, root), "utf8");
  const keep = (path: string, text: string): void => {
    const plain = text.replaceAll(root, "/repository").replaceAll(who, '$1="recorded"').replaceAll(properties, "");
    writeFileSync(join(recorded, path), plain.trimEnd().concat("\n"));
  };
  keep(`${name}.txt`, report);
  if ("strays" in reporting && reporting.strays)
    keep(`${name}.printed.txt`, stripVTControlCharacters(`${run.stdout}${run.stderr}`).replaceAll(/^npm .*\n/gm, ""));
  console.log(`${name}: exit code ${run.status}, ${report.length} characters`);
}

/** Where it was asked for, or where the tool always leaves it. */
function reportIn(source: unknown, root: string): string {
  if (source === "file") return join(root, "report");
  const reports = readdirSync(root, { recursive: true, encoding: "utf8" });
  return join(root, reports.find((path) => /\.trx$|(?:^|\/)surefire-reports\/.*\.xml$/.test(path)) ?? "");
}
