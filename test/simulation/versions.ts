// The program as a later version may have it: a step has another name, or there is one more. A run that was begun by another
// version has to refuse or go on, and must never take the one's record for the other's.

import type { Flow, Flows, Step } from "../../src/core/flow/flow.ts";
import type { Pipeline } from "../../src/core/run/pipeline.ts";
import { superteam } from "../../src/pipelines/superteam.ts";

/** What is done instead of a step. The last one's outcome is the step's. */
type Change = (step: Step) => readonly Step[];

interface Renaming {
  readonly kind: "dispatch" | "check";
  readonly from: string;
  readonly to: string;
}

export const renamings: readonly Renaming[] = [
  { kind: "dispatch", from: "quality-review", to: "quality" },
  { kind: "dispatch", from: "plan", to: "write-plan" },
  { kind: "check", from: "validation", to: "check" },
];

const changes: readonly Change[] = [
  ...renamings.map(renamed),
  (step) => (step.do === "commit" ? [{ do: "head" }, step] : [step]),
  (step) => (step.do === "ask" && step.question.id === "plan.approval" ? [{ do: "config" }, step] : [step]),
];

type Program = Omit<Pipeline, "input" | "result">;

/** The first is the program as it is. */
export const programs: readonly Program[] = [superteam, ...changes.map(changed)];

function renamed({ kind, from, to }: Renaming): Change {
  return (step) => [step.do === kind && step.name === from ? { ...step, name: to } : step];
}

function changed(change: Change): Program {
  const flows: Flows = Object.fromEntries(
    Object.entries(superteam.flows).map(([name, definition]) => [
      name,
      { ...definition, run: (input: never) => changedFlow(definition.run(input), change) },
    ]),
  );
  return { ...superteam, flows, start: (input) => changedFlow(superteam.start(input), change) };
}

function* changedFlow<T>(flow: Flow<T>, change: Change): Flow<T> {
  let turn = flow.next();
  while (!turn.done) {
    let outcome: unknown;
    try {
      for (const step of change(turn.value)) {
        outcome = yield step.do === "scope" ? { ...step, flow: changedFlow(step.flow, change) } : step;
      }
    } catch (error) {
      turn = flow.throw(error);
      continue;
    }
    turn = flow.next(outcome);
  }
  return turn.value;
}
