// Takes one task from a clean tree to one commit, or to what the person decides. There is no way to "complete" but
// through `commitProven`, which wants the evidence for the tree it commits, or through a waiver.

import { anchorWithout, commit, config, defineFlow, type Flow, record, snapshot } from "../../core/flow/flow.ts";
import { KeptTree } from "../../core/flow/kept-tree.ts";
import type { CommitOutcome, Committed, LeftOut } from "../../core/flow/repository.ts";
import { moved } from "../../core/flow/task-state.ts";
import { claimTexts } from "../../core/plan/writer-report.ts";
import { checkJudge, receiptOf } from "../../core/review/receipts.ts";
import { commitBody } from "../../core/run/commit-body.ts";
import { inFull, inSentences } from "../../core/run/own-words.ts";
import type { Settled } from "../../core/run/report.ts";
import { listed } from "../../core/text/format.ts";
import type { Untested } from "../../core/validation/baseline.ts";
import { withCommands } from "../../core/validation/found-command.ts";
import { begunLesson, nothingLesson, unblockedLesson } from "../../prompts/task.ts";
import { checkAlone } from "../suite/check-alone.ts";
import { lookAtScripts } from "../suite/script-files.ts";
import { isPending, knownAfter, openSuite } from "../suite/suite.ts";
import {
  aboutOf,
  answerBlocked,
  blockedBy,
  escalateTask,
  type Fixable,
  isFixable,
  leftOutWords,
  type Obstacle,
  wanted,
} from "../work/escalation.ts";
import { leftOutOf } from "../work/left-out.ts";
import { commitProven } from "../work/proof.ts";
import type { Decision, ReviewedWork } from "../work/review-rounds.ts";
import { commitRange } from "../work/work-range.ts";
import { build, fixTask, startOver, undoTask } from "./build.ts";
import { changedNothing, checkTask, inspect, isAdviser } from "./inspect.ts";
import { weigh } from "./outgrow.ts";
import {
  become,
  checkedIn,
  isProvenTask,
  startTask,
  stepOf,
  TaskEnd,
  TaskInput,
  type TaskWork,
  warnIfElsewhere,
} from "./task-work.ts";

export const settleTask = defineFlow({ kind: "task", input: TaskInput, returns: TaskEnd, run: settle });

export function* settle(input: TaskInput): Flow<TaskEnd> {
  const job = yield* beginTask(input);
  const trouble = yield* build(job, input.carried ? begunLesson(input.carried.files) : "");
  const work: ReviewedWork<Obstacle, Fixable, TaskEnd> = {
    judge: () => judge(job),
    fixableAlone: (obstacle) => fixableAlone(job, obstacle),
    aboutOf,
    fix: (problem) => fixTask(job, problem),
    decide: (obstacle) => decide(job, obstacle),
    grantsRounds: ({ kind }) => kind !== "agent",
  };
  return yield* job.rounds.run(work, trouble);
}

function* beginTask(input: TaskInput): Flow<TaskWork> {
  const settings = withCommands(yield* config(), []);
  const here = yield* snapshot("start");
  yield* warnIfElsewhere(input, here);
  const start = input.carried ? yield* anchorWithout("carried", here, input.carried) : here;
  const known = input.carried?.tests ?? input.tests;
  const isLater = input.earlier.some(({ commit: made }) => made !== null);
  const suite = yield* openSuite(settings, { known, isAlone: input.isAlone, isLater });
  const checked = { command: settings.validationCommand, suite };
  const scripts = yield* lookAtScripts("scripts-before", checked);
  return startTask(input, settings, { here, start, suite, scripts });
}

function* judge(job: TaskWork): Flow<Obstacle | { readonly end: TaskEnd }> {
  const outgrown = yield* weigh(job);
  if (outgrown) return { end: outgrown };
  const blocked = job.report ? blockedBy(job.report.report) : undefined;
  if (blocked) return blocked;
  const { rounds, input } = job;
  const outcome = yield* commitProven<Obstacle>(rounds, {
    what: `task ${input.task.id} after its reviews, which were for another tree`,
    judge: () => inspect(job),
    isProven: (tree) => isProvenTask(job, tree),
    commit: (tree) => commitTask(job, tree),
    checkAgain: (tree) => checkTask(job, tree),
    leftOut: (made) => leftOutOf(job.range, made),
    checkAlone: (leftOut) => checkTaskAlone(job, leftOut),
    hooked: (made, files) => ({ kind: "hooked", made, files }),
  });
  if ("kind" in outcome) return outcome;
  if (outcome.status === "refused") return { kind: "refused", detail: outcome.detail };
  if (outcome.status === "nothing") return changedNothing(job);
  if (outcome.status === "moved") return { kind: "moved" };
  return { end: yield* complete(job, outcome, []) };
}

