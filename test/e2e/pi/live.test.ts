// A run that has only begun to start in pi, or asks whether to: it does not hold the tree yet, and still nothing goes on
// beside it or outlives its session.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Cli } from "../../rig/cli/cli.ts";
import { goal, smallPlay } from "../../rig/cli/small-play.ts";
import { waitingRun } from "../../rig/cli/waiting.ts";
import { pending } from "../../rig/pi-host/answering.ts";
import { openDesk, planPath, question, told } from "../../rig/pi-host/sdd.ts";
import type { PiSession, Shown } from "../../rig/pi-host/session.ts";
import { sharePi } from "../../rig/pi-host/shared.ts";
import { callTeam, teamPlay, textOf } from "../../rig/pi-host/team.ts";

const waiting = waitingRun();
const lockOf = (cli: Cli): string | undefined => cli.file(".git/superteam/lock");

async function atActive(pi: PiSession): Promise<Shown> {
  await pi.type("/workflow Something else");
  return question(pi, /^Active Workflow/);
}

test("while /workflow asks about the active run, an answer starts nothing beside it", async (context) => {
  const { cli, pi } = await sharePi(context, smallPlay(), waiting("answered-early"));
  const asked = await atActive(pi);
  assert.match(await told(pi, "/workflow answer one"), /^No question of a run was answered: the run is just starting/);
  assert.equal(lockOf(cli), undefined);
  assert.equal((await pending(cli)).id, "brainstorm.question.1");
  pi.answer(asked, "No ★");
  await question(pi, /Question 1 of 3/);
  assert.match(await told(pi, "/workflow answer one"), /^Answered brainstorm\.question\.1: one$/);
  await question(pi, /Question 2 of 3/);
  await pi.ask({ type: "new_session" });
  assert.equal(lockOf(cli), undefined, "the run is suspended with its session");
});

test("while /workflow asks about the active run, no team starts that /workflow stop would miss", async (context) => {
  const { pi } = await sharePi(context, teamPlay(), waiting("team-early"));
  await atActive(pi);
  const [refused] = await callTeam(pi, { role: "scout", task: "say x" });
  assert.equal(refused?.isError, true);
  assert.match(
    textOf(refused),
    /^A run is at work in this pi and must not be disturbed\. Nothing was started\. .* \/workflow stop$/,
  );
});

test("a question for what to build starts nothing once its session has ended", async (context) => {
  const { cli, pi } = await sharePi(context);
  const typed = pi.type("/workflow");
  const asked = await pi.dialog();
  await pi.ask({ type: "new_session" });
  await typed;
  pi.answer(asked, goal);
  await pi.type("/workflow status");
  assert.deepEqual(cli.traces(), []);
});

test("a question about a task starts nothing once its session has ended", async (context) => {
  const { cli, pi } = await openDesk(context);
  await pi.type(`/sdd load ${planPath}`);
  const typed = pi.type("/sdd run 3");
  const asked = await question(pi, /^Task 3 builds on task 2/);
  await pi.ask({ type: "new_session" });
  await typed;
  pi.answer(asked, "Run it anyway");
  await pi.type("/workflow status");
  assert.equal(existsSync(join(cli.root, ".git/superteam/runs")), false);
});
