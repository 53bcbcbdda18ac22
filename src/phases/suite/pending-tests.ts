// The tests at the person's word, between two tasks: for all tasks for which they have not run yet.

import { type Flow, snapshot } from "../../core/flow/flow.ts";
import type { Baseline } from "../../core/validation/baseline.ts";
import type { AbortableQuestion } from "../work/ask.ts";
import { aboutOf } from "../work/escalation.ts";
import type { Proof } from "../work/proof.ts";
import { escalate } from "../work/respond.ts";
import { guilty, lastOutput, regressionText } from "./failed-tests.ts";
import { type FailedTree, knownAfter, suiteFrom, testTree } from "./suite.ts";

/** What is known of the tests then. */
export function* runPending(known: Baseline): Flow<Baseline> {
  const suite = suiteFrom(known);
  const proof: Proof = { receipts: [], isUnsettled: false };
  for (;;) {
    const { tree } = yield* snapshot("pending-tests");
    const failing = yield* testTree(proof, tree, suite, { task: null, start: null });
    if (failing === undefined) return knownAfter(suite, null);
    const ended = "the person ended the run when the tests failed";
    const diff = failing.kind === "regression" ? guilty(failing, () => "") : () => "";
    const way = yield* escalate(aboutOf(failing).matter, failingQuestion(failing), { ended, diff });
    if (way === "continue") return known;
  }
}

function failingQuestion(failing: FailedTree): AbortableQuestion<"again" | "continue"> {
  return {
    id: "execute.tests",
    title: "Tests Fail",
    message: failing.kind === "regression" ? regressionText(failing) : lastOutput(failing),
    options: [
      { key: "again", label: "Run them again", hint: "after you have fixed the cause" },
      { key: "continue", label: "Continue", hint: "the tests stay pending, and run again at the end at the latest" },
    ],
  };
}
