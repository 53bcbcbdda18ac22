// The register of a task's findings. Code names them, decides which block, and computes each verdict; a reviewer
// can claim, answer and quote, and its own "passed" can only make a verdict stricter.

import { z } from "zod";
import { type Severity, severities } from "../run/config.ts";
import { anchorProblem, isWithin, proofProblem, type ReviewBasis } from "./anchor.ts";
import { Upheld, upheldBy } from "./dispute.ts";
import { Finding, type Review, type Verdict } from "./review.ts";

/**
 * `open` blocks the task. `deferred` is only recorded; `waived` would have blocked and was let through. Both have a reason.
 * `claimed` is grave and cannot be checked: the person decides about it before anything is committed.
 */
export const RegisteredFinding = z.object({
  id: z.string(),
  role: z.string(),
  finding: Finding,
  standing: z.enum(["open", "resolved", "deferred", "waived", "claimed"]),
  /** Why it does not block. */
  reason: z.string(),
  /** How many fixes have been made while it was open. */
  fixes: z.int(),
  /** Set when its reviewer has been shown why the writer disputes it, and it is open all the same. */
  upheld: Upheld.optional(),
});
export type RegisteredFinding = z.infer<typeof RegisteredFinding>;

export type Register = readonly RegisteredFinding[];

export interface Judgement {
  readonly register: Register;
  readonly verdict: Verdict;
  /** What to send back to the reviewer, once. */
  readonly complaints: readonly string[];
}

/** Takes a review into the register: answers to open findings first, then new ones. */
export function judge(register: Register, review: Review, basis: ReviewBasis): Judgement {
  const answers = register.map((entry) => answer(entry, review, basis));
  const answered = answers.map(([entry]) => entry);
  const findings = merged(review.findings);
  const unanchored = findings.flatMap((finding) => {
    const problem = anchorProblem(finding, basis);
    return problem === undefined ? [] : [`the finding "${finding.what}" cannot be checked: ${problem}`];
  });
  const entered = enter(answered, findings, basis);
  const verdict = verdictOf(entered, review, basis.role);
  const doubt =
    verdict === "inconclusive" ? [`you say passed: false, but no finding of ${basis.blockOn} or above is open`] : [];
  return {
    register: entered,
    verdict,
    complaints: [...answers.flatMap(([, problem]) => problem ?? []), ...unanchored, ...doubt],
  };
}

/** A reviewer's second word on its own review: what could be checked stands, what could not is replaced. */
export function amended(first: Review, second: Review, basis: ReviewBasis): Review {
  const sound = first.findings.filter((finding) => anchorProblem(finding, basis) === undefined);
  return {
    passed: second.passed,
    findings: [...sound, ...second.findings],
    resolutions: [...first.resolutions, ...second.resolutions],
    summary: second.summary,
  };
}

export function openIn(register: Register, role?: string): Register {
  return standingIn(register, "open").filter((entry) => role === undefined || entry.role === role);
}

export function standingIn(register: Register, standing: RegisteredFinding["standing"]): Register {
  return register.filter((entry) => entry.standing === standing);
}

/** Lets everything through that is open and not critical; what was let through before is not counted twice. */
export function waiveOpen(register: Register, reason: string): Register {
  const before = new Map(standingIn(register, "waived").map((entry) => [claim(entry), entry.id]));
  return register.map((entry): RegisteredFinding => {
    if (entry.standing !== "open" || entry.finding.severity === "critical") return entry;
    const known = before.get(claim(entry));
    if (known !== undefined) return { ...entry, standing: "resolved", reason: `let through as ${known}` };
    return { ...entry, standing: "waived", reason };
  });
}

/**
 * Takes in what one of several reviewers made of the register they were all given: its own entries as they stand now,
 * and its new ones under new ids, for another may have used theirs.
 */
export function mergeReview(
  register: Register,
  judged: Register,
  { role, given }: { role: string; given: number },
): Register {
  const answered = register.map((entry, index) => (entry.role === role ? (judged[index] ?? entry) : entry));
  const added = judged.slice(given).map((entry, index) => ({ ...entry, id: idAt(answered.length + index) }));
  return [...answered, ...added];
}

/** What the person makes of claims that cannot be checked: work to do, or let through. */
export function decideClaims(register: Register, standing: "open" | "waived"): Register {
  return register.map((entry) => (entry.standing === "claimed" ? { ...entry, standing, reason: thePerson } : entry));
}

/** The person agrees with the writer who disputes what is open. */
export function waiveDisputed(register: Register): Register {
  return register.map((entry) =>
    entry.standing === "open" && entry.upheld ? { ...entry, standing: "waived", reason: thePerson } : entry,
  );
}

/** Whether the person let something through that this reviewer keeps. */
export function isOverruled(register: Register, role: string): boolean {
  return standingIn(register, "waived").some(
    (entry) => entry.role === role && entry.reason === thePerson && entry.upheld,
  );
}

const thePerson = "the person";

/** What this reviewer found, and is open, has had one more fix. */
export function afterFix(register: Register, role: string): Register {
  const given = openIn(register, role);
  return register.map((entry) => (given.includes(entry) ? { ...entry, fixes: entry.fixes + 1 } : entry));
}

/** The person gave the work another chance: open findings are counted from zero. */
export function withNewChance(register: Register): Register {
  return register.map((entry) => (entry.standing === "open" ? { ...entry, fixes: 0 } : entry));
}

