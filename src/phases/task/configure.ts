// How the person wants the tasks to be worked through. What the configuration says is not asked; no agent is involved.

import { z } from "zod";
import { ask, config, type Flow, record } from "../../core/flow/flow.ts";
import type { Question } from "../../core/flow/question.ts";
import { ceremonies } from "../../core/run/ceremony.ts";
import { executionModes, type Mode, reviewModes } from "../../core/run/config.ts";
import { oneLine } from "../../core/text/format.ts";
import { warn } from "../work/consult.ts";

export const Choices = z.object({
  execution: z.enum(executionModes),
  /** How many tasks are completed between two pauses; null unless they come in batches. */
  batchSize: z.int().min(1).nullable(),
  review: z.enum(reviewModes),
  waivers: z.array(z.string()),
});
export type Choices = z.infer<typeof Choices>;

export function* configure(mode: Mode): Flow<Choices> {
  if (!ceremonies[mode].planner) return yield* configureOne();
  const settings = yield* config();
  const execution = settings.execution.mode ?? Choices.shape.execution.parse(yield* ask(executionQuestion));
  const batchSize = execution === "batch" ? (settings.execution.batchSize ?? (yield* askSize())) : null;
  const review = settings.review.mode ?? Choices.shape.review.parse(yield* ask(reviewQuestion));
  return yield* decided(execution, batchSize, review);
}

/** A single task needs no question: it is run, and findings are fixed. */
export function* configureOne(): Flow<Choices> {
  const settings = yield* config();
  return yield* decided("auto", null, settings.review.mode ?? "iterative");
}

function* decided(execution: Choices["execution"], batchSize: number | null, review: Choices["review"]): Flow<Choices> {
  yield* record({ type: "configured", execution, batchSize, review });
  const waivers = review === "single-pass" ? [singlePassWaiver] : [];
  for (const what of waivers) yield* record({ type: "waiver", step: reviewQuestion.id, what });
  return { execution, batchSize, review, waivers };
}

const singlePassWaiver = "reviews are single-pass: what they find is not fixed, unless it is critical";

const usualBatch = 3;

/** Says so when the size is not what was typed. */
function* askSize(): Flow<number> {
  const said = yield* ask(batchSizeQuestion);
  const size = sizeFrom(said);
  if (Number(said) !== size) yield* warn(`"${oneLine(said, 60)}" is not a number of tasks. A batch has ${size}.`);
  return size;
}

/** A number of tasks from what was typed; the usual one when that is no number. */
export function sizeFrom(said: string): number {
  const size = /^[+-]?\d+(\.\d+)?$/.test(said.trim()) ? Math.floor(Number(said)) : usualBatch;
  return Number.isSafeInteger(size) ? Math.max(1, size) : usualBatch;
}

const executionQuestion: Question = {
  id: "configure.execution",
  kind: "select",
  title: "Execution Mode",
  message: "How should the tasks be run?",
  options: [
    { key: "auto", label: "Auto (run all tasks)" },
    { key: "checkpoint", label: "Checkpoint (pause after each task)" },
    { key: "batch", label: "Batch (pause every N tasks)" },
  ],
  recommended: "auto",
  modelMayAnswer: true,
};

const batchSizeQuestion: Question = {
  id: "configure.batch-size",
  kind: "input",
  title: "Batch Size",
  message: "How many tasks between two pauses?",
  default: `${usualBatch}`,
  recommended: `${usualBatch}`,
  modelMayAnswer: true,
};

/** Single-pass lets things through, so that it takes a person to choose it. */
const reviewQuestion: Question = {
  id: "configure.review",
  kind: "select",
  title: "Review Mode",
  message: "What should happen to the reviewers' findings?",
  options: [
    { key: "iterative", label: "Iterative (review-fix loop until pass)" },
    {
      key: "single-pass",
      label: "Single-pass (one round, warnings only)",
      hint: "recorded as your decision; critical findings still ask",
    },
  ],
  recommended: "iterative",
};
