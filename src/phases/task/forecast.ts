// Before money is spent on tasks: what the plan will cost and how long it will take. The person is asked only when that is
// more than the budget has left, or when they wanted to see it before anything starts.

import { config, experience, type Flow, record } from "../../core/flow/flow.ts";
import { abortOption, type Question } from "../../core/flow/question.ts";
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
  if (wishes.dryRun) yield* askOrAbort(startQuestion(lines), ended);
  // A change too small for a plan is not worth a question.
  else if (!outlook.fits && ceremonies[mode].planner) yield* askOrAbort(overQuestion(lines), ended);
}

const tooMuch = "That does not fit into what is left of the budget.";

const ended = "the person ended the run before the first task";

/** Nothing is recommended: a run without a person waits here. */
function startQuestion(lines: readonly string[]): Question {
  return {
    id: "execute.start",
    kind: "select",
    title: "Dry Run",
    message: [...lines, "No task is started yet. Starting goes on from here, and nothing is paid for again."].join(
      "\n",
    ),
    options: [{ key: "start", label: "Start" }, abortOption],
  };
}

function overQuestion(lines: readonly string[]): Question {
  return {
    id: "execute.forecast",
    kind: "select",
    title: "Forecast Over Budget",
    message: [...lines, "You are asked once more before the limit, and at the limit everything stops."].join("\n"),
    options: [{ key: "continue", label: "Continue" }, abortOption],
  };
}
