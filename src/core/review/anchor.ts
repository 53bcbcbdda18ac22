// Checks what a reviewer quotes. Nothing is normalised but line endings: a quote that is almost there is not there.

import { z } from "zod";
import type { ChangedFile } from "../flow/repository.ts";
import { isInsideTree } from "../plan/plan.ts";
import { severities } from "../run/config.ts";
import { hideKeys } from "../text/secrets.ts";
import { Dispute } from "./dispute.ts";
import type { Finding, Review } from "./review.ts";

/** What findings can be checked against: changed files and their diff. */
export const Diff = z.object({
  files: z.array(z.object({ path: z.string(), change: z.enum(["added", "modified", "deleted"]) })).readonly(),
  diff: z.string(),
  /** Where it can be read, when it is too long to be shown. */
  diffFile: z.string().optional(),
  /** Ids that stand for what it touches, such as a plan's tasks. */
  ids: z.array(z.string()).readonly().optional(),
});
export type Diff = z.infer<typeof Diff>;

/** What a review is checked against, except the texts it quotes: those are read as they are now. */
export const Grounds = z.object({
  /** What is less severe does not block. */
  blockOn: z.enum(severities),
  /** Ids of the requirements and criteria of the work. */
  ids: z.array(z.string()).readonly(),
  /** All the task changed so far. */
  task: Diff,
  /** What changed since this reviewer looked last; null at its first review. */
  fix: Diff.nullable(),
  /** Files the work is held against: findings may quote them, but no fix is proved by them. */
  sources: z.array(z.string()).readonly().optional(),
  /** Findings that the writer holds to be wrong, as this reviewer is shown them. */
  disputed: z.array(Dispute).readonly().optional(),
});

/** What code knows of the world a review speaks of. */
export interface ReviewBasis extends z.infer<typeof Grounds> {
  readonly role: string;
  /** Texts by path; null for a file that does not exist. */
  readonly texts: Readonly<Record<string, string | null>>;
}

/** The files to read before a review can be checked: those it quotes, and those in which a fix can be proved. */
export function filesToRead(review: Review, { task }: Pick<ReviewBasis, "task">): readonly string[] {
  const quoted = review.findings.flatMap(({ anchor }) => (anchor && "file" in anchor ? [anchor.file] : []));
  const proving = review.resolutions.length === 0 ? [] : present(task.files);
  return [...new Set([...quoted, ...proving])].filter(isInsideTree);
}

/** Why a finding has no anchor, in words for the reviewer; undefined when it has one. */
export function anchorProblem({ anchor }: Finding, basis: ReviewBasis): string | undefined {
  if (!anchor) return 'it has no anchor: {"file", "quote"} or {"requirement"}';
  if ("requirement" in anchor) {
    return basis.ids.includes(anchor.requirement) ? undefined : `there is no requirement ${anchor.requirement}`;
  }
  const text = basis.texts[anchor.file];
  if (text === undefined || text === null) return `there is no file ${anchor.file}`;
  return contains(text, anchor.quote) ? undefined : `its quote is not in ${anchor.file}, verbatim`;
}

/**
 * Why a quote does not prove that a finding is answered, in words for the reviewer; undefined when it does. It has to come from
 * lines that the fix added or removed. Elsewhere it has to be long and to occur once: a bracket or a word stands in every file.
 */
export function proofProblem(quote: string, finding: Finding, basis: ReviewBasis): string | undefined {
  if (isFaultItself(quote, finding, basis)) return "its quote is the fault itself, which is still there";
  if (isFromChange(quote, (basis.fix ?? basis.task).diff) || isUnique(quote, finding, basis)) return undefined;
  return `its quote is not from a line that the fix changed; quote such a line, or ${uniqueLength} characters that occur once`;
}

/** Shorter quotes may stand anywhere. */
const uniqueLength = 40;

function isFaultItself(quote: string, { anchor }: Finding, { texts }: ReviewBasis): boolean {
  if (!anchor || !("file" in anchor)) return false;
  return contains(anchor.quote, quote) && contains(texts[anchor.file] ?? "", quote);
}

function isFromChange(quote: string, diff: string): boolean {
  const changed = lines(diff).filter((line) => /^[+-](?!\+\+ |-- )/.test(line));
  const shown = changed.map((line) => line.slice(1).trim());
  const parts = lines(quote).map((line) => line.trim());
  const hasWords = (quote.match(/[\p{L}\p{N}]/gu) ?? []).length >= 3;
  return (
    hasWords && parts.every((part) => part === "" || shown.includes(part) || (part.length >= 8 && isShown(part, shown)))
  );
}

/** The fault with more around it proves nothing, unless the fix changed it. */
function isUnique(quote: string, { anchor }: Finding, { task, texts }: ReviewBasis): boolean {
  const hasFault = anchor !== undefined && "file" in anchor && contains(quote, anchor.quote);
  if (quote.trim().length < uniqueLength || hasFault) return false;
  const found = present(task.files).reduce((sum, path) => sum + occurrences(texts[path] ?? "", quote), 0);
  return found === 1;
}

const occurrences = (text: string, quote: string): number => unified(text).split(unified(quote)).length - 1;

/** Whether a finding points at something the diff touches or shows. */
export function isWithin({ anchor }: Finding, { files, diff, ids = [] }: Diff): boolean {
  if (!anchor) return false;
  if (!("file" in anchor)) return ids.includes(anchor.requirement);
  if (!files.some((file) => file.path === anchor.file)) return false;
  const shown = lines(diff).map((line) => line.slice(1));
  return lines(anchor.quote).every((line) => isShown(line.trim(), shown));
}

function isShown(part: string, shown: readonly string[]): boolean {
  return shown.some((line) => line.includes(part));
}

function present(files: readonly ChangedFile[]): readonly string[] {
  return files.filter((file) => file.change !== "deleted").map((file) => file.path);
}

function contains(text: string, quote: string): boolean {
  return quote.trim() !== "" && unified(text).includes(unified(quote));
}

/** A key that a reviewer quotes is hidden before its answer is recorded; so it is looked for hidden. */
const unified = (text: string): string => hideKeys(text.replace(/\r\n?/g, "\n"));
const lines = (text: string): readonly string[] => unified(text).split("\n");
