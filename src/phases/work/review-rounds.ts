// The review loop, for a task, a plan and the whole alike: judge the work, have it fixed, judge it again. A round is one
// fix and its re-review (R4). Code starts at most `limit` rounds by itself and gives up early on a finding that survives
// its fixes, or that its reviewer keeps though a fixer disputes it; then the person decides, and only the person grants more.
// So between two decisions the loop is finite.

import type { Fact } from "../../core/flow/fact.ts";
import { all, changes, child, type Flow, record, snapshot } from "../../core/flow/flow.ts";
import type { Anchor, Changes } from "../../core/flow/repository.ts";
import type { Dispute } from "../../core/review/dispute.ts";
import { type Receipt, type Receipts, receiptOf, withReceipt } from "../../core/review/receipts.ts";
import * as register from "../../core/review/register.ts";
import type { About, Obstacle } from "./escalation.ts";
import type { Proof } from "./proof.ts";
import { isTriedAgain } from "./respond.ts";
import { type ReviewEnd, type Reviewed, type ReviewOrder, runReview } from "./review.ts";

/** How one kind of work goes through its rounds. `O` is what can stand in its way, `F` what a fix can help, `E` its end. */
export interface ReviewedWork<O extends object, F, E> {
  /** Judges the work as it is, cheap checks first (R1): what stands in its way, or how it ended. */
  readonly judge: () => Flow<O | { readonly end: E }>;
  /** What code may have fixed without asking, as long as there are rounds left; undefined where the person decides. */
  readonly fixableAlone: (obstacle: O) => F | undefined;
  readonly aboutOf: (obstacle: O) => About;
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

/** Reviews of the same state of the work, each without knowing of the others. */
export interface Panel {
  readonly orders: readonly ReviewOrder[];
  /** Side by side, or one after the other. */
  readonly together: boolean;
  /** The scope of each review; without scopes they run where they are asked for. */
  readonly scopes: ((order: ReviewOrder) => string) | null;
  readonly fact: (role: string, review: Reviewed, findings: string[]) => Fact;
}

/** How a fix ended: the files it changed, and the findings that its writer holds to be wrong. */
export interface FixEnd {
  readonly changed: readonly string[];
  readonly disputed: readonly Dispute[];
}

/** The state of a review loop. Only the loop that owns it changes it. */
export class ReviewRounds implements Proof {
  register: register.Register = [];
  receipts: Receipts = [];
  isUnsettled = false;
  /** Rounds since the person last decided, and in all. */
  used = 0;
  total = 0;
  /** Rounds that code may start by itself until the person decides, and how many a decision grants. */
  limit: number;
  granted: number;
  /** In a single pass, what is not critical is waived instead of fixed. */
  readonly isSinglePass: boolean;
  /** The tree before each fix. */
  readonly #fixes: Anchor[] = [];
  /** Whose findings the last fix was given, and those that it disputes instead of changing anything, by id. */
  #disputed: { readonly of: readonly string[]; readonly ids: ReadonlySet<string> } = { of: [], ids: new Set() };
  /** Disputed findings that their reviewers have answered since the person last decided, by id. */
  readonly #heard = new Set<string>();
  /** What the last fixes without the person were against, and how many of them in a row. */
  #alone: { readonly against: About; readonly times: number } | null = null;

  constructor({
    limit,
    granted = limit,
    isSinglePass = false,
  }: { limit: number; granted?: number; isSinglePass?: boolean }) {
    this.limit = limit;
    this.granted = granted;
    this.isSinglePass = isSinglePass;
  }

  /** Takes the work to its end. `first` is what stood in its way before it could be judged. */
  *run<O extends object, F, E>(work: ReviewedWork<O, F, E>, first?: O): Flow<E> {
    for (let known = first; ; ) {
      const judged: O | { readonly end: E } = known ?? (yield* work.judge());
      if ("end" in judged) return judged.end;
      const decision = yield* this.#decide(work, judged);
      if ("end" in decision) return decision.end;
      if ("fix" in decision) {
        this.used += 1;
        this.total += 1;
        known = yield* work.fix(decision.fix);
      } else known = decision.next ? yield* decision.next() : undefined;
    }
  }

