// The default pipeline as a whole, driven with values.

import assert from "node:assert/strict";
import { test } from "node:test";
import { stringify } from "yaml";
import { type Agent, dispatches, facts, play, questions, resultOf, type Script } from "../../test/rig/flow.ts";
import { scouted } from "../../test/rig/triage.ts";
import { documentsFor } from "../core/run/document-paths.ts";
import { fenced } from "../core/text/block.ts";
import { superteam } from "./superteam.ts";

const goal = "Add rate limiting with token bucket algorithm";
const documents = documentsFor("2026-02-07", goal, () => false);
const says =
  (value: unknown): Agent =>
  () =>
    fenced("superteam-brainstorm", JSON.stringify(value));
const input = (id: string) => ({ id, text: `${id}?`, type: "input" });
const approach = (id: string) => ({ id, title: id, summary: "s", tradeoffs: "t", taskEstimate: 3 });
const section = (id: string, requirement: string) => ({
  id,
  title: id,
  content: "Text.",
  requirements: [{ id: requirement, text: "It must." }],
});
const task = (id: number, more: object) => ({
  id,
  title: `Task ${id}`,
  description: "Do.",
  files: [`src/${id}.ts`],
  criteria: ["It is done."],
  commands: ["npm test"],
  ...more,
});
const plan = [task(1, { covers: ["R1"] }), task(2, { covers: ["R2"], dependsOn: [1] }), task(3, { dependsOn: [2] })];
const planDocument = (tasks: readonly ReturnType<typeof task>[]) =>
  [
    "# Plan\n\n**Goal:** g\n\n**Architecture:** a\n\n**Tech Stack:** t",
    ...tasks.map(({ id, title }) => `### Task ${id}: ${title}\n\nSteps.`),
    fenced("superteam-tasks", stringify(tasks)),
    "",
  ].join("\n\n");
const approved: Agent = () =>
  fenced("superteam-json", JSON.stringify({ passed: true, findings: [], resolutions: [], summary: "Good." }));

const script: Script = {
  flows: superteam.flows,
  documents: Object.values(documents),
  files: { "notes.txt": "mine" },
  agents: {
    scout: () => scouted("A library."),
    questions: says({ type: "questions", questions: [input("q1"), input("q2"), input("q3")] }),
    approaches: says({
      type: "approaches",
      approaches: [approach("a1"), approach("a2")],
      recommendation: "a1",
      reasoning: "r",
    }),
    design: says({ type: "design", sections: [section("s1", "R1"), section("s2", "R2")] }),
    plan: ({ files }) => {
      files.set(documents.plan, planDocument(plan));
      return "Written.";
    },
    "architect-review": approved,
    "plan-spec-review": approved,
    implement: ({ files, nth }) => {
      files.set(`src/${nth}.ts`, `${nth}`);
      return "Done.";
    },
    "spec-review": approved,
    "quality-review": approved,
    "final-review": approved,
  },
  answers: {
    "triage.mode": "standard",
    "brainstorm.question.1": "1",
    "brainstorm.question.2": "2",
    "brainstorm.question.3": "3",
    "brainstorm.approach": "a1",
    "brainstorm.section.1": "yes",
    "brainstorm.section.2": "yes",
    "plan.approval": "approve",
    "configure.execution": "auto",
    "configure.review": "iterative",
    "finalize.docs": "no",
  },
};
const run = (changed: Partial<Script> = {}) => play(superteam.start({ goal, documents }), { ...script, ...changed });

test("a goal becomes a design, a plan, one commit per task and a report", () => {
  const played = run();
  const report = resultOf(played);
  assert.deepEqual(
    report.tasks.map(({ task: id, status, commit }) => [id, status, commit]),
    [
      [1, "complete", "sha-2"],
      [2, "complete", "sha-3"],
      [3, "complete", "sha-4"],
    ],
  );
  const commits = played.requests.filter((request) => request.do === "commit");
  assert.deepEqual(
    commits.map(({ message }) => message.split("\n", 1)[0]),
    [
      "workflow: design and plan — Add rate limiting with token bucket algorithm",
      "workflow: task 1 — Task 1",
      "workflow: task 2 — Task 2",
      "workflow: task 3 — Task 3",
      "workflow: progress and summary — Add rate limiting with token bucket algorithm",
    ],
  );
  assert.deepEqual(commits.at(-1)?.documents, [documents.progress, documents.summary]);
  assert.equal(played.files.get("notes.txt"), "mine");
  assert.deepEqual(dispatches(played).length, 5 + 2 + 3 * 3 + 1);
});

test("progress and summary are published before they are committed, the progress first", () => {
  const ends = run()
    .requests.slice(-6)
    .map((request) => (request.do === "publish" ? request.document : request.do));
  assert.deepEqual(ends, ["record", "config", "progress", "summary", "snapshot", "commit"]);
});

test("the phases are scopes, in their order, and the tasks named children of one", () => {
  assert.deepEqual(run().scopes, [
    "phase brainstorm",
    "phase plan-write",
    "phase plan-review",
    "step architect",
    "step spec-reviewer",
    "phase configure",
    "phase execute",
    "task task-1",
    "task task-2",
    "task task-3",
    "phase finalize",
  ]);
});

