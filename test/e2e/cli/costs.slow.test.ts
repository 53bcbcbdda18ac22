// What a run costs, as the command line tells it: while it runs, after a kill, when it is over, and at its budget.

import assert from "node:assert/strict";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { PastRun } from "../../../src/core/money/experience.ts";
import type { Costs, Sum } from "../../../src/engine/views/show/costs.ts";
import type { Entry } from "../../../src/ports/journal.ts";
import { type Cli, exitOf, openCli } from "../../rig/cli/cli.ts";
import { allAnswers, goal, smallPlay } from "../../rig/cli/small-play.ts";
import { until } from "../../rig/until.ts";

async function costsOf(cli: Cli, ...more: readonly string[]): Promise<Costs> {
  const exit = await cli.go("costs", ...more, "--json");
  assert.equal(exit.code, 0, exit.stderr);
  return JSON.parse(exit.stdout);
}

/** What the journal says was used, whatever became of it. */
function noted(entries: readonly Entry[]): number {
  return entries.reduce((sum, { type, ...entry }) => {
    const note = type === "note" && "note" in entry ? entry.note : undefined;
    return note?.type === "usage" ? sum + note.usage.costUsd : sum;
  }, 0);
}

function assertSums(costs: Costs, totalUsd: number): void {
  const sum = (lines: readonly Pick<Sum, "costUsd">[]) => lines.reduce((all, { costUsd }) => all + costUsd, 0);
  for (const by of ["phases", "roles", "models", "dispatches"] as const) {
    assert.ok(Math.abs(sum(costs[by]) - totalUsd) < 1e-9, `${by}: ${sum(costs[by])} of ${totalUsd}`);
  }
  assert.ok(Math.abs(costs.total.costUsd - totalUsd) < 1e-9);
}

test("the ledger is there while the run goes on, after kill -9 and at the end, and always adds up", {
  timeout: 240_000,
}, async (context) => {
  let held = true;
  const play = smallPlay((step, turn) =>
    step === "execute/task-1/implement" && turn === 1 && held ? { fault: { kind: "hang", after: "request" } } : {},
  );
  const cli = await openCli(context, { play });
  const answers = cli.beside("answers.json", allAnswers);
  const running = cli.start(["run", goal, "--answers", answers]);
  const killed = exitOf(running);
  const hangs = () => cli.server.requests.some(({ header, turn }) => header?.step.endsWith("/implement") && turn === 1);
  await until(hangs);

  const live = await costsOf(cli);
  assert.deepEqual([live.dispatches.at(-1)?.outcome, live.ended, live.mode], ["running", null, "standard"]);
  assertSums(live, noted(await cli.entries()));
  assert.ok(live.phases.some(({ phase, costUsd }) => phase === "plan-review" && costUsd > 0));
  assert.match((await cli.go("status")).stdout, /Running: implementer/);

  running.kill("SIGKILL");
  await killed;
  const status = (await cli.go("status")).stdout;
  assert.match(status, /Interrupted: implementer[\s\S]*Suspended: superteam resume continues/);
  assert.doesNotMatch(status, /Running:/);
  const stopped = await costsOf(cli);
  assert.equal(stopped.dispatches.at(-1)?.outcome, "interrupted");

  held = false;
  const resumed = await cli.go("resume", "--answers", answers);
  assert.equal(resumed.code, 0, resumed.stderr);
  const over = await costsOf(cli);
  assertSums(over, noted(await cli.entries()));
  const work = over.dispatches.find(({ step }) => step === "implement");
  const before = stopped.dispatches.find(({ step }) => step === "implement");
  assert.deepEqual([work?.tries, work?.outcome, over.ended], [2, "finished", "finished"]);
  assert.ok((before?.costUsd ?? 0) > 0 && (work?.costUsd ?? 0) > (before?.costUsd ?? 0), "both tries are paid for");
  await afterTheEnd(cli, over);
});

async function afterTheEnd(cli: Cli, { runId, total, ceremonyRatio }: Costs): Promise<void> {
  assert.deepEqual((await costsOf(cli, runId)).total, total);
  const words = (await cli.go("costs")).stdout;
  assert.match(
    words,
    new RegExp(`^Run ${runId}: Write a letter\nSpent ~?\\$0\\.\\d{4} in 12 agent calls, mode standard\n`),
  );
  const history = join(cli.root, ".git/superteam/history.jsonl");
  const past = PastRun.parse(JSON.parse(readFileSync(history, "utf8")));
  assert.deepEqual([past.runId, past.how, past.mode, past.costUsd], [runId, "finished", "standard", total.costUsd]);
  assert.equal(past.ceremonyRatio, ceremonyRatio);
  assert.ok(past.samples.some(({ role, costsUsd }) => role === "implementer" && costsUsd.length === 1));
  appendFileSync(history, '{"runId":"old"}\n{"torn');
  const listed = JSON.parse((await cli.go("runs", "--json")).stdout);
  assert.deepEqual(
    listed.runs.map((run: PastRun) => [run.runId, run.how, run.costUsd]),
    [[runId, "finished", total.costUsd]],
  );
  assert.match(
    (await cli.go("runs")).stdout,
    /^run +end +mode +cost +time +tasks +goal\n.* finished +standard +\$0\.\d\d +\S+ +1\/1 /,
  );
  const report = (await cli.go("report", runId)).stdout;
  assert.match(report, /^# Workflow Complete\n[\s\S]*- Models: scripted\/scripted-model \d+ agent calls, \$/);
  assert.match(report, /- Mode: standard\n[\s\S]*- Outside implementation: \d+ % of the cost\n- Phases: brainstorm \$/);
  for (const command of ["costs", "report"]) {
    const exit = await cli.go(command, "20200101-000000-aaaa");
    assert.equal(exit.code, 4);
    assert.match(
      exit.stderr,
      /There is no run "20200101-000000-aaaa" in this repository\. See them all: superteam runs/,
    );
  }
}

describe("without a run", () => {
  test("there is nothing to count, and that is told", async (context) => {
    const cli = await openCli(context);
    for (const command of ["costs", "report"]) {
      const exit = await cli.go(command);
      assert.equal(exit.code, 4);
      assert.match(exit.stderr, /There are no runs in this repository yet/);
    }
    const runs = await cli.go("runs");
    assert.deepEqual([runs.code, runs.stdout], [0, "There are no runs in this repository yet.\n"]);
    assert.deepEqual(cli.traces(), []);
  });
});

test("a run over its budget ends with exit code 3, tells how to go on, and goes on with a higher one", {
  timeout: 240_000,
}, async (context) => {
  const cli = await openCli(context);
  const answers = cli.beside("answers.json", allAnswers);
  const over = await cli.go("run", goal, "--answers", answers, "--budget", "0.001");
  assert.equal(over.code, 3, over.stderr);
  assert.match(
    over.stderr,
    /Its budget is used up\. Decide: superteam answer\. Raise the limit: superteam resume --budget/,
  );
  const spent = await costsOf(cli);
  assert.ok(spent.total.costUsd >= 0.001, "the limit was reached");
  const again = await cli.go("resume", "--answers", answers);
  assert.equal(again.code, 3, again.stderr);
  assert.deepEqual(
    (await costsOf(cli)).total,
    spent.total,
    "the limit stays with the run, and nothing is spent by asking again",
  );
  const on = await cli.go("resume", "--answers", answers, "--budget", "5");
  assert.equal(on.code, 0, on.stderr);
});