/** The tree was rolled back: earlier findings are void. Ids are never reused. */
export function afterRollback(register: Register): Register {
  return register.map((entry) =>
    entry.standing === "resolved" ? entry : { ...entry, standing: "resolved", reason: "rolled back" },
  );
}

export function describe({ id, finding }: Pick<RegisteredFinding, "id" | "finding">): string {
  const where = finding.anchor ? ("file" in finding.anchor ? finding.anchor.file : finding.anchor.requirement) : "";
  const said = finding.said === undefined ? "" : ` ("${finding.said}")`;
  return `${id} ${finding.severity}${said} ${finding.category ?? finding.rule}${where === "" ? "" : ` (${where})`}: ${finding.what}`;
}

/** For who did not find it. */
export const describeWithRole = (entry: Pick<RegisteredFinding, "id" | "finding" | "role">): string =>
  `${describe(entry)} (${entry.role})`;

/** What an open finding of this reviewer's is after its answer, and what is wrong with the answer. */
function answer(
  entry: RegisteredFinding,
  review: Review,
  basis: ReviewBasis,
): readonly [RegisteredFinding, problem?: string] {
  if (entry.standing !== "open" || entry.role !== basis.role) return [entry];
  const said = review.resolutions.findLast((resolution) => resolution.id === entry.id);
  const problem = said?.state === "resolved" ? proofProblem(said.quote, entry.finding, basis) : undefined;
  if (said?.state === "resolved" && problem === undefined)
    return [{ ...entry, standing: "resolved", reason: said.quote }];
  const dispute = basis.disputed?.find(({ id }) => id === entry.id);
  const open = dispute ? { ...entry, upheld: upheldBy(review, dispute) } : entry;
  if (!said) return [open, `${entry.id} is open and has no resolution`];
  return problem === undefined ? [open] : [open, `${entry.id} is called resolved, but ${problem}`];
}

/** The same claim twice in one review is one finding, as severe as its worst, with all that was said about it. */
function merged(findings: readonly Finding[]): readonly Finding[] {
  const byPrint = new Map<string, Finding>();
  for (const finding of findings) {
    const print = fingerprint(finding);
    const known = byPrint.get(print);
    byPrint.set(print, known ? both(known, finding) : finding);
  }
  return [...byPrint.values()];
}

function both(one: Finding, other: Finding): Finding {
  const worst = rank(other.severity) > rank(one.severity) ? other : one;
  return { ...worst, what: one.what.includes(other.what) ? one.what : `${one.what} / ${other.what}` };
}

function enter(register: Register, findings: readonly Finding[], basis: ReviewBasis): Register {
  const entries = [...register];
  for (const finding of findings) {
    const reason = reasonToDefer(finding, basis);
    const standing = reason === undefined ? "open" : isGraveClaim(finding, basis) ? "claimed" : "deferred";
    const print = fingerprint(finding);
    const isKnown = entries.some(
      (entry) => entry.role === basis.role && entry.standing === standing && fingerprint(entry.finding) === print,
    );
    if (isKnown) continue;
    entries.push({ id: idAt(entries.length), role: basis.role, finding, standing, reason: reason ?? "", fixes: 0 });
  }
  return entries;
}

/** Why a new finding does not block; undefined when it does. */
function reasonToDefer(finding: Finding, basis: ReviewBasis): string | undefined {
  const problem = anchorProblem(finding, basis);
  if (problem !== undefined) return `no anchor: ${problem}`;
  if (rank(finding.severity) < rank(basis.blockOn)) return `below ${basis.blockOn}`;
  if (basis.fix === null || isWithin(finding, basis.fix)) return undefined;
  if (rank(finding.severity) < rank("high")) return "new, and outside the fix";
  return isInTask(finding, basis) ? undefined : "new, and outside the task's changes";
}

/** Too grave to be only recorded, though nothing shows that it is so. */
function isGraveClaim(finding: Finding, basis: ReviewBasis): boolean {
  const least = Math.max(rank("high"), rank(basis.blockOn));
  return rank(finding.severity) >= least && anchorProblem(finding, basis) !== undefined;
}

/** A quote in any file the task changed or is held against, or a requirement of it: all are the task's business. */
function isInTask({ anchor }: Finding, { task, sources = [] }: ReviewBasis): boolean {
  if (!anchor) return false;
  if ("requirement" in anchor) return true;
  return task.files.some((file) => file.path === anchor.file) || sources.includes(anchor.file);
}

function verdictOf(register: Register, review: Review, role: string): Verdict {
  if (openIn(register, role).length > 0) return "needs_revision";
  return review.passed ? "approved" : "inconclusive";
}

/** A finding that is open after this many fixes will not be fixed by another one of the same kind. */
const hopelessAfter = 2;

/** Whether code may start one more round since the person last decided (R4): they are bounded, and hope ends early. */
export function mayFix(
  { used, limit }: { readonly used: number; readonly limit: number },
  register: Register,
): boolean {
  return used < limit && !openIn(register).some(({ fixes }) => fixes >= hopelessAfter);
}

const claim = ({ role, finding }: RegisteredFinding): string => `${role} ${fingerprint(finding)}`;

function fingerprint({ rule, anchor, what }: Finding): string {
  if (!anchor) return JSON.stringify([rule, what]);
  return JSON.stringify("file" in anchor ? [rule, anchor.file, anchor.quote] : [rule, anchor.requirement, what]);
}

const idAt = (index: number): string => `F${index + 1}`;
const rank = (severity: Severity): number => severities.indexOf(severity);
