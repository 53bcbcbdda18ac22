// superteam as pi comes by it: named on the command line in its own clone, installed from a folder, and packed from the
// files it ships, below a node_modules folder, where Node runs no TypeScript; and what of it an agent is given then.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { ModelPlay } from "../../../src/demo/model/play.ts";
import { piEnv, realPi } from "../../rig/agents/backends.ts";
import { withPi } from "../../rig/agents/pi.ts";
import { eventsOf, never } from "../../rig/agents/rig.ts";
import { type Cli, openCli, project } from "../../rig/cli/cli.ts";
import { goal } from "../../rig/cli/small-play.ts";
import { answerAll } from "../../rig/pi-host/answering.ts";
import { CallingModel } from "../../rig/pi-host/model.ts";
import { openPi, type PiSession, piProgram } from "../../rig/pi-host/session.ts";
import { isLongForm } from "../../rig/property.ts";

/** npm run types checks types, which takes most of a build. */
const unchecked = ["--noCheck", "--declaration", "false"];

/** Builds and packs a copy, so that nothing is written into the project, and unpacks it somewhere else. */
function installed(folder: string): string {
  const copy = join(folder, "copy");
  const modules = join(folder, "elsewhere/node_modules");
  const home = join(modules, "superteam");
  mkdirSync(home, { recursive: true });
  for (const name of ["package.json", "src", "agents", "skills"])
    cpSync(join(project, name), join(copy, name), { recursive: true });
  const tsc = join(project, "node_modules/typescript/bin/tsc");
  const build = ["-p", join(project, "tsconfig.build.json"), "--outDir", join(copy, "dist")];
  execFileSync(process.execPath, [tsc, ...build, ...unchecked]);
  const [{ filename }] = JSON.parse(
    execFileSync("npm", ["pack", "--ignore-scripts", "--json"], { cwd: copy, encoding: "utf8" }),
  );
  execFileSync("tar", ["-xzf", join(copy, filename), "--strip-components=1", "-C", home]);
  for (const name of readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith(".")))
    symlinkSync(join(project, "node_modules", name), join(modules, name));
  return home;
}

/** Building and packing takes longer than all else here: npm run test:slow does. */
const packed = isLongForm ? describe : undefined;
packed?.("the packed package", () => {
  const folder = mkdtempSync(join(tmpdir(), "superteam-package-"));
  let superteam = "";
  before(() => {
    superteam = installed(folder);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test("runs in pi from a node_modules folder", async (context) => {
    const model = new CallingModel();
    const cli = await openCli(context, { play: model.play() });
    assert.deepEqual(
      readdirSync(join(superteam, "src/core")).filter((name) => name.endsWith(".test.ts")),
      [],
    );
    const temporary = join(cli.folder, "temporary");
    mkdirSync(temporary);
    const pi = openPi(context, cli, { extension: superteam, environment: { TMPDIR: temporary } });
    await assertRuns(pi, cli);
    assert.deepEqual(transformedIn(temporary), []);
    await pi.dialog();
    assert.match((await model.call(pi, "status")).text, /Question brainstorm\.question\.2/);
  });

  test("brings the guard, which is loaded, and the skill, which is shown", async () => {
    const play: ModelPlay = ({ turn }) =>
      turn === 0 ? { tools: [{ name: "write", args: { path: "a.ts", content: "x" } }] } : { text: "Done." };
    await withPi(play, {}, async ({ order, server, home, cwd }) => {
      const { piAgents } = await import(pathToFileURL(join(superteam, "dist/adapters/agents/pi/backend.js")).href);
      const agents = piAgents(await realPi(), piEnv(home));
      try {
        const events = await eventsOf(agents.dispatch(order({ testFirst: "guarded" }), never));
        const guards = events.flatMap((event) => (event.type === "tool" && event.guard ? [event.guard] : []));
        assert.deepEqual(guards, [{ did: "held-back", file: "a.ts" }]);
        assert.equal(existsSync(join(cwd, "a.ts")), false);
        const shown = /<location>([^<]+)<\/location>/.exec(server.requests[0]?.system ?? "")?.[1];
        assert.equal(shown, join(superteam, "skills/test-driven-development/SKILL.md"));
      } finally {
        await agents.close();
      }
    });
  });
});

/** Where pi keeps what its loader has made of TypeScript, below a folder of temporary files. */
const transformedIn = (folder: string): readonly string[] => readdirSync(join(folder, "jiti"));

test("pi's loader transforms nothing of superteam, as it does with other extensions", async (context) => {
  const cli = await openCli(context);
  const other = cli.beside("other.ts", "export default (pi: object): void => void pi;\n");
  for (const [extension, count] of [
    [project, 0],
    [other, 1],
  ] as const) {
    const temporary = mkdtempSync(join(cli.folder, "temporary-"));
    const pi = openPi(context, cli, { extension, environment: { TMPDIR: temporary } });
    await pi.ask({ type: "get_state" });
    assert.equal(transformedIn(temporary).length, count, extension);
  }
});

test("pi -e . in a clone has /workflow, and a run starts there", async (context) => {
  const cli = await openCli(context);
  for (const name of ["package.json", "src", "agents", "skills"])
    cpSync(join(project, name), join(cli.root, name), { recursive: true });
  symlinkSync(join(project, "node_modules"), join(cli.root, "node_modules"));
  cli.git("add", "--all");
  cli.git("commit", "--quiet", "--message", "superteam");
  await assertRuns(openPi(context, cli, { extension: "." }), cli);
});

test("pi install <folder> makes it part of every pi, and pi remove takes it away", async (context) => {
  const cli = await openCli(context);
  const pi = (...args: readonly string[]): string =>
    execFileSync(process.execPath, [piProgram, ...args], { cwd: cli.root, env: cli.environment, encoding: "utf8" });
  pi("install", project);
  assert.match(pi("list"), new RegExp(basename(project)));
  await assertRuns(openPi(context, cli, { extension: null }), cli);
  pi("remove", project);
  assert.deepEqual(await ownCommands(openPi(context, cli, { extension: null })), []);
});

/** Its commands and the skill for its users are there by their names, and a run comes to its first questions. */
async function assertRuns(pi: PiSession, cli: Cli): Promise<void> {
  assert.deepEqual(await ownCommands(pi), ["sdd", "skill:using-superteam", "superteam", "workflow"]);
  await pi.type(`/workflow ${goal}`);
  assert.deepEqual(await answerAll(pi, cli, 3), ["preflight.trust", "triage.mode", "brainstorm.question.1"]);
}

async function ownCommands(pi: PiSession): Promise<readonly string[]> {
  const { data } = await pi.ask({ type: "get_commands" });
  const { commands } = data as { readonly commands: readonly { readonly name: string }[] };
  return commands
    .map(({ name }) => name)
    .filter((name) => /^(?:superteam|workflow|sdd|skill:)/.test(name))
    .toSorted();
}
