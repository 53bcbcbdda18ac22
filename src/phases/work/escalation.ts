// Escalation: what can block work, what the person reads about it, and what they can choose. One row per kind of obstacle and kind of work:
// those of a task are here, those of the whole in `whole-escalation.ts`. A new kind of obstacle does not compile before it has its rows.

import { ask, type Flow } from "../../core/flow/flow.ts";
import type { Option } from "../../core/flow/question.ts";
import type { Committed, LeftOut } from "../../core/flow/repository.ts";
import type { WriterReport } from "../../core/plan/writer-report.ts";
import { reviewerSide } from "../../core/review/dispute.ts";
import { describe, type Register } from "../../core/review/register.ts";
import type { Matter } from "../../core/run/failure-action.ts";
import { listed as namesOf } from "../../core/text/format.ts";
import { type FailedTests, guilty, lastOutput, regressionText } from "../suite/failed-tests.ts";
import type { AbortableQuestion } from "./ask.ts";
import { escalate, type ShowDiff } from "./respond.ts";
import { endedAfter, ofTrouble, type Trouble } from "./trouble.ts";

interface Obstacles {
  /** The writer changed nothing; `said` is what it said, `givenBack` what it changed of the person's. */
  readonly nothing: { readonly said: string; readonly givenBack: readonly string[] };
  /** The writer says that it cannot do the work as it stands. */
  readonly blocked: { readonly reason: string; readonly needs: string };
  readonly validation: { readonly command: string; readonly output: string };
  /** Tests that passed before the work fail with it. */
  readonly regression: FailedTests;
  /** Nothing shows that the work was built test first. */
  readonly unproved: { readonly why: string };
  /** `isWanted`: the person has read them, and wants them fixed. */
  readonly findings: { readonly roles: readonly string[]; readonly open: Register; readonly isWanted?: true };
  /** Grave findings that nothing shows to be so. */
  readonly claims: { readonly claims: Register };
  /** `noted` is what the reviewer found that does not block. */
  readonly inconclusive: { readonly role: string; readonly summary: string; readonly noted: Register };
  /** Somebody changed the tree while it was judged. */
  readonly moved: unknown;
  /** An agent could not be brought to do its part. `again` is what a retry does before the work is judged. */
  readonly agent: { readonly trouble: Trouble; readonly again: (() => Flow<Obstacle<"agent"> | undefined>) | null };
  /** The commit fails without changes of the person's that it does not contain, and passed with them. */
  readonly alone: { readonly command: string; readonly output: string } & Omit<LeftOut, "alone">;
  /** The commit has what only a hook put there, and did so again after that had been judged. */
  readonly hooked: { readonly made: Committed; readonly files: readonly string[] };
  /** Git refused the commit. */
  readonly refused: { readonly detail: string };
}
type Kind = keyof Obstacles;

/** Why work cannot be called done. */
export type Obstacle<K extends Kind = Kind> = { [P in K]: { readonly kind: P } & Obstacles[P] }[K];

/** What a fix can help against. */
export type Fixable = Obstacle<"validation" | "regression" | "unproved" | "findings">;

export function isFixable(obstacle: Obstacle): obstacle is Fixable {
  return ["validation", "regression", "unproved", "findings"].includes(obstacle.kind);
}

/** What the person has read, with both sides of what is disputed, and wants fixed. */
export function wanted<F extends Fixable>(obstacle: F): F {
  return obstacle.kind === "findings" ? { ...obstacle, isWanted: true } : obstacle;
}

/** What a failure is, and of which command, if of one: a second one of the same is no longer tried alone. */
export interface About {
  readonly matter: Matter;
  readonly of: string;
}

export function aboutOf(obstacle: Obstacle): About {
  const matter = obstacle.kind === "agent" ? obstacle.trouble.matter : matters[obstacle.kind];
  return { matter, of: "command" in obstacle ? obstacle.command : "" };
}

const matters: Readonly<Record<Exclude<Kind, "agent">, Matter>> = {
  nothing: "nothing-changed",
  blocked: "implementer-blocked",
  validation: "validation-failure",
  regression: "test-regression",
  unproved: "not-test-first",
  findings: "review-max-retries",
  claims: "grave-claim",
  inconclusive: "review-inconclusive",
  moved: "tree-moved",
  alone: "fails-alone",
  hooked: "changed-by-hook",
  refused: "commit-refused",
};

/** One row per kind of obstacle. The flow gets the key of what the person chooses. */
export type Rows<K extends Kind, Work, W extends string> = {
  readonly [P in K]: (obstacle: Obstacle<P>, work: Work) => AbortableQuestion<W>;
};

/** What a writer has against findings. */
export interface Disputes {
  readonly disputed: readonly { readonly id: string; readonly why: string }[];
}

interface TaskAtIssue extends Disputes {
  readonly id: number;
  readonly title: string;
  /** Fixes since the person last decided. */
  readonly fixes: number;
}

