// How much process a change deserves. One table says what each mode turns on; the configuration may still override its
// reviews (mode-settings.ts). A mode is proposed by the scout and decided by the person.

import type { Difficulty } from "../flow/dispatch.ts";
import type { Mode, OptionalReviewer, Severity } from "./config.ts";

export type TaskReviewer = "spec-reviewer" | "quality-reviewer" | OptionalReviewer;

/** In the order in which their findings are taken: how a plan is cut comes before what it leaves out. */
export const planReviewers = ["architect", "spec-reviewer"] as const;
export type PlanReviewer = (typeof planReviewers)[number];

export interface Ceremony {
  /** In a few words, for the person who chooses. */
  readonly meaning: string;
  /** Questions to the person, and approaches to choose from, before the design. */
  readonly questions: boolean;
  readonly approaches: boolean;
  /** `sections` are agreed to one by one, a `page` as a whole; without a design the goal itself is the requirement. */
  readonly design: "none" | "page" | "sections";
  /** Without a planner the whole change is one task, made by code. */
  readonly planner: boolean;
  /** Whether agents review the plan. Code checks it in any case, and the person approves it. */
  readonly planReview: boolean;
  readonly reviewers: readonly TaskReviewer[];
  /** Rounds of fix and re-review before the person is asked. */
  readonly rounds: number;
  readonly blockOn: Severity;
  /** Where several tasks were done, a review of the whole covers what later ones did to earlier ones. */
  readonly finalReview: "never" | "of-several" | "always";
  readonly docs: boolean;
  /** Whether design, plan, progress and summary are committed, unless the configuration says so. Without it there is no file of them. */
  readonly documents: boolean;
  /** What the one task of a change without a plan counts as: the configuration may have a cheaper model for it. */
  readonly difficulty: Difficulty;
}

const standard: Ceremony = {
  meaning: "questions, approaches, a design, a reviewed plan, reviews of each task and of the whole",
  questions: true,
  approaches: true,
  design: "sections",
  planner: true,
  planReview: true,
  reviewers: ["spec-reviewer", "quality-reviewer"],
  rounds: 3,
  blockOn: "medium",
  finalReview: "always",
  docs: true,
  documents: true,
  difficulty: "medium",
};

const quick: Ceremony = {
  ...standard,
  meaning: "a few small tasks: a design on one page, a plan, reviews of each task",
  questions: false,
  approaches: false,
  design: "page",
  planReview: false,
  rounds: 2,
  blockOn: "high",
  finalReview: "of-several",
  docs: false,
};

export const ceremonies: Readonly<Record<Mode, Ceremony>> = {
  hotfix: {
    ...quick,
    meaning: "one small change: implement, one review, commit",
    design: "none",
    planner: false,
    reviewers: ["spec-reviewer"],
    rounds: 1,
    finalReview: "never",
    documents: false,
    difficulty: "easy",
  },
  quick,
  standard,
  full: {
    ...standard,
    meaning: "all of standard, with security and performance reviews, and small findings fixed too",
    reviewers: ["spec-reviewer", "quality-reviewer", "security-reviewer", "performance-reviewer"],
    rounds: 5,
    blockOn: "low",
    difficulty: "hard",
  },
};

/** How many agents a goal takes that is one task and passes every review at once. */
export function leastDispatches(mode: Mode): number {
  const { questions, approaches, design, planner, planReview, reviewers, finalReview } = ceremonies[mode];
  const single = [questions, approaches, design !== "none", planner, finalReview === "always"].filter(Boolean).length;
  const [scout, implementer, ofPlan] = [1, 1, planReview ? planReviewers.length : 0];
  return scout + single + ofPlan + implementer + reviewers.length;
}

/** What happens to the run's documents: what the configuration says, and else what the mode does. */
export function documentsIn(mode: Mode, commit: boolean | undefined): "committed" | "left" | "none" {
  if (commit === undefined) return ceremonies[mode].documents ? "committed" : "none";
  return commit ? "committed" : "left";
}

/** The table goes from the least process to the most. Views load it, so it loads no package. */
export function isMore(mode: Mode, than: Mode): boolean {
  const order = Object.keys(ceremonies);
  return order.indexOf(mode) > order.indexOf(than);
}
