// What the final reviewer answers: findings in the categories of a whole, against the design. Code maps the categories
// to the rules that every other review uses, and judges them alike.

import { z } from "zod";
import { Finding, keepWord, Review, type Rule } from "./review.ts";

const ruleOf = {
  missing: "missing",
  extra: "extra",
  misunderstood: "misunderstood",
  /** Parts that each pass alone and do not fit together. */
  "cross-task": "structure",
} as const satisfies Readonly<Record<string, Rule>>;

const category = z.preprocess(
  (value) => (typeof value === "string" ? value.trim().toLowerCase() : value),
  z.enum(["missing", "extra", "misunderstood", "cross-task"]),
);

export const FinalReview = Review.extend({
  findings: z.array(z.preprocess(keepWord, z.object({ category, ...Finding.omit({ rule: true }).shape }))),
});
export type FinalReview = z.infer<typeof FinalReview>;

export function asReview({ findings, ...rest }: FinalReview): Review {
  return { ...rest, findings: findings.map(({ category: kind, ...finding }) => ({ rule: ruleOf[kind], ...finding })) };
}
