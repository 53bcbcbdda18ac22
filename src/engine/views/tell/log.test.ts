// What stays of a run for those who look later or from another program: the log, and the events of `--json`.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  anchor,
  comparedTests,
  finished,
  Pen,
  question,
  startedAt,
  untilQuestion,
  viewOf,
  wholeRun,
} from "../../../../test/rig/sample-journal.ts";
import type { CheckRequest, CommitRequest, Request } from "../../../core/flow/flow.ts";
import { bareOutline } from "../../../core/run/pipeline.ts";
import type { EntryBody } from "../../../ports/journal.ts";
import { applyEntry } from "../fold/run-view.ts";
import { RunView } from "../fold/shape.ts";
import { logLine, narrate } from "./entries.ts";
import { suspendedEvent, toEvents, toolEvent } from "./events.ts";
import type { EventDraft } from "./output-event.ts";

/** Every line of the log, without the time. */
function logOf({ entries }: Pen): readonly string[] {
  const view = new RunView();
  return entries.flatMap(
    (entry) => logLine(entry, applyEntry(view, entry))?.slice("2026-02-07 13:52:00Z  ".length) ?? [],
  );
}

/** Every event, without what all of them have. */
function eventsOf({ entries }: Pen): readonly object[] {
  const view = new RunView();
  return entries.flatMap((entry) => toEvents(entry, applyEntry(view, entry)).map(bodyOf));
}

function bodyOf({ v: _v, entry: _entry, ts: _ts, runId: _runId, ...body }: EventDraft): object {
  return body;
}

/** What is said of the last entry: in the log, on the screen (`!` marks a warning), and as an event. */
function saidOf(pen: Pen): readonly [log: string | undefined, screen: string | undefined, event: object | undefined] {
  const view = viewOf(pen.entries);
  const entry = pen.entries.at(-1);
  assert.ok(entry);
  const shown = narrate(entry, view);
  const screen = shown && `${shown.level === "warning" ? "! " : ""}${shown.text}`;
  return [logOf(pen).at(-1), screen, toEvents(entry, view).map(bodyOf)[0]];
}

test("the log has one line for all that a person may ask about later, with its time in UTC", () => {
  assert.deepEqual(logOf(wholeRun()), [
    "run run-1 started: Add rate limiting",
    "phase brainstorm started",
    "scout started (brainstorm/dispatch:scout#1)",
    "scout finished (brainstorm/dispatch:scout#1; 1m 00s, $0.10, fake/opus)",
    "brainstormer started (brainstorm/dispatch:questions#1)",
    "brainstormer finished (brainstorm/dispatch:questions#1; 1m 00s, $0.05, fake/opus)",
    "asked brainstorm.question.1: Question 1 of 2",
    "answered brainstorm.question.1: Token bucket",
    "design written: docs/plans/2026-02-07-rate-design.md",
    "phase brainstorm finished, $0.15 in all",
    "phase plan-write started",
    "plan written: docs/plans/2026-02-07-rate-plan.md (3 tasks)",
    "phase plan-write finished",
    "phase plan-review started",
    "plan: architect approved",
    "plan: spec-reviewer approved",
    "plan approved",
    "phase plan-review finished",
    "phase configure started",
    "configured: execution auto, review iterative",
    "phase configure finished",
    "phase execute started",
    "committed d0c5000: Add design and plan",
    "task execute/task-1 started",
    "implementer started (execute/task-1/dispatch:implement#1)",
    "implementer finished (execute/task-1/dispatch:implement#1; 1m 00s, $0.48, fake/opus)",
    "task 1: spec-reviewer approved",
    "task 1: quality-reviewer approved",
    "committed 1aaaaaa: Task 1",
    "task 1 complete as 1aaaaaa",
    "task execute/task-1 finished, $0.48 in all",
    "task execute/task-2 started",
    "implementer started (execute/task-2/dispatch:implement#1)",
    "implementer finished (execute/task-2/dispatch:implement#1; 1m 00s, $0.50, fake/opus)",
    "spec-reviewer started (execute/task-2/dispatch:spec-review#1)",
    "spec-reviewer finished (execute/task-2/dispatch:spec-review#1; 1m 00s, $0.20, fake/opus)",
    "task 2: spec-reviewer asks for changes (1 finding)",
    "implementer started (execute/task-2/dispatch:fix#1)",
    "implementer finished (execute/task-2/dispatch:fix#1; 1m 00s, $0.30, fake/opus)",
    "spec-reviewer started (execute/task-2/dispatch:spec-review#2)",
    "execute/task-2/dispatch:spec-review#2 was stopped",
    "resumed by process 8",
    "spec-reviewer started (execute/task-2/dispatch:spec-review#2, try 2)",
    "spec-reviewer finished (execute/task-2/dispatch:spec-review#2; 1m 00s, $0.20, fake/opus)",
    "task 2: spec-reviewer approved in round 1",
    "task 2: quality-reviewer approved in round 1",
    "committed 2aaaaaa: Middleware",
    "task 2 complete as 2aaaaaa after 1 fix round",
    "task execute/task-2 finished, $1.27 in all",
    "task execute/task-3 started",
    "waived (execute/task-3): skipped by you",
    "task 3 skipped",
    "task execute/task-3 finished",
    "phase execute finished, $1.75 in all",
    "phase finalize started",
    "final review: approved",
    "phase finalize finished",
    "run finished, $1.90",
  ]);
  const [first] = wholeRun().entries;
  assert.ok(first);
  assert.match(logLine(first, viewOf([first])) ?? "", /^2026-02-07 13:52:00Z {2}run run-1 started/);
});

