// The message for the reviewers of a plan.

import type { PlanScope } from "../core/plan/parts.ts";
import { fenced } from "../core/text/block.ts";
import { reviewScope } from "./part.ts";
import { bullets, goalText, section, sections, step } from "./parts.ts";
import { blocking, disputeText, type ReviewBrief, reviewAgain } from "./review.ts";

export interface PlanReviewBrief extends Pick<ReviewBrief, "blockOn" | "since"> {
  readonly goal: string;
  readonly design: Quoted;
  readonly plan: Quoted;
  /** The part of the design that the plan is for; unset: all of it. */
  readonly part?: PlanScope | undefined;
  /** What the person has said about the plan so far, oldest first. */
  readonly guidance: readonly string[];
}

export interface Quoted {
  readonly path: string;
  readonly text: string;
}

/** A document beyond this is named, not shown: the reader has the file. */
const documentLimit = 60_000;

export function planReview(brief: PlanReviewBrief): string {
  const { goal, part, design, guidance, plan, blockOn, since } = brief;
  return sections(
    goalText(goal),
    section("What this plan is for", part === undefined ? "" : reviewScope(part)),
    section("The approved design", quoted(design)),
    section("What the person has decided about the plan", bullets(guidance)),
    // A reviewer on its second look has read the plan: the diff shows what is new.
    section("The plan", since === null ? quoted(plan) : `In \`${plan.path}\`.`),
    reviewAgain(since),
    step("review the plan", `${blocking(blockOn)}${disputeText(since)}`),
  );
}

function quoted({ path, text }: Quoted): string {
  if (text.length > documentLimit) return `In \`${path}\`, too long to show (${text.length} characters): read it.`;
  return `In \`${path}\`:\n\n${fenced("markdown", text.trimEnd())}`;
}
