// The `--json` lines as a schema: what a program that follows a run can rely on. Objects are open: within a version new fields and types may be
// added, and none is removed or changes its meaning.

import { z } from "zod";
import { eventVersion } from "./event-version.ts";
import { doubts } from "./unchecked.ts";

const usd = z.number().nonnegative().describe("US dollars");
const ms = z.number().nonnegative().describe("milliseconds");
const by = z.enum(["person", "model", "policy", "file"]).describe("who decided");
const key = z.string().describe("names the request; the events of one request share it");
const task = z.string().describe("the task's id in the plan");
const option = z.looseObject({ key: z.string(), label: z.string(), hint: z.string().optional() });
const question = z
  .looseObject({
    id: z.string().describe("stable: what `superteam answer --id` and `--answers` name"),
    kind: z.enum(["select", "confirm", "input", "editor"]),
    title: z.string(),
    message: z.string(),
    options: z.array(option).optional(),
    recommended: z.string().optional(),
  })
  .describe("a question as it is shown");
const dispatch = {
  key,
  role: z.string(),
  name: z.string(),
  phase: z.string().nullable(),
  task: task.nullable(),
};

/** What a writer says of its own work. */
const claims = {
  said: z.string().describe("a summary in a few sentences"),
  concerns: z.array(z.string()).describe("concerns about the work"),
  disputed: z.array(z.string()).describe("findings that it disputes"),
};

const event = <T extends string, S extends z.ZodRawShape>(type: T, description: string, shape: S) =>
  z
    .looseObject({
      v: z.literal(eventVersion).describe("the version of this schema"),
      seq: z
        .int()
        .positive()
        .describe("counts the events of a run from 1, over all its processes; unique and in order"),
      entry: z.int().nonnegative().describe("the journal entry it comes from, or the last one before it"),
      ts: z.string().describe("ISO 8601, UTC"),
      runId: z.string(),
      type: z.literal(type),
      ...shape,
    })
    .describe(description);