test("what a flow records goes to programs as it is, and a plan, a review and a task with what is known around them", () => {
  const pen = wholeRun();
  const facts = pen.entries.flatMap((entry) =>
    entry.type === "begin" && entry.request.do === "record" ? [entry.request.fact] : [],
  );
  const asTheyAre = /^(?:brainstorm\.|design\.written|plan\.written|task\.status|findings\.deferred)/;
  const told = eventsOf(pen);
  const ofType = (type: RegExp) => told.filter((event) => "type" in event && type.test(String(event.type)));
  assert.deepEqual(
    ofType(asTheyAre),
    facts.filter(({ type }) => asTheyAre.test(type)),
  );
  const review = { round: 0, verdict: "approved", findings: [], type: "review.finished" };
  const reviews = ofType(/^review\.finished/);
  assert.deepEqual(reviews[0], { ...review, of: "plan", task: null, role: "architect" });
  assert.deepEqual(reviews[2], { ...review, of: "task", task: "1", role: "spec-reviewer" });
  assert.deepEqual(reviews.at(-1), { ...review, of: "run", task: null, role: "final-reviewer" });
  assert.deepEqual(ofType(/^configured/), [
    { type: "configured", execution: "auto", batchSize: null, review: "iterative", testFirst: true, rounds: 3 },
  ]);
  assert.deepEqual(ofType(/^task\.(?:started|settled)/).slice(2, 4), [
    { type: "task.started", task: "2", title: "Middleware" },
    { type: "task.settled", task: "2", status: "complete", commit: "2aaaaaa", rounds: 1, costUsd: 1.27 },
  ]);
  assert.deepEqual(ofType(/^(?:plan\.approved|warning)/), [
    { type: "plan.approved" },
    { type: "warning", text: "waived (execute/task-3): skipped by you" },
  ]);
});

test("the frame of a run goes to programs: its lives, phases, agents, questions and commits", () => {
  const told = eventsOf(wholeRun());
  const first = (type: string) => told.find((event) => "type" in event && event.type === type);
  const run = { type: "run.started", pipeline: "superteam", goal: "Add rate limiting", by: "person" };
  assert.deepEqual(
    told.filter((event) => "type" in event && event.type === "run.started"),
    [
      { ...run, resumed: false },
      { ...run, resumed: true },
    ],
  );
  const brainstorm = { phase: "brainstorm", scope: "brainstorm" };
  assert.deepEqual(first("phase.started"), {
    ...{ type: "phase.started", ...brainstorm, label: "Brainstorm" },
    ...{ stage: "design", work: "dispatch" },
  });
  assert.deepEqual(first("phase.finished"), {
    ...{ type: "phase.finished", ...brainstorm, ok: true, failure: null, durationMs: 120_000 },
  });
  const scout = { key: "brainstorm/dispatch:scout#1", role: "scout", name: "scout", phase: "brainstorm", task: null };
  const { usage, model } = finished(0.1, "");
  assert.deepEqual(first("dispatch.started"), { type: "dispatch.started", ...scout, tries: 1 });
  assert.deepEqual(first("usage"), { type: "usage", key: scout.key, role: "scout", model, usage, totalUsd: 0.1 });
  assert.deepEqual(first("dispatch.finished"), {
    ...{ type: "dispatch.finished", ...scout, status: "finished", failure: null, model, usage },
    ...{ durationMs: 60_000, answer: "A small library." },
  });
  const { id } = question;
  const asked = { key: `brainstorm/ask:${id}#1`, id };
  assert.deepEqual(first("question.asked"), { type: "question.asked", ...asked, question });
  assert.deepEqual(first("question.answered"), { type: "question.answered", ...asked, answer: "bucket", by: "person" });
  assert.deepEqual(first("commit.made"), {
    ...{ type: "commit.made", key: "execute/commit:documents#1", sha: "d0c5000", task: null },
    ...{ message: "Add design and plan", files: ["docs/plan.md"] },
  });
  assert.deepEqual(told.at(-1), { type: "run.finished", how: "finished", value: null, costUsd: 1.9 });
});

