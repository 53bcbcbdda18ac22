// The configuration a run works with: `.superteam.json` in the repository, over the person's global one, over the
// defaults. Every key is read by some code.

import { z } from "zod";
import { difficulties } from "../flow/dispatch.ts";
import { cadences } from "../validation/cadence.ts";
import { capabilities } from "./capability.ts";
import { possibleActions as possible, defaultFailureActions as usual } from "./failure-action.ts";

/** How much process a run has, from the least to the most. */
export const modes = ["hotfix", "quick", "standard", "full"] as const;
export type Mode = (typeof modes)[number];

/** Whether a run pauses between tasks, and whether what reviewers find is fixed and reviewed again. */
export const executionModes = ["auto", "checkpoint", "batch"] as const;
export const reviewModes = ["iterative", "single-pass"] as const;
export type ReviewMode = (typeof reviewModes)[number];

export const severities = ["low", "medium", "high", "critical"] as const;
export type Severity = (typeof severities)[number];

export const thinkingLevels = ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

export const AgentConfig = z.strictObject({
  backend: z.string().min(1).optional().describe("Who runs the role's agents; overrides `backend`."),
  model: z.string().min(1).optional().describe("The role's model, as `provider/id`; overrides `model`."),
  thinking: z.enum(thinkingLevels).optional().describe("How much the role thinks; unset: as its profile says."),
  tools: z
    .array(z.enum(capabilities))
    .optional()
    .describe("What the role may do: `read`, `search`, `run`, `write`; unset: as its profile says."),
  timeoutMinutes: z.number().positive().optional().describe("How long one agent call may take; unset: 60."),
  stuckMinutes: z
    .number()
    .positive()
    .optional()
    .describe("How long an agent may be silent before it counts as stuck; unset: 10."),
  fallback: z
    .array(z.string().min(1))
    .optional()
    .describe("Models to fall back to, in order, when the role's own is rate-limited or down."),
});
export type AgentConfig = z.infer<typeof AgentConfig>;

/** Reviewers a run may have beyond those its mode gives every task. */
export const optionalReviewers = ["security-reviewer", "performance-reviewer"] as const;
export type OptionalReviewer = (typeof optionalReviewers)[number];

const rounds = () => z.number().int().min(1).max(20).optional();

/** An amount of money. People write "$5" where a number is meant. */
const dollars = () =>
  z
    .number({ error: "must be a number of dollars such as 20, without quotes and currency" })
    .positive("must be more than 0")
    .max(100_000);

export const ReviewConfig = z.strictObject({
  mode: z
    .enum(reviewModes)
    .optional()
    .describe("Fix and review again until it passes, or look once and let findings through; unset: you are asked."),
  order: z
    .enum(["spec-first", "parallel"])
    .default("spec-first")
    .describe("Whether a task's reviews run one after the other or at the same time."),
  planOrder: z
    .enum(["parallel", "sequential"])
    .default("parallel")
    .describe("The same for the two reviews of the plan."),
  planMode: z
    .enum(reviewModes)
    .default("iterative")
    .describe("Revise the plan and review it again until it passes, or look once and let findings through."),
  optional: z.array(z.enum(optionalReviewers)).default([]).describe("Reviewers beyond those of the mode."),
  maxPlanReviewCycles: rounds().describe(
    "Rounds of revision and re-review of the plan before you are asked; unset: as many as the mode has.",
  ),
  blockOnSeverity: z
    .enum(severities)
    .optional()
    .describe("Findings of this severity and above must be fixed; unset: as the mode says."),
  maxTaskReviewCycles: rounds().describe(
    "Rounds of fix and re-review in a task before you are asked; unset: as many as the mode has.",
  ),
});
export type ReviewConfig = z.infer<typeof ReviewConfig>;

const limit = () => z.number().int().positive();

export const CostsConfig = z.strictObject({
  warnAtUsd: dollars().default(5).describe("You are asked once whether to continue when this much is spent."),
  hardLimitUsd: dollars().default(20).describe("The hard limit: nothing new starts, and running agents are stopped."),
  unpricedTokens: limit().default(5_000_000).describe("The limit in tokens for models that report no cost."),
  unpricedDispatches: limit().default(200).describe("The limit in agent calls for models that report no cost."),
});
export type CostsConfig = z.infer<typeof CostsConfig>;

/** What is done about a type of failure: one of what is possible for it. */
const action = <const A extends string>(actions: readonly A[], byDefault: NoInfer<A>, meaning: string) =>
  z.enum(actions).prefault(byDefault).describe(meaning);

