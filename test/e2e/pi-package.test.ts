// The package as pi installs it: packed from the files it ships, below a node_modules folder, where Node runs no
// TypeScript.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Cli, openCli, project } from "../rig/cli/cli.ts";
import { goal } from "../rig/cli/small-play.ts";
import { answerAll } from "../rig/pi-host/answering.ts";
import { openPi } from "../rig/pi-host/session.ts";

/** Builds and packs a copy, so that nothing is written into the project, and unpacks it somewhere else. */
function installed(cli: Cli): string {
  const copy = join(cli.folder, "copy");
  const modules = join(cli.folder, "elsewhere/node_modules");
  const home = join(modules, "superteam");
  mkdirSync(home, { recursive: true });
  for (const name of ["package.json", "src", "agents", "skills"])
    cpSync(join(project, name), join(copy, name), { recursive: true });
  const tsc = join(project, "node_modules/typescript/bin/tsc");
  const build = ["-p", join(project, "tsconfig.build.json"), "--outDir", join(copy, "dist")];
  execFileSync(process.execPath, [tsc, ...build]);
  const [{ filename }] = JSON.parse(
    execFileSync("npm", ["pack", "--ignore-scripts", "--json"], { cwd: copy, encoding: "utf8" }),
  );
  execFileSync("tar", ["-xzf", join(copy, filename), "--strip-components=1", "-C", home]);
  for (const name of readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith(".")))
    symlinkSync(join(project, "node_modules", name), join(modules, name));
  return home;
}

test("the packed package runs in pi from a node_modules folder", async (context) => {
  const cli = await openCli(context);
  const extension = installed(cli);
  assert.deepEqual(
    readdirSync(join(extension, "src/core")).filter((name) => name.endsWith(".test.ts")),
    [],
  );
  const pi = openPi(context, cli, { extension });
  await pi.type(`/workflow ${goal}`);
  assert.deepEqual(await answerAll(pi, cli, 3), ["preflight.trust", "triage.mode", "brainstorm.question.1"]);
});
