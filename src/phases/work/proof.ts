// The proof before a commit: only the exact tree that was judged is committed (T1, T6).

import type { CheckOutcome } from "../../core/flow/check.ts";
import { check, type Flow } from "../../core/flow/flow.ts";
import { checkTexts } from "../../core/flow/put-back.ts";
import type { CommitOutcome, Committed, LeftOut } from "../../core/flow/repository.ts";
import { isProven, passedCheck, type Receipts, requiredCheck, withReceipt } from "../../core/review/receipts.ts";
import { listed, shortSha } from "../../core/text/format.ts";
import { warn } from "./consult.ts";
import type { Obstacle } from "./escalation.ts";
import { isTriedAgain } from "./respond.ts";

export interface Proof {
  receipts: Receipts;
  /** Whether the tree has moved between judgement and commit since the person last decided. */
  isUnsettled: boolean;
}

/** Runs the command, unless its receipt is for this very tree. */
export function* validate(
  proof: Proof,
  tree: string,
  { command, name = "validation" }: { readonly command: string; readonly name?: string },
): Flow<Obstacle<"validation"> | undefined> {
  if (isProven(proof.receipts, tree, requiredCheck(command))) return undefined;
  const outcome = yield* check(name, command);
  yield* tellChanged(command, outcome);
  if (!outcome.passed) return { kind: "validation", command, output: outcome.output };
  if (outcome.tree !== null) proof.receipts = withReceipt(proof.receipts, passedCheck(command, outcome.tree));
  return undefined;
}

/** Names what a check did to the tree, to what is staged, to HEAD and to git's own files. */
export function* tellChanged(command: string, outcome: CheckOutcome): Flow<void> {
  const { changed = [], movedTo, backupRef } = outcome;
  for (const text of checkTexts(command, outcome)) yield* warn(text);
  if (movedTo !== undefined) {
    const files = changed.length === 0 ? "" : `, and changed ${listed(changed)}`;
    const where = `${movedTo.branch ?? "no branch"} (${shortSha(movedTo.sha)})`;
    return yield* warn(
      `\`${command}\` moved HEAD to ${where}${files}. That counts as the command's doing and was undone; what it left is kept at ${backupRef}.`,
    );
  }
  if (changed.length > 0)
    yield* warn(
      `${listed(changed)} changed while \`${command}\` ran. That counts as the command's doing and was undone; the changes are kept at ${backupRef}.`,
    );
}

/** Work that may become a commit. `O` is what can stand in its way. */
export interface Candidate<O extends { readonly kind: string }> {
  /** In the words of a warning, such as `task 2 after its reviews`. */
  readonly what: string;
  /** Brings the receipts up to date, and says for which tree. */
  readonly judge: () => Flow<O | { readonly tree: string }>;
  readonly isProven: (tree: string) => boolean;
  readonly commit: (tree: string) => Flow<CommitOutcome>;
  /** Checks what a hook made of the commit. */
  readonly checkAgain: (tree: string) => Flow<O | undefined>;
  /** What the checks saw of the work, and the commit does not contain. */
  readonly leftOut: (made: Committed) => Flow<LeftOut | undefined>;
  /** Checks a commit without that. */
  readonly checkAlone: (leftOut: LeftOut) => Flow<O | undefined>;
  /** A commit with what only a hook has put there. */
  readonly hooked: (made: Committed, files: readonly string[]) => O;
}

/**
 * Judges the work and commits exactly what was judged. A tree that moved meanwhile is judged once more: somebody may work
 * in it; that it never keeps still is for the person to know. So is what a hook puts into the commit, unless that are only spaces: it is
 * work by then, which is judged once more and committed again. What a hook still changes then is for the person to decide.
 */
export function* commitProven<O extends { readonly kind: string }>(
  proof: Proof,
  work: Candidate<O>,
): Flow<O | CommitOutcome> {
  for (let isHooked = false; ; ) {
    const judged = yield* work.judge();
    if ("kind" in judged) return judged;
    const outcome: CommitOutcome = work.isProven(judged.tree)
      ? yield* work.commit(judged.tree)
      : { status: "moved", detail: "" };
    if (outcome.status === "moved") {
      const met = { matter: "tree-moved", retries: proof.isUnsettled ? 1 : 0, left: 1 } as const;
      proof.isUnsettled = true;
      if (yield* isTriedAgain(met)) continue;
    }
    if (outcome.status !== "committed") return outcome;
    if (outcome.changedByHook) {
      const unjudged = outcome.byHook?.isOnlySpace ? [] : (outcome.byHook?.files ?? []);
      const isJudgedAgain = unjudged.length > 0 && !isHooked && outcome.tree !== judged.tree;
      yield* warn(hookedText(work.what, outcome, isJudgedAgain));
      isHooked = true;
      if (isJudgedAgain) continue;
      const left = unjudged.length > 0 ? work.hooked(outcome, unjudged) : undefined;
      const failing = (yield* work.checkAgain(outcome.tree)) ?? left;
      if (failing) return failing;
    }
    const leftOut = yield* work.leftOut(outcome);
    return (leftOut && (yield* work.checkAlone(leftOut))) ?? outcome;
  }
}

function hookedText(what: string, { byHook }: Committed, isJudgedAgain: boolean): string {
  const changed = `A commit hook changed ${what}`;
  if (byHook === undefined) return `${changed}.`;
  const files = `${changed}: ${listed(byHook.files)}.`;
  if (byHook.isOnlySpace) return `${files} Only spaces differ, so it is checked again and not reviewed again.`;
  return isJudgedAgain ? `${files} With that it is judged and committed again.` : files;
}
