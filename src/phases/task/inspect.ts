// Looks at the work on a task: did anything change, does the validation command pass, what do the reviewers say.
// The cheap look comes first. A verdict that was given for this very tree is not paid for again.

import { all, changes, check, type Flow, record, restoreFiles } from "../../core/flow/flow.ts";
import type { Changes } from "../../core/flow/repository.ts";
import { describe, joined, letThrough, openIn } from "../../core/review/register.ts";
import { warn } from "../work/consult.ts";
import { type Reviewed, reviewKinds, type TaskReviewed, type TaskReviewInput, taskReview } from "../work/review.ts";
import { become, isAdviser, type Reviewer, type TaskObstacle, type TaskWork } from "./task-job.ts";

/** The first thing that stands in the way of the work; undefined when nothing does. */
export function* inspect(job: TaskWork): Flow<TaskObstacle | undefined> {
  const now = yield* lookAround(job);
  if (now.files.length === 0) return { kind: "nothing" };
  yield* become(job, "reviewing");
  const failing = yield* validate(job, now);
  if (failing) return failing;
  for (const group of groupsOf(job)) {
    const trouble = yield* reviewBy(job, group, now);
    const obstacle = trouble ?? obstacleFor(job, group.roles, now);
    if (obstacle) return obstacle;
  }
  return undefined;
}

/** What the task changed. The person's own untracked files are given back, and what no commit can hold is named once. */
export function* lookAround(job: TaskWork): Flow<Changes> {
  const now = yield* changes("task", job.start);
  const unnamed = now.leftAlone.filter((path) => !job.named.has(path));
  for (const path of unnamed) job.named.add(path);
  if (unnamed.length > 0)
    yield* warn(`Neither reviewed nor committed, for it is too big or a repository: ${unnamed.join(", ")}`);
  if (now.personFiles.length === 0) return now;
  const paths = now.personFiles.map(({ path }) => path);
  const { backupRef } = yield* restoreFiles("theirs", job.start, paths);
  yield* warn(
    `The agent touched files of yours that git does not track: ${paths.join(", ")}. They are as they were; its version is kept at ${backupRef}.`,
  );
  return yield* changes("task", job.start);
}

export function* validate(job: TaskWork, now: Changes): Flow<TaskObstacle | undefined> {
  const command = job.settings.validationCommand;
  if (command === "" || job.validated === now.tree) return undefined;
  const outcome = yield* check("validation", command);
  if (!outcome.passed) return { kind: "validation", command, output: outcome.output, changes: now };
  job.validated = outcome.tree;
  return undefined;
}

/** Reviewers who look at the same time, each without knowing of the others, or one alone. */
interface Group {
  readonly roles: readonly Reviewer[];
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
function* reviewBy(job: TaskWork, { roles, together }: Group, now: Changes): Flow<TaskObstacle | undefined> {
  const stale = roles.filter((role) => !isKnown(job, role, now));
  const given = job.register.length;
  const inputs: TaskReviewInput[] = [];
  for (const role of stale) inputs.push(yield* inputFor(job, role, now));
  const reviews = together ? yield* sideBySide(inputs) : yield* oneByOne(inputs);
  let obstacle: TaskObstacle | undefined;
  for (const [index, role] of stale.entries()) {
    const review = reviews[index];
    if (review && "value" in review) yield* takeIn(job, role, { review: review.value, given });
    else if (review) obstacle ??= { kind: "agent", trouble: review.trouble, again: null };
  }
  return obstacle;
}

function isKnown(job: TaskWork, role: Reviewer, now: Changes): boolean {
  const receipt = job.reviews.get(role);
  return receipt?.tree === now.tree && receipt.verdict !== "inconclusive";
}

function* inputFor(job: TaskWork, role: Reviewer, now: Changes): Flow<TaskReviewInput> {
  const { task, requirements } = job.input;
  const since = yield* changedSince(job, role);
  return {
    step: `execute.task.${task.id}`,
    role,
    task,
    requirements,
    changes: plain(now),
    since: since && plain(since),
    blockOn: job.settings.review.blockOnSeverity,
    isUnproven: job.settings.review.order === "parallel",
    register: [...job.register],
  };
}

/** What was fixed since this reviewer looked last; null when it has not looked, or nothing was fixed since. */
function* changedSince(job: TaskWork, role: Reviewer): Flow<Changes | null> {
  const receipt = job.reviews.get(role);
  const anchor = receipt ? job.fixes[receipt.fixes] : undefined;
  return anchor ? yield* changes(`since-${role}`, anchor) : null;
}

const plain = ({ files, diff, diffFile }: Changes): TaskReviewInput["changes"] => ({
  files: [...files],
  diff,
  ...(diffFile === undefined ? {} : { diffFile }),
});

function* sideBySide(inputs: readonly TaskReviewInput[]): Flow<readonly TaskReviewed[]> {
  if (inputs.length === 0) return [];
  return yield* all<TaskReviewed>(
    inputs.map((input) => ({ flow: "review-task", name: reviewKinds[input.role].name, input })),
  );
}

function* oneByOne(inputs: readonly TaskReviewInput[]): Flow<readonly TaskReviewed[]> {
  const reviews: TaskReviewed[] = [];
  for (const input of inputs) reviews.push(yield* taskReview(input));
  return reviews;
}

/** In a single pass, what is not critical is let through, once it has been told. */
function* takeIn(job: TaskWork, role: Reviewer, { review, given }: { review: Reviewed; given: number }): Flow<void> {
  const { verdict, summary, tree } = review;
  job.register = joined(job.register, review.register, { role, given });
  job.reviews.set(role, { tree, verdict, summary, fixes: job.fixes.length });
  yield* record({
    type: "review.finished",
    task: `${job.input.task.id}`,
    role,
    round: job.rounds,
    verdict,
    findings: openIn(job.register, role).map(describe),
  });
  if (job.input.review === "single-pass") job.register = letThrough(job.register, "single-pass review");
}

function obstacleFor(job: TaskWork, roles: readonly Reviewer[], now: Changes): TaskObstacle | undefined {
  const objecting = roles.filter((role) => openIn(job.register, role).length > 0);
  if (objecting.length > 0) {
    const open = objecting.flatMap((role) => openIn(job.register, role));
    return { kind: "findings", roles: objecting, open, changes: now };
  }
  for (const role of roles) {
    const receipt = job.reviews.get(role);
    if (receipt?.verdict === "inconclusive") return { kind: "inconclusive", role, summary: receipt.summary };
  }
  return undefined;
}
