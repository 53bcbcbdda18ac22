// The review of the whole: what it is about, and its state while it is under way.

import type { Anchor } from "../../core/flow/repository.ts";
import { type Claims, noClaims, type WriterReport } from "../../core/plan/writer-report.ts";
import { passedCheck } from "../../core/review/receipts.ts";
import type { Config, Mode, ReviewMode } from "../../core/run/config.ts";
import { type ModeSettings, settingsIn } from "../../core/run/mode-settings.ts";
import type { Baseline } from "../../core/validation/baseline.ts";
import type { CommandFiles } from "../../core/validation/scripts/script-files.ts";
import type { FinalBrief } from "../../prompts/final.ts";
import { type Checked, type Suite, suiteFrom } from "../suite/suite.ts";
import { ReviewRounds } from "../work/review-rounds.ts";
import type { WholeFixable } from "../work/whole-escalation.ts";
import type { WorkRange } from "../work/work-range.ts";

export interface WholeWork extends Omit<FinalBrief, "changes" | "since" | "blockOn" | "evidence"> {
  /** The tree before the first task. */
  readonly start: Anchor;
  /** The tree for which the validation command last passed; null when it never did. */
  readonly validated: string | null;
  /** What is known of the tests since the last task; null where none are run. */
  readonly tests: Baseline | null;
  readonly mode: Mode;
  readonly review: ReviewMode;
}

export interface WholeJob {
  readonly whole: WholeWork;
  readonly settings: ModeSettings;
  readonly rounds: ReviewRounds;
  readonly suite: Suite | null;
  /** The work since the first fix that is not committed yet. */
  uncommitted: WorkRange | null;
  commits: readonly string[];
  /** What the last fix was to answer, and what its implementer said, if it came to an end; null before the first. */
  last: { readonly problem: WholeFixable; readonly report: WriterReport | null } | null;
  /** What the implementers said of fixes that are not committed yet. */
  said: readonly WriterReport[];
  claims: Claims;
  /** What the checks ran from before the first fix, and what the person has been told of that. */
  readonly scripts: { before: readonly CommandFiles[]; readonly told: Set<string> };
}

/** Nothing is fixed before the person says so; then they grant as many rounds as a task has. */
export function startJob(whole: WholeWork, config: Config): WholeJob {
  const settings = settingsIn(whole.mode, config);
  const granted = whole.review === "single-pass" ? 1 : settings.review.maxTaskReviewCycles;
  const rounds = new ReviewRounds({ limit: 0, granted });
  const { validated, tests } = whole;
  rounds.receipts = [
    ...(validated === null ? [] : [passedCheck(settings.validationCommand, validated)]),
    ...(tests === null || tests.command === settings.validationCommand ? [] : [passedCheck(tests.command, tests.tree)]),
  ];
  return {
    whole,
    settings,
    rounds,
    suite: tests && suiteFrom(tests),
    uncommitted: null,
    commits: [],
    last: null,
    said: [],
    claims: noClaims,
    scripts: { before: [], told: new Set() },
  };
}

export const checksOf = ({ settings, suite }: WholeJob): Checked => ({ command: settings.validationCommand, suite });
