// Disputes: a writer says that a finding is wrong, and the finding's reviewer answers. Only the rules of evidence close a finding. One that
// stays open has both sides, for the person who decides.

import { z } from "zod";
import { oneLine, shorten } from "../text/format.ts";
import { Resolution, type Review } from "./review.ts";

/** What a writer has against a finding: a claim. */
const PlainDispute = z.object({
  id: Resolution.shape.id,
  why: z
    .string()
    .trim()
    .overwrite((why) => shorten(why, 1000, "..."))
    .min(1),
});
export type Dispute = z.infer<typeof PlainDispute>;
export const Dispute = z.preprocess<unknown, typeof PlainDispute, Dispute>(withWhy, PlainDispute);

/** A report has a `reason` too: writers take one word for the other. Or they say it in one line: `F1: …`. */
function withWhy(said: unknown): unknown {
  if (typeof said === "string") {
    const [, id, why] = /^\s*(F\d+)\s*[:–—-]\s*(.+)$/is.exec(said) ?? [];
    return id === undefined ? said : { id, why };
  }
  return typeof said === "object" && said !== null && "reason" in said ? { why: said.reason, ...said } : said;
}

/** Both sides of a finding that is open though it is disputed. */
export const Upheld = PlainDispute.pick({ why: true }).extend({
  /** null when its reviewer gave none. One that calls it resolved proves nothing. */
  answer: Resolution.pick({ state: true, quote: true }).nullable(),
  /** What its reviewer says of the work. */
  summary: z.string(),
});
export type Upheld = z.infer<typeof Upheld>;

/** Both sides of what stays open after this review. */
export function upheldBy({ resolutions, summary }: Review, { id, why }: Dispute): Upheld {
  const said = resolutions.findLast((resolution) => resolution.id === id);
  return { why, answer: said ? { state: said.state, quote: said.quote } : null, summary };
}

/** The reviewer's side, in words. */
export function reviewerSide({ answer, summary }: Upheld): string {
  if (answer === null) return `Its reviewer does not answer that, and says: ${oneLine(summary)}`;
  const does = answer.state === "still-open" ? "keeps it" : "withdraws it without valid proof";
  const quoted = answer.quote === "" ? "" : ` Quoted: ${oneLine(answer.quote)}`;
  return `Its reviewer ${does}: ${oneLine(summary)}${quoted}`;
}
