// A plan of three tasks before its reviewers, for tests of its review. Everybody is content unless a test says otherwise.

import type { Finding, Resolution } from "../../src/core/review/review.ts";
import type { Mode } from "../../src/core/run/config.ts";
import { type AgreedPlan, planReview } from "../../src/phases/plan/review.ts";
import { reviewFlows } from "../../src/phases/work/review.ts";
import { type Agent, dispatches, facts, type Played, play, type Script } from "./flow.ts";
import { type DraftTask, designPath, planDocument, planJob, planPath, planText, writesPlan } from "./plan.ts";
import { reviewer } from "./task.ts";

export const tasks: readonly DraftTask[] = [{ id: 1 }, { id: 2 }, { id: 3 }];
export const { plan, text: original } = planText(tasks);
/** The plan with other words in some tasks. */
export const mended = (...ids: number[]) =>
  planDocument(tasks.map((task) => (ids.includes(task.id) ? { ...task, description: `Mended ${task.id}.` } : task)));
export const finding = (task: number, more: Partial<Finding> = {}): Finding => ({
  rule: "incorrect",
  severity: "high",
  anchor: { requirement: `T${task}` },
  what: `This one is wrong (${task}).`,
  ...more,
});
export const resolution = (id: string, state: Resolution["state"], quote = "Mended 2."): Resolution => ({
  id,
  state,
  quote,
});
export const stillOpen = (id: string) => ({ passed: false, resolutions: [resolution(id, "still-open", "Do 2.")] });

export const run = (script: Script = {}, mode: Mode = "standard"): Played<AgreedPlan> =>
  play(planReview({ ...planJob, mode }, { plan, text: original }, designPath), {
    documents: [planPath, designPath],
    flows: reviewFlows,
    ...script,
    files: { [planPath]: original, [designPath]: planJob.design, ...script.files },
    agents: { "architect-review": reviewer({}), "plan-spec-review": reviewer({}), ...script.agents },
    answers: { "plan.approval": "approve", ...script.answers },
  });
export const agents = (architect: Agent, spec: Agent, patch: Agent = writesPlan(mended(2))) => ({
  "architect-review": architect,
  "plan-spec-review": spec,
  patch,
});
export const sent = (played: Pick<Played<unknown>, "requests">, name: string) =>
  dispatches(played).filter((dispatch) => dispatch.name === name);
export const reviews = (played: Pick<Played<unknown>, "requests">) =>
  facts(played).flatMap((fact) =>
    fact.type === "plan.reviewed" ? [`${fact.cycle} ${fact.role} ${fact.verdict} ${fact.findings.length}`] : [],
  );
export const waitingFor = (played: Played<unknown>) =>
  played.end.how === "waiting" ? played.end.question.id : played.end.how;