export const RunEvent = z.discriminatedUnion("type", [
  event("run.started", "A process began or resumed the run.", {
    pipeline: z.string(),
    goal: z.string(),
    resumed: z.boolean(),
    by,
  }),
  event("triaged", "How much process the run has, what the scout proposed, and its parts.", {
    mode: z.string(),
    proposed: z.string(),
    reason: z.string(),
  }),
  event("part.started", "A part of a run in batches begins.", { part: z.int(), of: z.int(), title: z.string() }),
  event("brainstorm.step", "What the brainstorm is doing.", { step: z.string() }),
  event("brainstorm.questions", "What the brainstormer asks.", { questions: z.array(z.unknown()) }),
  event("brainstorm.answer", "An answer to one of its questions.", { question: z.string(), answer: z.string() }),
  event("brainstorm.approaches", "The approaches to choose from.", {
    approaches: z.array(z.unknown()),
    recommendation: z.string(),
  }),
  event("brainstorm.approach", "The approach that was chosen; `custom` when it is in the person's words.", {
    id: z.string(),
    title: z.string(),
    custom: z.boolean(),
  }),
  event("brainstorm.sections", "The sections of the design.", { sections: z.array(z.unknown()) }),
  event("brainstorm.section", "What the person said about a section.", { id: z.string(), approved: z.boolean() }),
  event("design.written", "The design.", { path: z.string() }),
  event("plan.loaded", "The run is for one task of a plan that was there before.", {
    path: z.string(),
    task: z.looseObject({ id: task, title: z.string() }),
    of: z.int().describe("tasks in the plan"),
  }),
  event("configured", "How the tasks are worked through.", {
    execution: z.enum(["auto", "checkpoint", "batch"]),
    batchSize: z.int().nullable(),
    review: z.string(),
    testFirst: z.boolean(),
    rounds: z.int().nullable().describe("rounds of fix and re-review before the person is asked"),
  }),
  event("plan.written", "The plan and its tasks; the latest one is valid.", {
    path: z.string().nullable(),
    tasks: z.array(
      z.looseObject({
        id: task,
        title: z.string(),
        complexity: z.string().optional(),
        files: z.array(z.string()).optional(),
        criteria: z.array(z.string()).optional(),
        covers: z.array(z.string()).optional().describe("ids of requirements"),
        dependsOn: z.array(task).optional(),
      }),
    ),
  }),
  event("plan.approved", "The person approved the plan.", {}),
  event("forecast", "What the approved plan is expected to cost, against the budget.", {
    tasks: z.int(),
    lowUsd: usd,
    expectedUsd: usd,
    highUsd: usd,
    lowMs: ms,
    highMs: ms,
    samples: z.int().describe("earlier agent calls it is based on"),
  }),
  event("phase.started", "A phase begins.", { phase: z.string().nullable(), label: z.string() }),
  event("phase.finished", "A phase ended, well or not.", {
    phase: z.string().nullable(),
    ok: z.boolean(),
    durationMs: ms,
  }),
  event("dispatch.started", "An agent starts.", { ...dispatch, tries: z.int() }),
  event("dispatch.finished", "An agent ended: its model, usage and cost, and its failure if it failed.", {
    ...dispatch,
    status: z.enum(["finished", "failed"]),
    durationMs: ms,
    answer: z.string().optional().describe("what the scout found"),
  }),
  event("tool", "What an agent does right now.", {
    key,
    role: z.string(),
    name: z.string(),
    action: z.string(),
  }),
  event("usage", "Tokens and cost of one turn, and the total so far.", { key, totalUsd: usd }),
  event("question.asked", "A question waits.", { key, id: z.string(), question }),
  event("question.answered", "It was answered.", { key, id: z.string(), answer: z.string(), by }),
  event("check.finished", "A command that superteam ran.", {
    key,
    name: z.string(),
    command: z.string(),
    passed: z.boolean(),
    exitCode: z.int().nullable(),
    durationMs: ms,
  }),
  event("tests.baseline", "The tests when their command first ran: how many, which are red, and who reports them.", {
    command: z.string(),
    total: z.int(),
    failing: z.array(z.string()),
    replaces: z
      .string()
      .optional()
      .describe("Present if this command replaced another during the run: the one used until then; empty for none."),
    untested: z
      .array(task)
      .optional()
      .describe("Tasks for which that command was still to run. Whether they broke what is red is not known."),
  }),
  event("tests.compared", "A run of the tests on a task's work, compared with the run before.", {
    task: task.nullable(),
    command: z.string(),
    flaky: z.array(z.string()),
    isEmpty: z.literal(true).optional().describe("There are no tests."),
    by: z
      .array(z.object({ task, tests: z.array(z.string()) }))
      .optional()
      .describe("Earlier tasks for which the tests had not run, and what each of them broke."),
  }),
  event("tests.first", "Whether a task was built test first: tests that fail without its change, and pass with it.", {
    task,
    red: z.array(z.string()),
    green: z.array(z.string()),
    why: z.string(),
  }),
  event(
    "scripts.changed",
    "A task changed files that a check runs, as its command names them: it may check less now.",
    {
      task: task.nullable(),
      command: z.string(),
      changed: z.array(z.string()).describe("files in the diff"),
      unseen: z.array(z.string()).describe("installed programs that changed, which no diff shows"),
    },
  ),
  event("review.finished", "A review's verdict and findings.", {
    of: z.enum(["plan", "task", "run"]),
    task: task.nullable(),
    role: z.string(),
    round: z.int(),
    verdict: z.enum(["approved", "needs_revision", "inconclusive"]),
    findings: z.array(z.string()),
  }),
  event("task.started", "Work on a task begins.", { task, title: z.string().nullable() }),
  event("task.status", "The step that a task has reached.", {
    task,
    status: z.enum(["pending", "implementing", "reviewing", "fixing", "complete", "skipped", "escalated"]),
    round: z.int(),
  }),
  event("findings.deferred", "Findings that do not block the task and go to the final review.", {
    task,
    findings: z.array(z.string()),
  }),
  event("task.settled", "A task is complete or skipped.", {
    task,
    status: z.enum(["complete", "skipped"]),
    commit: z.string().nullable(),
    rounds: z.int(),
    testsPending: z.literal(true).optional().describe("The tests have not run for it yet."),
    doubt: z
      .enum(doubts)
      .optional()
      .describe("Why it has no plain check mark: what has not checked it, at this moment."),
    said: claims.said.optional(),
    concerns: claims.concerns.optional(),
    disputed: claims.disputed.optional(),
    costUsd: usd,
  }),
  event("commit.made", "A commit and its files.", {
    key,
    sha: z.string(),
    message: z.string(),
    task: task.nullable(),
    files: z.array(z.string()),
    lines: z
      .array(z.object({ file: z.string(), added: z.int(), removed: z.int() }))
      .optional()
      .describe("Lines added and removed, for each text file."),
  }),
  event("writer.said", "What the writer of the final fixes or the documentation claims.", {
    work: z.string(),
    ...claims,
  }),
  event("wait.started", "The run waits for its provider; with `suspends`, it is suspended until then.", {
    key,
    until: z.string().describe("ISO 8601, UTC"),
    suspends: z.boolean(),
  }),
  event("wait.finished", "The wait is over.", { key }),
  event("warning", "A warning that does not stop the run.", { text: z.string() }),
  event("run.suspended", "The run stopped and can be resumed.", {
    why: z.string(),
    question: question.nullable(),
    costUsd: usd,
  }),
  event("run.finished", "How the run ended, and what it cost.", {
    how: z.enum(["finished", "failed", "aborted"]),
    costUsd: usd,
  }),
]);
export type RunEvent = z.infer<typeof RunEvent>;