const FailureActionsConfig = z.strictObject({
  "parse-error": action(
    possible["parse-error"],
    usual["parse-error"],
    "An agent's answer cannot be read: ask it again, with what was wrong.",
  ),
  "test-regression": action(
    possible["test-regression"],
    usual["test-regression"],
    "A test that passed before the work fails with it.",
  ),
  "test-flake": action(possible["test-flake"], usual["test-flake"], "A test fails and passes when it is run again."),
  "test-preexisting": action(possible["test-preexisting"], usual["test-preexisting"], "Tests are red before any work."),
  "tool-timeout": action(
    possible["tool-timeout"],
    usual["tool-timeout"],
    "An agent takes too long or is silent for too long.",
  ),
  "budget-threshold": action(
    possible["budget-threshold"],
    usual["budget-threshold"],
    "An amount at which you are asked is spent. At the hard limit you are always asked.",
  ),
  "review-max-retries": action(
    possible["review-max-retries"],
    usual["review-max-retries"],
    "The rounds are used up, and reviewers still find something.",
  ),
  "validation-failure": action(
    possible["validation-failure"],
    usual["validation-failure"],
    "The quick check fails, or tests of the work's own do.",
  ),
  "impl-crash": action(possible["impl-crash"], usual["impl-crash"], "An agent's process ends without an answer."),
});

export const Config = z.strictObject({
  backend: z.string().min(1).default("pi").describe("Who runs the agents: `pi`."),
  model: z.string().min(1).optional().describe("The model for every role without its own; unset: pi's own default."),
  mode: z.enum(modes).optional().describe("How much process a run has; unset: the scout proposes and you are asked."),
  costs: CostsConfig.prefault({}),
  budgetCheckpointUsd: dollars().optional().describe("Asks at this amount instead of at `costs.warnAtUsd`."),
  agents: z.partialRecord(z.string(), AgentConfig).default({}),
  environment: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "is not the name of a variable"))
    .default([])
    .describe("Names of variables to pass on to agents and checks, beyond what a shell and pi's providers need."),
  notify: z
    .string()
    .default("")
    .describe("A command to run when a question waits or a run ends; `SUPERTEAM_MESSAGE` has the message."),
  execution: z
    .strictObject({
      mode: z
        .enum(executionModes)
        .optional()
        .describe("Run all tasks, or pause after each, or after every few; unset: you are asked."),
      batchSize: z.number().int().min(1).optional().describe("How many tasks a batch has; unset: you are asked."),
      warmSpares: z
        .boolean()
        .default(true)
        .describe("Start the next agents' processes ahead of time, so that they need not boot."),
    })
    .prefault({}),
  review: ReviewConfig.prefault({}),
  complexity: z
    .partialRecord(z.enum(difficulties), z.string().min(1))
    .default({})
    .describe("The implementer's model by the difficulty of the task."),
  tdd: z
    .enum(["required", "off"])
    .default("required")
    .describe(
      "Teach implementers to work test first, and hold back changes to source until a test has failed; `off`: neither.",
    ),
  validationCommand: z
    .string()
    .optional()
    .describe(
      "A quick check, such as types or lint, after each change and before any review. It must exit with 0. Unset: found in the repository; empty: off.",
    ),
  testCommand: z
    .string()
    .optional()
    .describe("The test suite, after each change and before any review. Unset: found in the repository; empty: off."),
  testTimeoutMinutes: z
    .number()
    .positive()
    .default(10)
    .describe("How long one run of the test suite may take. A run that takes longer is stopped and has failed."),
  validationCadence: z
    .enum(cadences)
    .default("every")
    .describe(
      "When the test suite runs: after every task, after every few, or when you ask for it at a checkpoint. At the end it always runs.",
    ),
  validationInterval: z
    .number()
    .int()
    .min(1)
    .default(3)
    .describe("With `every-N`: after how many tasks the test suite runs."),
  failureActions: FailureActionsConfig.prefault({}),
  worktree: z
    .strictObject({
      folder: z
        .string()
        .min(1)
        .optional()
        .describe(
          "Where worktrees are created, outside the repository. A relative path starts at its root. Unset: `~/.local/state/superteam/worktrees`.",
        ),
      copy: z
        .array(z.string().min(1))
        .default([])
        .describe("Files to copy into a worktree that git ignores and a build needs, such as `.env`."),
      setup: z
        .string()
        .default("")
        .describe("A command that prepares a worktree. Empty: `node_modules` is copied, or installed if it differs."),
      copyLimitMb: z
        .int()
        .min(0)
        .default(2000)
        .describe(
          "How many MB of `node_modules` are copied into a worktree. If there is more, it is installed from the lock file, or you are asked. On file systems that share the content of copies (Btrfs, XFS, APFS) there is no limit.",
        ),
    })
    .prefault({}),
  documents: z
    .strictObject({
      commit: z
        .boolean()
        .optional()
        .describe(
          "Commit design, plan, progress and summary; `false` leaves them in the tree. Unset: `true`, but a hotfix leaves no such files at all.",
        ),
    })
    .prefault({}),
});
export type Config = z.infer<typeof Config>;

/** Every backend that a run may use: the usual one first, then those of single roles. */
export function backendsIn({ backend, agents }: Config): readonly string[] {
  return [...new Set([backend, ...Object.values(agents).flatMap((agent) => agent?.backend ?? [])])];
}

/** The configuration where it is known which roles there are: any other is a mistake. */
export function configFor(roles: readonly string[]) {
  return Config.extend({ agents: z.partialRecord(z.enum(roles), AgentConfig).default({}) });
}
