// The person reads the plan and approves it, has it revised, or ends the run. What is approved is what is on disk.

import { ask, config, experience, type Flow, write } from "../../core/flow/flow.ts";
import type { Question } from "../../core/flow/question.ts";
import { forecast, type Prospect, taskCost } from "../../core/money/forecast.ts";
import { shortForecast } from "../../core/money/forecast-text.ts";
import { planChanges } from "../../core/plan/changes.ts";
import type { PlanText } from "../../core/plan/revision.ts";
import { settingsIn } from "../../core/run/mode-settings.ts";
import type { PlanRemarks } from "../../core/run/report.ts";
import { type AbortableQuestion, askOrAbort, shortAbortOption } from "../work/ask.ts";
import { readKept } from "../work/documents.ts";
import { type PlanPreview, type PlanVerdict, previewLines } from "./preview.ts";
import { redraft } from "./redraft.ts";
import { type PlanJob, readBack, type Unusable, written } from "./write.ts";

/** A plan with what its reviewers said of it. */
export interface JudgedPlan {
  readonly draft: PlanText;
  readonly verdicts: readonly PlanVerdict[];
  readonly remarks: PlanRemarks;
}

export function* agreeOnPlan(job: PlanJob, judged: JudgedPlan): Flow<PlanText> {
  let known = judged.draft;
  let notes: Notes = none;
  for (;;) {
    const choice = yield* askOrAbort(
      yield* approvalQuestion(job, known, judged, notes),
      "the person did not want the plan",
    );
    if (choice === "approve") {
      const found = yield* planOnDisk(job, known);
      if ("plan" in found) return found;
      notes = unusable(job, found);
      continue;
    }
    const next = choice === "edit" ? yield* edit(job, known) : yield* revise(job, known);
    if (next === undefined) continue;
    notes = "plan" in next ? { ...none, changes: planChanges(known, next) } : next;
    if ("plan" in next) known = next;
  }
}

/** The person changes the plan themselves, in their editor. */
function* edit(job: PlanJob, known: PlanText): Flow<PlanText | Notes | undefined> {
  const before = yield* readKept(job.path, known.text);
  const text = yield* ask(editQuestion(job.path, before));
  if (text.trim() === "") return undefined;
  if (text !== before) yield* write(job.path, text);
  const found = yield* planOnDisk(job, known);
  return "plan" in found ? found : unusable(job, found);
}

/** Code checks the new plan; reviewers do not. They are there to help the person decide, and the person has decided:
 * another review would cost money to argue with it, and the plan is shown again before it is approved. */
function* revise(job: PlanJob, known: PlanText): Flow<PlanText | Notes | undefined> {
  const feedback = yield* ask(feedbackQuestion);
  if (feedback.trim() === "") return undefined;
  const revised = yield* redraft(job, known, feedback);
  if (revised === undefined || "plan" in revised) return revised;
  return { ...none, ...revised, heading: "The planner's revision could not be used, so the plan is unchanged:" };
}

/** What is new since the plan was shown: what changed in it, or why it could not be approved. */
interface Notes extends Unusable {
  readonly heading: string;
  readonly advice?: string;
  readonly changes: readonly string[];
}

const none: Notes = { problems: [], heading: "", changes: [] };

function unusable({ path }: PlanJob, found: Unusable): Notes {
  const advice = "Fix the file and approve again, or have the planner revise it.";
  return { ...none, ...found, heading: `${path} was edited and cannot be used:`, advice };
}

/** The plan as it stands in its file, which the person may have edited while the question was open. */
function* planOnDisk(job: PlanJob, known: PlanText): Flow<PlanText | Unusable> {
  const text = yield* readKept(job.path, known.text);
  if (text === known.text) return known;
  const now = readBack(job, text, null);
  return "problems" in now ? now : yield* written(job.path, now);
}

function* approvalQuestion(
  job: PlanJob,
  known: PlanText,
  judged: JudgedPlan,
  { problems, heading, advice, changes }: Notes,
): Flow<AbortableQuestion> {
  const { fits, ...preview } = yield* previewOf(job, known, judged);
  const trouble = ["", heading, ...problems.map((why) => `- ${why}`), ...(advice === undefined ? [] : [advice])];
  const told = ["Changed since you saw it last:", ...changes.map((change) => `- ${change}`), ""];
  const toldAbove = changes.length === 0 ? "" : " What changed since you saw it last is at the top.";
  return {
    id: "plan.approval",
    title: "Plan Approval",
    message: [
      ...(changes.length === 0 ? [] : told),
      ...previewLines(preview),
      "",
      `The plan is in ${job.path}. What that file says when you approve is what gets built.${toldAbove}`,
      // Last, beside the answers: the start of a long plan is off a short screen.
      ...(problems.length === 0 ? [] : trouble),
    ].join("\n"),
    options: [
      { key: "approve", label: "Approve" },
      { key: "revise", label: "Revise (provide feedback)" },
      { key: "edit", label: "Open in editor" },
      { key: "read", label: "Read it all", shows: known.text },
    ],
    abort: shortAbortOption,
    // What waives nothing and fits the budget may be approved by policy.
    ...(problems.length === 0 && fits ? { recommended: "approve" } : {}),
  };
}

function* previewOf(
  { mode, requirements }: PlanJob,
  { text, plan: { tasks } }: PlanText,
  { draft, verdicts, remarks }: JudgedPlan,
): Flow<PlanPreview & { readonly fits: boolean }> {
  const settings = settingsIn(mode, yield* config());
  const known = yield* experience();
  const prospect: Prospect = { tasks, settings, review: settings.review.mode ?? "iterative" };
  const outlook = forecast(prospect, known);
  return {
    tasks,
    requirements,
    verdicts,
    isReviewed: text === draft.text,
    remarks,
    costs: new Map(tasks.map((task) => [task.id, taskCost(task, prospect, known)])),
    forecast: shortForecast(outlook, { hasPast: known.past.length > 0 }),
    fits: outlook.fits,
  };
}

function editQuestion(path: string, text: string): Question {
  return { id: "plan.edit", kind: "editor", title: "Edit the plan", message: `This becomes ${path}.`, prefill: text };
}

const feedbackQuestion: Question = {
  id: "plan.feedback",
  kind: "editor",
  title: "Revise the plan",
  message: "What should change? (Leave it empty to go back to the plan.)",
  prefill: "",
};
