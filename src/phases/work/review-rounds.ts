// The review loop, for a task, a plan and the whole alike: judge the work, have it fixed, judge it again. A round is one
// fix and its re-review (R4). Code starts at most `limit` rounds by itself and gives up early on a finding that survives
// its fixes; then the person decides, and only the person grants more. So between two decisions the loop is finite.

import type { Fact } from "../../core/flow/fact.ts";
import { changes, type Flow, record, snapshot } from "../../core/flow/flow.ts";
import type { Anchor, Changes } from "../../core/flow/repository.ts";
import { type Receipt, receiptOf, withReceipt } from "../../core/review/receipts.ts";
import {
  deferredIn,
  describe,
  mergeReview,
  openIn,
  type Register,
  type RegisteredFinding,
  waivedIn,
  waiveOpen,
  withNewChance,
} from "../../core/review/register.ts";
import { mayFix } from "../../core/review/rounds.ts";
import type { Obstacle } from "./escalation.ts";
import type { Proof } from "./proof.ts";
import type { Reviewed } from "./review.ts";
import type { Attempt } from "./trouble.ts";

/** What a review loop has come to. Only the loop that owns it changes it. */
export interface Rounds extends Proof {
  register: Register;
  /** In a single pass, what is not critical is waived instead of fixed. */
  readonly isSinglePass: boolean;
  /** The tree before each fix. */
  fixes: readonly Anchor[];
  /** Rounds that code may start by itself until the person decides, and how many a decision grants. */
  limit: number;
  granted: number;
  /** Rounds since the person last decided, and in all. */
  used: number;
  total: number;
}

export function startRounds(given: Pick<Rounds, "isSinglePass" | "limit" | "granted">): Rounds {
  return { ...given, receipts: [], isUnsettled: false, register: [], fixes: [], used: 0, total: 0 };
}

/** How one kind of work goes through its rounds. `O` is what can stand in its way, `F` what a fix can help, `E` its end. */
export interface ReviewedWork<O extends object, F, E> {
  /** Judges the work as it is, cheap checks first (R1): what stands in its way, or how it ended. */
  readonly judge: () => Flow<O | { readonly end: E }>;
  /** What code may have fixed without asking, as long as there are rounds left; undefined where the person decides. */
  readonly fixableAlone: (obstacle: O) => F | undefined;
  /** One fix. Returns what stood in its way. */
  readonly fix: (problem: F) => Flow<O | undefined>;
  /** At the limit: what the person wants. */
  readonly decide: (obstacle: O) => Flow<Decision<O, F, E>>;
  /** Whether such a decision is about the work and grants new rounds; that an agent failed says nothing about it. */
  readonly grantsRounds: (obstacle: O) => boolean;
}

/** `next` is done before the work is judged again. */
export type Decision<O extends object, F, E> =
  | { readonly fix: F }
  | { readonly end: E }
  | { readonly next: (() => Flow<O | undefined>) | null };

/** `first` is what stood in the way of the work before it could be judged. */
export function* reviewInRounds<O extends object, F, E>(
  rounds: Rounds,
  work: ReviewedWork<O, F, E>,
  first?: O | undefined,
): Flow<E> {
  for (let known = first; ; ) {
    const judged: O | { readonly end: E } = known ?? (yield* work.judge());
    if ("end" in judged) return judged.end;
    const decision = yield* decideOn(rounds, work, judged);
    if ("end" in decision) return decision.end;
    if ("fix" in decision) {
      rounds.used += 1;
      rounds.total += 1;
      known = yield* work.fix(decision.fix);
    } else known = decision.next ? yield* decision.next() : undefined;
  }
}

function* decideOn<O extends object, F, E>(
  rounds: Rounds,
  work: ReviewedWork<O, F, E>,
  obstacle: O,
): Flow<Decision<O, F, E>> {
  const fix = work.fixableAlone(obstacle);
  if (fix !== undefined && mayFix(rounds, rounds.register)) return { fix };
  const decision = yield* work.decide(obstacle);
  rounds.isUnsettled = false;
  if (!work.grantsRounds(obstacle)) return decision;
  rounds.used = 0;
  rounds.limit = rounds.granted;
  rounds.register = withNewChance(rounds.register);
  return decision;
}

