// The questions about how much process a goal deserves, as the person sees them.

import type { Option, Question } from "../../core/flow/question.ts";
import type { Experience } from "../../core/money/experience.ts";
import { isBelievable, percentile } from "../../core/money/forecast-range.ts";
import type { Triage } from "../../core/plan/triage.ts";
import { ceremonies, leastDispatches } from "../../core/run/ceremony.ts";
import { type Mode, modes } from "../../core/run/config.ts";
import { usd } from "../../core/text/format.ts";

export function modeQuestion({ mode, reason }: Triage, known: Experience): Question {
  return {
    id: "triage.mode",
    kind: "select",
    title: "Mode",
    message: `How much process does this deserve? The scout proposes ${mode}: ${reason}`,
    options: modes.map((each) => modeOption(each, known)),
    recommended: mode,
  };
}

function modeOption(mode: Mode, known: Experience): Option {
  const runs = known.past.filter((run) => run.how === "finished" && run.mode === mode && run.tasks > 0);
  const costs = runs.map(({ costUsd }) => costUsd).filter(isBelievable);
  const price = costs.length === 0 ? atLeast(mode, known) : cost(costs.toSorted((one, other) => one - other));
  return { key: mode, label: labels[mode], hint: `${ceremonies[mode].meaning}; ${price}` };
}

/** Without a past run there is what this one has cost so far: the scout. */
function atLeast(mode: Mode, { own }: Experience): string {
  const agents = leastDispatches(mode);
  const costs = own.flatMap(({ costsUsd }) => costsUsd).filter((each) => isBelievable(each) && each > 0);
  if (costs.length === 0) return `${agents} agents or more`;
  const mean = costs.reduce((sum, each) => sum + each, 0) / costs.length;
  return `${agents} agents or more, ${usd(agents * mean)} if each costs what the scout did`;
}

const labels: Readonly<Record<Mode, string>> = { hotfix: "Hotfix", quick: "Quick", standard: "Standard", full: "Full" };

function cost(sorted: readonly number[]): string {
  const median = usd(percentile(sorted, 0.5));
  return sorted.length === 1
    ? `the one run so far cost ${median}`
    : `the median of ${sorted.length} runs so far is ${median}`;
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
