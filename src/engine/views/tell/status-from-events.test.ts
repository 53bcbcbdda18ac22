// U9: a program that only follows the events can show everything that `status --json` shows. The fold here is such a program.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Pen, untilPlan, untilQuestion, untilTask2, wholeRun } from "../../../../test/rig/sample-journal.ts";
import { RunEvent } from "../../../core/run/event-schema.ts";
import { toSnapshot } from "../files/snapshot.ts";
import { viewOf } from "../fold/run-view.ts";
import { EventLines } from "./event-lines.ts";

type Of<T extends RunEvent["type"]> = Extract<RunEvent, { readonly type: T }>;

function eventsOf({ entries }: Pen): readonly RunEvent[] {
  const lines = new EventLines();
  lines.journaled(entries);
  return lines.made().map((line) => RunEvent.parse(JSON.parse(line)));
}

/** What the events say, under the names that `status --json` has for it. */
function statusFrom(events: readonly RunEvent[]) {
  const all = <T extends RunEvent["type"]>(type: T) => events.filter((event): event is Of<T> => event.type === type);
  const last = <T extends RunEvent["type"]>(type: T) => all(type).at(-1);
  const answered = new Set(all("question.answered").map(({ key }) => key));
  const pending = all("question.asked").find(({ key }) => !answered.has(key));
  const approach = last("brainstorm.approach");
  const approvals = new Map(all("brainstorm.section").map(({ id, approved }) => [id, approved]));
  const sections = last("brainstorm.sections")?.sections as readonly { readonly id: string }[] | undefined;
  const configured = last("configured");
  return {
    runId: events[0]?.runId,
    pipeline: last("run.started")?.pipeline,
    phase: last("run.finished") ? "done" : last("phase.started")?.phase,
    mode: last("triaged")?.mode,
    userDescription: last("run.started")?.goal,
    designPath: last("design.written")?.path,
    planPath: last("plan.written")?.path,
    planReviewCycles: Math.max(0, ...all("review.finished").flatMap(({ of, round }) => (of === "plan" ? [round] : []))),
    totalCostUsd: last("usage")?.totalUsd ?? 0,
    startedAt: Date.parse(events[0]?.ts ?? ""),
    brainstorm: {
      step: last("brainstorm.step")?.step ?? "scout",
      scoutOutput: all("dispatch.finished").find(({ answer }) => answer !== undefined)?.answer,
      questions: (last("brainstorm.questions")?.questions as readonly { readonly id: string }[] | undefined)?.map(
        (question) => {
          const given = all("brainstorm.answer").findLast((event) => event.question === question.id)?.answer;
          return given === undefined ? question : { ...question, answer: given };
        },
      ),
      approaches: last("brainstorm.approaches")?.approaches,
      recommendation: last("brainstorm.approaches")?.recommendation,
      chosenApproach: approach?.custom === false ? approach.id : undefined,
      designSections: sections?.map((section) => ({ ...section, approved: approvals.get(section.id) === true })),
    },
    config: configured && {
      execution: configured.execution,
      review: configured.review,
      testFirst: configured.testFirst,
    },
    tasks: last("plan.written")?.tasks.map(({ id, title }) => taskFrom(events, id, title)) ?? [],
    pending: pending?.id,
  };
}

function taskFrom(events: readonly RunEvent[], id: string, title: string) {
  const own = events.filter((event) => "task" in event && event.task === id);
  const settled = own.findLast((event): event is Of<"task.settled"> => event.type === "task.settled");
  const at = own.findLast((event): event is Of<"task.status"> => event.type === "task.status");
  const { status = "pending" } = settled ?? at ?? {};
  return { id, title, status, fixAttempts: settled?.rounds ?? at?.round ?? 0, commitSha: settled?.commit ?? undefined };
}

function statusShown({ entries }: Pen): ReturnType<typeof statusFrom> {
  const snapshot = toSnapshot(viewOf(entries));
  const { pipeline, phase, mode, userDescription, designPath, planPath, planReviewCycles, startedAt } = snapshot;
  const { brainstorm: shown, config, totalCostUsd, runId, pendingInteraction } = snapshot;
  const { step, scoutOutput, questions, approaches, recommendation, chosenApproach, designSections } = {
    ...{ designSections: undefined },
    ...shown,
  };
  const tasks = snapshot.tasks.map(({ id, title, status, fixAttempts, commitSha }) => {
    return { id, title, status, fixAttempts, commitSha };
  });
  const brainstorm = { step, scoutOutput, questions, approaches, recommendation, chosenApproach, designSections };
  return {
    ...{
      runId,
      pipeline,
      phase,
      mode,
      userDescription,
      designPath,
      planPath,
      planReviewCycles,
      totalCostUsd,
      startedAt,
    },
    // The cast: what a model wrote is JSON of any shape.
    brainstorm: brainstorm as ReturnType<typeof statusFrom>["brainstorm"],
    config: config.executionMode && {
      execution: config.executionMode,
      review: config.reviewMode ?? "",
      testFirst: config.tddMode === "tdd",
    },
    tasks,
    pending: pendingInteraction?.id,
  };
}

for (const [moment, pen] of Object.entries({
  "asks its first question": untilQuestion(),
  "has a plan": untilPlan(),
  "is at its second task": untilTask2(),
  "has ended": wholeRun(),
})) {
  test(`U9: events say all that status knows of a run that ${moment}`, () => {
    assert.deepEqual(statusFrom(eventsOf(pen)), statusShown(pen));
  });
}