test("the phases of a run in one piece are those of the schedule, in their order", () => {
  const phases = run().scopes.flatMap((scope) => (scope.startsWith("phase ") ? [scope.slice("phase ".length)] : []));
  const scheduled = superteam.schedule.filter(({ phase }) => phase !== "reassess" && phase !== "split");
  assert.deepEqual(
    phases,
    scheduled.map(({ phase }) => phase),
  );
});

test("each task is told only its own requirements and the tasks before it", () => {
  const implement = dispatches(run())
    .filter(({ name }) => name === "implement")
    .map(({ prompt }) => prompt);
  assert.match(implement[1] ?? "", /R2: It must\./);
  assert.doesNotMatch(implement[1] ?? "", /R1: It must\./);
  assert.match(
    implement[2] ?? "",
    /Task 1, Task 1: complete, commit sha-2 \(src\/1\.ts\)\n- Task 2, Task 2: complete, commit sha-3 \(src\/2\.ts\)/,
  );
});

test("a task is told of the five tasks before it, and of no more", () => {
  const many = Array.from({ length: 7 }, (_, index) => task(index + 1, { covers: ["R1", "R2"] }));
  const played = run({
    agents: {
      ...script.agents,
      plan: ({ files }) => {
        files.set(documents.plan, planDocument(many));
        return "Written.";
      },
    },
  });
  assert.equal(resultOf(played).tasks.length, 7);
  const last = dispatches(played).findLast(({ name }) => name === "implement")?.prompt ?? "";
  assert.deepEqual(last.match(/^- Task \d/gm), ["- Task 2", "- Task 3", "- Task 4", "- Task 5", "- Task 6"]);
});

test("a task that builds on a skipped one is warned about, and the next ones know", () => {
  const implement: Agent = ({ files, nth }) => {
    if (nth > 1) files.set(`src/${nth}.ts`, "");
    return "Done.";
  };
  const played = run({
    agents: { ...script.agents, implement },
    answers: { ...script.answers, "execute.task.1.nothing": "skip" },
  });
  assert.deepEqual(
    resultOf(played).tasks.map(({ status }) => status),
    ["skipped", "complete", "complete"],
  );
  assert.match(JSON.stringify(facts(played)), /Task 2 builds on task 1, which was skipped\./);
  assert.ok(facts(played).some((fact) => fact.type === "report" && fact.text === "2 of 3 tasks complete, 1 skipped."));
});

test("every question of the happy path has a stable id", () => {
  assert.deepEqual(
    questions(run()).map(({ id }) => id),
    Object.keys(script.answers ?? {}),
  );
});

test("facts tell the whole story, task by task", () => {
  const told = facts(run()).flatMap((fact) => ("task" in fact ? [`${fact.task} ${fact.type}`] : []));
  assert.deepEqual(told.slice(0, 5), [
    "1 task.status",
    "1 task.status",
    "1 review.finished",
    "1 review.finished",
    "1 task.settled",
  ]);
  assert.equal(told.length, 15);
});

test("what was configured reaches the tasks and the report: a single pass, in batches", () => {
  const object: Agent = () =>
    fenced(
      "superteam-json",
      JSON.stringify({
        passed: false,
        findings: [{ rule: "missing", severity: "high", anchor: { requirement: "R1" }, what: "It must." }],
        summary: "No.",
      }),
    );
  const played = run({
    agents: {
      ...script.agents,
      "spec-review": ({ nth, ...turn }) => (nth === 1 ? object : approved)({ nth, ...turn }),
    },
    answers: {
      ...script.answers,
      "configure.execution": "batch",
      "configure.batch-size": "2",
      "configure.review": "single-pass",
      "execute.checkpoint": ["continue"],
    },
  });
  assert.equal(questions(played).filter(({ id }) => id === "execute.checkpoint").length, 1);
  assert.ok(!dispatches(played).some(({ name }) => name === "fix"));
  assert.deepEqual(resultOf(played).waivers, [
    "reviews are single-pass: what they find is not fixed, unless it is critical",
    "Task 1: single-pass review let through: F1 high missing (R1): It must. (spec-reviewer)",
  ]);
});

test("an input without a goal or with documents outside the tree is refused", () => {
  assert.throws(() => superteam.start({ goal: " ", documents }));
  assert.throws(() => superteam.start({ goal, documents: { ...documents, plan: "../plan.md" } }));
});

const objects: Agent = () => {
  const finding = (severity: string, what: string) => ({
    rule: "structure",
    severity,
    anchor: { requirement: "T2" },
    what,
  });
  const findings = [finding("high", "It is two tasks."), finding("low", "A vague title.")];
  return fenced("superteam-json", JSON.stringify({ passed: false, findings, resolutions: [], summary: "No." }));
};

test("what the plan was approved with is in the report, and known to the final reviewer", () => {
  const played = run({
    agents: { ...script.agents, "architect-review": objects, patch: () => "No." },
    answers: { ...script.answers, "plan.review": "approve" },
  });
  const [waiver = "", ...others] = resultOf(played).waivers;
  assert.match(waiver, /^Plan: the plan was approved as it is, against its reviewers: F1 .*It is two tasks\.$/);
  assert.deepEqual(others, []);
  const prompt = dispatches(played).find(({ name }) => name === "final-review")?.prompt ?? "";
  assert.ok(prompt.includes(`## Waived by the person\n- ${waiver}`), prompt);
  assert.match(
    prompt,
    /## Deferred by earlier reviews\n- Plan: F2 low structure \(T2\): A vague title\. \(below medium\)/,
  );
});
