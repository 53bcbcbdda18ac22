import assert from "node:assert/strict";
import { test } from "node:test";
import { isProven, passedCheck, type Receipt, receiptOf, requiredCheck, withReceipt } from "./receipts.ts";

const review = (tree: string, verdict: Receipt["verdict"] = "approved"): Receipt => ({
  judge: "spec-reviewer",
  tree,
  verdict,
  summary: "As said.",
  fixes: 1,
});
const required = [...requiredCheck("npm test"), { judge: "spec-reviewer", verdicts: ["approved" as const] }];

test("a tree is proven by every receipt that is required, each for that very tree", () => {
  const receipts = [passedCheck("npm test", "a"), review("a")];
  assert.equal(isProven(receipts, "a", required), true);
  assert.equal(isProven(receipts, "b", required), false);
  assert.equal(isProven([review("a")], "a", required), false, "no check");
  assert.equal(isProven([passedCheck("npm test", "b"), review("a")], "a", required), false, "a stale check");
  assert.equal(isProven([passedCheck("npm run lint", "a"), review("a")], "a", required), false, "another check");
  assert.equal(isProven([passedCheck("npm test", "a"), review("a", "inconclusive")], "a", required), false);
});

test("without a command there is no check to pass", () => {
  assert.equal(isProven([], "a", requiredCheck("")), true);
});

test("a judge's later receipt replaces the earlier one, in its place", () => {
  const receipts = withReceipt([review("a"), passedCheck("npm test", "a")], review("b", "needs_revision"));
  assert.deepEqual(
    receipts.map(({ judge, tree }) => [judge, tree]),
    [
      ["spec-reviewer", "b"],
      ["check npm test", "a"],
    ],
  );
  assert.equal(receiptOf(receipts, "spec-reviewer")?.verdict, "needs_revision");
  assert.equal(receiptOf(receipts, "quality-reviewer"), undefined);
});
