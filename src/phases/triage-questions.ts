// The questions about how much process a goal deserves, as the person sees them.

import { ceremonies } from "../core/ceremony.ts";
import { type Mode, modes } from "../core/config.ts";
import type { PastRun } from "../core/experience.ts";
import { isBelievable, percentile } from "../core/forecast-range.ts";
import type { Option, Question } from "../core/question.ts";
import type { Triage } from "../core/triage.ts";

export function modeQuestion({ mode, reason }: Triage, past: readonly PastRun[]): Question {
  return {
    id: "triage.mode",
    kind: "select",
    title: "Mode",
    message: `How much process does this deserve? The scout proposes ${mode}: ${reason}`,
    options: modes.map((each) => modeOption(each, past)),
    recommended: mode,
  };
}

function modeOption(mode: Mode, past: readonly PastRun[]): Option {
  const runs = past.filter((run) => run.how === "finished" && run.mode === mode && run.tasks > 0);
  const costs = runs.map(({ costUsd }) => costUsd).filter(isBelievable);
  const known = costs.length === 0 ? "" : `; ${cost(costs.toSorted((one, other) => one - other))}`;
  return { key: mode, label: labels[mode], hint: `${ceremonies[mode].meaning}${known}` };
}

const labels: Readonly<Record<Mode, string>> = {
  hotfix: "Hotfix",
  quick: "Quick",
  standard: "Standard",
  full: "Full",
};

function cost(sorted: readonly number[]): string {
  const usd = `$${percentile(sorted, 0.5).toFixed(2)}`;
  return sorted.length === 1
    ? `the one run so far cost ${usd}`
    : `the median of ${sorted.length} runs so far is ${usd}`;
}

export function breadthQuestion({ breadth, parts }: Triage): Question {
  const listed = parts.map(({ title, scope }, index) => `  ${index + 1}. ${title}: ${scope}`);
  const each = breadth === "splits" ? splits : batches;
  return {
    id: "triage.breadth",
    kind: "select",
    title: "Breadth",
    message: [`The scout proposes ${parts.length} parts:`, ...listed].join("\n"),
    options: [each, { key: "one", label: "One piece", hint: "one design and one plan for all of it" }],
    recommended: breadth,
  };
}

const batches: Option = {
  key: "batches",
  label: "Batches",
  hint: "each part is planned and built on what the one before it left",
};
const splits: Option = {
  key: "splits",
  label: "Splits",
  hint: "each part becomes a run of its own, one after another, on its own branch",
};
