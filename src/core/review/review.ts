// What a reviewer answers. Findings are claims with an anchor that code can check; what they mean for the work is
// computed by code, never by the reviewer.

import { z } from "zod";
import { severities } from "../run/config.ts";

export const verdicts = ["approved", "needs_revision", "inconclusive"] as const;
/** What code made of a review's findings. */
export type Verdict = (typeof verdicts)[number];

export const rules = [
  "missing",
  "extra",
  "misunderstood",
  "incorrect",
  "untested",
  "unsafe",
  "slow",
  "unclear",
  "duplicated",
  "dependency",
  "structure",
  "style",
] as const;
export type Rule = (typeof rules)[number];

/** Words that reviewers use for a severity of ours. */
const synonyms: Readonly<Record<string, string>> = { blocker: "high", warning: "medium", note: "low" };

const lowered = (value: unknown): unknown => (typeof value === "string" ? value.trim().toLowerCase() : value);
const text = z.string().trim().min(1);

/** Where a finding can be checked: a quote found verbatim in a file, or the id of a requirement or criterion. */
export const FindingAnchor = z.union([
  z.object({ file: text, quote: z.string().min(1).describe("verbatim") }),
  z.object({ requirement: text.describe("R1, C1, …") }),
]);
export type FindingAnchor = z.infer<typeof FindingAnchor>;

export const Finding = z.object({
  rule: z.preprocess(lowered, z.enum(rules)),
  severity: z.preprocess(severityOf, z.enum(severities)),
  /** The reviewer's own word for the severity, where it is another one. */
  said: z.string().optional().meta({ internal: true }),
  anchor: FindingAnchor.optional(),
  what: text,
  fix: z.string().trim().optional(),
});
export type Finding = z.infer<typeof Finding>;

export const Resolution = z.object({
  id: text.describe("F1, F2, …"),
  state: z.preprocess(lowered, z.enum(["resolved", "still-open"])),
  quote: text.describe("verbatim from the code: the proof"),
});
export type Resolution = z.infer<typeof Resolution>;

export const Review = z.object({
  passed: z.boolean().describe("true when nothing blocks"),
  findings: z.array(z.preprocess(keepWord, Finding)),
  resolutions: z.array(Resolution).default([]).describe("one per open finding"),
  summary: text,
});
export type Review = z.infer<typeof Review>;

function severityOf(value: unknown): unknown {
  const word = lowered(value);
  return typeof word === "string" ? (synonyms[word] ?? word) : word;
}

/** Keeps the word that the severity was read from. */
export function keepWord(finding: unknown): unknown {
  if (typeof finding !== "object" || finding === null || !("severity" in finding)) return finding;
  const { severity } = finding;
  const isOurs = severityOf(severity) === lowered(severity);
  return { ...finding, said: isOurs || typeof severity !== "string" ? undefined : severity.trim() };
}
