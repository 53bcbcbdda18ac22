import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../../test/rig/property.ts";
import {
  anchor,
  finished,
  Pen,
  question,
  startedAt,
  untilPlan,
  untilQuestion,
  untilTask2,
  usage,
  viewOf,
  wholeRun,
} from "../../../../test/rig/sample-journal.ts";
import { outlineOf } from "../../../core/run/pipeline.ts";
import { superteam } from "../../../pipelines/superteam.ts";
import type { Entry, EntryBody } from "../../../ports/journal.ts";
import { formatProgress } from "../files/progress.ts";
import { formatReport } from "../files/report.ts";
import { toSnapshot } from "../files/snapshot.ts";
import { activityWidget, agentStatus } from "../show/activity-widget.ts";
import { costLines, costsOf } from "../show/costs.ts";
import { progressWidget } from "../show/progress-widget.ts";
import { recap } from "../show/recap.ts";
import { footer, statusLines } from "../show/status.ts";
import { logLine, narrate } from "../tell/entries.ts";
import { toEvents } from "../tell/events.ts";
import { workStatus } from "../tell/step-status.ts";
import { applyEntry } from "./run-view.ts";
import { openQuestions, pendingQuestion, RunView } from "./shape.ts";

test("a question that was begun waits until it is settled, over sessions", () => {
  const pen = untilQuestion().add({ type: "session", pid: 9, versions: {} });
  assert.equal(pendingQuestion(viewOf(pen.entries))?.question.id, "brainstorm.question.1");
  pen.settle("brainstorm/ask:brainstorm.question.1#1", "bucket");
  const view = viewOf(pen.entries);
  assert.equal(pendingQuestion(view), undefined);
  assert.deepEqual([...view.served], [["brainstorm.question.1", 1]]);
});

test("an answer that is asked for again is counted again", () => {
  const pen = untilQuestion().settle("brainstorm/ask:brainstorm.question.1#1", "bucket");
  pen
    .asks("brainstorm/ask:brainstorm.question.1#2", question)
    .settle("brainstorm/ask:brainstorm.question.1#2", "window");
  assert.equal(viewOf(pen.entries).served.get("brainstorm.question.1"), 2);
});

test("a question that was taken back was never answered", () => {
  const pen = untilQuestion();
  const taken = [
    ["~ask:budget.limit#usd-10", "withdrawn"],
    ["execute#0~ask:run.diverged#1", null],
  ] as const;
  for (const [key, outcome] of taken) pen.asks(key, question).settle(key, outcome);
  const view = viewOf(pen.entries);
  assert.deepEqual([...view.served], []);
  assert.equal(view.last?.text, `withdrew ${question.id}`);
  pen.settle("brainstorm/ask:brainstorm.question.1#1", "withdrawn");
  assert.equal(viewOf(pen.entries).served.get("brainstorm.question.1"), 1, "a person's word is an answer");
});

test("what happened last is said in a few words", () => {
  const check = { do: "check", name: "validation", command: "npm test" } as const;
  const outcome = { passed: true, exitCode: 0, output: "", tree: "t", durationMs: 1 };
  const last = (write: (pen: Pen) => Pen) => viewOf(write(untilPlan()).entries).last?.text;
  const checked = (said: unknown) =>
    last((pen) => pen.begin("check:validation#1", check).settle("check:validation#1", said));
  assert.equal(checked(outcome), "check validation passed");
  assert.equal(checked({ ...outcome, passed: false, exitCode: 1 }), "check validation failed");
  assert.equal(checked("of another build"), "check validation failed");
  const done = last((pen) => pen.dispatch("execute/dispatch:fix#1", "implementer", 1));
  assert.equal(done, "implementer finished fix");
  const commit = { sha: "1aaaaaaaa", task: "1", message: "Add it\n\nbody", files: [] };
  assert.equal(
    last((pen) => pen.commit("execute/commit:task#1", commit)),
    "committed 1aaaaaa Add it",
  );
  const asked = last((pen) => pen.asks("execute/ask:q#1", question).settle("execute/ask:q#1", "bucket"));
  assert.equal(asked, `answered ${question.id}`);
});

test("coming back to a run is told, but is not what happened last in it", () => {
  const pen = untilPlan();
  const before = viewOf(pen.entries).last;
  const view = viewOf(
    pen.add({ type: "session", pid: 8, versions: {} }, { type: "session", pid: 9, versions: {} }).entries,
  );
  assert.deepEqual(view.last, before);
  assert.equal(view.log.at(-1)?.text, "Workflow resumed");
});

