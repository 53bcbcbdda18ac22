// Receipts: what was judged, for which tree, with which verdict (T6). A receipt proves nothing about any other tree.

import type { Verdict } from "./review.ts";

export interface Receipt {
  /** Who judged: a check (see `checkJudge`) or the role of a reviewer. */
  readonly judge: string;
  readonly tree: string;
  readonly verdict: Verdict;
  /** What a reviewer said; empty for a check. */
  readonly summary: string;
  /** How many fixes had been made by then. */
  readonly fixes: number;
}

/** The latest of each judge. */
export type Receipts = readonly Receipt[];

/** What has to be there before a tree is committed. */
export interface RequiredReceipt {
  readonly judge: string;
  readonly verdicts: readonly Verdict[];
}

export function isProven(receipts: Receipts, tree: string, required: readonly RequiredReceipt[]): boolean {
  return required.every(({ judge, verdicts }) => {
    const receipt = receiptOf(receipts, judge);
    return receipt?.tree === tree && verdicts.includes(receipt.verdict);
  });
}

export function receiptOf(receipts: Receipts, judge: string): Receipt | undefined {
  return receipts.find((receipt) => receipt.judge === judge);
}

export function withReceipt(receipts: Receipts, receipt: Receipt): Receipts {
  const isKnown = receiptOf(receipts, receipt.judge) !== undefined;
  return isKnown ? receipts.map((known) => (known.judge === receipt.judge ? receipt : known)) : [...receipts, receipt];
}

export const checkJudge = (command: string): string => `check ${command}`;

/** A passed check, as far as there is a command for one. */
export function requiredCheck(command: string): readonly RequiredReceipt[] {
  return command === "" ? [] : [{ judge: checkJudge(command), verdicts: ["approved"] }];
}

export function passedCheck(command: string, tree: string): Receipt {
  return { judge: checkJudge(command), tree, verdict: "approved", summary: "", fixes: 0 };
}
