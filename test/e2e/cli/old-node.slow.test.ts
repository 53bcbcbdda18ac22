// A Node that is too old gets one sentence and an exit code, from every entry there is, and never a stack trace. Help works.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, describe, test } from "node:test";
import { project } from "../../rig/cli/cli.ts";

/** The machine's own Node, beside the one the project brings, when it is older than 22.19. */
function oldNode(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  const candidates = folders.map((folder) => join(folder, "node")).filter((file) => existsSync(file));
  return candidates.find((file) => {
    const [major = 0, minor = 0] = execFileSync(file, ["-p", "process.versions.node"], { encoding: "utf8" })
      .split(".")
      .map(Number);
    return major < 22 || (major === 22 && minor < 19);
  });
}

const old = oldNode();
const skip = old === undefined ? "there is no Node older than 22.19 on the PATH" : false;

function refused(file: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(old ?? "", [file, ...args], { encoding: "utf8" });
  assert.equal(status, 5, stderr);
  assert.equal(stdout, "");
  assert.match(stderr, /^[^\n]*Node 22\.19 or newer[^\n]*\n$/, "one line says what is needed");
}

/** Help on stdout, and the way out on stderr. */
function helped(file: string, args: readonly string[], shown: RegExp): void {
  const { status, stdout, stderr } = spawnSync(old ?? "", [file, ...args], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.match(stdout, shown);
  assert.match(stderr, /^[^\n]*Node 22\.19 or newer[^\n]*nodejs\.org[^\n]*nvm install[^\n]*\n$/);
}

describe("with a Node that is too old", { skip }, () => {
  test("the sources say which one is needed", () => {
    refused(join(project, "scripts/superteam.mjs"), ["status"]);
  });

  test("the tests say which one is needed", () => {
    refused(join(project, "scripts/test.mjs"), []);
  });

  test("the built program says which one is needed and how to get it, and shows its help", () => {
    const folder = mkdtempSync(join(tmpdir(), "superteam-built-"));
    after(() => rmSync(folder, { recursive: true }));
    const compiler = join(project, "node_modules/.bin/tsc");
    const options = ["-p", join(project, "tsconfig.build.json"), "--outDir", join(folder, "dist")];
    // npm run types checks types, which takes most of a build.
    execFileSync(compiler, [...options, "--noCheck", "--declaration", "false"], { cwd: project, stdio: "ignore" });
    copyFileSync(join(project, "package.json"), join(folder, "package.json"));
    symlinkSync(join(project, "node_modules"), join(folder, "node_modules"));
    const file = join(folder, "dist/hosts/cli/main.js");
    for (const args of [["status"], ["--version"], [], ["run", "--file", "-h"], ["run", "--", "-h"]])
      refused(file, args);
    for (const args of [["--help"], ["-h"], ["help"]]) helped(file, args, /Usage: superteam [\s\S]*Examples:/);
    for (const args of [
      ["run", "--help"],
      ["help", "run"],
    ])
      helped(file, args, /Usage: superteam run /);
  });
});
