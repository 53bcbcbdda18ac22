// Looks at the work on a task: did anything change, does the validation command pass, what do the reviewers say.
// The cheap look comes first. A verdict that was given for this very tree is not paid for again.

import { changes, check, type Flow, read, record } from "../core/flow.ts";
import { criterionId } from "../core/plan.ts";
import { amended, type Bench, describe, judge, openIn } from "../core/register.ts";
import type { Changes } from "../core/repository.ts";
import { Review } from "../core/review.ts";
import { filesToRead } from "../core/review-anchor.ts";
import { qualityReview, type ReviewBrief, returned, specReview } from "../prompts/review.ts";
import { consult, type Order } from "./consult.ts";
import { type Job, type Obstacle, type Receipt, type Reviewer, reviewers, stepOf } from "./task-job.ts";

/** The first thing that stands in the way of the work; undefined when nothing does. */
export function* inspect(job: Job): Flow<Obstacle | undefined> {
  const now = yield* changes("task", job.start);
  if (now.files.length === 0) return { kind: "nothing" };
  const failing = yield* validate(job, now);
  if (failing) return failing;
  const { id } = job.input.task;
  yield* record({ type: "task.status", task: `${id}`, status: "reviewing", round: job.rounds });
  for (const role of reviewers) {
    const { verdict, summary } = yield* verdictFor(job, role, now);
    if (verdict === "needs_revision") return { kind: "findings", role, open: openIn(job.register, role), changes: now };
    if (verdict === "inconclusive") return { kind: "inconclusive", role, summary };
  }
  return undefined;
}

export function* validate(job: Job, now: Changes): Flow<Obstacle | undefined> {
  const command = job.settings.validationCommand;
  if (command === "" || job.validated === now.tree) return undefined;
  const outcome = yield* check("validation", command);
  if (!outcome.passed) return { kind: "validation", command, output: outcome.output, changes: now };
  job.validated = outcome.tree;
  return undefined;
}

function* verdictFor(job: Job, role: Reviewer, now: Changes): Flow<Receipt> {
  const known = job.reviews.get(role);
  if (known?.tree === now.tree && known.verdict !== "inconclusive") return known;
  const receipt = yield* review(job, role, now);
  job.reviews.set(role, receipt);
  yield* record({
    type: "review.finished",
    task: `${job.input.task.id}`,
    role,
    round: job.rounds,
    verdict: receipt.verdict,
    findings: openIn(job.register, role).map(describe),
  });
  return receipt;
}

/** One review. What cannot be checked in it goes back to the reviewer once; after that it is only recorded. */
function* review(job: Job, role: Reviewer, now: Changes): Flow<Receipt> {
  const since = yield* changedSince(job, role);
  const order = reviewOrder(job, role, { now, since });
  const answer = { tag: "superteam-json", schema: Review } as const;
  const first = yield* consult(order, answer);
  const bench = yield* seat(job, role, { review: first.value, now, since });
  const judged = judge(job.register, first.value, bench);
  if (judged.complaints.length === 0) {
    job.register = judged.register;
    return receiptOf(job, judged.verdict, first);
  }
  const second = yield* consult({ ...order, prompt: returned(order.prompt, judged.complaints) }, answer);
  const whole = amended(first.value, second.value, bench);
  const settled = judge(job.register, whole, yield* seat(job, role, { review: whole, now, since }));
  job.register = settled.register;
  return receiptOf(job, settled.verdict, second);
}

function receiptOf(
  job: Job,
  verdict: Receipt["verdict"],
  { value, outcome }: { readonly value: Review; readonly outcome: { readonly tree: string } },
): Receipt {
  return { tree: outcome.tree, verdict, summary: value.summary, fixes: job.fixes.length };
}

/** What was fixed since this reviewer looked last; null when it has not looked, or nothing was fixed since. */
function* changedSince(job: Job, role: Reviewer): Flow<Changes | null> {
  const receipt = job.reviews.get(role);
  const anchor = receipt ? job.fixes[receipt.fixes] : undefined;
  return anchor ? yield* changes(`since-${role}`, anchor) : null;
}

interface View {
  readonly now: Changes;
  readonly since: Changes | null;
}

function reviewOrder(job: Job, role: Reviewer, { now, since }: View): Order {
  const { task, requirements } = job.input;
  const brief: ReviewBrief = {
    task,
    requirements,
    changes: now,
    blockOn: job.settings.review.blockOnSeverity,
    since: since && { changes: since, open: openIn(job.register, role) },
  };
  const isSpec = role === "spec-reviewer";
  const name = isSpec ? "spec-review" : "quality-review";
  const prompt = isSpec ? specReview(brief) : qualityReview(brief);
  return { step: stepOf(job, name), name, role, prompt, access: "read" };
}

/** Gathers what a review is held against: the texts it quotes, as they are now. */
function* seat(job: Job, role: Reviewer, seen: View & { readonly review: Review }): Flow<Bench> {
  const { task, requirements } = job.input;
  const texts: Record<string, string | null> = {};
  for (const path of filesToRead(seen.review, { task: seen.now })) texts[path] = yield* read(path);
  const ids = [
    ...requirements.map((requirement) => requirement.id),
    ...task.criteria.map((_, index) => criterionId(index)),
  ];
  return { role, blockOn: job.settings.review.blockOnSeverity, ids, texts, task: seen.now, fix: seen.since };
}
