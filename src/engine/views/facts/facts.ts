// The one table of what facts say. A new kind of fact is its type and an entry: here when it is about the run as a whole,
// else in the file of its subject. The compiler asks for an entry for each.

import type { Fact, FactOf } from "../../../core/flow/fact.ts";
import { deciders } from "../../../core/flow/question.ts";
import { count, oneLine } from "../../../core/text/format.ts";
import { namesOf, noGrant } from "../../../ports/trust.ts";
import { put, roundLimits, wantsTestFirst } from "../fold/shape.ts";
import { countTasks } from "../fold/tasks.ts";
import { budgetOf, budgetText, forecastText } from "../show/money.ts";
import type { FactEntry, FactTable } from "./fact-entry.ts";
import { planFacts } from "./plan.ts";
import { taskFacts } from "./task.ts";
import { testFacts } from "./tests.ts";

/** Undefined for a kind of fact that only another build knows: it changes nothing and is not shown. */
export function entryOf(fact: Fact): FactEntry<Fact> | undefined {
  if (!Object.hasOwn(facts, fact.type)) return undefined;
  // The table gives each type its own entry; that they belong together is more than the compiler can follow.
  return facts[fact.type] as FactEntry<Fact>;
}

const facts: FactTable = {
  ...planFacts,
  ...taskFacts,
  ...testFacts,
  triaged: {
    keep: (view, { mode, rounds }) => put(view, { mode, rounds }),
    moment: ({ mode, proposed, files = 0 }) => {
      const expected = files === 0 ? "" : `, ${count(files, "file")} to change`;
      return `Mode: ${mode}${mode === proposed ? "" : ` (proposed: ${proposed})`}${expected}`;
    },
    log: ({ mode, proposed, reason }) => `mode ${mode} (proposed: ${proposed}, ${oneLine(reason, 160)})`,
    show: triageText,
    event: (fact) => fact,
  },
  "part.started": {
    keep: (view, { part, of, title }) => put(view, { part: { part, of, title } }),
    moment: ({ part, of, title }) => `Part ${part} of ${of} started: ${title}`,
    log: ({ part, of, title }) => `part ${part} of ${of} started: ${oneLine(title, 120)}`,
    show: ({ part, of, title }) => `── Part ${part} of ${of}: ${oneLine(title, 100)} ──`,
    event: (fact) => fact,
  },
  "schedule.appended": {
    keep: (view, { entries }) => {
      view.pipeline = { ...view.pipeline, schedule: [...view.pipeline.schedule, ...entries] };
    },
    log: ({ entries }) => `more to do: ${entries.map(({ label }) => label).join(", ")}`,
  },
  forecast: {
    keep: (view, { forecast }) => put(view, { forecast }),
    moment: ({ forecast }) => forecastText(forecast),
    log: ({ forecast }) => forecastText(forecast),
    // What is ahead, against what there is to spend.
    show: ({ forecast }, view) => {
      const budget = budgetOf(view);
      const against = budget === null ? "" : `\n  Budget: ${budgetText(budget)}`;
      return `💰 ${forecastText(forecast)}, for ${count(countTasks(view).left.length, "task")}${against}`;
    },
    event: ({ type, forecast }, view) => {
      return { type, ...forecast, tasks: countTasks(view).left.length, budget: budgetOf(view) };
    },
  },
  configured: {
    keep: (view, { type: _, ...configured }) => put(view, { configured }),
    log: ({ execution, batchSize, review }) =>
      `configured: execution ${execution}${batchSize === null ? "" : ` of ${batchSize}`}, review ${review}`,
    event: (fact, view) => ({ ...fact, testFirst: wantsTestFirst(view), rounds: roundLimits(view).task ?? null }),
  },
  trusted: {
    keep: () => undefined,
    log: (grant) =>
      `trusted (${deciders[grant.by]}): ${namesOf({ ...noGrant, ...grant }).join(", ") || "nothing from the repository"}`,
  },
  waiver: {
    keep: ({ waivers }, { type: _, ...waiver }) => waivers.push(waiver),
    moment: ({ step, what }) => `Waived (${step}): ${what}`,
    log: ({ step, what }) => `waived (${step}): ${oneLine(what, 200)}`,
    warn: ({ step, what }) => `waived (${step}): ${what}`,
    event: ({ step, what }) => ({ type: "warning", text: `waived (${step}): ${what}` }),
  },
  warning: {
    keep: ({ warnings }, { text }) => warnings.push(text),
    moment: ({ text }) => `Warning: ${text}`,
    log: ({ text }) => `warning: ${oneLine(text, 200)}`,
    warn: ({ text }) => text,
    event: (fact) => fact,
  },
  report: { keep: (view, { text }) => put(view, { report: text }) },
};

/** `⚖ Mode: quick (the scout proposed standard: it touches three files)` */
function triageText({ mode, proposed, reason, breadth, parts }: FactOf<"triaged">): string {
  const why = oneLine(reason, 200);
  const by = mode === proposed ? why : `the scout proposed ${proposed}: ${why}`;
  return `⚖ Mode: ${mode} (${by})${breadth === "one" ? "" : `, in ${count(parts.length, "part")}, as ${breadth}`}`;
}