/** `accept` is a waiver, offered where nothing was changed, where nothing shows that something is wrong, or where that is disputed. */
type TaskWay = "retry" | "rollback" | "skip" | "accept";

const retry: Option<"retry"> = { key: "retry", label: "Retry", hint: "continue from here", aliases: ["continue"] };
const rollback: Option<"rollback"> = { key: "rollback", label: "Rollback and retry", hint: "start the task over" };
const skip: Option<"skip"> = { key: "skip", label: "Skip this task", hint: "undo its changes" };
const acceptNothing: Option<"accept"> = {
  key: "accept",
  label: "Accept as it is",
  hint: "complete without a commit; recorded as your decision",
};
const acceptClaims: Option<"accept"> = {
  key: "accept",
  label: "Let it through",
  hint: "commit it; recorded as your decision",
};
const acceptDisputed: Option<"accept"> = {
  key: "accept",
  label: "Let it through",
  hint: "what is disputed needs no fix; recorded as your decision",
};
const acceptCommit: Option<"accept"> = {
  key: "accept",
  label: "Let it through",
  hint: "keep the commit; recorded as your decision",
};
const anyWay = [retry, rollback, skip];

const taskRows: Rows<Kind, TaskAtIssue, TaskWay> = {
  nothing: (obstacle, task) =>
    ofTask(task, nothingText(obstacle), {
      id: "nothing",
      options: [retry, skip, acceptNothing],
    }),
  blocked: (obstacle, task) =>
    ofTask(task, blockedText(obstacle), {
      id: "blocked",
      options: [{ key: "retry", label: "Answer", hint: "tell the implementer, and it tries again" }, rollback, skip],
    }),
  validation: (obstacle, task) => ofTask(task, ` failed validation after ${attempts(task)}.\n${lastOutput(obstacle)}`),
  regression: (obstacle, task) => {
    const done = task.fixes === 0 ? "" : ` after ${attempts(task)}`;
    const what = obstacle.by.length === 0 ? ` introduced a test regression${done}` : `: the tests ran, and fail${done}`;
    return ofTask(task, `${what}.\n${regressionText(obstacle)}`);
  },
  unproved: ({ why }, task) =>
    ofTask(task, ` should be built test first, but nothing shows that it was. ${why}`, {
      id: "test-first",
      options: [retry, rollback, skip, acceptClaims],
    }),
  findings: ({ roles, open }, task) => {
    const reviews = roles.map(reviewName).join(" and ");
    const options = open.some(({ upheld }) => upheld) ? [...anyWay, acceptDisputed] : anyWay;
    return ofTask(
      task,
      ` failed ${reviews} after ${attempts(task)}.\n${["Last findings:", ...withSides(open, task)].join("\n")}`,
      { id: "escalation", options },
    );
  },
  claims: ({ claims }, task) =>
    ofTask(task, claimsText(claims), {
      id: "claims",
      options: [{ key: "retry", label: "Fix", hint: "an implementer works on it" }, rollback, skip, acceptClaims],
    }),
  inconclusive: ({ role, summary, noted }, task) =>
    ofTask(
      task,
      `: the ${reviewName(role)} is inconclusive. The reviewer does not pass it, ${unnamed(summary, noted)}`,
    ),
  moved: (_, task) =>
    ofTask(
      task,
      ": the tree changed while it was being checked. Leave the tree alone and choose Retry to check it again.",
    ),
  alone: (obstacle, task) =>
    ofTask(task, ` is committed. ${aloneText(obstacle)}`, {
      id: "alone",
      options: [{ key: "retry", label: "Check again", hint: hintOf(obstacle) }, rollback, skip, acceptCommit],
    }),
  hooked: (obstacle, task) =>
    ofTask(task, ` is committed. ${hookedText(obstacle)}`, {
      id: "hook",
      options: [
        { key: "retry", label: "Commit again", hint: "after you have changed the hook" },
        rollback,
        skip,
        acceptCommit,
      ],
    }),
  agent: ({ trouble }) => ofTrouble(trouble, anyWay),
  refused: ({ detail }, task) =>
    ofTask(task, ` is done, but its commit was refused.\nError: ${detail}`, { id: "commit", options: [retry, skip] }),
};

function ofTask(
  { id: task, title }: TaskAtIssue,
  problem: string,
  { id, options }: Pick<AbortableQuestion<TaskWay>, "id" | "options"> = { id: "escalation", options: anyWay },
): AbortableQuestion<TaskWay> {
  return { id: `execute.task.${task}.${id}`, title: "Task Escalation", message: `Task "${title}"${problem}`, options };
}

export const claimsText = (claims: Register): string =>
  [
    " passed its reviews, but a reviewer reports a serious problem without saying where in the code. Look at it before the commit:",
    ...claims.map((entry) => `  - ${describe(entry)} (${entry.role}; ${entry.reason})`),
  ].join("\n");
export const unnamed = (summary: string, noted: Register): string =>
  [
    `but gives no finding that blocks.\nIt says: ${summary}`,
    ...(noted.length === 0 ? [] : ["What it found that does not block:", ...listed(noted)]),
  ].join("\n");
