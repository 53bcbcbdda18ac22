// What a person sees of money: `superteam costs`, the status, the progress file, the report.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  finished,
  Pen,
  startedAt,
  untilPlan,
  untilTask2,
  usage,
  viewOf,
  wholeRun,
} from "../../../../test/rig/sample-journal.ts";
import { limitsOf } from "../../../core/money/budget.ts";
import type { Forecast } from "../../../core/money/experience.ts";
import { ceremonies } from "../../../core/run/ceremony.ts";
import { Config, modes } from "../../../core/run/config.ts";
import { outlineOf } from "../../../core/run/pipeline.ts";
import { superteam } from "../../../pipelines/superteam.ts";
import type { Entry } from "../../../ports/journal.ts";
import { formatProgress } from "../files/progress.ts";
import { formatReport } from "../files/report.ts";
import { toSnapshot } from "../files/snapshot.ts";
import { applyEntry } from "../fold/run-view.ts";
import { RunView } from "../fold/shape.ts";
import { taskProgress } from "../fold/tasks.ts";
import { logLine, narrate } from "../tell/entries.ts";
import { toEvents } from "../tell/events.ts";
import { costLines, costsOf } from "./costs.ts";
import { budgetOf } from "./money.ts";
import { statusLines } from "./status.ts";

const minute = 60_000;
const forecast: Forecast = {
  dispatches: 9,
  lowUsd: 1,
  expectedUsd: 1.5,
  highUsd: 3,
  lowMs: 10 * minute,
  highMs: 30 * minute,
  samples: 12,
  spentUsd: 0.15,
};

const configured = (pen: Pen, costs: object = {}): Pen =>
  pen.add({ type: "limits", limits: limitsOf(Config.parse({ costs })) });

const triaged = (mode: (typeof modes)[number]) =>
  ({
    type: "triaged",
    mode,
    proposed: "standard",
    reason: "three files",
    breadth: "one",
    parts: [],
    rounds: ceremonies[mode].rounds,
  }) as const;

test("the costs of a run are one table per phase, task, role and model, then each dispatch", () => {
  const pen = new Pen().run("Add rate limiting").fact("brainstorm", triaged("quick"));
  const view = viewOf(untilTask2(pen).entries);
  assert.deepEqual(costLines(costsOf(view, false)).slice(0, 14), [
    "Run run-1: Add rate limiting",
    "Spent ~$1.7000 in 7 agent calls, mode quick",
    "Outside implementation: 25 % of the cost",
    "",
    "phase       calls  input  output      cost",
    "brainstorm      2    200      20   $0.1500",
    "execute         5    500      50  ~$1.5500",
    "total           7    700      70  ~$1.7000",
    "",
    "task             calls  input  output      cost",
    "1. Token bucket      1    100      10   $0.4800",
    "2. Middleware        4    400      40  ~$1.0700",
    "",
    "role           calls  input  output      cost",
  ]);
  const text = costLines(costsOf(view, false)).join("\n");
  assert.match(text, /\nmodel +calls .*\nfake\/opus +7 .*~\$1\.7000\n/);
  assert.match(text, /\nphase +task +role +step +model +tries .*outcome\n/);
  assert.match(text, /\nexecute +2 +spec-reviewer +spec-review +fake\/opus +1 +100 +10 +~\$0\.0700 +0s +interrupted\n/);
  assert.match(text, /\n~ partly estimated: a model turn was cut before its usage was known$/);
});

test("a dispatch without an outcome runs while a process is at work, and is interrupted else", () => {
  const view = viewOf(untilPlan().dispatchBegins("execute/task-1/dispatch:implement#1", "implementer").entries);
  const last = (isAlive: boolean) => costsOf(view, isAlive).dispatches.at(-1)?.outcome;
  assert.deepEqual([last(true), last(false)], ["running", "interrupted"]);
});

test("a model without a price is labelled, and its tokens are told all the same", () => {
  const pen = new Pen().run("g").dispatch("a/dispatch:scout#1", "scout", 0);
  const view = viewOf(pen.entries);
  const text = costLines(costsOf(view, false)).join("\n");
  assert.match(text, /^Spent no price in 1 agent call$/m);
  assert.match(text, /^fake\/opus +1 +100 +10 +no price$/m);
  assert.match(text, /^no price: fake\/opus reported no cost; tokens and agent calls are limited instead$/m);
  assert.match(formatReport(view), /Total cost: an unknown amount[\s\S]*Models: fake\/opus 1 agent call, no price/);
});

