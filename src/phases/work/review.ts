// One review, from the reviewer's answer to what code makes of it. What cannot be checked goes back to the reviewer once;
// after that it is only recorded.

import { z } from "zod";
import { type Flow, read } from "../../core/flow/flow.ts";
import { filesToRead } from "../../core/review/anchor.ts";
import {
  amended,
  type Judgement,
  judge,
  type Register,
  RegisteredFinding,
  type ReviewBasis,
} from "../../core/review/register.ts";
import { type Review, verdicts } from "../../core/review/review.ts";
import { returned } from "../../prompts/review.ts";
import { type Consultation, consult } from "./consult.ts";

/** What a review came to; `register` is the one it was given, with its own answers and findings. */
export const Reviewed = z.object({
  register: z.array(RegisteredFinding),
  verdict: z.enum(verdicts),
  summary: z.string(),
  /** The tree that was reviewed. */
  tree: z.string(),
});
export type Reviewed = z.infer<typeof Reviewed>;

export interface ReviewOrder {
  readonly order: Consultation;
  readonly schema: z.ZodType<Review>;
  readonly register: Register;
  /** What the review is held against, but for the texts it quotes: those are read as they are now. */
  readonly basis: Omit<ReviewBasis, "texts">;
}

export function* runReview({ order, schema, register, basis }: ReviewOrder): Flow<Reviewed> {
  const answer = { tag: "superteam-json", schema } as const;
  const first = yield* consult(order, answer);
  const known = yield* withTexts(basis, first.value);
  const judged = judge(register, first.value, known);
  if (judged.complaints.length === 0) return reviewed(judged, first);
  const second = yield* consult({ ...order, prompt: returned(order.prompt, judged.complaints) }, answer);
  const whole = amended(first.value, second.value, known);
  return reviewed(judge(register, whole, yield* withTexts(basis, whole)), second);
}

function* withTexts(basis: ReviewOrder["basis"], review: Review): Flow<ReviewBasis> {
  const texts: Record<string, string | null> = {};
  for (const path of filesToRead(review, basis)) texts[path] = yield* read(path);
  return { ...basis, texts };
}

function reviewed(
  { register, verdict }: Judgement,
  { value, outcome }: { readonly value: Review; readonly outcome: { readonly tree: string } },
): Reviewed {
  return { register: [...register], verdict, summary: value.summary, tree: outcome.tree };
}
