// A journal as a run of three tasks writes it, with one fix round, one interruption and one deferred finding. The
// tests of the views fold it, or a part of it.

import type { DispatchOutcome } from "../../src/core/flow/dispatch.ts";
import type { Fact } from "../../src/core/flow/fact.ts";
import type { Request, ScopeKind } from "../../src/core/flow/flow.ts";
import type { Question } from "../../src/core/flow/question.ts";
import type { Anchor, FileLines } from "../../src/core/flow/repository.ts";
import type { Verdict } from "../../src/core/review/review.ts";
import { outlineOf } from "../../src/core/run/pipeline.ts";
import { nothingCompared } from "../../src/core/validation/compare.ts";
import { applyEntry } from "../../src/engine/views/fold/run-view.ts";
import { RunView } from "../../src/engine/views/fold/shape.ts";
import { superteam } from "../../src/pipelines/superteam.ts";
import type { Entry, EntryBody } from "../../src/ports/journal.ts";

/** A run of the tests on task 1 that found nothing new. */
export const comparedTests = {
  type: "tests.compared",
  task: "1",
  command: "npm test",
  tree: "t",
  flaky: [],
  red: false,
  ...nothingCompared,
} as const;

export const startedAt = Date.UTC(2026, 1, 7, 13, 52);
const minute = 60_000;

export const anchor: Anchor = { sha: "b".repeat(40), branch: "main", tree: "t".repeat(40), ref: "r", leftAlone: [] };

/** Writes entries with their numbers; `wait` moves the time on. */
export class Pen {
  readonly entries: Entry[] = [];
  #at = startedAt;
  /** The tip of the branch: each commit is made on top of it. */
  #tip = anchor.sha;