const settled = (key: string, request: Request, outcome: unknown) =>
  saidOf(new Pen().run("g").begin(key, request).settle(key, outcome));

test("a check is told with its command and how it ended; of tests only their meaning is shown", () => {
  const key = "execute/check:validation#1";
  const check: CheckRequest = { do: "check", name: "validation", command: "npm run check" };
  const outcome = { passed: true, exitCode: 0, timedOut: false, output: "", durationMs: 2000, tree: "t" };
  const event = { type: "check.finished", key, name: "validation", command: "npm run check" };
  assert.deepEqual(settled(key, check, outcome), [
    "check validation passed: npm run check",
    "✓ validation: npm run check (2s)",
    { ...event, passed: true, exitCode: 0, durationMs: 2000 },
  ]);
  assert.deepEqual(settled(key, check, { ...outcome, passed: false, exitCode: 2 }), [
    "check validation failed (exit code 2): npm run check",
    "! ✗ validation: npm run check failed (exit code 2)",
    { ...event, passed: false, exitCode: 2, durationMs: 2000 },
  ]);
  assert.match(String(settled(key, check, { ...outcome, passed: false, exitCode: null })[0]), /\(exit code none\)/);
  const tests = { ...check, tests: true as const };
  assert.deepEqual(
    [true, false].map((passed) => settled(key, tests, { ...outcome, passed })[1]),
    [undefined, undefined],
  );
  assert.deepEqual(settled(key, check, "what another build wrote").slice(0, 2), [
    "check validation failed (exit code none): npm run check",
    undefined,
  ]);
});

test("a commit that was not made is told with the reason, and nothing to commit only in the log", () => {
  const key = "execute/task-1/commit:task#1";
  const request: CommitRequest = { do: "commit", name: "task", message: "Task 1\n\nbody", since: anchor, task: "1" };
  assert.deepEqual(settled(key, request, { status: "refused", detail: "the hook\nfailed" }), [
    "commit task was refused: the hook failed",
    "! ✗ commit refused: the hook failed",
    { type: "warning", text: "the commit task was refused: the hook\nfailed" },
  ]);
  assert.deepEqual(settled(key, request, { status: "moved", detail: "a.ts changed." }), [
    "commit task waits: a.ts changed.",
    "! a.ts changed. It is checked again.",
    { type: "warning", text: "not committed yet: a.ts changed." },
  ]);
  for (const outcome of [{ status: "nothing" }, "what another build wrote"])
    assert.deepEqual(settled(key, request, outcome), ["nothing to commit for task", undefined, undefined]);
});

test("what was taken back is told with where it is kept, and not when nothing was", () => {
  const request: Request = { do: "restore", name: "task", to: anchor };
  const said = (outcome: unknown) => settled("execute/restore:task#1", request, outcome)[1];
  assert.equal(
    said({ restored: ["a", "b"], moved: false, backupRef: "refs/k" }),
    "↩ restored 2 files; what was changed is kept at refs/k",
  );
  assert.equal(
    said({ restored: [], moved: true, backupRef: "refs/k" }),
    "↩ restored HEAD; what was changed is kept at refs/k",
  );
  assert.deepEqual([said({ restored: [], moved: false, backupRef: "" }), said(null)], [undefined, undefined]);
});

