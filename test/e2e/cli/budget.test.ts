// Money, with the whole pipeline and real processes: agents that are stopped at the limit, what is on disk then, and how a run
// goes on. What each turn costs is the script's.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { processTable } from "../../../src/adapters/process/table.ts";
import { noUsage } from "../../../src/core/flow/dispatch.ts";
import { optionsOf } from "../../../src/core/flow/question.ts";
import type { PastRun } from "../../../src/core/money/experience.ts";
import { viewOf } from "../../../src/engine/views/fold/run-view.ts";
import type { Entry } from "../../../src/ports/journal.ts";
import { story, type Told } from "../../rig/pipeline/story.ts";

const turn = (costUsd: number) => ({ ...noUsage, input: 100, output: 10, costUsd });
const limit = (hardLimitUsd: number) => ({ costs: { hardLimitUsd, warnAtUsd: 50 } });

/** Has changed the tree and has a child of its own when it has spent too much. */
const spender = {
  run: "sleep 600 & echo $! > .git/child.pid; echo half > letter.txt; echo more > stray.txt",
  text: "",
  turns: [turn(1), turn(1.5)],
  hang: true,
};

const ledger = (entries: readonly Entry[]): number =>
  entries.reduce(
    (sum, entry) => (entry.type === "note" && entry.note.type === "usage" ? sum + entry.note.usage.costUsd : sum),
    0,
  );

function assertLedger({ entries }: Told): void {
  assert.equal(viewOf(entries).spend.total.costUsd, ledger(entries));
}

describe("at the hard limit", { concurrency: 2 }, () => {
  test("a running agent is stopped with all its processes, and the run pauses as it is", async (context) => {
    const run = story(context);
    run.configure(limit(2));
    const told = await run.live({ scripts: { "execute/task-1/implement": spender } });
    assert.deepEqual(told.end, { how: "suspended", why: "question" });
    assert.equal(told.waits?.id, "budget.limit");
    assert.equal(told.waits.title, "Over Budget");
    assert.match(told.waits.message, /^Cost budget exceeded \(\$2\.\d\d of \$2\.00\)\n[\s\S]*Tasks done: 0 of 1\./);
    assert.deepEqual(
      optionsOf(told.waits).map(({ label }) => label),
      ["Raise limit", "Abort workflow"],
    );
    const child = Number(readFileSync(join(run.root, ".git/child.pid"), "utf8"));
    assert.ok(!(await processTable()).some(({ pid }) => pid === child), "its child is gone as well");
    assert.deepEqual([run.text("letter.txt"), run.text("stray.txt")], [null, null], "its work is taken back");
    assert.equal(viewOf(told.entries).phase, "execute");
    assert.equal(told.dispatches.filter(({ name }) => name === "implement").length, 1);
    assertLedger(told);
  });

  test("a run goes on where it was once the configured limit is raised, and every try is paid for", async (context) => {
    const run = story(context);
    run.configure(limit(2));
    const first = await run.live({ scripts: { "execute/task-1/implement": spender } });
    run.configure(limit(20));
    const told = await run.live();
    assert.equal(told.end.how, "finished");
    assert.match(run.git("show", "HEAD~1:letter.txt"), /signed/);
    assert.equal(told.dispatches.filter(({ name }) => name === "implement").length, 2);
    assert.equal(told.dispatches.filter(({ name }) => name === "scout").length, 1, "nothing is paid for twice");
    assertLedger(told);
    assert.ok(ledger(told.entries) > ledger(first.entries) && ledger(first.entries) > 2.5);
  });

  test("the person can raise it to an amount, which holds in later processes", async (context) => {
    const run = story(context);
    run.configure(limit(2));
    const scripts = { "execute/task-1/implement": spender };
    const again = await run.live({
      scripts,
      answers: { "budget.limit": ["raise"], "budget.amount": ["$4.50"], "budget.near": ["continue"] },
    });
    assert.deepEqual(again.end, { how: "suspended", why: "question" }, "it is stopped at the new limit as well");
    assert.match(again.waits?.message ?? "", /of \$4\.50\)/);
    const told = await run.live({ answers: { "budget.limit": ["raise", "raise"], "budget.amount": ["4.50", "50"] } });
    assert.equal(told.end.how, "finished");
    assertLedger(told);
  });

  test("the person can end the run", async (context) => {
    const run = story(context);
    run.configure(limit(2));
    const scripts = { "execute/task-1/implement": spender };
    const told = await run.live({ scripts, answers: { "budget.limit": ["abort"] } });
    assert.deepEqual(told.end, { how: "aborted", detail: "the person ended the run over its budget" });
    assert.equal(existsSync(join(run.root, "stray.txt")), false);
  });
});

test("agents side by side start one by one when both would not fit in what is left", async (context) => {
  const run = story(context);
  run.configure(limit(1));
  remember(run.root, ["architect", "spec-reviewer"], 0.6);
  const told = await run.live({ closed: ["plan.approval"] });
  assert.equal(told.waits?.id, "plan.approval");
  assert.deepEqual(course(told.entries), ["begin", "settle", "begin", "settle"]);
  const roomy = story(context);
  const wide = await roomy.live({ closed: ["plan.approval"] });
  assert.deepEqual(course(wide.entries), ["begin", "begin", "settle", "settle"]);
});

/** How the reviews of the plan went. */
function course(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap((entry) =>
    (entry.type === "begin" || entry.type === "settle") && /^plan-review\/.*dispatch:/.test(entry.key)
      ? entry.type
      : [],
  );
}

function remember(root: string, roles: readonly string[], costUsd: number): void {
  const samples = roles.map((role) => ({ role, difficulty: null, model: null, costsUsd: [costUsd], ms: [1] }));
  const line: PastRun = {
    ...{ v: 1, runId: "before", goal: "Another", how: "finished", mode: "standard", startedAt: 0, endedAt: 1 },
    ...{ activeMs: 1, costUsd, estimated: false, dispatches: 2, tasks: 1, rounds: 0, ceremonyRatio: null },
    ...{ samples, forecast: null },
  };
  mkdirSync(join(root, ".git/superteam"), { recursive: true });
  writeFileSync(join(root, ".git/superteam/history.jsonl"), `${JSON.stringify(line)}\n`);
}

for (const kind of ["billing", "auth"] as const) {
  test(`a failure of kind ${kind} stops at once and is never tried again by itself`, async (context) => {
    const run = story(context);
    const fail = { kind, detail: "no" };
    const told = await run.live({ scripts: { "execute/task-1/implement": { text: "", fail } } });
    assert.equal(told.waits?.id, "execute.task.1.implement.failed");
    assert.equal(told.dispatches.filter(({ name }) => name === "implement").length, 1);
  });
}
