// What superteam itself costs, per task of three dispatches: time, prompt text, bytes on disk, dispatches and tokens. A
// scripted run of the default pipeline on real git; a stopwatch around agents, checks and repository says what is not ours.
// These are numbers and no ratios: the other side is 1.

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Script, ScriptedPlay } from "../../src/adapters/agents/scripted/script.ts";
import type { World } from "../../src/engine/drive/world.ts";
import type { AgentEvent, Agents } from "../../src/ports/agents.ts";
import type { Checks } from "../../src/ports/checks.ts";
import type { Entry } from "../../src/ports/journal.ts";
import type { Place } from "../../src/ports/place.ts";
import type { Repo } from "../../src/ports/repo.ts";
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
    name: "task-overhead",
    what: "ms outside agents, checks and git per task of three dispatches, at zero latency",
    bar: 20,
    measure: async (strain) => number((await leastDisturbed(strain)) / many, "ms per task"),
  },
  {
    name: "latency-share",
    what: "per cent of the wall-clock outside agents, checks and git, at 1.5 s of latency",
    bar: 2,
    measure: async (strain) => {
      const { ownMs, wallMs } = await measured(3, { strain, latencySeconds: 1.5 });
      return number((ownMs / wallMs) * 100, "% of the wall-clock");
    },
  },
  {
    name: "prompt-size",
    what: "bytes of prompt text written by us (without the plan's words and diffs), per task of three dispatches",
    bar: 5120,
    measure: async (strain) => {
      const { promptBytes, said } = await measured(many);
      return { ...number((promptBytes * strain) / many, "bytes per task"), prompts: promptLines(said, many) };
    },
  },
  {
    name: "disk-linear",
    what: "bytes written by 20 tasks / twice those of 10",
    bar: 1.15,
    measure: async (strain) => {
      const [whole, half] = [await measured(many), await measured(many / 2)];
      const [ours, theirs] = [whole.diskBytes * strain, 2 * half.diskBytes];
      return { ratio: ours / theirs, ours: ours / 1024, theirs: theirs / 1024, unit: "KB" };
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
    what: "tokens spent on deciding what comes next",
    bar: 0,
    measure: async (strain) => number((await measured(1)).controlTokens + strain - 1, "tokens"),
  },
];

function number(value: number, unit: string): Measured {
  return { ratio: value, ours: value, theirs: 1, unit };
}

/** A number without another side to compare it with: the best of three, since others on the machine only add to it. */
async function leastDisturbed(strain: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round++) times.push((await measured(many, { strain })).ownMs);
  return Math.min(...times);
}

interface Spent {
  readonly wallMs: number;
  /** What is left of it without agents, checks and git. */
  readonly ownMs: number;
  /** Of the tasks alone, as everything below but the bytes on disk. */
  readonly promptBytes: number;
  readonly dispatches: number;
  /** Tokens of dispatches that are no work of a role's own. */
  readonly controlTokens: number;
  readonly diskBytes: number;
  /** What every agent of the run was given, in order. */
  readonly said: readonly Said[];
}

interface Load {
  /** How often each record is read once more: a slowdown that is really there. */
  readonly strain?: number;
  readonly latencySeconds?: number;
}

function measured(count: number, { strain = 1, latencySeconds = 0 }: Load = {}): Promise<Spent> {
  return inFolder(async (root) => {
    makeRepository(root, { config: { execution: { mode: "auto" }, review: { mode: "iterative" } } });
    const watch = stopwatch();
    const said: Said[] = [];
    const scenario = { goal, play: playOf(count, latencySeconds), answers: agreeing };
    const diskBefore = await bytesIn(root);
    const watchTasks = (entry: Entry): void => {
      watch.see(entry);
      for (let time = 1; time < strain; time++) for (let again = 0; again < 200; again++) structuredClone(entry);
    };
    const { end, entries } = await goOn({
      ...scenario,
      root,
      watch: watchTasks,
      around: (world) => around(world, watch, said),
    });
    if (end.how !== "finished") throw new Error(`The run should finish, and is ${JSON.stringify(end)}.`);
    return { ...watch.spent(), ...saidIn(entries), said, diskBytes: (await bytesIn(root)) - diskBefore };
  });
}