test("the budget is what the configuration says, until the person raises it", () => {
  const pen = configured(untilTask2(), { hardLimitUsd: 2, warnAtUsd: 1 });
  assert.deepEqual(costsOf(viewOf(pen.entries), false).budget, {
    warnAtUsd: 1,
    hardLimitUsd: 2,
    raisedToUsd: null,
    leftUsd: 2 - viewOf(pen.entries).spend.total.costUsd,
  });
  const key = "~ask:budget.amount#usd-2";
  const question = { id: "budget.amount", kind: "input", title: "Raise limit", message: "to?" } as const;
  pen.asks(key, question);
  const asking = statusLines(viewOf(pen.entries), { now: 0, isAlive: false }).join("\n");
  assert.match(asking, /Budget: \$0\.30 left of \$2\.00; asks at \$1\.00/);
  pen.settle(key, "8.5");
  const { budget } = costsOf(viewOf(pen.entries), false);
  assert.deepEqual([budget?.hardLimitUsd, budget?.raisedToUsd], [8.5, 8.5]);
  assert.match(costLines(costsOf(viewOf(pen.entries), false)).join("\n"), /of \$8\.50, raised by you to \$8\.50/);
  // A process that goes on with the run may hold it to another one, such as with --budget.
  configured(pen, { hardLimitUsd: 12, warnAtUsd: 1 });
  assert.equal(budgetOf(viewOf(pen.entries))?.hardLimitUsd, 12);
  assert.match(logLine(pen.entries.at(-1) as Entry, viewOf(pen.entries)) ?? "", /budget: \$12\.00, asks at \$1\.00/);
});

test("the forecast is told against the budget, and later beside what came", () => {
  const pen = configured(untilPlan());
  const view = viewOf(pen.entries);
  const entry = pen.fact("plan-review", { type: "forecast", forecast }).entries.at(-2);
  assert.ok(entry);
  applyEntry(view, entry);
  assert.equal(
    narrate(entry, view)?.text,
    "💰 Forecast: 9 agent calls, about $1.50 ($1.00 to $3.00), 10m 00s to 30m 00s; based on 12 earlier agent calls, for 3 tasks\n  Budget: $19.85 left of $20.00; asks at $5.00",
  );
  assert.match(logLine(entry, view) ?? "", /Forecast: 9 agent calls, about \$1\.50/);
  const [event] = toEvents(entry, view);
  assert.deepEqual(event?.type === "forecast" && [event.tasks, event.highUsd, event.budget?.hardLimitUsd], [3, 3, 20]);
  const text = (ending: Pen) => costLines(costsOf(viewOf(ending.entries), false)).join("\n");
  assert.match(text(pen), /12 earlier agent calls; so far \$0\.00/);
  pen.dispatch("execute/task-1/dispatch:implement#1", "implementer", 0.4);
  pen.add({ type: "end", ending: { how: "finished", value: null } });
  assert.match(text(pen), /it came to \$0\.40, below the range/);
  assert.match(formatReport(viewOf(pen.entries)), /- Forecast: .*it came to \$0\.40, below the range/);
  assert.equal(costsOf(viewOf(pen.entries), false).forecast?.isWithin, false);
  const guess = new Pen().run("g").fact("x", { type: "forecast", forecast: { ...forecast, samples: 0 } });
  assert.match(viewOf(guess.entries).log.at(-1)?.text ?? "", /a guess, because there are no earlier agent calls/);
});

test("the mode is in the status, the progress file, the report, the snapshot and the log, with what was proposed", () => {
  const pen = new Pen().run("g");
  const view = viewOf(pen.entries);
  assert.doesNotMatch(formatProgress(view), /Mode/);
  const entry = pen.fact("brainstorm", triaged("hotfix")).entries.at(-2);
  assert.ok(entry);
  applyEntry(view, entry);
  assert.match(formatProgress(view), /\| \*\*Started:\*\* .* UTC \| \*\*Mode:\*\* hotfix\n/);
  assert.match(formatReport(view), /^- Mode: hotfix$/m);
  assert.match(statusLines(view, { now: 0, isAlive: false }).join("\n"), /^Mode: hotfix$/m);
  assert.equal(toSnapshot(view).mode, "hotfix");
  assert.equal(narrate(entry, view)?.text, "⚖ Mode: hotfix (the scout proposed standard: three files)");
  assert.match(logLine(entry, view) ?? "", /mode hotfix \(proposed: standard, three files\)/);
  assert.equal(toEvents(entry, view)[0]?.type, "triaged");
});

