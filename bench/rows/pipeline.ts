// What agents are given and how many there are, per task of three dispatches: a scripted run of the default pipeline on real
// git. These are numbers and no ratios: the other side is 1.

import type { Script, ScriptedPlay } from "../../src/adapters/agents/scripted/script.ts";
import type { Agents } from "../../src/ports/agents.ts";
import type { Entry } from "../../src/ports/journal.ts";
import { goOn, makeRepository, runId } from "../../test/rig/pipeline/run.ts";
import {
  agreeing,
  brainstorming,
  contentReviewers,
  planDocument,
  playFrom,
  type TaskText,
  writesPlan,
} from "../../test/rig/pipeline/scripts.ts";
import { inFolder } from "../folder.ts";
import { promptLines, type Said } from "../prompts.ts";
import type { Measured, Row } from "../row.ts";

const many = 20;

export const pipelineRows: readonly Row[] = [
  {
    name: "prompt-size",
    what: "bytes of our own text (system texts included, the plan's words and diffs excluded), per task of three dispatches",
    bar: 9216,
    measure: async (strain) => {
      const { promptBytes, said } = await measured(many);
      const lines = promptLines(said, many);
      const system = lines.find(({ who }) => who === "task")?.system ?? 0;
      return { ...number((promptBytes / many + system) * strain, "bytes per task"), prompts: lines };
    },
  },
  {
    name: "dispatches",
    what: "dispatches per task without findings",
    bar: 3,
    measure: async (strain) => number(((await measured(many)).dispatches * strain) / many, "per task"),
  },
  {
    name: "control-tokens",
    what: "tokens spent on deciding the next step",
    bar: 0,
    measure: async (strain) => number((await measured(1)).controlTokens + strain - 1, "tokens"),
  },
];

function number(value: number, unit: string): Measured {
  return { ratio: value, ours: value, theirs: 1, unit };
}

interface Spent {
  /** Of the tasks alone, as everything below. */
  readonly promptBytes: number;
  readonly dispatches: number;
  /** Tokens of dispatches that are no work of a role's own. */
  readonly controlTokens: number;
  /** What every agent of the run was given, in order. */
  readonly said: readonly Said[];
}

function measured(count: number): Promise<Spent> {
  return inFolder(async (root) => {
    makeRepository(root, { config: { execution: { mode: "auto" }, review: { mode: "iterative" } } });
    const said: Said[] = [];
    const { end, entries } = await goOn({
      ...{ goal, play: playOf(count), answers: agreeing, root },
      around: (world) => ({ ...world, agents: heard(world.agents, said) }),
    });
    if (end.how !== "finished") throw new Error(`The run should finish, and is ${JSON.stringify(end)}.`);
    return { ...saidIn(entries), said };
  });
}

function heard(agents: Agents, said: Said[]): Agents {
  return {
    ...agents,
    dispatch(order, signal) {
      said.push(order);
      return agents.dispatch(order, signal);
    },
  };
}

const working: ReadonlySet<string> = new Set(["implementer", "spec-reviewer", "quality-reviewer"]);

/** What the tasks' agents were told, and what they were for. */
function saidIn(entries: readonly Entry[]): Pick<Spent, "promptBytes" | "dispatches" | "controlTokens"> {
  const orders = entries.flatMap((entry) =>
    entry.type === "begin" && entry.request.do === "dispatch" && entry.key.startsWith("execute/")
      ? [{ key: entry.key, ...entry.request }]
      : [],
  );
  const control = new Set(orders.filter(({ role }) => !working.has(role)).map(({ key }) => key));
  const tokens = entries.map((entry) =>
    entry.type === "note" && entry.note.type === "usage" && control.has(entry.key) ? entry.note.usage.input : 0,
  );
  return {
    promptBytes: orders.reduce((sum, order) => sum + ownBytes(order), 0),
    dispatches: orders.length,
    controlTokens: tokens.reduce((sum, count) => sum + count, 0),
  };
}

/** What we say ourselves, the line that names the dispatch included: not what the plan says, nor what changed. */
function ownBytes({
  key,
  role,
  prompt,
}: {
  readonly key: string;
  readonly role: string;
  readonly prompt: string;
}): number {
  const named = `[superteam] run=${runId} role=${role} step=${key.replace(/dispatch:|#\d+$/g, "")} attempt=1\n\n`;
  const { title, description, criteria = [], commands = [] } = taskOf(Number(/task-(\d+)/.exec(key)?.[1]));
  const bare = prompt.replaceAll(/^(`{3,})diff\n[\s\S]*?^\1$/gm, "");
  const quoted = [description, ...criteria, ...commands, requirement.text, title];
  return Buffer.byteLength(named + quoted.reduce((text, words) => text.replaceAll(words, ""), bare));
}

const goal = "Write letters";
const requirement = { id: "R1", text: "There are letters." };

function playOf(count: number): ScriptedPlay {
  const tasks: readonly TaskText[] = Array.from({ length: count }, (_, index) => taskOf(index + 1));
  const scripts: Record<string, Script> = {
    ...contentReviewers,
    ...brainstorming({
      title: "Letters",
      content: "Letters.",
      requirements: [{ id: "R1", text: "There are letters." }],
    }),
    "plan-write/plan": writesPlan(goal, planDocument(goal, tasks)),
  };
  for (const { id } of tasks) scripts[`execute/task-${id}/implement`] = { run: `echo dear > ${id}.txt`, text: "Done." };
  return playFrom(scripts);
}

function taskOf(id: number): TaskText {
  return {
    id,
    title: `Letter ${id}`,
    description: `Write ${id}.txt: one line that greets the reader by name, and says who wrote it.`,
    files: [`${id}.txt`],
    criteria: ["The letter greets the reader"],
    commands: [`cat ${id}.txt`],
    covers: ["R1"],
  };
}