test("a check counts as a check of the work, unless it is one of its tests or of the tree before any work", () => {
  const outcome = { passed: true, exitCode: 0, output: "", tree: "t", durationMs: 1 };
  const kept = (name: string, more = {}, said: unknown = outcome) => {
    const key = `execute/task-1/check:${name}#1`;
    const pen = untilPlan()
      .begin(key, { do: "check", name, command: "c", ...more })
      .settle(key, said);
    return [...viewOf(pen.entries).checks.values()].map(({ passed, tree }) => [passed, tree]);
  };
  assert.deepEqual(kept("validation"), [[true, "t"]]);
  assert.deepEqual([kept("tests", { tests: true }), kept("baseline")], [[], []]);
  assert.deepEqual([kept("validation", {}, { passed: true }), kept("validation", {}, null)], [[], []]);
});

test("a dispatch runs from its begin until it is settled, its processes are gone, or another session opens", () => {
  const key = "execute/task-1/dispatch:implement#1";
  const begun = () => untilPlan().dispatchBegins(key, "implementer");
  const running = (pen: Pen) => [...viewOf(pen.entries).running.values()].map(({ role, model }) => `${role} ${model}`);
  assert.deepEqual(running(begun()), ["implementer fake/opus"]);
  assert.deepEqual(running(begun().settle(key, finished(1, ""))), []);
  assert.deepEqual(running(begun().add({ type: "note", key, note: { type: "gone", at: 1 } })), []);
  assert.deepEqual(running(begun().add({ type: "session", pid: 1, versions: {} })), []);
});

test("money of interrupted tries stays in the total, under its role, phase and task, and marks it as estimated", () => {
  const { spend } = viewOf(wholeRun().entries);
  assert.ok(Math.abs(spend.total.costUsd - (0.1 + 0.05 + 0.48 + 0.5 + 0.2 + 0.3 + 0.07 + 0.2)) < 1e-9);
  assert.equal(spend.total.estimated, true);
  assert.equal(spend.total.dispatches, 8);
  assert.ok(Math.abs((spend.roles.get("spec-reviewer")?.costUsd ?? 0) - 0.47) < 1e-9);
  assert.ok(Math.abs((spend.tasks.get("2")?.costUsd ?? 0) - 1.27) < 1e-9);
  assert.ok(Math.abs((spend.phases.get("brainstorm")?.costUsd ?? 0) - 0.15) < 1e-9);
});

test("a fact whose record was interrupted and begun again counts once", () => {
  const fact = { type: "warning", text: "careful" } as const;
  const pen = new Pen().run("x").begin("record:warning#1", { do: "record", fact });
  pen.add({ type: "session", pid: 2, versions: {} }).begin("record:warning#1", { do: "record", fact }, 2);
  assert.deepEqual(viewOf(pen.entries).warnings, ["careful"]);
});

test("a restarted task forgets what its earlier epoch said but not what it cost, and its new epoch is the same task", () => {
  const pen = untilTask2().add({ type: "restart", scope: "execute/task-2", epoch: 2, by: "person" });
  const reset = viewOf(pen.entries).tasks.get("2");
  assert.deepEqual([reset?.status, reset?.round, reset?.startedAt], ["pending", 0, null]);
  const key = "execute/task-2@2/dispatch:implement#1";
  pen.enter("execute/task-2@2", "task").dispatch(key, "implementer", 1);
  const view = viewOf(pen.entries);
  assert.ok(Math.abs((view.spend.tasks.get("2")?.costUsd ?? 0) - 2.07) < 1e-9);
  assert.deepEqual([...view.tasksAtWork], ["2"]);
  assert.equal(view.tasks.get("1")?.status, "complete");
});

test("a question about the budget waits on when the whole run starts again, and its answer still raises the limit", () => {
  const key = "~ask:budget.amount#usd-20";
  const question = { id: "budget.amount", kind: "input", title: "Raise limit", message: "To how many?" } as const;
  const pen = new Pen()
    .run("x")
    .begin(key, { do: "ask", question })
    .add({ type: "restart", scope: "", epoch: 2, by: "person" });
  assert.deepEqual(
    openQuestions(viewOf(pen.entries)).map((open) => open.key),
    [key],
  );
  const after = viewOf(pen.settle(key, "40").entries);
  assert.deepEqual([after.raised.usd, openQuestions(after)], [40, []]);
});

test("a fix voids the verdicts that were given before it", () => {
  assert.equal(viewOf(untilTask2().entries).tasks.get("2")?.reviews.size, 0);
});

test("what starts again is told by its scope, or as the whole run", () => {
  const last = (scope: string) =>
    viewOf(untilTask2().add({ type: "restart", scope, epoch: 2, by: "person" }).entries).log.at(-1)?.text;
  assert.deepEqual(
    [last("execute/task-2"), last("")],
    ["Started again: execute/task-2", "Started again: the whole run"],
  );
});

