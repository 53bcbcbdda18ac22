// Escalation: what can stand in the way of work, what the person is told about it, and what they can choose. One row per
// kind of obstacle and kind of work. A new kind of obstacle does not compile before it has its rows.

import { type CommitRequest, commit, type Flow } from "../../core/flow/flow.ts";
import { abortOption, type Option } from "../../core/flow/question.ts";
import type { CommitOutcome } from "../../core/flow/repository.ts";
import { describe, type Register } from "../../core/review/register.ts";
import { count } from "../../core/text/format.ts";
import { type AbortableQuestion, askOrAbort, shortAbortOption } from "./ask.ts";
import { type AgentStep, GaveUp, type Trouble } from "./trouble.ts";

interface Obstacles {
  /** The writer changed nothing. */
  readonly nothing: unknown;
  readonly validation: { readonly command: string; readonly output: string };
  readonly findings: { readonly roles: readonly string[]; readonly open: Register };
  readonly inconclusive: { readonly role: string; readonly summary: string };
  /** Somebody changed the tree while it was judged. */
  readonly moved: unknown;
  /** An agent could not be brought to do its part. `again` is what a retry does before the work is judged. */
  readonly agent: { readonly trouble: Trouble; readonly again: (() => Flow<Obstacle<"agent"> | undefined>) | null };
  /** Git refused the commit. */
  readonly refused: { readonly detail: string };
}
type Kind = keyof Obstacles;

/** Why work cannot be called done. */
export type Obstacle<K extends Kind = Kind> = { [P in K]: { readonly kind: P } & Obstacles[P] }[K];

/** What a fix can help against. */
export type Fixable = Obstacle<"validation" | "findings">;

export function isFixable(obstacle: Obstacle): obstacle is Fixable {
  return obstacle.kind === "validation" || obstacle.kind === "findings";
}

/** One thing the person can choose; its key is what the flow is told. */
interface Way<W extends string> extends Option {
  readonly key: W;
}

interface Escalation<W extends string> extends Omit<AbortableQuestion, "options"> {
  readonly ways: readonly Way<W>[];
}

/** One row per kind of obstacle. */
type Rows<K extends Kind, Work, W extends string> = {
  readonly [P in K]: (obstacle: Obstacle<P>, work: Work) => Escalation<W>;
};

export interface TaskAtIssue {
  readonly id: number;
  readonly title: string;
  /** Fixes since the person last decided. */
  readonly fixes: number;
}
/** `accept` is a waiver and offered only where nothing was changed, so that nothing can be wrong. */
export type TaskWay = "retry" | "rollback" | "skip" | "accept";

const retry: Way<"retry"> = { key: "retry", label: "Retry", hint: "go on from here", aliases: ["continue"] };
const rollback: Way<"rollback"> = { key: "rollback", label: "Rollback and retry", hint: "start the task over" };
const skip: Way<"skip"> = { key: "skip", label: "Skip this task", hint: "take its changes back" };
const acceptNothing: Way<"accept"> = {
  key: "accept",
  label: "Accept as it is",
  hint: "complete without a commit; recorded as a waiver",
};
const anyWay = [retry, rollback, skip];

const taskRows: Rows<Kind, TaskAtIssue, TaskWay> = {
  nothing: (_, task) => ofTask(task, "nothing", " changed nothing.", [retry, skip, acceptNothing]),
  validation: (obstacle, task) =>
    ofTask(task, "escalation", ` failed validation after ${attempts(task)}.\n${lastOutput(obstacle)}`),
  findings: ({ roles, open }, task) => {
    const reviews = roles.map(reviewName).join(" and ");
    const findings = ["Last findings:", ...listed(open)].join("\n");
    return ofTask(task, "escalation", ` failed ${reviews} after ${attempts(task)}.\n${findings}`);
  },
  inconclusive: ({ role, summary }, task) =>
    ofTask(
      task,
      "escalation",
      `: the ${reviewName(role)} is inconclusive. The reviewer does not pass it, and names nothing that blocks.\nIt says: ${summary}`,
    ),
  moved: (_, task) =>
    ofTask(
      task,
      "escalation",
      ": the tree changed while it was being judged. Leave it alone, then choose Retry: it is judged again.",
    ),
  agent: ({ trouble }) => ({ ...trouble, ways: anyWay }),
  refused: ({ detail }, task) =>
    ofTask(task, "commit", ` is done, but its commit was refused.\nError: ${detail}`, [retry, skip]),
};

function ofTask(
  { id, title }: TaskAtIssue,
  step: string,
  problem: string,
  ways: readonly Way<TaskWay>[] = anyWay,
): Escalation<TaskWay> {
  return { id: `execute.task.${id}.${step}`, title: "Task Escalation", message: `Task "${title}"${problem}`, ways };
}

const attempts = ({ fixes }: TaskAtIssue): string => (fixes === 0 ? "1 attempt" : `${fixes + 1} attempts`);
const reviewName = (role: string): string => role.replace("-reviewer", " review");
const listed = (open: Register): readonly string[] => open.map((entry) => `  - ${describe(entry)}`);
const lastOutput = ({ command, output }: Obstacle<"validation">): string =>
  `Last output of \`${command}\`:\n${output.slice(-1000)}`;

/** What the person does about a task that cannot go on by itself. */
export function escalateTask(obstacle: Obstacle, task: TaskAtIssue): Flow<TaskWay> {
  return decide(rowOf(taskRows, obstacle, task), endedAt(obstacle, `at task ${task.id}`));
}

