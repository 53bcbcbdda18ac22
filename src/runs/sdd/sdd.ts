// Single tasks of a plan that a person wrote: loads the plan, says how far it is, and starts a run of one task. Reports every
// problem of a plan at once, with a short guide to the format.

import { readPlan } from "../../core/plan/document.ts";
import { isInsideTree } from "../../core/plan/plan.ts";
import { inputFor, type LoadedPlan, type SddInput, sdd } from "../../pipelines/sdd.ts";
import type { RunHandle } from "../handle.ts";
import type { Host } from "../host.ts";
import { Problem } from "../problem.ts";
import { startRun } from "../start.ts";
import type { Workplace } from "../workplace.ts";
import { type KnownPlan, type KnownTask, knownPlan } from "./past.ts";
import { gapsBefore, nextTask, nothingLeft, planLines } from "./text.ts";

/** Remembers the plan for this tree and says what is in it. `said` is a path as a person types it, from where they are. */
export async function load(place: Workplace, folder: string, said: string): Promise<string> {
  const loaded = await planAt(place, await pathIn(place, folder, unquoted(said)));
  await place.loadedPlan.write(loaded.path);
  return planLines(await knownPlan(place, loaded)).join("\n");
}

export async function planStatus(place: Workplace): Promise<string> {
  return planLines(await knownPlan(place, await currentPlan(place))).join("\n");
}

/** A task that is to be run. */
export interface Chosen {
  readonly input: SddInput;
  /** The tasks it builds on that no run has done. */
  readonly gaps: readonly number[];
  /** It was done before. */
  readonly isDone: boolean;
}

/** The task by that number; without one the first that is left. */
export async function choose(place: Workplace, said: string): Promise<Chosen> {
  const plan = await knownPlan(place, await currentPlan(place));
  const chosen = said === "" ? nextTask(plan.tasks) : taskNamed(plan, said);
  if (chosen === undefined) throw new Problem(nothingLeft(plan.tasks), "wrong-usage");
  const others = plan.tasks.filter((other) => other !== chosen);
  return {
    input: inputFor(plan, chosen.task, others.flatMap(settled)),
    // Who runs it already has been asked about them.
    gaps: chosen.state.is === "active" ? [] : gapsBefore(chosen, plan.tasks),
    isDone: chosen.state.is === "done",
  };
}

/** With an active run the person is asked which of the two they want. */
export function startTask(place: Workplace, { input }: Chosen, host: Host): Promise<RunHandle> {
  const { goal: name, documents } = input;
  return startRun(place, {}, host, { order: () => ({ pipeline: sdd, input }), documents: [documents.plan], name });
}

/** `3`, `#3` or `task 3`. */
function taskNamed({ path, tasks }: KnownPlan, said: string): KnownTask {
  const id = Number(/^(?:task)?\s*#?(\d+)$/i.exec(said)?.[1] ?? Number.NaN);
  const found = tasks.find(({ task }) => task.id === id);
  if (found) return found;
  const there = tasks.map(({ task }) => task.id).join(", ");
  throw new Problem(`${path} has no task ${JSON.stringify(said)}. It has: ${there}.`, "wrong-usage");
}

/** What a task gets to know about the others. */
function settled({ task: { id, title }, state }: KnownTask): SddInput["earlier"] {
  if (state.is === "done") return [{ id, title, status: "complete", commit: state.commit, files: [...state.files] }];
  return state.is === "skipped" ? [{ id, title, status: "skipped", commit: null, files: [] }] : [];
}

/** The plan that was loaded last, as it is now. */
async function currentPlan(place: Workplace): Promise<LoadedPlan> {
  const path = await place.loadedPlan.read();
  if (path === undefined)
    throw new Problem("No plan is loaded in this tree. Load one: /sdd load <plan>", "wrong-usage");
  return planAt(place, path);
}

async function planAt({ projections }: Workplace, path: string): Promise<LoadedPlan> {
  const text = await projections.documents.read(path);
  if (text === null)
    throw new Problem(
      `There is no ${path} in this tree. Load the plan from where it is: /sdd load <plan>`,
      "wrong-usage",
    );
  const reading = readPlan(text, null, "kept");
  if (!reading.ok) throw new Problem(unusable(path, reading.problems), "wrong-usage");
  return { path, text, plan: reading.plan };
}

async function pathIn({ root, tree }: Workplace, folder: string, said: string): Promise<string> {
  const path = await tree.pathOf(folder, said);
  if (path !== undefined && isInsideTree(path)) return path;
  throw new Problem(
    path === undefined
      ? `${said} is outside this working tree (${root}). Copy the plan into the tree, then load the copy.`
      : `${said} is not a file that can be read. Name a plan in this working tree, such as docs/plan.md.`,
    "wrong-usage",
  );
}

/** pi's completion of files puts an @ before them, and quotes around those with spaces. */
function unquoted(said: string): string {
  const path = said.trim().replace(/^@/, "");
  return /^(["'])(.+)\1$/.exec(path)?.[2] ?? path;
}

function unusable(path: string, problems: readonly string[]): string {
  return [
    `${path} cannot be used as a plan:`,
    ...problems.map((problem) => `- ${problem.replaceAll("\n", "\n  ")}`),
    "A plan begins with its **Goal:**, **Architecture:** and **Tech Stack:**. Each task has a heading `### Task 1: its title` with what to do below it, and an entry with the same number in one block ```superteam-tasks: a list in YAML with id, title, files, criteria and commands, and dependsOn for the tasks it builds on.",
    "Fix it, then load it again.",
  ].join("\n");
}