  *#decide<O extends object, F, E>(work: ReviewedWork<O, F, E>, obstacle: O): Flow<Decision<O, F, E>> {
    const fix = work.fixableAlone(obstacle);
    if (fix !== undefined && (yield* this.#isFixedAlone(work.aboutOf(obstacle)))) return { fix };
    const decision = yield* work.decide(obstacle);
    this.isUnsettled = false;
    this.#alone = null;
    if (!work.grantsRounds(obstacle)) return decision;
    this.used = 0;
    this.limit = this.granted;
    this.register = register.withNewChance(this.register);
    this.#heard.clear();
    return decision;
  }

  /** Findings are fixed as long as there are rounds; only then are they a failure. */
  *#isFixedAlone(against: About): Flow<boolean> {
    const left = register.mayFix(this, this.register) ? this.limit - this.used : 0;
    const isSame = this.#alone?.against.matter === against.matter && this.#alone.against.of === against.of;
    const retries = isSame ? (this.#alone?.times ?? 0) : 0;
    this.#alone = { against, times: retries + 1 };
    if (left === 0 || against.matter === "review-max-retries") return left > 0 && !this.#isStandoff();
    return yield* isTriedAgain({ matter: against.matter, retries, left });
  }

  open(role?: string): register.Register {
    return register.openIn(this.register, role);
  }

  /** Keeps the tree before a fix, for the reviewers of the fix. */
  *keepBeforeFix(name: string): Flow<Anchor> {
    const before = yield* snapshot(name);
    this.#fixes.push(before);
    return before;
  }

  /** What these reviewers found, and is open, has had one more fix. One that changed nothing may have disputed it. */
  countFix(roles: readonly string[], { changed, disputed }: FixEnd): void {
    this.register = roles.reduce(register.afterFix, this.register);
    this.#disputed = { of: roles, ids: new Set(changed.length === 0 ? disputed.map(({ id }) => id) : []) };
  }

  /** What was fixed since this reviewer looked last; null when it has not looked, or nothing was fixed since. */
  *changesSince(role: string): Flow<Changes | null> {
    const receipt = receiptOf(this.receipts, role);
    const before = receipt && this.#fixes[receipt.fixes];
    return before ? yield* changes(`since-${role}`, before) : null;
  }

  /** Whether the verdict of this reviewer on this very tree is known: it is not paid for again, unless it is disputed. */
  isReviewed(role: string, tree: string): boolean {
    return receiptOf(this.receipts, role)?.tree === tree && this.hasVerdict(role);
  }

  /** Whether this reviewer has made up its mind. A dispute it answers once, until the person decides. */
  hasVerdict(role: string): boolean {
    const { verdict = "inconclusive" } = receiptOf(this.receipts, role) ?? {};
    const isUnheard = ({ id }: register.RegisteredFinding) => this.#disputed.ids.has(id) && !this.#heard.has(id);
    return verdict !== "inconclusive" && !this.open(role).some(isUnheard);
  }

  /** The last fix disputes all that it was given and is open, and its reviewers keep it: another one would be paid for in vain. */
  #isStandoff(): boolean {
    const open = this.#disputed.of.flatMap((role) => this.open(role));
    return open.length > 0 && open.every(({ id }) => this.#disputed.ids.has(id) && this.#heard.has(id));
  }

  /** Enters what a panel says. Reviews are merged in the order they were asked for, so that ids are stable. */
  *takeReviews(panel: Panel): Flow<Obstacle<"agent"> | undefined> {
    const given = this.register.length;
    const reviews = yield* reviewsOf(panel);
    let obstacle: Obstacle<"agent"> | undefined;
    for (const [index, { role }] of panel.orders.entries()) {
      const one = reviews[index];
      if (one && "trouble" in one) obstacle ??= { kind: "agent", trouble: one.trouble, again: null };
      if (one && "value" in one) yield* record(panel.fact(role, one.value, this.#enter(role, one.value, given)));
      if (this.isSinglePass) this.register = register.waiveOpen(this.register, "single-pass review");
    }
    return obstacle;
  }

  #enter(role: string, { register: judged, verdict, summary, tree }: Reviewed, given: number): string[] {
    this.register = register.mergeReview(this.register, judged, { role, given });
    const receipt = { judge: role, tree, verdict, summary, fixes: this.#fixes.length };
    this.receipts = withReceipt(this.receipts, receipt);
    for (const { id, upheld } of this.open(role)) if (upheld) this.#heard.add(id);
    return this.open(role).map(register.describe);
  }

  /** What these reviewers have against the work. That one cannot make up its mind is never enough to pass. */
  objectionOf(roles: readonly string[]): Obstacle<"findings" | "inconclusive"> | undefined {
    const objecting = roles.filter((role) => this.open(role).length > 0);
    const open = objecting.flatMap((role) => this.open(role));
    if (open.length > 0) return { kind: "findings", roles: objecting, open };
    const [doubt] = this.doubtsOf(roles);
    if (!doubt) return undefined;
    const beside = (["claimed", "deferred"] as const).flatMap((each) => register.standingIn(this.register, each));
    const noted = beside.filter(({ role }) => role === doubt.judge);
    return { kind: "inconclusive", role: doubt.judge, summary: doubt.summary, noted };
  }

  /** Grave findings of these reviewers that cannot be checked: the person sees them before anything is committed. */
  claimsOf(roles: readonly string[]): Obstacle<"claims"> | undefined {
    const claims = register.standingIn(this.register, "claimed").filter(({ role }) => roles.includes(role));
    return claims.length === 0 ? undefined : { kind: "claims", claims };
  }

  /** What keeps work from passing these reviewers: what they have against it, then what they claim. */
  obstacleOf(roles: readonly string[]): Obstacle<"findings" | "inconclusive" | "claims"> | undefined {
    return this.objectionOf(roles) ?? this.claimsOf(roles);
  }

  /** The person has the claims fixed, or lets them through. */
  decideClaims(standing: "open" | "waived"): void {
    this.register = register.decideClaims(this.register, standing);
  }

  /** The person has read both sides, and agrees with the writer. */
  waiveDisputed(): void {
    this.register = register.waiveDisputed(this.register);
  }

  /** Reviews without a verdict: the reviewer does not pass the work and names nothing that blocks. */
  doubtsOf(roles: readonly string[]): readonly Receipt[] {
    const receipts = roles.flatMap((role) => receiptOf(this.receipts, role) ?? []);
    return receipts.filter(({ verdict }) => verdict === "inconclusive");
  }

  /** Records what a single pass or the person let through as the waiver it is. */
  *recordWaived(step: string, what: string): Flow<string[]> {
    const waivers: string[] = [];
    for (const [who, entries] of Map.groupBy(register.standingIn(this.register, "waived"), ({ reason }) => reason)) {
      const findings = entries.map(register.describeWithRole);
      const waiver = `${who} let through: ${findings.join("; ")}`;
      yield* record({ type: "waiver", step, what: `${what}: ${waiver}` });
      waivers.push(waiver);
    }
    return waivers;
  }

  /** Records what was found and does not block; `why` says what is added to each finding. */
  *recordDeferred(
    task: string,
    why = ({ role, reason }: register.RegisteredFinding): string => `${role}; ${reason}`,
  ): Flow<string[]> {
    const entries = this.register.filter(({ standing }) => standing === "deferred" || standing === "claimed");
    const findings = entries.map((entry) => `${register.describe(entry)} (${why(entry)})`);
    if (findings.length > 0) yield* record({ type: "findings.deferred", task, findings });
    return findings;
  }
}

function* reviewsOf({ orders, together, scopes }: Panel): Flow<readonly ReviewEnd[]> {
  const children = scopes ? orders.map((input) => ({ flow: "review", name: scopes(input), input })) : [];
  if (together && children.length > 0) return yield* all<ReviewEnd>(children);
  const reviews: ReviewEnd[] = [];
  for (const step of children) reviews.push(yield* child<ReviewEnd>(step));
  if (!scopes) for (const order of orders) reviews.push(yield* runReview(order));
  return reviews;
}
