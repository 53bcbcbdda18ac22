// Judges the work on a task: did anything change, do the check and the tests pass, what do the reviewers say. The cheap
// checks come first. A verdict that was given for exactly this tree is not paid for again.

import type { Flow } from "../../core/flow/flow.ts";
import type { Changes } from "../../core/flow/repository.ts";
import { criterionId } from "../../core/plan/plan.ts";
import { Diff } from "../../core/review/anchor.ts";
import { receiptOf } from "../../core/review/receipts.ts";
import type { TaskReviewer } from "../../core/run/ceremony.ts";
import { optionalReviewers } from "../../core/run/config.ts";
import { type ReviewBrief, taskReview } from "../../prompts/review.ts";
import { scriptEvidence, tellScripts } from "../suite/script-files.ts";
import { checkTree, evidenceFor } from "../suite/suite.ts";
import { warn } from "../work/consult.ts";
import { type Obstacle, whyUnheld } from "../work/escalation.ts";
import type { ReviewOrder } from "../work/review.ts";
import { findWork } from "../work/work-range.ts";
import { become, checkedIn, stepOf, type TaskWork } from "./task-work.ts";
import { proveTestFirst, testFirstEvidence } from "./test-first.ts";

/** The first obstacle, or the tree without one. */
export function* inspect(job: TaskWork): Flow<Obstacle | { readonly tree: string }> {
  const { rounds, settings } = job;
  const { files, tree } = yield* findChanges(job);
  if (files.length === 0) return changedNothing(job);
  yield* become(job, "reviewing");
  const failing = yield* checkTask(job, tree);
  if (failing) return failing;
  yield* tellScriptsOf(job);
  const unproved = yield* proveTestFirst(job, tree);
  if (unproved) return unproved;
  for (const group of groupsOf(job)) {
    const obstacle = (yield* reviewBy(job, group)) ?? rounds.objectionOf(group.roles);
    if (obstacle) return obstacle;
  }
  const claims = rounds.claimsOf(settings.review.reviewers);
  if (claims) return claims;
  return { tree: (yield* findChanges(job)).tree };
}

/** No file of the task's is different. What the implementer did to the person's may be why. */
export function changedNothing({ report, range }: TaskWork): Obstacle<"nothing"> {
  return { kind: "nothing", said: report?.report.summary ?? "", givenBack: range.givenBack };
}

/** The check and the tests of the task's work. */
export function checkTask(job: TaskWork, tree: string) {
  const { rounds, input, range } = job;
  return checkTree(rounds, tree, checkedIn(job), { task: `${input.task.id}`, start: range.start });
}

/** What it did to files that its checks run from. */
function* tellScriptsOf(job: TaskWork): Flow<void> {
  const { before, told } = job.scripts;
  const paths = job.changes.files.map(({ path }) => path);
  job.scripts.changes = yield* tellScripts(checkedIn(job), { task: `${job.input.task.id}`, before, paths, told });
}

/** What the task changed. What no commit can hold is named once. */
export function* findChanges(job: TaskWork): Flow<Changes> {
  job.changes = yield* findWork(job.range, { name: "task", step: `execute.task.${job.input.task.id}` });
  const unnamed = job.changes.leftAlone.filter((path) => !job.named.has(path));
  for (const path of unnamed) job.named.add(path);
  if (unnamed.length > 0) yield* warn(`Neither reviewed nor committed (${whyUnheld}): ${unnamed.join(", ")}`);
  return job.changes;
}

/** Reviewers who look at the same time, each without knowing of the others, or one alone. */
interface Group {
  readonly roles: readonly TaskReviewer[];
  readonly together: boolean;
}

/** Those who only advise come last: what they would see may still be fixed. */
function groupsOf({ settings: { review } }: TaskWork): readonly Group[] {
  const judges = review.reviewers.filter((role) => !isAdviser(role));
  const first: readonly Group[] =
    review.order === "parallel"
      ? [{ roles: judges, together: true }]
      : judges.map((role) => ({ roles: [role], together: false }));
  return [...first, { roles: review.reviewers.filter(isAdviser), together: true }];
}

/** What every reviewer of the group says, unless one of them cannot be used: then the person decides about that first. */
function* reviewBy(job: TaskWork, { roles, together }: Group): Flow<Obstacle | undefined> {
  const { rounds, input } = job;
  const orders: ReviewOrder[] = [];
  for (const role of roles) if (!rounds.isReviewed(role, job.changes.tree)) orders.push(yield* orderReview(job, role));
  const about = { type: "review.finished", task: `${input.task.id}`, round: rounds.total } as const;
  return yield* rounds.takeReviews({
    orders,
    together,
    scopes: together ? ({ name }) => name : null,
    fact: (role, { verdict }, findings) => ({ ...about, role, verdict, findings }),
  });
}

/** An optional reviewer advises: what it finds is only recorded, unless it is critical. */
export function isAdviser(role: string): boolean {
  return optionalReviewers.some((optional) => optional === role);
}

function* orderReview(job: TaskWork, role: TaskReviewer): Flow<ReviewOrder> {
  const { blockOnSeverity } = job.settings.review;
  const { register } = job.rounds;
  const name = role.replace("-reviewer", "-review");
  const blockOn = isAdviser(role) ? "critical" : blockOnSeverity;
  const changes = Diff.parse(job.changes);
  const fix = Diff.nullable().parse(yield* job.rounds.changesSince(role));
  return {
    step: stepOf(job, name),
    name,
    role,
    prompt: taskReview({ ...job.input, ...claimsOf(job), changes, blockOn, since: fix && sinceOf(job, role, fix) }),
    mayGiveUp: true,
    form: isAdviser(role) ? "advice" : "review",
    register,
    basis: { blockOn, ids: idsOf(job), task: changes, fix, sources: [], disputed: job.claims.disputed },
  };
}

/** What was run for this tree, and what the implementer says of it. */
function claimsOf(job: TaskWork): Pick<ReviewBrief, "evidence" | "report"> {
  const { rounds, changes, report } = job;
  const { summary = "", concerns = [] } = report?.report ?? {};
  const said = [summary, ...concerns.map((concern) => `Concern: ${concern}`)].filter((line) => line !== "");
  const evidence = [
    ...evidenceFor(rounds, changes.tree, checkedIn(job)),
    ...testFirstEvidence(job),
    ...scriptEvidence(job.scripts.changes),
  ];
  return { evidence, report: said.join("\n") };
}

/** What the fixes since this reviewer's last look were to answer, if it was not found by this one. */
function sinceOf({ rounds, answered, claims }: TaskWork, role: string, fix: Diff): ReviewBrief["since"] {
  const { fixes = 0 } = receiptOf(rounds.receipts, role) ?? {};
  const fixed = fix.files.length === 0 ? [] : answered.slice(fixes);
  const others = fixed.flat().filter((answered) => answered.role !== role);
  const texts = [...new Set(others.map(({ text }) => text))];
  return { changes: fix, open: rounds.open(role), answered: texts, disputed: claims.disputed };
}

function idsOf({ input: { requirements, task } }: TaskWork): readonly string[] {
  return [...requirements.map(({ id }) => id), ...task.criteria.map((_, index) => criterionId(index))];
}
