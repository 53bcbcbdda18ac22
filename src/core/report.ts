// What a run came to, as data. How it is told, with cost and time, is a view's business.

import { z } from "zod";

/** What a task came to. */
export const Settled = z.object({
  task: z.int(),
  title: z.string(),
  status: z.enum(["complete", "skipped"]),
  /** null when it was skipped, or accepted without a change. */
  commit: z.string().nullable(),
  /** Fix rounds, over all attempts. */
  rounds: z.int(),
  /** Whether the person had to decide about it. */
  escalated: z.boolean(),
  files: z.array(z.string()),
  /** Findings that were recorded and did not block, each with the reason. */
  deferred: z.array(z.string()),
  waivers: z.array(z.string()),
});
export type Settled = z.infer<typeof Settled>;

export const Report = z.object({ goal: z.string(), tasks: z.array(Settled) });
export type Report = z.infer<typeof Report>;

export function inOneLine({ tasks }: Report): string {
  const complete = tasks.filter((task) => task.status === "complete").length;
  const skipped = tasks.length - complete;
  return `${complete} of ${tasks.length} tasks complete${skipped === 0 ? "" : `, ${skipped} skipped`}.`;
}