/** Keeps the tree before a fix, for whoever reviews the fix. */
export function* keepBeforeFix(rounds: Rounds, name: string): Flow<Anchor> {
  const before = yield* snapshot(name);
  rounds.fixes = [...rounds.fixes, before];
  return before;
}

/** What was fixed since this reviewer looked last; null when it has not looked, or nothing was fixed since. */
export function* changesSince(rounds: Rounds, role: string): Flow<Changes | null> {
  const receipt = receiptOf(rounds.receipts, role);
  const before = receipt && rounds.fixes[receipt.fixes];
  return before ? yield* changes(`since-${role}`, before) : null;
}

/** Whether the verdict of this reviewer on this very tree is known: it is not paid for again. */
export function isReviewed({ receipts }: Rounds, role: string, tree: string): boolean {
  const receipt = receiptOf(receipts, role);
  return receipt?.tree === tree && receipt.verdict !== "inconclusive";
}

/** Reviewers who judge the same state of the work, each without knowing of the others. */
export interface Panel<R extends string> {
  readonly roles: readonly R[];
  /** Their reviews, in the order of the roles. */
  readonly review: () => Flow<readonly Attempt<Reviewed>[]>;
  readonly fact: (role: R, review: Reviewed, findings: string[]) => Fact;
}

/** Enters what a panel says. Reviews are merged in the order of the roles, so that ids are stable. */
export function* takeReviews<R extends string>(
  rounds: Rounds,
  { roles, review, fact }: Panel<R>,
): Flow<Obstacle<"agent"> | undefined> {
  const given = rounds.register.length;
  const reviews = yield* review();
  let obstacle: Obstacle<"agent"> | undefined;
  for (const [index, role] of roles.entries()) {
    const one = reviews[index];
    if (one && "trouble" in one) obstacle ??= { kind: "agent", trouble: one.trouble, again: null };
    else if (one) yield* record(fact(role, one.value, enter(rounds, role, one.value, given)));
    if (rounds.isSinglePass) rounds.register = waiveOpen(rounds.register, "single-pass review");
  }
  return obstacle;
}

function enter(rounds: Rounds, role: string, { register, verdict, summary, tree }: Reviewed, given: number): string[] {
  rounds.register = mergeReview(rounds.register, register, { role, given });
  const receipt: Receipt = { judge: role, tree, verdict, summary, fixes: rounds.fixes.length };
  rounds.receipts = withReceipt(rounds.receipts, receipt);
  return openIn(rounds.register, role).map(describe);
}

/** What these reviewers have against the work. That one cannot make up its mind is never enough to pass. */
export function objectionOf(
  rounds: Rounds,
  roles: readonly string[],
): Obstacle<"findings" | "inconclusive"> | undefined {
  const objecting = roles.filter((role) => openIn(rounds.register, role).length > 0);
  const open = objecting.flatMap((role) => openIn(rounds.register, role));
  if (open.length > 0) return { kind: "findings", roles: objecting, open };
  const [doubt] = doubtsOf(rounds, roles);
  return doubt && { kind: "inconclusive", role: doubt.judge, summary: doubt.summary };
}

/** Reviews without a verdict: the reviewer does not pass the work and names nothing that blocks. */
export function doubtsOf({ receipts }: Rounds, roles: readonly string[]): readonly Receipt[] {
  return roles.flatMap((role) => receiptOf(receipts, role) ?? []).filter(({ verdict }) => verdict === "inconclusive");
}

/** Records what a single pass let through as the waiver it is. */
export function* recordWaived(
  { register }: Rounds,
  at: { readonly step: string; readonly what: string },
): Flow<string[]> {
  const findings = waivedIn(register).map((entry) => `${describe(entry)} (${entry.role})`);
  if (findings.length === 0) return [];
  const waiver = `single-pass review let through: ${findings.join("; ")}`;
  yield* record({ type: "waiver", step: at.step, what: `${at.what}: ${waiver}` });
  return [waiver];
}

/** Records what was found and does not block; `why` says what is added to each finding. */
export function* recordDeferred(
  { register }: Rounds,
  task: string,
  why = ({ role, reason }: RegisteredFinding): string => `${role}; ${reason}`,
): Flow<string[]> {
  const findings = deferredIn(register).map((entry) => `${describe(entry)} (${why(entry)})`);
  if (findings.length > 0) yield* record({ type: "findings.deferred", task, findings });
  return findings;
}