export const aloneText = ({ command, output, ...leftOut }: Obstacle<"alone">): string => {
  const it = leftOut.files.length === 0 ? "that" : "them";
  return `\`${command}\` passed with ${leftOutWords(leftOut)} and fails without ${it}. The commit does not contain ${it}.\n${lastOutput({ command, output })}`;
};
/** Why no commit can hold something. */
export const whyUnheld = "too big, a repository of its own, or a name that git refuses";
const hintOf = ({ unheld = [] }: Obstacle<"alone">): string =>
  unheld.length === 0
    ? "after you have stashed or undone your changes"
    : "after you have put into the commit what it needs";
export const leftOutText = (files: readonly string[], what: string): string =>
  `Left out of the commit of ${what}, because you changed them: ${namesOf(files)}.`;
/** `your changes to a.txt and what agents left in lib (…)` */
export const leftOutWords = ({ files, unheld = [] }: Omit<LeftOut, "alone">): string =>
  [
    ...(files.length === 0 ? [] : [`your changes to ${namesOf(files)}`]),
    ...(unheld.length === 0 ? [] : [`what agents left in ${namesOf(unheld)} (${whyUnheld})`]),
  ].join(" and ");
export const hookedText = ({ made, files }: Obstacle<"hooked">): string =>
  `A commit hook put something into the commit that nobody has reviewed: ${namesOf(files)}.\nLook at it: git show ${made.sha.slice(0, 10)}`;
const attempts = ({ fixes }: TaskAtIssue): string => (fixes === 0 ? "1 attempt" : `${fixes + 1} attempts`);
const reviewName = (role: string): string => role.replace("-reviewer", " review");
const listed = (open: Register): readonly string[] => open.map((entry) => `  - ${describe(entry)}`);
export const blockedText = ({ reason, needs }: Obstacle<"blocked">): string =>
  ` is blocked. The implementer says: ${reason}${needs === "" ? "" : `\nIt needs: ${needs}`}`;
/** Findings, each with what its writer has against it and what its reviewer answers. */
export const withSides = (
  open: Register,
  { disputed, writer = "implementer" }: Disputes & { readonly writer?: string },
): readonly string[] =>
  open.flatMap((entry) => {
    const why = disputed.find(({ id }) => id === entry.id)?.why;
    const told = why === undefined ? [] : [`    The ${writer} disputes this: ${why}`];
    return [`  - ${describe(entry)}`, ...told, ...(entry.upheld ? [`    ${reviewerSide(entry.upheld)}`] : [])];
  });

/** Without a commit a file is the person's, also where the task is to write it. */
function nothingText({ said, givenBack }: Obstacle<"nothing">): string {
  const instead = `The implementer changed ${namesOf(givenBack)}, which is yours, so it was restored. If the task should change it, commit it or move it away, then choose Retry.`;
  const lines = [
    ...(givenBack.length === 0 ? [] : [instead]),
    ...(said === "" ? [] : [`The implementer says: ${said}`]),
  ];
  return [" changed nothing.", ...lines].join("\n");
}

/** What the person decides about a task that cannot continue by itself. */
export function escalateTask(obstacle: Obstacle, task: TaskAtIssue, diff: ShowDiff): Flow<TaskWay> {
  return putToPerson(obstacle, rowOf(taskRows, obstacle, task), { where: `at task ${task.id}`, diff });
}

/** Asks what the obstacle's row says. `where` is where the run ends if the person ends it there. */
export function putToPerson<W extends string>(
  obstacle: Obstacle,
  question: AbortableQuestion<W>,
  { where, diff }: { readonly where: string; readonly diff: ShowDiff },
): Flow<W> {
  return escalate(aboutOf(obstacle).matter, question, {
    ended: obstacle.kind === "agent" ? endedAfter(obstacle.trouble) : `the person ended the run ${where}`,
    diff: obstacle.kind === "regression" ? guilty(obstacle, diff) : diff,
  });
}

export function rowOf<K extends Kind, Work, W extends string>(
  rows: Rows<K, Work, W>,
  obstacle: Obstacle<K>,
  work: Work,
): AbortableQuestion<W> {
  return rows[obstacle.kind](obstacle, work);
}

/** What the person wants a blocked writer to do; empty where they would rather decide again. */
export function answerBlocked(id: string, { reason, needs }: Obstacle<"blocked">): Flow<string> {
  return ask({
    id,
    kind: "editor",
    title: "Answer the implementer",
    message: `${reason}${needs === "" ? "" : `\nIt needs: ${needs}`}\nWhat should it do? (Leave it empty to go back.)`,
    prefill: "",
  });
}

/** What a writer says that stands in its way; undefined when it is done. */
export function blockedBy({ status, reason, summary, needs }: WriterReport): Obstacle<"blocked"> | undefined {
  return status === "blocked" ? { kind: "blocked", reason: reason === "" ? summary : reason, needs } : undefined;
}
