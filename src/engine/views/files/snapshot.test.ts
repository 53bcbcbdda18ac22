import assert from "node:assert/strict";
import { test } from "node:test";
import {
  atRefusal,
  question,
  startedAt,
  untilPlan,
  untilQuestion,
  untilTask2,
  viewOf,
} from "../../../../test/rig/sample-journal.ts";
import { toSnapshot } from "./snapshot.ts";

test("the snapshot of a run that waits holds the question, its options and what was found so far", () => {
  const snapshot = toSnapshot(viewOf(untilQuestion().entries));
  assert.equal(snapshot.version, 1);
  assert.equal(snapshot.runId, "run-1");
  assert.equal(snapshot.phase, "brainstorm");
  assert.equal(snapshot.userDescription, "Add rate limiting");
  assert.equal(snapshot.brainstorm.step, "questions");
  assert.equal(snapshot.brainstorm.scoutOutput, "A small library.");
  assert.equal(snapshot.brainstorm.currentQuestionIndex, 0);
  assert.deepEqual(snapshot.pendingInteraction, {
    id: "brainstorm.question.1",
    type: "choice",
    title: "Question 1 of 2",
    question: "Which algorithm?",
    options: [
      { key: "bucket", label: "Token bucket" },
      { key: "window", label: "Sliding window" },
    ],
    recommended: "bucket",
  });
});

test("U9: a question in the snapshot keeps the hints of its options", () => {
  const options = [{ key: "yes", label: "Approve", hint: "starts the work" }];
  const asked = { id: "plan.approval", kind: "select", title: "Plan", message: "", options } as const;
  const view = viewOf(untilPlan().asks("plan/ask:plan.approval#1", asked).entries);
  assert.deepEqual(toSnapshot(view).pendingInteraction?.options, options);
});

test("a question for a text shows in the snapshot with the text it begins with", () => {
  const shown = (more: object) => {
    const asked = { id: "plan.feedback", title: "Feedback", message: "What?", ...more } as typeof question;
    const { pendingInteraction } = toSnapshot(viewOf(untilPlan().asks("plan/ask:plan.feedback#1", asked).entries));
    return [pendingInteraction?.type, pendingInteraction?.default];
  };
  assert.deepEqual(shown({ kind: "input", default: "5" }), ["input", "5"]);
  assert.deepEqual(shown({ kind: "editor", prefill: "A draft." }), ["input", "A draft."]);
  assert.deepEqual(shown({ kind: "confirm", recommended: "yes" }), ["confirm", undefined]);
});

test("who goes back to a question is at that question in the snapshot, and its answer is open again", () => {
  const pen = untilPlan().asks("brainstorm/ask:brainstorm.question.2#2", { ...question, id: "brainstorm.question.2" });
  const { questions = [], currentQuestionIndex } = toSnapshot(viewOf(pen.entries)).brainstorm;
  assert.equal(currentQuestionIndex, 1);
  assert.deepEqual(
    questions.map((each) => "answer" in each),
    [true, false],
  );
});

test("the snapshot carries the answers, the chosen approach, the approved sections, the documents and the config", () => {
  const { brainstorm, ...snapshot } = toSnapshot(viewOf(untilPlan().entries));
  assert.deepEqual(
    brainstorm.questions?.map((question) => "answer" in question && question.answer),
    ["Token bucket", "IP"],
  );
  assert.equal(brainstorm.chosenApproach, "a");
  assert.equal(brainstorm.customApproach, undefined);
  assert.deepEqual(brainstorm.designSections, [
    { id: "s1", approved: true },
    { id: "s2", approved: true },
  ]);
  assert.equal(snapshot.designPath, "docs/plans/2026-02-07-rate-design.md");
  assert.equal(snapshot.planPath, "docs/plans/2026-02-07-rate-plan.md");
  assert.deepEqual(snapshot.config, {
    tddMode: "tdd",
    reviewMode: "iterative",
    executionMode: "auto",
    maxPlanReviewCycles: 3,
    maxTaskReviewCycles: 3,
  });
  assert.equal(snapshot.pendingInteraction, undefined);
});

test("the whole snapshot, half-way through the design", () => {
  assert.deepEqual(toSnapshot(atRefusal()), {
    version: 1,
    runId: "run-1",
    pipeline: "superteam",
    phase: "brainstorm",
    brainstorm: {
      step: "design",
      scoutOutput: "A small library.",
      questions: [
        {
          id: "q1",
          text: "Which algorithm?",
          type: "choice",
          options: ["Token bucket", "Sliding window"],
          answer: "Token bucket",
        },
        { id: "q2", text: "Per what?", type: "input", answer: "IP" },
      ],
      currentQuestionIndex: 2,
      approaches: [{ id: "a" }, { id: "b" }],
      recommendation: "a",
      chosenApproach: "a",
      designSections: [
        { id: "s1", approved: true },
        { id: "s2", approved: false },
      ],
      currentSectionIndex: 1,
    },
    config: { tddMode: "tdd" },
    userDescription: "Add rate limiting",
    tasks: [],
    currentTaskIndex: 0,
    planReviewCycles: 0,
    totalCostUsd: 0.1 + 0.05,
    startedAt,
    updatedAt: startedAt + 2 * 60_000,
  });
});

test("a run that was aborted is done in its snapshot, with the reason as its error", () => {
  const pen = untilQuestion().add({ type: "end", ending: { how: "aborted", detail: "enough" } });
  const { phase, error, pendingInteraction } = toSnapshot(viewOf(pen.entries));
  assert.deepEqual(
    { phase, error, pendingInteraction },
    { phase: "done", error: "aborted: enough", pendingInteraction: undefined },
  );
});

test("the snapshot's tasks have a status, their reviews, their fixes, their cost and their commit", () => {
  const snapshot = toSnapshot(viewOf(untilTask2().entries));
  assert.equal(snapshot.currentTaskIndex, 1);
  assert.deepEqual(snapshot.tasks[0], {
    id: "1",
    title: "Token bucket",
    status: "complete",
    reviewsPassed: ["spec-reviewer", "quality-reviewer"],
    reviewsFailed: [],
    fixAttempts: 0,
    costUsd: 0.48,
    commitSha: "1aaaaaa",
  });
  assert.equal(snapshot.tasks[1]?.status, "reviewing");
  assert.equal(snapshot.tasks[1]?.fixAttempts, 1);
});

test("a custom approach and the run's failure are in the snapshot under their own names", () => {
  const failure = { kind: "impossible", step: "plan-write", detail: "no tasks" } as const;
  const pen = untilQuestion()
    .fact("brainstorm", { type: "brainstorm.approach", id: "other", title: "By hand", custom: true })
    .add({ type: "end", ending: { how: "failed", failure } });
  const snapshot = toSnapshot(viewOf(pen.entries));
  assert.equal(snapshot.brainstorm.customApproach, "By hand");
  assert.equal(snapshot.brainstorm.chosenApproach, undefined);
  assert.equal(snapshot.phase, "done");
  assert.equal(snapshot.error, "plan-write: no tasks");
});