function* complete(job: TaskWork, { sha, files }: Committed, before: readonly string[]): Flow<Settled> {
  const { rounds, input } = job;
  const waivers = [
    ...before,
    ...(yield* rounds.recordWaived(stepOf(job, "review"), `task ${input.task.id}`)),
    ...(yield* recordUnproved(job, stepOf(job, "test-first"))),
    ...(yield* recordAlone(job)),
  ];
  return yield* finish(job, "complete", { commit: sha, files: [...files], waivers });
}

function* commitTask(job: TaskWork, tree: string): Flow<CommitOutcome> {
  const { input, range } = job;
  const { id, title } = input.task;
  const message = `workflow: task ${id} — ${title}\n\n${commitBody(wordsOf(job))}`.trim();
  return yield* commitRange(range, `task ${id}`, { name: "commit", message, tree, task: `${id}` }, commit);
}

/** Critical findings alone can block a single pass or come from an adviser: what happens to those is the person's. */
function fixableAlone({ rounds }: TaskWork, obstacle: Obstacle): Fixable | undefined {
  if (!isFixable(obstacle)) return undefined;
  const isPersons = obstacle.kind === "findings" && (rounds.isSinglePass || obstacle.roles.some(isAdviser));
  return isPersons ? undefined : obstacle;
}

function* decide(job: TaskWork, obstacle: Obstacle): Flow<Decision<Obstacle, Fixable, TaskEnd>> {
  const { id, title } = job.input.task;
  job.isEscalated = true;
  yield* become(job, "escalated");
  const atIssue = { id, title, fixes: job.rounds.used, disputed: job.claims.disputed };
  const way = yield* escalateTask(obstacle, atIssue, () => job.changes.diff);
  if (obstacle.kind === "claims" && way === "accept") return letClaimsThrough(job);
  if (obstacle.kind === "findings" && way === "accept") return letDisputedThrough(job);
  if (obstacle.kind === "unproved" && way === "accept") return letUnproved(job, obstacle);
  if (obstacle.kind === "alone" && way === "accept") return letAlone(job, obstacle);
  if (obstacle.kind === "hooked" && way === "accept") return { end: yield* letHooked(job, obstacle) };
  if (way === "accept") return { end: yield* waive(job, "it changed nothing and was accepted as it is") };
  if (way === "skip") return { end: yield* skip(job) };
  if (way === "rollback") return { next: () => startOver(job, obstacle) };
  if (isFixable(obstacle)) return { fix: wanted(obstacle) };
  if (obstacle.kind === "claims") return { fix: claimsToFix(job, obstacle) };
  if (obstacle.kind === "nothing") return { next: () => build(job, nothingLesson) };
  if (obstacle.kind === "blocked") {
    const words = yield* answerBlocked(stepOf(job, "answer"), obstacle);
    if (words.trim() === "") return yield* decide(job, obstacle);
    return { next: () => build(job, unblockedLesson(obstacle.reason, words)) };
  }
  return { next: obstacle.kind === "agent" ? obstacle.again : null };
}

/** The work is judged again, which has its receipts, and committed. */
function letClaimsThrough({ rounds }: TaskWork): Decision<Obstacle, Fixable, TaskEnd> {
  rounds.decideClaims("waived");
  return { next: null };
}

/** What nobody disputes still has to be fixed. */
function letDisputedThrough({ rounds }: TaskWork): Decision<Obstacle, Fixable, TaskEnd> {
  rounds.waiveDisputed();
  return { next: null };
}

function letUnproved(job: TaskWork, { why }: Obstacle<"unproved">): Decision<Obstacle, Fixable, TaskEnd> {
  job.unproved = why;
  return { next: null };
}

/** Recorded with the commit: work that is rolled back takes it along. */
function* recordUnproved({ unproved, input }: TaskWork, step: string): Flow<string[]> {
  if (unproved === null) return [];
  const what = `nothing shows that it was built test first: ${unproved}`;
  yield* record({ type: "waiver", step, what: `task ${input.task.id}: ${what}` });
  return [what];
}

