// /reload in the middle of a run. pi then loads its extensions anew, and whatever they kept of the session before is refused.
// Over RPC there is no reload, so that an extension of the test asks pi for it.

import assert from "node:assert/strict";
import { chmodSync, cpSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { goneAt } from "../../../src/adapters/process/gone.ts";
import { type Cli, openCli, project } from "../../rig/cli/cli.ts";
import { goal, smallPlay } from "../../rig/cli/small-play.ts";
import { answer } from "../../rig/pi-host/answering.ts";
import { openPi, type PiSession } from "../../rig/pi-host/session.ts";

function reloading(cli: Cli): readonly string[] {
  const code =
    'export default (pi) => pi.registerCommand("again", { handler: (_words, context) => context.reload() });\n';
  return ["-e", cli.beside("again.js", code)];
}

/** What extensions have thrown, for instance because their session was gone. */
function thrown(pi: PiSession): readonly unknown[] {
  return pi.records.filter(({ type }) => type === "extension_error");
}

test("a reload in the middle of an agent's work stops it, and /workflow continues the run", async (context) => {
  let hangs = true;
  const play = smallPlay((step) => (hangs && step === "brainstorm/questions" ? { latencyMs: 600_000 } : {}));
  const cli = await openCli(context, { play });
  const pi = openPi(context, cli, { args: reloading(cli) });
  await pi.type(`/workflow ${goal}`);
  await answer(pi, cli, await pi.dialog());
  await answer(pi, cli, await pi.dialog());
  await pi.until(({ statusText = "" }) => statusText.includes("Generating"), "the agent at work");
  await pi.type("/again");

  await pi.told(/^The run is suspended\./);
  assert.equal(cli.file(".git/superteam/lock"), undefined);
  const agents = readdirSync(join(cli.run, "dispatches"));
  assert.equal(agents.length, 2);
  for (const agent of agents) assert.notEqual(await goneAt(join(cli.run, "dispatches", agent)), null, agent);
  await pi.told(/^Run \S+: brainstorm.*interrupted: brainstormer[\s\S]*Continue it: \/workflow/);

  hangs = false;
  await pi.type("/workflow");
  assert.match((await pi.dialog()).title ?? "", /Question 1 of 3/);
  assert.deepEqual(thrown(pi), []);
});

test("a reload at a question takes it away, and the question comes again", async (context) => {
  const cli = await openCli(context);
  const pi = openPi(context, cli, { args: reloading(cli) });
  await pi.type(`/workflow ${goal}`);
  const first = await pi.dialog();
  await pi.type("/again");
  await pi.told(/^The run is suspended\./);
  await pi.type("/workflow");
  const again = await pi.dialog();
  assert.equal(again.title, first.title);
  await answer(pi, cli, again);
  assert.match((await pi.dialog()).title ?? "", /^Mode/);
  assert.deepEqual(thrown(pi), []);
});

test("superteam that was changed on disk meanwhile says that pi has to be started again", async (context) => {
  const cli = await openCli(context);
  const copy = join(cli.folder, "superteam");
  for (const name of ["package.json", "src", "agents"])
    cpSync(join(project, name), join(copy, name), { recursive: true });
  symlinkSync(join(project, "node_modules"), join(copy, "node_modules"));
  const pi = openPi(context, cli, { extension: copy, args: reloading(cli) });
  await pi.type("/workflow status");
  // A backup or a change of rights touches a file and changes nothing in it.
  chmodSync(join(copy, "src/hosts/pi/wording.ts"), 0o640);
  await pi.type("/again");
  assert.equal(pi.records.filter(({ notifyType }) => notifyType === "warning").length, 0);
  writeFileSync(join(copy, "src/hosts/pi/wording.ts"), "export const inPi = (text: string): string => text;\n");
  await pi.type("/again");
  const { notifyType } = await pi.told(/^superteam has changed on disk .* Restart pi, then continue\.$/);
  assert.equal(notifyType, "warning");
});
