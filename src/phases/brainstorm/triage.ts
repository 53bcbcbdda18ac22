// What a scout sees in the repository, and what it leads to: the scout proposes how much process the goal deserves and
// whether it is one piece of work; the person decides, unless they have said so before.

import { z } from "zod";
import { ask, config, experience, type Flow, record } from "../../core/flow/flow.ts";
import type { Option, Question } from "../../core/flow/question.ts";
import type { Experience } from "../../core/money/experience.ts";
import { isBelievable, percentile } from "../../core/money/forecast-range.ts";
import { breadths, Part, Triage, unproposed } from "../../core/plan/triage.ts";
import { ceremonies, leastDispatches } from "../../core/run/ceremony.ts";
import { type Mode, modes } from "../../core/run/config.ts";
import { readAnswerBlock } from "../../core/text/answer.ts";
import { withoutBlocks } from "../../core/text/block.ts";
import { firstLine, usd } from "../../core/text/format.ts";
import { scout } from "../../prompts/brainstorm.ts";
import { askAgain, engage, warn } from "../work/consult.ts";
import { isAgentTriedAgain } from "../work/trouble.ts";

/** What the person has said already. */
export interface TriageWishes {
  readonly mode?: Mode | undefined;
  /** It is one piece of work, even if the scout proposes parts. */
  readonly whole: boolean;
}

export const Triaged = z.object({
  mode: z.enum(modes),
  breadth: z.enum(breadths),
  parts: z.array(Part),
  /** What the scout reported; empty when it had nothing to say. */
  map: z.string(),
  files: Triage.shape.files.unwrap(),
  testing: Triage.shape.testing.unwrap(),
  /** The change in a few words, as the scout puts it. */
  title: Triage.shape.title,
});
export type Triaged = z.infer<typeof Triaged>;

export function* triage(goal: string, wishes: TriageWishes): Flow<Triaged> {
  yield* record({ type: "brainstorm.step", step: "scout" });
  const chosen = wishes.mode ?? (yield* config()).mode;
  const { map, proposal } = yield* explore(goal, chosen);
  const mode = chosen ?? (yield* chooseMode(proposal));
  const breadth = wishes.whole ? "one" : yield* chooseBreadth(proposal, mode);
  const parts = breadth === "one" ? [] : proposal.parts;
  const { mode: proposed, reason, files, testing, title } = proposal;
  const { rounds } = ceremonies[mode];
  yield* record({ type: "triaged", mode, proposed, reason, breadth, parts, rounds, files: new Set(files).size });
  return { mode, breadth, parts, map, files, testing, ...(title === undefined ? {} : { title }) };
}

/** The scout's answer is used in any case. Without a proposal the person still decides. */
function* explore(goal: string, chosen: Mode | undefined): Flow<{ readonly map: string; readonly proposal: Triage }> {
  const order = { step: "brainstorm.scout", name: "scout", role: "scout", access: "read" } as const;
  const first = scout(goal, chosen);
  let prompt = first;
  let map = "";
  for (let tries = 1; ; tries++) {
    const { text } = yield* engage({ ...order, prompt });
    // An answer that was only put into form has no report of its own.
    if (map === "" || prompt.startsWith(first)) map = withoutBlocks(text, "superteam-json");
    if (map === "") yield* warn("The scout reported nothing; the design starts from the goal alone.");
    if (text.trim() === "") return { map, proposal: unproposed };
    const reading = readAnswerBlock(text, "superteam-json", Triage);
    if (reading.ok) return { map, proposal: reading.value };
    const problem = firstLine(reading.problem);
    if (!(yield* isAgentTriedAgain("parse-error", tries))) {
      yield* warn(`The scout's proposal cannot be used: ${problem}`);
      return { map, proposal: unproposed };
    }
    yield* warn(`The scout's proposal could not be used, so the scout is asked again: ${problem}`);
    prompt = askAgain(first, { ...reading, answer: text, isRepeated: prompt !== first });
  }
}

function* chooseMode(proposal: Triage): Flow<Mode> {
  return z.enum(modes).parse(yield* ask(modeQuestion(proposal, yield* experience())));
}

/** Parts that build on each other are there to be planned: without a planner all of it is one task. */
function* chooseBreadth(proposal: Triage, mode: Mode): Flow<Triage["breadth"]> {
  if (proposal.breadth === "one" || (proposal.breadth === "batches" && !ceremonies[mode].planner)) return "one";
  return z.enum(breadths).parse(yield* ask(breadthQuestion(proposal)));
}

function modeQuestion({ mode, reason }: Triage, known: Experience): Question {
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

function breadthQuestion({ breadth, parts }: Triage): Question {
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
