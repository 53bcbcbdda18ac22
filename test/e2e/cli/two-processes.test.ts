// Two processes and one tree: a second runner is refused, and what another process says reaches the live runner, which
// confirms it. Without a live runner the same commands do the work themselves.

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Cli } from "../../rig/cli/cli.ts";
import { goal } from "../../rig/cli/small-play.ts";
import { inTerminal } from "../../rig/cli/terminal.ts";
import { waitingRun } from "../../rig/cli/waiting.ts";
import { noScreen } from "../../rig/person/pane.ts";

const skip = noScreen() ?? false;
const waiting = waitingRun();

async function pending(cli: Cli): Promise<string> {
  return JSON.parse((await cli.go("status", "--json")).stdout).pendingInteraction.id;
}

/** An ended run leaves no active state: no pointer, no lock, no snapshot, only its journal. */
async function assertCleared(cli: Cli): Promise<void> {
  assert.deepEqual(cli.traces(), [`run ${cli.run.split("/").at(-1)}`]);
  assert.match((await cli.go("status")).stdout, /No run is active in this tree/);
  assert.deepEqual(JSON.parse((await cli.go("status", "--json")).stdout), { active: false, inLine: 0 });
  const last = (await cli.entries()).at(-1);
  assert.equal(last?.type === "end" && last.ending.how, "aborted");
  assert.equal(cli.git("status", "--porcelain", "--untracked-files=no"), "");
}

test("while a runner waits for its person, a second one is refused, and answer and stop reach it", {
  skip,
}, async (context) => {
  const cli = waiting("live");
  const pane = await inTerminal(context, cli, ["resume"]);
  await pane.until("Question 1 of 3");
  const { runner, runId } = JSON.parse((await cli.go("status", "--json")).stdout);

  for (const command of [["resume"], ["run", goal], ["resume", "--yes"]]) {
    const second = await cli.go(...command);
    assert.equal(second.code, 5, second.stderr);
    assert.match(
      second.stderr,
      new RegExp(
        `Another runner is at work in this tree: process ${runner.pid}, run ${runId}, since [-\\d]{10} [:\\d]{5} UTC\\. `,
      ),
    );
    assert.match(second.stderr, /superteam stop/);
  }
  assert.match((await cli.go("status")).stdout, new RegExp(`Running in process ${runner.pid}`));

  const wrong = await cli.go("answer", "approve", "--id", "plan.approval");
  assert.equal(wrong.code, 4, wrong.stderr);
  assert.match(wrong.stderr, /The question being asked is brainstorm\.question\.1, not plan\.approval/);

  const answered = await cli.go("answer", "--text", "from elsewhere");
  assert.deepEqual([answered.code, answered.stderr], [0, "Answered brainstorm.question.1: from elsewhere\n"]);
  assert.match(await pane.until("Question 2 of 3"), /answered elsewhere: from elsewhere/);

  const stopped = await cli.go("stop");
  assert.deepEqual([stopped.code, stopped.stderr], [0, "The run is suspended.\n"]);
  assert.match(await pane.until("ended with 2"), /no longer asked/);
  assert.equal(await pending(cli), "brainstorm.question.2", "the answer counted, and the next question waits");
  assert.equal(cli.file(".git/superteam/lock"), undefined);
});

test("a runner whose lock was removed stops, says so, and can be resumed", { skip }, async (context) => {
  const cli = waiting("live-lock");
  const pane = await inTerminal(context, cli, ["resume"]);
  await pane.until("Question 1 of 3");
  rmSync(join(cli.root, ".git/superteam/lock"));
  await pane.until("The lock of this tree is gone");
  await pane.until("ended with 130");
  assert.equal(await pending(cli), "brainstorm.question.1");
});

test("abort from another process ends the live run, its terminal included, and clears the tree", {
  skip,
}, async (context) => {
  const cli = waiting("live-abort");
  const pane = await inTerminal(context, cli, ["resume"]);
  await pane.until("Question 1 of 3");
  const aborted = await cli.go("abort");
  assert.deepEqual([aborted.code, aborted.stderr], [0, "The run is aborted.\n"]);
  assert.match(await pane.until("ended with 1"), /The run was ended/);
  await assertCleared(cli);
});

test("without a live runner answer goes on by itself, and a wrong one is refused with the options", async () => {
  const cli = waiting("alone");
  const stopped = await cli.go("stop");
  assert.equal(stopped.code, 0);
  assert.match(stopped.stderr, /is suspended already\. superteam resume continues/);

  const nothing = await cli.go("answer");
  assert.equal(nothing.code, 4);
  assert.match(nothing.stderr, /Say what to answer/);
  const other = await cli.go("answer", "approve", "--id", "plan.approval");
  assert.equal(other.code, 4);
  assert.match(other.stderr, /The question that waits is brainstorm\.question\.1, not plan\.approval/);

  for (const [said, next] of [
    ["one", "brainstorm.question.2"],
    ["two", "brainstorm.question.3"],
    ["three", "brainstorm.approach"],
  ] as const) {
    const exit = await cli.go("answer", said);
    assert.equal(exit.code, 2, exit.stderr);
    assert.equal(await pending(cli), next);
  }
  const entries = (await cli.entries()).length;
  const wrong = await cli.go("answer", "baroque");
  assert.equal(wrong.code, 4);
  assert.match(wrong.stderr, /"baroque" is not an answer to brainstorm\.approach\. Choose one of: 1\) plain/);
  assert.equal((await cli.entries()).length, entries, "a wrong answer changes nothing");

  const ended = await cli.go("abort");
  assert.equal(ended.code, 0, ended.stderr);
  assert.match(ended.stderr, /is ended\. Its journal is kept/);
  await assertCleared(cli);
});
