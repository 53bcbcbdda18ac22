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
const synonyms: Readonly<Record<string, string>> = {
  blocker: "high",
  moderate: "medium",
  warning: "medium",
  note: "low",
  info: "low",
  nit: "low",
  nitpick: "low",
};

/** … and for the state of a finding. What closes one is the proof. */
const stateWords: Readonly<Record<string, string>> = {
  open: "still-open",
  unresolved: "still-open",
  fixed: "resolved",
};

const lowered = (value: unknown): unknown => (typeof value === "string" ? value.trim().toLowerCase() : value);
const text = z.string().trim().min(1);

/** Where a finding can be checked: a quote found verbatim in a file, or the id of a requirement or criterion. */
const FindingAnchor = z.union([
  z.object({ file: text.overwrite(withoutLine), quote: z.string().min(1).describe("verbatim") }),
  z.object({ requirement: text.overwrite(asId).describe("R1, C1, …") }),
]);

const OptionalAnchor = FindingAnchor.optional();

export const Finding = z.object({
  rule: z.preprocess(lowered, z.enum(rules)),
  severity: z.preprocess(severityOf, z.enum(severities)),
  /** The reviewer's own word for the severity, if it is different. */
  said: z.string().optional(),
  /** The final reviewer's category, where no rule has its name. */
  category: z.string().optional(),
  /** One that cannot be read is none: its reviewer is asked for it, and keeps the rest of the review. */
  anchor: z
    .preprocess<unknown, typeof OptionalAnchor, z.infer<typeof OptionalAnchor>>(anchorOf, OptionalAnchor)
    .catch(undefined),
  what: text,
  fix: z.string().trim().optional(),
});
export type Finding = z.infer<typeof Finding>;

export const Resolution = z.object({
  id: text.overwrite(asId).describe("F1, F2, …"),
  state: z.preprocess(stateOf, z.enum(["resolved", "still-open"])),
  /** What stays open needs no proof. */
  quote: z.string().trim().default("").describe("verbatim from the code: the proof"),
});
export type Resolution = z.infer<typeof Resolution>;

const noSummary = "(no summary)";

export const Review = z.object({
  passed: z.boolean().describe("true when nothing blocks"),
  findings: z.array(z.preprocess(keepWord, Finding.omit({ category: true }))),
  resolutions: z.array(z.preprocess(withQuote, Resolution)).default([]).describe("one per open finding"),
  summary: z
    .string()
    .trim()
    .overwrite((said) => said || noSummary)
    .default(noSummary),
});
export type Review = z.infer<typeof Review>;

/** An id alone can only be the anchor that names it, also under the name of what it stands for; so can one anchor in a list. */
function anchorOf(value: unknown): unknown {
  if (typeof value === "string" && /^[RCT]\d+$/i.test(value.trim())) return { requirement: value.trim() };
  if (Array.isArray(value) && value.length === 1) return anchorOf(value[0]);
  if (typeof value !== "object" || value === null || "file" in value || "requirement" in value) return value;
  if ("path" in value && "quote" in value) return { file: value.path, quote: value.quote };
  const [said, ...more] = Object.entries(value).flatMap(([key, id]) =>
    /^(?:criterion|task|id)$/i.test(key) ? [id] : [],
  );
  return said !== undefined && more.length === 0 ? anchorOf(said) : value;
}

function stateOf(value: unknown): unknown {
  const word = lowered(value);
  return typeof word === "string" ? (stateWords[word] ?? word) : word;
}

/** A proof that has the form of a finding's anchor: its file is not asked for. */
function withQuote(resolution: unknown): unknown {
  if (typeof resolution !== "object" || resolution === null) return resolution;
  const given: unknown = "quote" in resolution ? resolution.quote : "anchor" in resolution ? resolution.anchor : null;
  const isAnchor = typeof given === "object" && given !== null && "quote" in given;
  return isAnchor ? { ...resolution, quote: given.quote } : resolution;
}

/** What an id names may stand behind it: `R2: a sixth request gets 429`. */
function asId(said: string): string {
  return /^([rctf]\d+)(?:\s*[:.]\s.*|\s+[(–—-].*)?$/is.exec(said)?.[1]?.toUpperCase() ?? said;
}

/** `src/limit.ts:41` */
function withoutLine(file: string): string {
  return file.replace(/:\d+(?:[-–:]\d+)?$/, "");
}

function severityOf(value: unknown): unknown {
  const word = lowered(value);
  return typeof word === "string" ? (synonyms[word] ?? word) : word;
}

/** Keeps the word that the severity was read from. */
function keepWord(given: unknown): unknown {
  const finding = withAnchor(given);
  if (typeof finding !== "object" || finding === null || !("severity" in finding)) return finding;
  const { severity } = finding;
  const isOurs = severityOf(severity) === lowered(severity);
  return { ...finding, said: isOurs || typeof severity !== "string" ? undefined : severity.trim() };
}

/** A file and a quote, or a requirement, beside the rest of a finding are its anchor. */
function withAnchor(finding: unknown): unknown {
  if (typeof finding !== "object" || finding === null || "anchor" in finding) return finding;
  if ("file" in finding && "quote" in finding)
    return { ...finding, anchor: { file: finding.file, quote: finding.quote } };
  return "requirement" in finding ? { ...finding, anchor: { requirement: finding.requirement } } : finding;
}

// The final reviewer names categories of a whole, against the design: code maps them to the rules that every other review
// uses, and judges them alike.

const ruleOf = {
  missing: "missing",
  extra: "extra",
  misunderstood: "misunderstood",
  /** Parts that each pass alone and do not fit together. */
  "cross-task": "structure",
} as const satisfies Readonly<Record<string, Rule>>;

const categories = ["missing", "extra", "misunderstood", "cross-task"] as const;
const category = z.preprocess(lowered, z.enum(categories));

/** Every other reviewer gives a rule: one with the name of a category is that category. */
function categorised(given: unknown): unknown {
  const finding = keepWord(given);
  if (typeof finding !== "object" || finding === null || "category" in finding || !("rule" in finding)) return finding;
  return { ...finding, category: finding.rule };
}

export const FinalReview = Review.extend({
  findings: z.array(z.preprocess(categorised, z.object({ ...Finding.omit({ rule: true }).shape, category }))),
});
export type FinalReview = z.infer<typeof FinalReview>;

export function asReview({ findings, ...rest }: FinalReview): Omit<Review, "findings"> & { findings: Finding[] } {
  const ruled = findings.map(({ category: kind, ...finding }) => {
    const rule = ruleOf[kind];
    return { rule, ...finding, ...(rule === kind ? {} : { category: kind }) };
  });
  return { ...rest, findings: ruled };
}
