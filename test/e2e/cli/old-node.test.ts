// A Node that is too old gets one sentence and an exit code, from every door there is, and never a stack trace.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
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

describe("with a Node that is too old", { skip }, () => {
  test("the sources say which one is needed", () => {
    refused(join(project, "scripts/superteam.mjs"), ["status"]);
  });

  test("the tests say which one is needed", () => {
    refused(join(project, "scripts/test.mjs"), []);
  });

  test("the built program says which one is needed", () => {
    const folder = mkdtempSync(join(tmpdir(), "superteam-built-"));
    after(() => rmSync(folder, { recursive: true }));
    const compiler = join(project, "node_modules/.bin/tsc");
    const options = ["-p", join(project, "tsconfig.build.json"), "--outDir", join(folder, "dist")];
    // npm run types checks types, which takes most of a build.
    execFileSync(compiler, [...options, "--noCheck", "--declaration", "false"], { cwd: project, stdio: "ignore" });
    copyFileSync(join(project, "package.json"), join(folder, "package.json"));
    for (const args of [["status"], ["--version"], []]) refused(join(folder, "dist/hosts/cli/main.js"), args);
  });
});