  add(...bodies: readonly EntryBody[]): this {
    for (const body of bodies) this.entries.push({ seq: this.entries.length + 1, at: this.#at, ...body });
    return this;
  }

  wait(minutes: number): this {
    this.#at += minutes * minute;
    return this;
  }

  run(goal: string): this {
    const header = { runId: "run-1", pipeline: outlineOf(superteam), input: { goal }, startedAt };
    return this.add({ type: "run", header }, { type: "session", pid: 7, versions: { superteam: "0.1.0" } });
  }

  enter(scope: string, kind: ScopeKind): this {
    return this.add({ type: "enter", scope, kind });
  }

  leave(scope: string): this {
    return this.add({ type: "leave", scope, result: { ok: true, value: null } });
  }

  begin(key: string, request: Request, tries = 1): this {
    return this.add({ type: "begin", key, request, tries, place: "tree" });
  }

  settle(key: string, outcome: unknown): this {
    return this.add({ type: "settle", key, outcome });
  }

  fact(scope: string, fact: Fact): this {
    const key = `${scope}/record:${fact.type}#${this.entries.length}`;
    return this.begin(key, { do: "record", fact }).settle(key, null);
  }

  usage(key: string, costUsd: number, estimated = false): this {
    return this.add({
      type: "note",
      key,
      note: { type: "usage", model: "fake/opus", usage: usage(costUsd, estimated) },
    });
  }

  dispatchBegins(key: string, role: string, tries = 1): this {
    const request: Request = { do: "dispatch", name: nameIn(key), role, prompt: "do it", access: "read" };
    return this.begin(key, request, tries).add({ type: "note", key, note: { type: "started", model: "fake/opus" } });
  }

  /** One whole dispatch that takes a minute. */
  dispatch(key: string, role: string, costUsd: number, text = "done"): this {
    return this.dispatchBegins(key, role).wait(1).usage(key, costUsd).settle(key, finished(costUsd, text));
  }

  asks(key: string, question: Question): this {
    return this.begin(key, { do: "ask", question });
  }

  /** `since`: where HEAD is taken back to before; what was committed on top of it goes into this commit. */
  commit(key: string, commit: SampleCommit): this {
    const { sha, task, message, files, lines, since: parent = this.#tip } = commit;
    const scope = task === undefined ? { documents: files } : task === null ? {} : { task };
    const since = { ...anchor, sha: parent };
    this.#tip = sha;
    return this.begin(key, { do: "commit", name: nameIn(key), message, since, ...scope }).settle(key, {
      status: "committed",
      sha,
      tree: anchor.tree,
      changedByHook: false,
      files,
      ...(lines && { lines }),
    });
  }
}

/** Without a task it is a commit of documents; with null one of work that is no task's. */
interface SampleCommit {
  readonly sha: string;
  readonly task?: string | null;
  readonly message: string;
  readonly files: readonly string[];
  readonly lines?: readonly FileLines[];
  readonly since?: string;
}

export const question: Question = {
  id: "brainstorm.question.1",
  kind: "select",
  title: "Question 1 of 2",
  message: "Which algorithm?",
  options: [
    { key: "bucket", label: "Token bucket" },
    { key: "window", label: "Sliding window" },
  ],
  recommended: "bucket",
};

const questions = [
  { id: "q1", text: "Which algorithm?", type: "choice", options: ["Token bucket", "Sliding window"] },
  { id: "q2", text: "Per what?", type: "input" },
];

/** Up to the first question, which waits. */
export function untilQuestion(pen = new Pen()): Pen {
  return pen
    .run("Add rate limiting")
    .enter("brainstorm", "phase")
    .fact("brainstorm", { type: "brainstorm.step", step: "scout" })
    .dispatch("brainstorm/dispatch:scout#1", "scout", 0.1, "A small library.")
    .fact("brainstorm", { type: "brainstorm.step", step: "questions" })
    .dispatch("brainstorm/dispatch:questions#1", "brainstormer", 0.05)
    .fact("brainstorm", { type: "brainstorm.questions", questions })
    .asks("brainstorm/ask:brainstorm.question.1#1", question);
}

/** Up to the approved plan. */
export function untilPlan(pen = new Pen()): Pen {
  return untilQuestion(pen)
    .settle("brainstorm/ask:brainstorm.question.1#1", "bucket")
    .fact("brainstorm", { type: "brainstorm.answer", question: "q1", answer: "Token bucket" })
    .fact("brainstorm", { type: "brainstorm.answer", question: "q2", answer: "IP" })
    .fact("brainstorm", { type: "brainstorm.approaches", approaches: [{ id: "a" }, { id: "b" }], recommendation: "a" })
    .fact("brainstorm", { type: "brainstorm.approach", id: "a", title: "Middleware", custom: false })
    .fact("brainstorm", { type: "brainstorm.step", step: "design" })
    .fact("brainstorm", { type: "brainstorm.sections", sections: [{ id: "s1" }, { id: "s2" }] })
    .fact("brainstorm", { type: "brainstorm.section", id: "s1", approved: true })
    .fact("brainstorm", { type: "brainstorm.section", id: "s2", approved: false })
    .fact("brainstorm", { type: "brainstorm.section", id: "s2", approved: true })
    .fact("brainstorm", { type: "design.written", path: "docs/plans/2026-02-07-rate-design.md" })
    .leave("brainstorm")
    .enter("plan-write", "phase")
    .begin("plan-write/config:#1", { do: "config" })
    .settle("plan-write/config:#1", { review: { maxPlanReviewCycles: 3, maxTaskReviewCycles: 3 } })
    .fact("plan-write", {
      type: "plan.written",
      path: "docs/plans/2026-02-07-rate-plan.md",
      tasks: [
        { id: "1", title: "Token bucket" },
        { id: "2", title: "Middleware" },
        { id: "3", title: "Configuration" },
      ],
    })
    .leave("plan-write")
    .enter("plan-review", "phase")
    .fact("plan-review", planReview("architect", "approved"))
    .fact("plan-review", planReview("spec-reviewer", "approved"))
    .fact("plan-review", { type: "plan.approved" })
    .leave("plan-review")
    .enter("configure", "phase")
    .fact("configure", { type: "configured", execution: "auto", batchSize: null, review: "iterative" })
    .leave("configure");
}

/** Up to the second task, whose spec review has been interrupted after a fix. */
export function untilTask2(pen = new Pen()): Pen {
  const review = "execute/task-2/dispatch:spec-review#2";
  untilPlan(pen)
    .enter("execute", "phase")
    .commit("execute/commit:documents#1", { sha: "d0c5000", message: "Add design and plan", files: ["docs/plan.md"] });
  return plainTask(pen, "1", "1aaaaaa")
    .enter("execute/task-2", "task")
    .fact("execute/task-2", { type: "task.status", task: "2", status: "implementing", round: 0 })
    .dispatch("execute/task-2/dispatch:implement#1", "implementer", 0.5)
    .fact("execute/task-2", { type: "task.status", task: "2", status: "reviewing", round: 0 })
    .dispatch("execute/task-2/dispatch:spec-review#1", "spec-reviewer", 0.2)
    .fact("execute/task-2", {
      type: "review.finished",
      task: "2",
      role: "spec-reviewer",
      round: 0,
      verdict: "needs_revision",
      findings: ["F1 IP extraction is missing"],
    })
    .fact("execute/task-2", { type: "task.status", task: "2", status: "fixing", round: 1 })
    .dispatch("execute/task-2/dispatch:fix#1", "implementer", 0.3)
    .fact("execute/task-2", { type: "task.status", task: "2", status: "reviewing", round: 1 })
    .dispatchBegins(review, "spec-reviewer")
    .usage(review, 0.07, true)
    .add({ type: "note", key: review, note: { type: "gone", at: startedAt } });
}

/** The whole run. */
export const wholeRun = (pen = new Pen()): Pen => ended(pen);

/** Somebody moved HEAD to before the first task while the second one was at work. */
export const withoutTask1 = (): Pen => ended(new Pen(), { since: "d0c5000" });

function ended(pen: Pen, second: Pick<SampleCommit, "since"> = {}): Pen {
  const review = "execute/task-2/dispatch:spec-review#2";
  untilTask2(pen)
    .wait(60)
    .add({ type: "session", pid: 8, versions: {} })
    .dispatchBegins(review, "spec-reviewer", 2)
    .usage(review, 0.2)
    .settle(review, finished(0.2, "approved"))
    .fact("execute/task-2", approval("2", "spec-reviewer", 1))
    .fact("execute/task-2", approval("2", "quality-reviewer", 1))
    .fact("execute/task-2", { type: "findings.deferred", task: "2", findings: ["style: a long line"] })
    .commit("execute/task-2/commit:task#1", {
      sha: "2aaaaaa",
      task: "2",
      message: "Middleware",
      files: ["src/m.ts"],
      lines: [{ file: "src/m.ts", added: 30, removed: 4 }],
      ...second,
    })
    .fact("execute/task-2", { type: "task.settled", task: "2", status: "complete", commit: "2aaaaaa", rounds: 1 })
    .leave("execute/task-2")
    .enter("execute/task-3", "task")
    .fact("execute/task-3", { type: "waiver", step: "execute/task-3", what: "skipped by you" })
    .fact("execute/task-3", { type: "task.settled", task: "3", status: "skipped", commit: null, rounds: 0 })
    .leave("execute/task-3");
  return pen
    .leave("execute")
    .enter("finalize", "phase")
    .fact("finalize", { type: "final.reviewed", role: "final-reviewer", round: 0, verdict: "approved", findings: [] })
    .leave("finalize")
    .add({ type: "end", ending: { how: "finished", value: null } });
}

function plainTask(pen: Pen, id: string, sha: string): Pen {
  const scope = `execute/task-${id}`;
  return pen
    .enter(scope, "task")
    .fact(scope, { type: "task.status", task: id, status: "implementing", round: 0 })
    .dispatch(`${scope}/dispatch:implement#1`, "implementer", 0.48)
    .fact(scope, approval(id, "spec-reviewer", 0))
    .fact(scope, approval(id, "quality-reviewer", 0))
    .commit(`${scope}/commit:task#1`, {
      sha,
      task: id,
      message: `Task ${id}\n\nbody`,
      files: [`src/t${id}.ts`],
      lines: [{ file: `src/t${id}.ts`, added: 12, removed: 0 }],
    })
    .fact(scope, { type: "task.settled", task: id, status: "complete", commit: sha, rounds: 0 })
    .leave(scope);
}

function approval(task: string, role: string, round: number): Fact {
  return { type: "review.finished", task, role, round, verdict: "approved", findings: [] };
}

export function planReview(role: string, verdict: Verdict, cycle = 0, findings: readonly string[] = []): Fact {
  return { type: "plan.reviewed", role, cycle, verdict, findings };
}

export function usage(costUsd: number, estimated = false) {
  return { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, costUsd, estimated };
}

export function finished(costUsd: number, text: string): DispatchOutcome {
  const common = {
    durationMs: minute,
    commands: [],
    tree: anchor.tree,
    touched: [],
    head: "c".repeat(40),
    restored: false,
  };
  return { status: "finished", text, model: "fake/opus", usage: usage(costUsd), ...common };
}

export function viewOf(entries: readonly Entry[]): RunView {
  return entries.reduce(applyEntry, new RunView());
}

/** The view right after the first fact that is meant. */
export function viewAt({ entries }: Pen, isMeant: (fact: Fact) => boolean): RunView {
  const last = entries.findIndex(
    (entry) => entry.type === "begin" && entry.request.do === "record" && isMeant(entry.request.fact),
  );
  return viewOf(entries.slice(0, last + 1));
}

/** The person has turned down the second of two sections of the design. */
export function atRefusal(): RunView {
  return viewAt(untilPlan(), (fact) => fact.type === "brainstorm.section" && !fact.approved);
}

function nameIn(key: string): string {
  return /:([^#]*)#/.exec(key)?.[1] ?? "";
}