/** A commit of the whole that is refused is asked about where it is made. */
type WholeKind = Exclude<Kind, "nothing" | "refused">;
export type WholeObstacle = Obstacle<WholeKind>;
export type WholeWay = "fix" | "again" | "accept";

interface Whole {
  /** Fixes in all. */
  readonly fixes: number;
}

const fix: Way<"fix"> = { key: "fix", label: "Fix", hint: "an implementer mends it, then it is reviewed again" };
const accept = (loss: string): Way<"accept"> => ({
  key: "accept",
  label: "Accept",
  hint: `${loss}recorded as a waiver`,
});
const again = (label: string): Way<"again"> => ({ key: "again", label });
const losesFix = "takes the uncommitted fix back; ";

/** Nothing is recommended: every way out waives something or costs something. */
const wholeRows: Rows<WholeKind, Whole, WholeWay | "retry"> = {
  validation: (obstacle, whole) => {
    const what = whole.fixes === 0 ? "finished work" : "final fix";
    return ofWhole(`The ${what} fails validation${after(whole)}.\n${lastOutput(obstacle)}`, [fix, accept(losesFix)]);
  },
  findings: ({ open }, whole) => {
    const asks = `The final review ${whole.fixes === 0 ? "" : "still "}asks for changes${after(whole)}:`;
    return ofWhole([asks, ...listed(open)].join("\n"), [fix, accept("")]);
  },
  inconclusive: ({ summary }, whole) =>
    ofWhole(
      `The final review is inconclusive${after(whole)}. The reviewer does not pass the work, and names nothing that blocks.\nIt says: ${summary}`,
      [again("Review again"), accept("")],
    ),
  moved: () =>
    ofWhole(
      "The tree changed while the final fixes were being checked. Leave it alone, then have them checked again.",
      [again("Check again"), accept(losesFix)],
    ),
  agent: ({ trouble }) => ({ ...trouble, ways: [plainRetry, accept("goes without the fix; ")] }),
};

const plainRetry: Way<"retry"> = { key: "retry", label: "Retry" };
const after = ({ fixes }: Whole): string => (fixes === 0 ? "" : ` after ${count(fixes, "fix")}`);

function ofWhole(message: string, ways: readonly Way<WholeWay>[]): Escalation<WholeWay> {
  return { id: "finalize.fix", title: "Final Review", message, ways };
}

/** What the person does about the whole. */
export function* escalateWhole(obstacle: WholeObstacle, whole: Whole): Flow<WholeWay> {
  const way = yield* decide(rowOf(wholeRows, obstacle, whole), endedAt(obstacle, "at the final review"));
  return way === "retry" ? "again" : way;
}

/** A commit that is not a task's. */
export interface CommitAtIssue {
  readonly step: string;
  /** What is to be committed, in words, and what skipping the commit means. */
  readonly what: string;
  readonly skip: string;
}

/** Steps that belong to neither a task nor the whole: an agent that is asked for one thing, a commit of its own. */
const stepRows = {
  agent: ({ trouble }: Obstacle<"agent">): Escalation<"retry"> => ({
    ...trouble,
    ways: [plainRetry],
    abort: trouble.id.endsWith(".unparsable") ? shortAbortOption : abortOption,
  }),
  refused: (
    { detail }: Obstacle<"refused">,
    { step, what, skip: hint }: CommitAtIssue,
  ): Escalation<"retry" | "skip"> => ({
    id: `${step}.commit`,
    title: "Commit Refused",
    message: `The commit of ${what} was refused.\nError: ${detail}`,
    ways: [
      { ...plainRetry, hint: "after you have mended the cause" },
      { key: "skip", label: "Skip", hint },
    ],
  }),
};

/** Returns when the person wants another try. Never recommended: a run without a person pauses here. */
export function* retryOrAbort({ step, mayGiveUp = false }: AgentStep, trouble: Trouble): Flow<void> {
  if (mayGiveUp) throw new GaveUp(trouble);
  const obstacle = { kind: "agent", trouble, again: null } as const;
  yield* decide(stepRows.agent(obstacle), endedAt(obstacle, ""), step);
}

/** Commits until it works, or the person would rather go without: then the outcome is still `refused`. */
export function* commitOrAsk(at: CommitAtIssue, request: Omit<CommitRequest, "do">): Flow<CommitOutcome> {
  for (;;) {
    const outcome = yield* commit(request);
    if (outcome.status !== "refused") return outcome;
    const row = stepRows.refused({ kind: "refused", detail: outcome.detail }, at);
    if ((yield* decide(row, "the person ended the run at a refused commit", at.step)) === "skip") return outcome;
  }
}

function endedAt(obstacle: Obstacle, where: string): string {
  return `the person ended the run ${obstacle.kind === "agent" ? `after ${obstacle.trouble.short}` : where}`;
}

function rowOf<K extends Kind, Work, W extends string>(
  rows: Rows<K, Work, W>,
  obstacle: Obstacle<K>,
  work: Work,
): Escalation<W> {
  return rows[obstacle.kind](obstacle, work);
}

function* decide<W extends string>(escalation: Escalation<W>, ended: string, step?: string): Flow<W> {
  const { id, title, message, ways, abort = abortOption } = escalation;
  const choice = yield* askOrAbort({ id, title, message, options: ways, abort }, ended, step);
  const way = ways.find(({ key }) => key === choice);
  if (!way) throw new Error(`${id} was answered with "${choice}", which it does not offer`);
  return way.key;
}