test("what was brainstormed is forgotten when that starts again, and kept when something later does", () => {
  const steps = (scope: string) =>
    viewOf(untilPlan().add({ type: "restart", scope, epoch: 2, by: "person" }).entries).brainstorm;
  const kept = viewOf(untilPlan().entries).brainstorm;
  assert.deepEqual(steps("plan-review"), kept);
  assert.notDeepEqual(steps("brainstorm"), kept);
  assert.deepEqual(steps("brainstorm"), steps(""));
});

test("a plan review that starts again forgets the verdicts of before", () => {
  const pen = untilPlan();
  assert.equal(viewOf(pen.entries).planReviews.size, 2);
  pen.add({ type: "restart", scope: "plan-review", epoch: 2, by: "person" });
  assert.equal(viewOf(pen.entries).planReviews.size, 0);
});

test("time between sessions is not time at work", () => {
  const pen = new Pen().run("x").wait(2).fact("a", { type: "plan.approved" }).wait(60);
  pen.add({ type: "session", pid: 2, versions: {} }).wait(3).fact("a", { type: "plan.approved" });
  assert.equal(viewOf(pen.entries).activeMs, 5 * 60_000);
});

test("what is kept per open thing does not grow with the length of a run", () => {
  const pen = untilPlan();
  for (let n = 1; n <= 500; n++) pen.dispatch(`execute/task-1/dispatch:fix#${n}`, "implementer", 0.01);
  const view = viewOf(pen.entries);
  assert.deepEqual([view.open.size, view.running.size, view.scopes.size, openQuestions(view).length], [0, 0, 0, 0]);
});

const scopes = ["brainstorm", "execute", "execute/task-1", "execute/task-1@2", "execute/task-9", ""];
const keys = [
  "brainstorm/dispatch:scout#1",
  "brainstorm/ask:brainstorm.question.1#1",
  "execute/task-1/dispatch:implement#1",
  "execute/task-1@2/check:tests#1",
  "execute/task-1/dispatch:implement#1~ask:run.restore#1",
  "commit:all#1",
  "read:docs/plans/x.md#1",
];

const facts = wholeRun().entries.flatMap((entry) =>
  entry.type === "begin" && entry.request.do === "record" ? [entry.request.fact] : [],
);

const body: fc.Arbitrary<EntryBody> = fc.oneof(
  fc.constant<EntryBody>({
    type: "run",
    header: { runId: "r", pipeline: outlineOf(superteam), input: { goal: "g" }, startedAt },
  }),
  fc.constant<EntryBody>({ type: "session", pid: 1, versions: {} }),
  fc.record({
    type: fc.constant("enter" as const),
    scope: fc.constantFrom(...scopes),
    kind: fc.constantFrom("phase" as const, "task" as const, "step" as const),
  }),
  fc.record({
    type: fc.constant("leave" as const),
    scope: fc.constantFrom(...scopes),
    result: fc.constantFrom(
      { ok: true as const, value: 1 },
      { ok: false as const, failure: { kind: "impossible" as const, step: "s", detail: "d" } },
    ),
  }),
  fc.record({
    type: fc.constant("restart" as const),
    by: fc.constantFrom("person" as const, "flow" as const),
    scope: fc.constantFrom(...scopes),
    epoch: fc.constant(2),
  }),
  fc.record({
    type: fc.constant("begin" as const),
    place: fc.constant("tree"),
    key: fc.constantFrom(...keys),
    tries: fc.integer({ min: 1, max: 2 }),
    request: fc.constantFrom(
      { do: "dispatch", name: "scout", role: "scout", prompt: "p", access: "read" } as const,
      { do: "ask", question } as const,
      { do: "check", name: "tests", command: "npm test" } as const,
      { do: "commit", name: "all", message: "m", since: anchor, task: "1" } as const,
      { do: "config" } as const,
      ...facts.map((fact) => ({ do: "record", fact }) as const),
    ),
  }),
  fc.record({
    type: fc.constant("note" as const),
    key: fc.constantFrom(...keys),
    note: fc.oneof(
      fc.constantFrom(
        { type: "started" as const, model: "m" },
        { type: "gone" as const, at: 1 },
        { type: "undone" as const, files: ["a"], backupRef: "ref" },
      ),
      fc
        .double({ min: 0, max: 10, noNaN: true })
        .map((cost) => ({ type: "usage" as const, model: "m", usage: usage(cost) })),
    ),
  }),
  fc.record({
    type: fc.constant("settle" as const),
    key: fc.constantFrom(...keys),
    outcome: fc.constantFrom<unknown>(finished(1, "text"), "bucket", null, { passed: true, exitCode: 0 }, 5),
  }),
  fc.constantFrom<EntryBody>(
    { type: "end", ending: { how: "finished", value: null } },
    { type: "end", ending: { how: "failed", failure: { kind: "impossible", step: "s", detail: "d" } } },
  ),
);

