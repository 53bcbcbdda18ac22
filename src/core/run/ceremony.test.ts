import assert from "node:assert/strict";
import { test } from "node:test";
import { ceremonies, isMore, leastDispatches } from "./ceremony.ts";
import { Config, modes } from "./config.ts";
import { settingsIn } from "./mode-settings.ts";

const settings = (mode: (typeof modes)[number], config: unknown = {}) => settingsIn(mode, Config.parse(config)).review;

test("a hotfix has 1 round, a quick change 2, a standard one 3 and a full one 5, of fixes as of plan revisions", () => {
  assert.deepEqual(
    modes.map((mode) => settings(mode).maxTaskReviewCycles),
    [1, 2, 3, 5],
  );
  assert.deepEqual(
    modes.map((mode) => settings(mode).maxPlanReviewCycles),
    [1, 2, 3, 5],
  );
});

test("a mode says how hard a task is that no planner has judged", () => {
  assert.deepEqual(
    modes.map((mode) => ceremonies[mode].difficulty),
    ["easy", "medium", "medium", "hard"],
  );
});

test("what the configuration says of reviews counts in every mode, each key by itself", () => {
  const review = { maxTaskReviewCycles: 4, maxPlanReviewCycles: 6, blockOnSeverity: "critical" };
  for (const mode of modes) {
    const { maxTaskReviewCycles, maxPlanReviewCycles, blockOnSeverity } = settings(mode, { review });
    assert.deepEqual({ maxTaskReviewCycles, maxPlanReviewCycles, blockOnSeverity }, review, mode);
  }
  assert.equal(settings("full", { review: { maxTaskReviewCycles: 1 } }).maxPlanReviewCycles, 5);
});

test("reviewers of the configuration come on top of the mode's, each once and in their order", () => {
  const review = { optional: ["performance-reviewer", "security-reviewer"] };
  assert.deepEqual(settings("hotfix", { review }).reviewers, [
    "spec-reviewer",
    "performance-reviewer",
    "security-reviewer",
  ]);
  assert.deepEqual(settings("full", { review }).reviewers, ceremonies.full.reviewers);
});

test("the least a goal takes is what the modes test counts on a real run", () => {
  assert.deepEqual(modes.map(leastDispatches), [3, 6, 11, 13]);
});

test("each mode turns on no less than the one before it", () => {
  const amount = { none: 0, page: 1, sections: 2, never: 0, "of-several": 1, always: 2 };
  for (const [index, mode] of modes.entries()) {
    const less = modes[index - 1];
    if (less === undefined) continue;
    const [now, before] = [ceremonies[mode], ceremonies[less]];
    assert.ok(isMore(mode, less) && !isMore(less, mode) && !isMore(mode, mode));
    for (const switched of ["questions", "approaches", "planner", "planReview", "docs"] as const) {
      assert.ok(now[switched] || !before[switched], `${mode} ${switched}`);
    }
    assert.ok(amount[now.design] >= amount[before.design] && amount[now.finalReview] >= amount[before.finalReview]);
    assert.ok(before.reviewers.every((role) => now.reviewers.includes(role)) && now.rounds > before.rounds);
  }
});
