// What the reviewers of a plan are told. They judge whether it can be built as it is cut, and whether it is the design;
// how each line of it will be written is the implementer's business.

import type { PlanScope } from "../core/plan/parts.ts";
import { Review } from "../core/review/review.ts";
import type { PlanReviewer } from "../core/run/ceremony.ts";
import { fenced } from "../core/text/block.ts";
import { reviewScope } from "./part.ts";
import { answerIn, bullets, dataRule, section, sections } from "./parts.ts";
import { anchorRule, noWriting, type ReviewBrief, reviewAgain } from "./review.ts";

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

const looks: Readonly<Record<PlanReviewer, { readonly of: string; readonly look: string }>> = {
  architect: {
    of: "the architecture of an implementation plan before anybody builds it",
    look: "Judge how it is cut: patterns that fit this repository, modules with one job each, tasks in an order in which everything works after each of them, every dependency between tasks declared, no two tasks that do the same, each small enough for one agent and large enough to stand alone. Read the code that the plan builds on.",
  },
  "spec-reviewer": {
    of: "whether an implementation plan is the approved design: not more, not less",
    look: "Compare it with the design requirement by requirement: is each met by the tasks that say they cover it; does every task say all that an implementer without other context must know; can each be done and judged on its own; are the files it needs the files it names; is anything in it that the design does not ask for.",
  },
};

export function planReview(role: PlanReviewer, brief: PlanReviewBrief): string {
  const { of, look } = looks[role];
  return sections(
    `Review ${of}. ${dataRule}`,
    `${noWriting}\n${look}`,
    `Judge structure, completeness, dependencies and granularity only. Test code in the plan, argument order and single lines are not your matter: whoever builds a task gets them right, and is reviewed.`,
    anchorRule("the id of a requirement (R1) or of a task (T2 for task 2)", brief.blockOn),
    "Say for each finding which tasks are to change: only tasks that a finding names may be changed. If a task is missing, use the rule missing.",
    answerIn("superteam-json", Review),
    section("Goal", brief.goal),
    section("What this plan is for", brief.part === undefined ? "" : reviewScope(brief.part)),
    section("The approved design", quoted(brief.design)),
    section("What the person has decided about the plan", bullets(brief.guidance)),
    section("The plan", quoted(brief.plan)),
    reviewAgain(brief.since),
  );
}

function quoted({ path, text }: Quoted): string {
  if (text.length > documentLimit) return `In \`${path}\`, too long to show (${text.length} characters): read it.`;
  return `In \`${path}\`:\n\n${fenced("markdown", text.trimEnd())}`;
}
