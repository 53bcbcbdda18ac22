// Single tasks of a plan that a person wrote: loads the plan, says how far it is, and starts a run of one task.

import { inputFor, type SddInput, sdd } from "../../pipelines/sdd.ts";
import type { RunHandle } from "../handle.ts";
import type { Host } from "../host.ts";
import { Problem } from "../problem.ts";
import { startRun } from "../start.ts";
import type { Workplace } from "../workplace.ts";
import { type KnownPlan, type KnownTask, knownPlan } from "./past.ts";
import { currentPlan, loadPlan } from "./plan.ts";
import { gapsBefore, nextTask, nothingLeft, planLines } from "./text.ts";

/** Loads the plan and says what is in it. */
export async function load(place: Workplace, folder: string, said: string): Promise<string> {
  return planLines(await knownPlan(place, await loadPlan(place, folder, said))).join("\n");
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
  return startRun(place, {}, host, {
    order: () => ({ pipeline: sdd, input }),
    documents: [documents.plan],
    name,
  });
}

/** `3`, `#3` or `task 3`. */
function taskNamed({ path, tasks }: KnownPlan, said: string): KnownTask {
  const id = Number(/^(?:task)?\s*#?(\d+)$/i.exec(said)?.[1] ?? Number.NaN);
  const found = tasks.find(({ task }) => task.id === id);
  if (found) return found;
  const there = tasks.map(({ task }) => task.id).join(", ");
  throw new Problem(`${path} has no task ${JSON.stringify(said)}. It has: ${there}.`, "wrong-usage");
}

/** What a task is told of the others. */
function settled({ task: { id, title }, state }: KnownTask): SddInput["earlier"] {
  if (state.is === "done") return [{ id, title, status: "complete", commit: state.commit, files: [...state.files] }];
  return state.is === "skipped" ? [{ id, title, status: "skipped", commit: null, files: [] }] : [];
}
