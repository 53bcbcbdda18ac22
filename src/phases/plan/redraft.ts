// Has the planner revise a plan that the person may approve as it is: whatever happens to the revision, there is a way back to it.

import { type Flow, write } from "../../core/flow/flow.ts";
import type { PlanText } from "../../core/plan/revision.ts";
import { revisePlan } from "../../prompts/plan.ts";
import { readKept } from "../work/documents.ts";
import { escalate } from "../work/respond.ts";
import { attempt, endedAfter, ofTrouble, plainRetry, type Trouble } from "../work/trouble.ts";
import { briefOf, type PlanJob, tryDraft, type Unusable } from "./write.ts";

/** The plan stays as it was unless there is a new one that can be used. Undefined where the person leaves it. */
export function* redraft(job: PlanJob, known: PlanText, feedback: string): Flow<PlanText | Unusable | undefined> {
  const before = yield* readKept(job.path, known.text);
  const firstPrompt = revisePlan(yield* briefOf(job), feedback);
  for (;;) {
    const tried = yield* attempt(tryDraft(job, { name: "revise", firstPrompt, before, mayGiveUp: true }));
    if ("value" in tried) {
      if ("problems" in tried.value) yield* write(job.path, before);
      return tried.value;
    }
    if ((yield* afterFailed(tried.trouble)) === "retry") continue;
    yield* write(job.path, before);
    return undefined;
  }
}

const leavePlan = { key: "leave", label: "Leave the plan as it was" } as const;

function afterFailed(trouble: Trouble): Flow<"retry" | "leave"> {
  const question = ofTrouble(trouble, [plainRetry, leavePlan]);
  return escalate(trouble.matter, question, { ended: endedAfter(trouble), step: "plan.revise" });
}
