import assert from "node:assert/strict";
import { test } from "node:test";
import { Config } from "./config.ts";
import {
  defaultFailureActions,
  type FailureType,
  failureActions,
  failureTypes,
  matters,
  possibleActions,
  type Response,
  resolveFailureAction,
  respondTo,
} from "./failure-action.ts";

test("S3-41, S3-42: there are nine types of failure and seven actions", () => {
  assert.deepEqual([failureTypes.length, failureActions.length], [9, 7]);
});

test("S3-43: the actions by default", () => {
  assert.deepEqual(defaultFailureActions, {
    "parse-error": "auto-retry",
    "test-regression": "stop-show-diff",
    "test-flake": "warn-continue",
    "test-preexisting": "ignore",
    "tool-timeout": "retry-then-escalate",
    "budget-threshold": "checkpoint",
    "review-max-retries": "escalate",
    "validation-failure": "retry-then-escalate",
    "impl-crash": "retry-then-escalate",
  });
});

test("S3-44: an override counts for its own type alone", () => {
  assert.equal(resolveFailureAction("test-flake"), "warn-continue");
  assert.equal(resolveFailureAction("test-flake", { "test-flake": "ignore" }), "ignore");
  assert.equal(resolveFailureAction("test-flake", { "parse-error": "escalate" }), "warn-continue");
});

test("S3-45: the configuration has every type, with its default, and every action that is possible for it", () => {
  assert.deepEqual(Config.parse({}).failureActions, defaultFailureActions);
  for (const type of failureTypes) {
    for (const action of failureActions) {
      const { success } = Config.safeParse({ failureActions: { [type]: action } });
      assert.equal(
        success,
        possibleActions[type].some((possible) => possible === action),
        `${type} ${action}`,
      );
    }
  }
});

test("T1: no setting lets bad work through, or goes on without an answer", () => {
  const notices: readonly FailureType[] = ["test-flake", "test-preexisting", "budget-threshold"];
  for (const type of failureTypes.filter((one) => !notices.includes(one)))
    for (const action of possibleActions[type])
      assert.notEqual(respondTo({ matter: type, retries: 9, left: 0 }, { [type]: action }).do, "continue", action);
});

const ask: Response = { do: "ask", showsDiff: false };
const again: Response = { do: "retry" };

test("S3-47: what each action means", () => {
  const by = (action: (typeof failureActions)[number], retries: number, left: number) =>
    respondTo({ matter: "validation-failure", retries, left }, { "validation-failure": action });
  assert.deepEqual([by("auto-retry", 0, 3), by("auto-retry", 2, 1), by("auto-retry", 3, 0)], [again, again, ask]);
  assert.deepEqual([by("retry-then-escalate", 0, 3), by("retry-then-escalate", 1, 2)], [again, ask]);
  assert.deepEqual(by("retry-then-escalate", 0, 0), ask, "no rounds are left");
  assert.deepEqual([by("escalate", 0, 3), by("checkpoint", 0, 3)], [ask, ask]);
  assert.deepEqual(by("stop-show-diff", 0, 3), { do: "ask", showsDiff: true });
  assert.deepEqual(by("warn-continue", 0, 3), { do: "continue", isTold: true });
  assert.deepEqual(by("ignore", 0, 3), { do: "continue", isTold: false });
});

test("what no setting is about ends with the person, whatever the settings are", () => {
  const overrides = Object.fromEntries(failureTypes.map((type) => [type, "ignore"] as const));
  const fixed = matters.filter((matter) => !failureTypes.some((type) => type === matter));
  assert.ok(fixed.length > 5);
  for (const matter of fixed) assert.deepEqual(respondTo({ matter, retries: 1, left: 5 }, overrides), ask, matter);
  assert.deepEqual(respondTo({ matter: "tree-moved", retries: 0, left: 1 }, overrides), again);
  assert.deepEqual(respondTo({ matter: "commit-refused", retries: 0, left: 1 }, overrides), ask);
});