test("a wait is told to programs, with when it ends and whether the run is left", () => {
  const begins = (more: object) =>
    saidOf(new Pen().run("g").begin("x/wait:quota#1", { do: "wait", name: "quota", ms: 60_000, ...more }))[2];
  const event = { type: "wait.started", key: "x/wait:quota#1" };
  assert.deepEqual(begins({}), { ...event, until: "2026-02-07T13:53:00.000Z", suspends: false });
  const until = startedAt + 3_600_000;
  assert.deepEqual(begins({ until, away: true }), { ...event, until: "2026-02-07T14:52:00.000Z", suspends: true });
  const over = settled("x/wait:quota#1", { do: "wait", name: "quota", ms: 1 }, null);
  assert.deepEqual(over[2], { type: "wait.finished", key: "x/wait:quota#1" });
});

test("an agent that ended in a way that cannot be read is in the log alone", () => {
  const key = "execute/dispatch:fix#1";
  const pen = new Pen().run("g").dispatchBegins(key, "implementer").settle(key, "what another build wrote");
  assert.deepEqual(saidOf(pen), [`implementer ended (${key})`, undefined, undefined]);
});

test("a fact or a pause that is begun again after an interruption is not told again", () => {
  const pause = { ...question, id: "execute.checkpoint" };
  const again = (request: Request) => saidOf(new Pen().run("g").begin("execute/x#1", request, 2)).slice(1);
  assert.deepEqual(again({ do: "record", fact: { type: "warning", text: "Careful." } }), [undefined, undefined]);
  assert.equal(again({ do: "ask", question: pause })[0], undefined);
});

test("who answered is told when it was not the person", () => {
  const key = "brainstorm/ask:brainstorm.question.1#1";
  const pen = untilQuestion().add({ type: "settle", key, outcome: "bucket", by: "model" });
  assert.deepEqual(saidOf(pen), [
    "answered brainstorm.question.1: Token bucket (by a model)",
    undefined,
    { type: "question.answered", key, id: "brainstorm.question.1", answer: "bucket", by: "model" },
  ]);
});

test("what is started again, stopped or put back is told with what it is about", () => {
  const said = (body: EntryBody) => saidOf(new Pen().run("g").add(body));
  assert.deepEqual(said({ type: "restart", scope: "execute/task-1", epoch: 2, by: "flow" }), [
    "execute/task-1 starts again (attempt 2)",
    "↻ execute/task-1 starts again",
    { type: "warning", text: "started again (attempt 2): execute/task-1" },
  ]);
  assert.equal(said({ type: "restart", scope: "", epoch: 2, by: "flow" })[1], "↻ the whole run starts again");
  const note = { type: "undone", files: ["a.ts"], backupRef: "refs/k" } as const;
  const [log, , event] = said({ type: "note", key: "k", note });
  assert.equal(log, "undid changes to 1 file of k, kept at refs/k");
  assert.deepEqual(event, {
    type: "warning",
    text: "undid changes to 1 file that an interrupted step had made, kept at refs/k: a.ts",
  });
  const documents = { "docs/plan.md": "text" };
  const [line, shown = "", told] = said({ type: "note", key: "k", note: { type: "replaced", documents } });
  assert.equal(line, "restored docs/plan.md of k");
  assert.match(shown, /^↩ docs\/plan\.md was restored/);
  assert.deepEqual(told, { type: "warning", text: shown.slice("↩ ".length) });
});

test("a phase or a run that failed is told with the reason and what was spent", () => {
  const failure = { kind: "aborted", step: "execute", detail: "no\nmore" } as const;
  const pen = new Pen().run("g").enter("execute", "phase").wait(1);
  pen.add({ type: "leave", scope: "execute", result: { ok: false, failure } });
  assert.deepEqual(saidOf(pen), [
    "phase execute failed: no more",
    undefined,
    { type: "phase.finished", phase: "execute", scope: "execute", ok: false, failure, durationMs: 60_000 },
  ]);
  pen.add({ type: "end", ending: { how: "failed", failure } });
  assert.deepEqual(saidOf(pen), [
    "run failed in execute: no more, $0.00",
    undefined,
    { type: "run.finished", how: "failed", failure, costUsd: 0 },
  ]);
  const aborted = new Pen().run("g").add({ type: "end", ending: { how: "aborted", detail: "enough" } });
  assert.equal(saidOf(aborted)[0], "run aborted: enough, $0.00");
});

