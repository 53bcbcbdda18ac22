// One review, from the reviewer's answer to what code makes of it. What cannot be checked goes back to the reviewer once;
// after that it is only recorded. A review is a flow of its own, so that several can run side by side.

import { z } from "zod";
import { defineFlow, type Flow, type Flows, readClaimed } from "../../core/flow/flow.ts";
import { filesToRead, Grounds, type ReviewBasis } from "../../core/review/anchor.ts";
import { amended, type Judgement, judge, RegisteredFinding } from "../../core/review/register.ts";
import { asReview, FinalReview, Review, verdicts } from "../../core/review/review.ts";
import { returned } from "../../prompts/review.ts";
import { consult } from "./consult.ts";
import { attempt, Trouble } from "./trouble.ts";

/** What a review came to; `register` is the one it was given, with its own answers and findings. */
const Reviewed = z.object({
  register: z.array(RegisteredFinding).readonly(),
  verdict: z.enum(verdicts),
  summary: z.string(),
  /** The tree that was reviewed. */
  tree: z.string(),
});
export type Reviewed = z.infer<typeof Reviewed>;

/** A reviewer that cannot be used has reviewed nothing; the answers of the others are still used. */
const ReviewEnd = z.union([z.object({ value: Reviewed }), z.object({ trouble: Trouble })]);
export type ReviewEnd = z.infer<typeof ReviewEnd>;

/** An adviser's "no" is explained by what it found; only a "no" without any reason leaves a doubt. */
function advice(review: Review): Review {
  return { ...review, passed: review.passed || review.findings.length > 0 };
}

/** The forms in which reviewers answer. */
const forms = { review: Review, advice: Review.transform(advice), final: FinalReview.transform(asReview) } as const;

/** All that a review needs, as JSON: another machine could run it. */
export const ReviewOrder = z.object({
  step: z.string(),
  name: z.string(),
  role: z.string(),
  prompt: z.string(),
  instructions: z.string().optional(),
  /** Whether the one who asked for the review decides what follows when its reviewer cannot be used. */
  mayGiveUp: z.boolean(),
  form: z.enum(["review", "advice", "final"]),
  register: z.array(RegisteredFinding).readonly(),
  basis: Grounds,
});
export type ReviewOrder = z.infer<typeof ReviewOrder>;

/** The flow that reviews are started by. */
export const reviewFlows: Flows = {
  review: defineFlow({ kind: "step", input: ReviewOrder, returns: ReviewEnd, run: runReview }),
};

export function* runReview(order: ReviewOrder): Flow<ReviewEnd> {
  return yield* attempt(review(order));
}

function* review({ form, register, basis, instructions, ...order }: ReviewOrder): Flow<Reviewed> {
  const answer = { tag: "superteam-json", schema: forms[form], decides: true } as const;
  const reader = { ...order, ...(instructions === undefined ? {} : { instructions }), access: "read" } as const;
  const first = yield* consult(reader, answer);
  const known = yield* withTexts({ ...basis, role: order.role }, first.value);
  const judged = judge(register, first.value, known);
  if (judged.complaints.length === 0) return reviewed(judged, first);
  const second = yield* consult(
    { ...reader, prompt: returned(order.prompt, first.outcome.text, judged.complaints) },
    answer,
  );
  const whole = amended(first.value, second.value, known);
  return reviewed(judge(register, whole, yield* withTexts(known, whole)), second);
}

function* withTexts(basis: Omit<ReviewBasis, "texts">, answer: Review): Flow<ReviewBasis> {
  const texts: Record<string, string | null> = {};
  for (const path of filesToRead(answer, basis)) texts[path] = yield* readClaimed(path);
  return { ...basis, texts };
}

function reviewed(
  { register, verdict }: Judgement,
  { value, outcome }: { readonly value: Review; readonly outcome: { readonly tree: string } },
): Reviewed {
  return { register, verdict, summary: value.summary, tree: outcome.tree };
}
