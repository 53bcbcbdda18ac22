// Before the first task the forecast is recorded, to compare it with the actual cost later. The person saw it when they approved the plan;
// they are asked again only with --dry-run.

import { config, experience, type Flow, record } from "../../core/flow/flow.ts";
import { forecast } from "../../core/money/forecast.ts";
import { forecastLines } from "../../core/money/forecast-text.ts";
import { settingsIn } from "../../core/run/mode-settings.ts";
import { askOrAbort } from "../work/ask.ts";
import type { PlannedWork } from "./execute.ts";

export function* forecastWork(
  { mode, plan, choices }: Pick<PlannedWork, "mode" | "plan" | "choices">,
  wishes: { readonly dryRun: boolean },
): Flow<void> {
  const settings = settingsIn(mode, yield* config());
  const outlook = forecast({ tasks: plan.tasks, settings, review: choices.review }, yield* experience());
  yield* record({ type: "forecast", forecast: outlook.forecast });
  if (!wishes.dryRun) return;
  const lines = [...forecastLines(outlook, plan.tasks.length, settings.costs), ...(outlook.fits ? [] : [tooMuch])];
  const { advice, ...question } = dryRun;
  const message = [...lines, advice].join("\n");
  yield* askOrAbort({ ...question, message }, "the person ended the run before the first task");
}

const tooMuch = "That does not fit into what is left of the budget.";

/** Nothing is recommended: a run without a person waits here. */
const dryRun = {
  id: "execute.start",
  title: "Dry Run",
  advice: "No task has started yet. Start continues from here, and nothing is paid for again.",
  options: [{ key: "start", label: "Start" }],
};