/** Time of the phase in which tasks are worked on, and how much of it was spent in ports; what overlaps counts once. */
function stopwatch() {
  let [from, until, inPorts, open, since] = [0, 0, 0, 0, 0];
  return {
    see(entry: Entry): void {
      if (entry.type === "enter" && entry.scope === "execute") [from, inPorts] = [performance.now(), 0];
      if (entry.type === "leave" && entry.scope === "execute") until = performance.now() - inPorts;
    },
    start(): void {
      if (open++ === 0) since = performance.now();
    },
    stop(): void {
      if (--open === 0) inPorts += performance.now() - since;
    },
    spent: () => ({ ownMs: until - from, wallMs: until - from + inPorts }),
  };
}

type Stopwatch = ReturnType<typeof stopwatch>;

function around(world: World, watch: Stopwatch, said: Said[]): World {
  const dispatch: Agents["dispatch"] = (order, signal) => {
    said.push(order);
    return timedEvents(world.agents.dispatch(order, signal), watch);
  };
  return {
    ...world,
    agents: { ...world.agents, dispatch },
    places: { ...world.places, at: async (id) => timedPlace(await world.places.at(id), watch) },
  };
}

/** Only the waiting for the next event is the agent's; what we do with it is ours. */
async function* timedEvents(
  events: ReturnType<Agents["dispatch"]>,
  watch: Stopwatch,
): AsyncGenerator<AgentEvent, void> {
  const iterator = events[Symbol.asyncIterator]();
  for (;;) {
    const next = await timed(watch, () => iterator.next());
    if (next.done) return;
    yield next.value;
  }
}

function timedPlace(place: Place, watch: Stopwatch): Place {
  const checks: Checks = { run: (command, signal) => timed(watch, () => place.checks.run(command, signal)) };
  return { ...place, checks, repo: timedRepo(place.repo, watch) };
}

function timedRepo(repo: Repo, watch: Stopwatch): Repo {
  return {
    head: () => timed(watch, () => repo.head()),
    tree: () => timed(watch, () => repo.tree()),
    look: () => timed(watch, () => repo.look()),
    snapshot: (name) => timed(watch, () => repo.snapshot(name)),
    afterWriter: (writer, name) => timed(watch, () => repo.afterWriter(writer, name)),
    undoWork: (work, name) => timed(watch, () => repo.undoWork(work, name)),
    forgetStates: () => timed(watch, () => repo.forgetStates()),
    changes: (since, without) => timed(watch, () => repo.changes(since, without)),
    difference: (from, to) => timed(watch, () => repo.difference(from, to)),
    commit: (order) => timed(watch, () => repo.commit(order)),
    findCommit: (since, request) => timed(watch, () => repo.findCommit(since, request)),
    restore: (to, name) => timed(watch, () => repo.restore(to, name)),
    restoreFiles: (since, paths, name) => timed(watch, () => repo.restoreFiles(since, paths, name)),
    anchorWithout: (at, work, name) => timed(watch, () => repo.anchorWithout(at, work, name)),
    personAtWork: (since, goneAt) => timed(watch, () => repo.personAtWork(since, goneAt)),
  };
}

async function timed<T>(watch: Stopwatch, act: () => Promise<T>): Promise<T> {
  watch.start();
  try {
    return await act();
  } finally {
    watch.stop();
  }
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

/** The run store alone: git's own objects are git's. */
async function bytesIn(root: string): Promise<number> {
  const folder = join(root, ".git/superteam");
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(names.map(async (name) => stat(join(folder, name))));
  return sizes.reduce((sum, one) => sum + (one.isFile() ? one.size : 0), 0);
}

const goal = "Write letters";
const requirement = { id: "R1", text: "There are letters." };

function playOf(count: number, latencySeconds: number): ScriptedPlay {
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
  const play = playFrom(scripts);
  if (latencySeconds === 0) return play;
  return (order) => {
    const script = play(order);
    return order.prompt.includes("step=execute/")
      ? { ...script, run: `sleep ${latencySeconds}; ${script.run ?? ""}` }
      : script;
  };
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