test("the progress file of a small change has no box for what the change does not get", () => {
  const pen = new Pen().run("g").fact("brainstorm", triaged("hotfix"));
  pen.fact("plan-write", { type: "plan.written", path: null, tasks: [{ id: "1", title: "Fix it" }] });
  const text = formatProgress(viewOf(pen.entries));
  assert.match(text, /## Brainstorm\n- \[ \] Scout codebase\n\n## Tasks\n- \[ \] 1\. Fix it\n/);
  assert.doesNotMatch(text, /## Plan|Design|Approach|Requirements|Plan written/);
  const quick = formatProgress(viewOf(new Pen().run("g").fact("brainstorm", triaged("quick")).entries));
  assert.match(
    quick,
    /Scout codebase\n- \[ \] Design validated\n- \[ \] Design\n\n## Plan\n- \[ \] Plan\n- \[ \] Approved/,
  );
});

test("a goal that is its own design leaves out the questions and the design", () => {
  const header = {
    runId: "r",
    pipeline: outlineOf(superteam),
    input: { goal: "g", wishes: { skipBrainstorm: true } },
    startedAt,
  };
  const pen = new Pen().add({ type: "run", header }).fact("brainstorm", triaged("standard"));
  assert.match(formatProgress(viewOf(pen.entries)), /## Brainstorm\n- \[ \] Scout codebase\n\n## Plan\n- \[ \] Plan\n/);
});

for (const mode of modes) {
  test(`a fix in ${mode} mode is told against the mode's ${ceremonies[mode].rounds} rounds, unless the configuration says more`, () => {
    const fixing = { type: "task.status", task: "1", status: "fixing", round: 1 } as const;
    const told = (pen: Pen) => {
      const view = new RunView();
      const entries = pen.fact("execute", fixing).entries;
      return entries
        .map((entry) => narrate(entry, applyEntry(view, entry))?.text)
        .findLast((text) => text !== undefined);
    };
    assert.equal(told(new Pen().run("g").fact("x", triaged(mode))), `🔧 Fix attempt 1/${ceremonies[mode].rounds}...`);
    const pen = new Pen().run("g").fact("x", triaged(mode));
    pen.begin("config:#1", { do: "config" });
    pen.settle("config:#1", Config.parse({ review: { maxTaskReviewCycles: 7 } }));
    assert.equal(told(pen), "🔧 Fix attempt 1/7...");
    const { maxTaskReviewCycles, maxPlanReviewCycles } = toSnapshot(viewOf(pen.entries)).config;
    assert.deepEqual([maxTaskReviewCycles, maxPlanReviewCycles], [7, ceremonies[mode].rounds]);
  });
}

test("how far the tasks are, and what is left, rests on what the tasks have cost and not on what came before them", () => {
  const before = taskProgress(viewOf(untilPlan().entries));
  assert.equal(before.estimatedRemainingCost, null);
  const pen = untilTask2();
  const summary = taskProgress(viewOf(pen.entries));
  assert.deepEqual(
    { ...summary, cumulativeCost: 0 },
    {
      tasksCompleted: 1,
      tasksRemaining: 2,
      tasksSkipped: 0,
      cumulativeCost: 0,
      estimatedRemainingCost: { lowUsd: 0.48, expectedUsd: 0.96, highUsd: 1.92 },
      changedFilesSoFar: ["src/t1.ts"],
      fixCyclesSoFar: 1,
      currentTaskTitle: "Middleware",
    },
  );
  assert.ok(Math.abs(summary.cumulativeCost - 1.7) < 1e-9);
  const lines = statusLines(viewOf(pen.entries), { now: 0, isAlive: false }).join("\n");
  assert.match(lines, /^Left: 2 tasks, about \$0\.96 \(\$0\.48 to \$1\.92\)$/m);
  const whole = taskProgress(viewOf(wholeRun().entries));
  assert.deepEqual([whole.tasksCompleted, whole.tasksRemaining, whole.tasksSkipped], [2, 0, 1]);
});

test("status tells what each phase and each task has cost", () => {
  const lines = statusLines(viewOf(untilTask2().entries), { now: 0, isAlive: false }).join("\n");
  assert.match(lines, /^Phases: brainstorm \$0\.15, execute \$1\.55$/m);
  assert.match(lines, /2\. Middleware — reviewing, 1 round, \$1\.07/);
});

test("after a kill nothing is said to run: what has no outcome was interrupted", () => {
  const pen = untilPlan().dispatchBegins("execute/task-1/dispatch:implement#1", "implementer");
  const lines = (isAlive: boolean) => statusLines(viewOf(pen.entries), { now: 0, isAlive }).join("\n");
  assert.match(lines(true), /Running: implementer/);
  assert.doesNotMatch(lines(true), /Interrupted/);
  assert.match(lines(false), /^Interrupted: implementer \(fake\/opus\); it starts again$/m);
  assert.doesNotMatch(lines(false), /Running/);
});

test("a run that waits for its provider says until when, over restarts, and how to sleep until then", () => {
  const key = "execute/wait:quota#1";
  const request = { do: "wait", name: "quota", ms: 30 * minute, away: true } as const;
  const pen = untilPlan().begin(key, request).wait(5).add({ type: "session", pid: 2, versions: {} });
  const began = viewOf(pen.entries).open.get(key)?.at ?? 0;
  pen.begin(key, request, 2);
  const lines = (isAlive: boolean, now: number) => statusLines(viewOf(pen.entries), { now, isAlive }).join("\n");
  const now = began + 10 * minute;
  assert.match(
    lines(false, now),
    /quota is used up: waiting for the provider until 14:24 UTC \(20m 00s\)\.\nsuperteam resume --wait/,
  );
  assert.match(lines(true, now), /^Quota: waiting for the provider until 14:24 UTC \(20m 00s\)$/m);
  assert.match(
    lines(false, began + 31 * minute),
    /The provider should be available again: superteam resume continues\./,
  );
  const far = { ...request, ms: 48 * 60 * minute };
  const days = statusLines(viewOf(untilPlan().begin(key, far).entries), { now: began, isAlive: false }).join("\n");
  assert.match(days, /until 2026-02-09 13:54 UTC/);
});

test("only a run that has come to its end is called complete", () => {
  assert.match(
    formatReport(viewOf(untilTask2().entries)),
    /^# Workflow Not Finished\n[\s\S]*Where it stands: ⚡ Workflow: execute/,
  );
  const written = untilTask2().fact("finalize", { type: "report", text: "2 of 3 tasks" });
  assert.match(formatReport(viewOf(written.entries)), /^# Workflow Complete\n/);
});

test("a later part keeps the tasks of the parts before it, and is told as a part", () => {
  const pen = wholeRunUntilEnd();
  const entry = pen.fact("part-2", { type: "part.started", part: 2, of: 3, title: "The web page" }).entries.at(-2);
  pen.fact("part-2/plan-write", { type: "plan.written", path: "docs/p2.md", tasks: [{ id: "4", title: "A page" }] });
  const view = viewOf(pen.entries);
  assert.deepEqual(
    [...view.tasks.values()].map(({ id, number, status }) => [id, number, status]),
    [
      ["1", 1, "complete"],
      ["2", 2, "complete"],
      ["3", 3, "skipped"],
      ["4", 4, "pending"],
    ],
  );
  assert.ok(entry);
  assert.equal(narrate(entry, view)?.text, "── Part 2 of 3: The web page ──");
  assert.equal(toEvents(entry, view)[0]?.type, "part.started");
  assert.match(formatProgress(view), /Part 2 of 3 started: The web page/);
  const status = statusLines(viewOf(pen.fact("x", triaged("full")).entries), { now: 0, isAlive: false }).join("\n");
  assert.match(status, /Mode: full, part 2 of 3: The web page/);
});

function wholeRunUntilEnd(): Pen {
  const pen = wholeRun();
  pen.entries.pop();
  return pen;
}

test("the report says which model did what", () => {
  const pen = untilTask2();
  const key = "execute/task-2/dispatch:fix#2";
  const request = { do: "dispatch", name: "fix", role: "implementer", prompt: "p", access: "write" } as const;
  pen.begin(key, request).add({ type: "note", key, note: { type: "started", model: "other/small" } });
  pen.add({ type: "note", key, note: { type: "usage", model: "other/small", usage: usage(0.03) } });
  pen.settle(key, finished(0.03, "done"));
  assert.match(
    formatReport(viewOf(pen.entries)),
    /^- Models: fake\/opus 7 agent calls, \$1\.70; other\/small 1 agent call, \$0\.03$/m,
  );
});
