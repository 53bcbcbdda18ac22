// Judges the work on a task: did anything change, does the validation command pass, what do the reviewers say. The cheap
// checks come first. A verdict that was given for this very tree is not paid for again.

import { all, changes, type Flow, restoreFiles } from "../../core/flow/flow.ts";
import type { Changes } from "../../core/flow/repository.ts";
import { Diff } from "../../core/review/anchor.ts";
import type { TaskReviewer } from "../../core/run/ceremony.ts";
import { warn } from "../work/consult.ts";
import type { Obstacle } from "../work/escalation.ts";
import { validate } from "../work/proof.ts";
import { isAdviser, reviewKinds, type TaskReviewed, type TaskReviewInput, taskReview } from "./task-review.ts";
import { become, type TaskWork } from "./task-work.ts";

/** The first thing that stands in the way of the work, or the tree in which nothing does. */
export function* inspect(job: TaskWork): Flow<Obstacle | { readonly tree: string }> {
  const { rounds, settings, range } = job;
  const { files, tree } = yield* findChanges(job);
  if (files.length === 0) return { kind: "nothing" };
  yield* become(job, "reviewing");
  const failing = yield* validate(rounds, tree, { command: settings.validationCommand });
  if (failing) return failing;
  for (const group of groupsOf(job)) {
    const obstacle = (yield* reviewBy(job, group)) ?? rounds.objectionOf(group.roles);
    if (obstacle) return obstacle;
  }
  job.changes = yield* changes("final", range.start);
  return { tree: job.changes.tree };
}

/** What the task changed. The person's own untracked files are restored, and what no commit can hold is named once. */
export function* findChanges(job: TaskWork): Flow<Changes> {
  const { start } = job.range;
  job.changes = yield* changes("task", start);
  const { leftAlone, personFiles } = job.changes;
  const unnamed = leftAlone.filter((path) => !job.named.has(path));
  for (const path of unnamed) job.named.add(path);
  if (unnamed.length > 0)
    yield* warn(`Neither reviewed nor committed, for it is too big or a repository: ${unnamed.join(", ")}`);
  if (personFiles.length === 0) return job.changes;
  const paths = personFiles.map(({ path }) => path);
  const { backupRef } = yield* restoreFiles("theirs", start, paths);
  yield* warn(
    `The agent touched files of yours that git does not track: ${paths.join(", ")}. They are as they were; its version is kept at ${backupRef}.`,
  );
  job.changes = yield* changes("task", start);
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
  const stale = roles.filter((role) => !rounds.isReviewed(role, job.changes.tree));
  const inputs: TaskReviewInput[] = [];
  for (const role of stale) inputs.push(yield* inputFor(job, role));
  return yield* rounds.takeReviews({
    roles: stale,
    review: () => (together ? sideBySide(inputs) : oneByOne(inputs)),
    fact: (role, { verdict }, findings) => ({
      type: "review.finished",
      task: `${input.task.id}`,
      role,
      round: rounds.total,
      verdict,
      findings,
    }),
  });
}

function* inputFor({ input, settings, rounds, changes: now }: TaskWork, role: TaskReviewer): Flow<TaskReviewInput> {
  const { task, requirements } = input;
  const since = yield* rounds.changesSince(role);
  return {
    step: `execute.task.${task.id}`,
    role,
    task,
    requirements,
    changes: Diff.parse(now),
    since: since && Diff.parse(since),
    blockOn: settings.review.blockOnSeverity,
    isUnproven: settings.review.order === "parallel",
    register: [...rounds.register],
  };
}

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