test("a scope that no schedule knows is told by its own name, and a step not at all", () => {
  const header = { runId: "r", pipeline: bareOutline("letters"), input: { goal: "g" }, startedAt };
  const pen = () => new Pen().add({ type: "run", header });
  assert.deepEqual(saidOf(pen().enter("draft", "phase")), [
    "phase draft started",
    "── draft ──",
    { type: "phase.started", phase: "draft", scope: "draft", label: "draft", stage: null, work: null },
  ]);
  const step = pen().enter("draft", "phase").enter("draft/look", "step");
  assert.deepEqual(saidOf(step).slice(1), [undefined, undefined]);
  assert.deepEqual(saidOf(step.leave("draft/look")).slice(1), [undefined, undefined]);
});

test("what the tests did is logged with its command, and names what broke", () => {
  const baseline = {
    type: "tests.baseline",
    command: "npm test",
    total: 3,
    failing: ["a"],
    reporter: "jest",
    why: "",
  } as const;
  const said = (fact: Parameters<Pen["fact"]>[1]) => {
    const pen = new Pen().run("g").fact("x", fact);
    pen.entries.pop();
    return [saidOf(pen).slice(0, 2), viewOf(pen.entries).log.at(-1)?.text];
  };
  assert.deepEqual(said(baseline), [
    ["before any work, npm test: 3 tests (jest), 1 red: a", "🧪 Before any work: npm test: 3 tests (jest), 1 red: a"],
    "npm test: 3 tests (jest), 1 red: a",
  ]);
  assert.equal(said({ ...baseline, failing: [] })[1], "npm test: 3 tests (jest), all green");
  assert.deepEqual(said({ ...baseline, failing: [], replaces: "make test" }), [
    [
      "in place of make test, npm test: 3 tests (jest), all green",
      "🧪 In place of make test: npm test: 3 tests (jest), all green",
    ],
    "in place of make test, npm test: 3 tests (jest), all green",
  ]);
  const mute = { ...baseline, failing: [], reporter: null, why: "no reporter is known for it" };
  assert.equal(said(mute)[1], "npm test passes; by exit code alone: no reporter is known for it");
  const bad = { ...comparedTests, total: 4, broken: ["a", "b"], unfinished: ["c"], vanished: ["d"] };
  const trouble = ["broke: a, b", "new and failing: c", "flaky: e", "no longer run: d"];
  assert.deepEqual(said({ ...bad, flaky: ["e"] }), [
    [`task 1: npm test: 4 tests, failed; ${trouble.join("; ")}`, `! ✗ tests:\n  ${trouble.join("\n  ")}`],
    `task 1: ${trouble.join("; ")}`,
  ]);
  const fewer = { ...comparedTests, total: 4, vanished: ["d"] };
  assert.deepEqual(
    said({ ...fewer, flaky: ["e"] })[0],
    ["task 1: npm test: 4 tests, passed; flaky: e; no longer run: d", "! ✓ tests: 4 tests, passed\n  no longer run: d"],
    "X-6: the person is warned where the tests pass, too",
  );
  const known = { ...comparedTests, task: null, total: 4, preExisting: ["a"] };
  assert.deepEqual(said(known)[0], [
    "finished work: npm test: 4 tests, passed, 1 red as before",
    "✓ tests: 4 tests, passed, 1 red as before",
  ]);
});

test("a tool that is used, and a run that is left with a question, are told to programs", () => {
  const view = viewOf(untilQuestion().entries);
  const use = {
    key: "k",
    role: "scout",
    state: "start",
    name: "read",
    does: "read",
    path: "a.ts",
    failed: false,
  } as const;
  const { action: _, ...tool } = bodyOf(toolEvent(view, startedAt, use)) as { action: string };
  assert.deepEqual(tool, { type: "tool", key: "k", role: "scout", state: "start", name: "read", failed: false });
  const suspended = suspendedEvent(view, startedAt, "a question waits");
  assert.deepEqual(bodyOf(suspended), {
    type: "run.suspended",
    why: "a question waits",
    question,
    costUsd: view.spend.total.costUsd,
  });
  assert.deepEqual([suspended.ts, suspended.runId, suspended.entry], ["2026-02-07T13:52:00.000Z", "run-1", view.seq]);
  const unasked = suspendedEvent(viewOf(new Pen().run("g").entries), startedAt, "stopped");
  assert.deepEqual(bodyOf(unasked), { type: "run.suspended", why: "stopped", question: null, costUsd: 0 });
});
