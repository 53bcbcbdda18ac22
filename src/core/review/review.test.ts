import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReviewBasis } from "./anchor.ts";
import { judge } from "./register.ts";
import { asReview, FinalReview } from "./review.ts";

const finding = (category: string) => ({ category, severity: "high", anchor: { requirement: "R1" }, what: "It." });
const answer = (...categories: readonly string[]) => ({
  passed: false,
  findings: categories.map(finding),
  summary: "Said.",
});

test("the categories of the whole become the rules that every review has", () => {
  const said = FinalReview.parse(answer("missing", "extra", "misunderstood", "Cross-Task"));
  assert.deepEqual(
    asReview(said).findings.map(({ rule }) => rule),
    ["missing", "extra", "misunderstood", "structure"],
  );
  assert.equal("category" in (asReview(said).findings[0] ?? {}), false);
});

test("another category is refused", () => {
  assert.equal(FinalReview.safeParse(answer("style")).success, false);
});

test("its verdict is computed by code: passed beside a finding that blocks is not passed", () => {
  const basis: ReviewBasis = {
    role: "final-reviewer",
    blockOn: "medium",
    ids: ["R1"],
    texts: {},
    task: { files: [], diff: "" },
    fix: null,
  };
  const said = FinalReview.parse({ ...answer("missing"), passed: true });
  assert.equal(judge([], asReview(said), basis).verdict, "needs_revision");
});

test("the reviewer's own word for a severity is kept", () => {
  const said = FinalReview.parse({ ...answer(), findings: [{ ...finding("extra"), severity: "warning" }] });
  const [only] = asReview(said).findings;
  assert.deepEqual([only?.severity, only?.said], ["medium", "warning"]);
});