/** What the person lets through for these files is not checked again. */
function* checkTaskAlone(job: TaskWork, leftOut: LeftOut): Flow<Obstacle<"alone"> | undefined> {
  const { id } = job.input.task;
  if (job.alone !== null) return undefined;
  return yield* checkAlone(leftOut, checkedIn(job), { what: `task ${id}`, name: `task-${id}` });
}

function letAlone(job: TaskWork, { command, ...leftOut }: Obstacle<"alone">): Decision<Obstacle, Fixable, TaskEnd> {
  job.alone = `\`${command}\` fails for its commit without ${leftOutWords(leftOut)}`;
  return { next: null };
}

/** The commit as the person has seen it: the hook would make another one. */
function* letHooked(job: TaskWork, { made, files }: Obstacle<"hooked">): Flow<Settled> {
  const what = `its commit has what a hook put there and nobody reviewed: ${listed(files)}`;
  yield* record({ type: "waiver", step: stepOf(job, "hook"), what: `task ${job.input.task.id}: ${what}` });
  return yield* complete(job, made, [what]);
}

function* recordAlone(job: TaskWork): Flow<string[]> {
  const { alone, input } = job;
  if (alone === null) return [];
  yield* record({ type: "waiver", step: stepOf(job, "alone"), what: `task ${input.task.id}: ${alone}` });
  return [alone];
}

/** From here on they are findings like any: reviewers answer them, with proof. */
function claimsToFix({ rounds }: TaskWork, { claims }: Obstacle<"claims">): Fixable {
  rounds.decideClaims("open");
  const roles = [...new Set(claims.map(({ role }) => role))];
  return { kind: "findings", roles, open: roles.flatMap((role) => rounds.open(role)) };
}

function* skip(job: TaskWork): Flow<Settled> {
  yield* undoTask(job, "skip");
  return yield* finish(job, "skipped", { commit: null, files: [], waivers: [] });
}

function* waive(job: TaskWork, what: string): Flow<Settled> {
  yield* record({ type: "waiver", step: stepOf(job, "nothing"), what: `task ${job.input.task.id}: ${what}` });
  return yield* finish(job, "complete", { commit: null, files: [], waivers: [what] });
}

function* finish(
  job: TaskWork,
  status: Settled["status"],
  left: Pick<Settled, "commit" | "files" | "waivers">,
): Flow<Settled> {
  const { id, title } = job.input.task;
  const { receipts, total } = job.rounds;
  const { mode, validationCommand, review } = job.settings;
  const deferred = yield* job.rounds.recordDeferred(`${id}`);
  const claims = claimTexts(job.claims, job.rounds.register);
  job.status = moved(job.status, status);
  const said = status === "complete" ? inSentences(wordsOf(job)) : "";
  const untested = isPending(job.suite) && left.commit !== null;
  const told = { said, ...claims, ...(untested ? { testsPending: true as const } : {}) };
  yield* record({ type: "task.settled", task: `${id}`, status, commit: left.commit, rounds: total, ...told });
  const checked = receiptOf(receipts, checkJudge(validationCommand));
  const reviews = review.reviewers.flatMap((role) => receiptOf(receipts, role) ?? []);
  return {
    task: id,
    title,
    status,
    rounds: total,
    escalated: job.isEscalated,
    ...left,
    ...(job.alone === null && job.range.unheld.size > 0 ? { unheld: [...job.range.unheld] } : {}),
    reviews: status === "complete" ? reviews.map(({ judge: role, verdict }) => ({ role, verdict })) : [],
    ...(status === "complete" && checked ? { tree: checked.tree } : {}),
    ...(job.suite
      ? { tests: status === "complete" ? knownAfter(job.suite, untestedIn(job, left)) : job.suite.known }
      : {}),
    deferred,
    ...claims,
    branch: job.branch,
    ...(mode === job.input.mode ? {} : { switchedTo: mode }),
  };
}

/** What a later run of the tests has to know to tell which task broke something. */
function untestedIn({ input, range }: TaskWork, { commit: sha }: Pick<Settled, "commit">): Untested | null {
  const { id: task, title } = input.task;
  return sha === null ? null : { task, title, commit: sha, start: KeptTree.parse(range.start) };
}

function wordsOf({ said, claims, rounds }: TaskWork): string {
  return inFull(said, claimTexts(claims, rounds.register));
}