const journal: fc.Arbitrary<Entry[]> = fc
  .array(body, { maxLength: 60 })
  .map((bodies) => bodies.map((entry, index) => ({ seq: index + 1, at: startedAt + index * 1000, ...entry })));

function showAll(entry: Entry, view: RunView): string {
  const shown = [logLine(entry, view), footer(view), recap(view), formatProgress(view), formatReport(view)];
  const live = [narrate(entry, view), activityWidget(view, new Map(), 76), agentStatus(view, new Map())];
  const rest = [
    progressWidget(view, 76),
    statusLines(view, { now: view.lastAt, isAlive: false }),
    toEvents(entry, view),
    toSnapshot(view),
  ];
  return JSON.stringify([
    ...shown,
    ...live,
    ...rest,
    [...view.open.values()].map((open) => workStatus(open, 0)),
    costLines(costsOf(view, true)),
  ]);
}

test("folding entries as they come equals folding the journal read back from disk", () => {
  fc.assert(
    fc.property(journal, (entries) => {
      const reopened = entries.map((entry) => JSON.parse(JSON.stringify(entry)) as Entry);
      assert.deepEqual(viewOf(reopened), viewOf(entries));
    }),
  );
});

test("the total is the sum of all usage notes, and so are the roles", () => {
  fc.assert(
    fc.property(journal, (entries) => {
      const { spend } = viewOf(entries);
      const notes = entries.flatMap((entry) =>
        entry.type === "note" && entry.note.type === "usage" ? [entry.note.usage.costUsd] : [],
      );
      assert.equal(
        spend.total.costUsd,
        notes.reduce((sum, cost) => sum + cost, 0),
      );
      const roles = [...spend.roles.values()].reduce((sum, { costUsd }) => sum + costUsd, 0);
      assert.ok(Math.abs(roles - spend.total.costUsd) < 1e-6);
    }),
  );
});

test("nothing that is shown throws at any point of any journal", () => {
  const fold = (entries: readonly Entry[]) => {
    const view = new RunView();
    for (const entry of entries) showAll(entry, applyEntry(view, entry));
  };
  fold(wholeRun().entries);
  fc.assert(fc.property(journal, fold));
});

test("a task the person had to decide about is remembered as such, whatever it came to", () => {
  const pen = untilTask2()
    .fact("execute/task-2", { type: "task.status", task: "2", status: "escalated", round: 1 })
    .fact("execute/task-2", { type: "task.status", task: "2", status: "implementing", round: 1 })
    .fact("execute/task-2", { type: "task.settled", task: "2", status: "complete", commit: "2aaaaaa", rounds: 1 });
  const report = formatReport(viewOf(pen.entries));
  assert.match(report, /- 2 completed\n- 1 that needed your decision\n/);
  assert.match(report, /✅ Middleware \(.*, you decided\)/);
});

test("a task that the answers file decided about is not called the person's decision, whatever was asked", () => {
  const key = "execute/task-2/ask:execute.task.2.claims#1";
  const question = { id: "execute.task.2.claims", kind: "confirm", title: "t", message: "m" } as const;
  const pen = untilTask2()
    .fact("execute/task-2", { type: "task.status", task: "2", status: "escalated", round: 1 })
    .begin(key, { do: "ask", question })
    .add({ type: "settle", key, outcome: "yes", by: "file" })
    .fact("execute/task-2", { type: "task.settled", task: "2", status: "complete", commit: "2aaaaaa", rounds: 1 });
  assert.match(formatReport(viewOf(pen.entries)), /✅ Middleware \(.*, decided from the answers file\)/);
});

test("where the documents go is known from the first entry", () => {
  const input = { goal: "g", documents: { progress: "docs/p.md", summary: "docs/s.md" } };
  const header = { runId: "r", pipeline: outlineOf(superteam), input, startedAt };
  const view = viewOf(new Pen().add({ type: "run", header }).entries);
  assert.deepEqual(view.documents, { progress: "docs/p.md", summary: "docs/s.md" });
  assert.equal(view.goal, "g");
});

test("the sample journal counts its entries from 1 without gaps", () => {
  wholeRun().entries.forEach((entry, index) => {
    assert.equal(entry.seq, index + 1);
  });
});
