// Before money is spent on tasks: what the plan will cost and how long it will take. The person is asked only when that is
// more than the budget has left, or when they wanted to see it before anything starts.

import { config, experience, type Flow, record } from "../../core/flow/flow.ts";
import { forecast } from "../../core/money/forecast.ts";
import { forecastLines } from "../../core/money/forecast-text.ts";
import { ceremonies, settingsIn } from "../../core/run/ceremony.ts";
import { askOrAbort } from "../work/ask.ts";
import type { PlannedWork } from "./execute.ts";

export function* forecastWork(
  { mode, plan, choices }: Pick<PlannedWork, "mode" | "plan" | "choices">,
  wishes: { readonly dryRun: boolean },
): Flow<void> {
  const settings = settingsIn(mode, yield* config());
  const outlook = forecast({ tasks: plan.tasks, settings, review: choices.review }, yield* experience());
  yield* record({ type: "forecast", forecast: outlook.forecast });
  const lines = [...forecastLines(outlook, plan.tasks.length, settings.costs), ...(outlook.fits ? [] : [tooMuch])];
  // A change too small for a plan is not worth a question.
  const isOver = !outlook.fits && ceremonies[mode].planner;
  if (!wishes.dryRun && !isOver) return;
  const { advice, ...question } = wishes.dryRun ? dryRun : overBudget;
  const message = [...lines, advice].join("\n");
  yield* askOrAbort({ ...question, message }, "the person ended the run before the first task");
}

const tooMuch = "That does not fit into what is left of the budget.";

/** Nothing is recommended: a run without a person waits here. */
const dryRun = {
  id: "execute.start",
  title: "Dry Run",
  advice: "No task is started yet. Starting goes on from here, and nothing is paid for again.",
  options: [{ key: "start", label: "Start" }],
};

const overBudget = {
  id: "execute.forecast",
  title: "Forecast Over Budget",
  advice: "You are asked once more before the limit, and at the limit everything stops.",
  options: [{ key: "continue", label: "Continue" }],
};
