// Takes each task of the plan, in order, to its end, and pauses as often as the person wants it.

import { z } from "zod";
import { child, type Flow, snapshot } from "../../core/flow/flow.ts";
import { KeptTree } from "../../core/flow/kept-tree.ts";
import type { Requirement } from "../../core/plan/brainstorm.ts";
import type { Plan, Task } from "../../core/plan/plan.ts";
import { headerOf } from "../../core/plan/sections.ts";
import { type Mode, modes } from "../../core/run/config.ts";
import { type PlanRemarks, Settled } from "../../core/run/report.ts";
import { count, shortSha } from "../../core/text/format.ts";
import type { Baseline } from "../../core/validation/baseline.ts";
import { runPending } from "../suite/pending-tests.ts";
import { type AbortableQuestion, askOrAbort } from "../work/ask.ts";
import { warn } from "../work/consult.ts";
import type { Choices } from "./configure.ts";
import { type Carried, earlierFor, Outgrown, type TaskEnd, type TaskInput } from "./task-work.ts";

export interface PlannedWork {
  readonly mode: Mode;
  readonly goal: string;
  readonly plan: Plan;
  readonly requirements: readonly Requirement[];
  readonly choices: Choices;
  /** The plan's document; without one the plan was made by code. */
  readonly document?: string;
  readonly remarks?: PlanRemarks;
  /** What earlier parts came to; nothing where there are none. */
  readonly earlier?: readonly Settled[];
  /** Work that is in the tree already and belongs to the first task. */
  readonly carried?: Carried | null;
}

/** `start` is the tree before the first task: the whole work is compared with it. */
export const Executed = z.object({
  start: KeptTree,
  tasks: z.array(Settled),
  /** The mode it ended in: the person may have switched on the way. */
  mode: z.enum(modes),
  /** Set when the work needs a plan after all. */
  outgrown: Outgrown.nullable(),
});
export type Executed = z.infer<typeof Executed>;

export function* execute(work: PlannedWork): Flow<Executed> {
  const start = work.carried?.start ?? (yield* snapshot("start"));
  const earlier = work.earlier ?? [];
  const header = headerOf(work.document ?? "");
  const settled: Settled[] = [];
  let mode = work.mode;
  let paused = 0;
  let tests = earlier.findLast((one) => one.tests !== undefined)?.tests ?? null;
  for (const [index, task] of work.plan.tasks.entries()) {
    const done = [...earlier, ...settled];
    yield* warnOfGaps(task, done);
    const branch = settled.at(-1)?.branch ?? start.branch;
    const input = inputFor({ ...work, mode, header, tests, branch }, task, done);
    const one = yield* child<TaskEnd>({ flow: "settle-task", name: `task-${task.id}`, input });
    if (one.status === "outgrown") return { start, tasks: settled, mode: one.mode, outgrown: one };
    settled.push(one);
    mode = one.switchedTo ?? mode;
    tests = one.tests ?? tests;
    const next = work.plan.tasks[index + 1];
    const since = settled.slice(paused);
    if (!next || !isTimeToPause(work.choices, since)) continue;
    tests = yield* pause(since, next, tests);
    paused = settled.length;
  }
  return { start, tasks: settled, mode, outgrown: null };
}

function* warnOfGaps(task: Task, settled: readonly Settled[]): Flow<void> {
  const gaps = settled.filter(({ task: id, status }) => status === "skipped" && task.dependsOn.includes(id));
  for (const gap of gaps) yield* warn(`Task ${task.id} builds on task ${gap.task}, which was skipped.`);
}

/** All a task needs to know, as JSON: another machine could run it. */
function inputFor(
  work: PlannedWork & Pick<TaskInput, "header" | "tests" | "branch">,
  task: Task,
  settled: readonly Settled[],
): TaskInput {
  const { goal, mode, plan, header, requirements, choices, earlier = [], carried = null, tests, branch } = work;
  const unheld = [...new Set(settled.flatMap((one) => one.unheld ?? []))];
  return {
    task,
    total: earlier.length + plan.tasks.length,
    goal,
    header,
    mode,
    review: choices.review,
    carried: task === plan.tasks[0] ? carried : null,
    branch,
    isAlone: earlier.length + plan.tasks.length === 1,
    tests,
    requirements: requirements.filter((requirement) => task.covers.includes(requirement.id)),
    elsewhere: coveredElsewhere(task, plan),
    ...(unheld.length === 0 ? {} : { unheld }),
    earlier: earlierFor(
      task,
      settled.map(({ task: id, title, status, commit, files }) => ({ id, title, status, commit, files })),
    ),
  };
}

/** Who else works on what this task covers: a reviewer must not miss it here. */
function coveredElsewhere(task: Task, { tasks }: Plan): TaskInput["elsewhere"] {
  return task.covers.flatMap((requirement) => {
    const others = tasks.filter((other) => other !== task && other.covers.includes(requirement));
    return others.length === 0 ? [] : [{ requirement, tasks: others.map(({ id }) => id) }];
  });
}

/** A batch is full when its last task is complete, not when one is skipped. */
function isTimeToPause({ execution, batchSize }: Choices, since: readonly Settled[]): boolean {
  const completed = since.filter(({ status }) => status === "complete").length;
  return execution === "batch" ? completed >= (batchSize ?? 1) : execution === "checkpoint";
}

/** Gives what is known of the tests when the run continues: the person may have had them run. */
function* pause(since: readonly Settled[], next: Task, tests: Baseline | null): Flow<Baseline | null> {
  const ended = `the person ended the run after task ${since.at(-1)?.task}`;
  const pending = tests?.pending.length ?? 0;
  const way = yield* askOrAbort(checkpointQuestion(since, next, pending), ended);
  return way === "tests" && tests !== null ? yield* runPending(tests) : tests;
}

/** `since` are the tasks that were settled since the last pause. Nothing is recommended: a run without a person waits here. */
export function checkpointQuestion(since: readonly Settled[], next: Task, pending = 0): AbortableQuestion {
  const run = {
    key: "tests",
    label: "Run the tests, then continue",
    hint: `${count(pending, "task")} without tests so far`,
  };
  return {
    id: "execute.checkpoint",
    title: "Checkpoint",
    message: [...since.map(taskLine), `Next: task ${next.id}, "${next.title}".`].join("\n"),
    options: [{ key: "continue", label: "Continue" }, ...(pending === 0 ? [] : [run])],
  };
}

function taskLine({
  task,
  title,
  status,
  commit,
  rounds,
  files,
  tests,
  reviews = [],
  deferred,
  waivers,
}: Settled): string {
  const parts = [
    status,
    tests?.pending.some((one) => one.task === task) ? "tests pending" : "",
    commit === null ? "" : `commit ${shortSha(commit)}`,
    files.length === 0 ? "" : count(files.length, "file"),
    reviews.map(({ role, verdict }) => `${role.replace("-reviewer", "")} ${marks[verdict]}`).join(" "),
    rounds === 0 ? "" : count(rounds, "fix round"),
    deferred.length === 0 ? "" : `${count(deferred.length, "finding")} deferred`,
    waivers.length === 0 ? "" : "with a waiver",
  ];
  return `Task ${task}, "${title}": ${parts.filter((part) => part !== "").join(", ")}.`;
}

const marks = { approved: "✓", needs_revision: "✗", inconclusive: "?" } as const;
