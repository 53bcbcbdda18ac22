// How an implementer ends: done, or blocked; with its doubts, and with findings it holds to be wrong. All of it is a claim.

import { z } from "zod";
import { readAnswerBlock } from "../text/answer.ts";
import { withoutBlocks } from "../text/block.ts";
import { oneLine, shorten } from "../text/format.ts";
import { Bigger } from "./triage.ts";

const text = z.string().trim();

export const WriterReport = Bigger.extend({
  status: z.enum(["done", "blocked"]).default("done"),
  /** What was changed and why, for the commit and for reviewers. */
  summary: text.max(2000).default(""),
  concerns: z.array(text.min(1).max(1000)).default([]),
  /** For `blocked`: why, and what would help. */
  reason: text.max(2000).default(""),
  needs: text.max(1000).default(""),
  disputed: z.array(z.object({ id: text.min(1), why: text.min(1).max(1000) })).default([]),
});
export type WriterReport = z.infer<typeof WriterReport>;

export interface ReadReport {
  readonly report: WriterReport;
  /** Why the block that is there could not be used; null when it could, or there is none. */
  readonly problem: string | null;
  /** Whether it said so in the form it was asked for. */
  readonly isStructured: boolean;
}

/** What a writer said at its end. One that gave no block is done, as its words say. */
export function readWriterReport(said: string): ReadReport {
  const summary = shorten(oneLine(withoutBlocks(said, "superteam-json")), 600, "...");
  const plain = WriterReport.parse({ summary });
  if (!said.includes("superteam-json")) return { report: plain, problem: null, isStructured: false };
  const reading = readAnswerBlock(said, "superteam-json", WriterReport);
  if (!reading.ok) return { report: plain, problem: reading.problem, isStructured: false };
  const { value } = reading;
  return {
    report: { ...value, summary: value.summary === "" ? summary : value.summary },
    problem: null,
    isStructured: true,
  };
}
