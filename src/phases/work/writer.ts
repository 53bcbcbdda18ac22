// The discipline of writers, in one place: whoever has an agent change the tree sends it from here. What a failed writer
// left is undone before anybody is asked; what a finished one was given, and what it left, enters the range of the work.

import type { Flow } from "../../core/flow/flow.ts";
import type { Anchor } from "../../core/flow/repository.ts";
import { type Consultation, engage } from "./consult.ts";
import { extendRange, type WorkRange } from "./work-range.ts";

export type WriterOrder = Omit<Consultation, "access">;

/**
 * What the writer said, and the tree it was given, with all that the person did before. Without a range, whoever sent the
 * writer restores that tree by itself.
 */
export function* sendWriter(
  order: WriterOrder,
  range: WorkRange | null,
): Flow<{ readonly text: string; readonly given: Anchor }> {
  const { text, start: given, ...finished } = yield* engage({ ...order, access: "write" });
  if (!given) throw new Error(`the outcome of ${order.name} does not say what the writer was given`);
  if (range) yield* extendRange(range, { ...finished, start: given });
  return { text, given };
}
