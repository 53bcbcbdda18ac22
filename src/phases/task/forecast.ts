// Before money is spent on tasks: what the plan will cost and how long it will take. The person is asked only when that is
// more than the budget has left, or when they wanted to see it before anything starts.

import { ask, config, experience, type Flow, fail, record } from "../../core/flow/flow.ts";
import type { Question } from "../../core/flow/question.ts";
import { forecast } from "../../core/money/forecast.ts";
import { forecastLines } from "../../core/money/forecast-text.ts";
import { ceremonies, settingsIn } from "../../core/run/ceremony.ts";
import type { PlannedWork } from "./execute.ts";

export function* forecastWork(
  { mode, plan, choices }: Pick<PlannedWork, "mode" | "plan" | "choices">,
  wishes: { readonly dryRun: boolean },
): Flow<void> {
  const settings = settingsIn(mode, yield* config());
  const outlook = forecast({ tasks: plan.tasks, settings, review: choices.review }, yield* experience());
  yield* record({ type: "forecast", forecast: outlook.forecast });
  const lines = [...forecastLines(outlook, plan.tasks.length, settings.costs), ...(outlook.fits ? [] : [tooMuch])];
  if (wishes.dryRun) yield* goOnOrAbort(startQuestion(lines));
  // A change too small for a plan is not worth a question.
  else if (!outlook.fits && ceremonies[mode].planner) yield* goOnOrAbort(overQuestion(lines));
}

const tooMuch = "That does not fit into what is left of the budget.";

/** Nothing is recommended: a run without a person waits here. */
function* goOnOrAbort(question: Question): Flow<void> {
  const choice = yield* ask(question);
  if (choice === "abort")
    fail({ kind: "aborted", step: question.id, detail: "the person ended the run before the first task" });
}

const abort = { key: "abort", label: "Abort workflow" };

function startQuestion(lines: readonly string[]): Question {
  return {
    id: "execute.start",
    kind: "select",
    title: "Dry Run",
    message: [...lines, "No task is started yet. Starting goes on from here, and nothing is paid for again."].join(
      "\n",
    ),
    options: [{ key: "start", label: "Start" }, abort],
  };
}

function overQuestion(lines: readonly string[]): Question {
  return {
    id: "execute.forecast",
    kind: "select",
    title: "Forecast Over Budget",
    message: [...lines, "You are asked once more before the limit, and at the limit everything stops."].join("\n"),
    options: [{ key: "continue", label: "Continue" }, abort],
  };
}
