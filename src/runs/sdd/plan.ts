// A plan that a person wrote, from where they say it is. What is wrong with it is told, all of it, with how a plan is
// written.

import { readPlan } from "../../core/plan/document.ts";
import { isInsideTree } from "../../core/plan/plan.ts";
import type { LoadedPlan } from "../../pipelines/sdd.ts";
import { Problem } from "../problem.ts";
import type { Workplace } from "../workplace.ts";

/** Reads the plan and remembers it for this tree. `said` is a path as a person types it, from where they are. */
export async function loadPlan(place: Workplace, folder: string, said: string): Promise<LoadedPlan> {
  const loaded = await planAt(place, await pathIn(place, folder, unquoted(said)));
  await place.loadedPlan.write(loaded.path);
  return loaded;
}

/** The plan that was loaded last, as it is now. */
export async function currentPlan(place: Workplace): Promise<LoadedPlan> {
  const path = await place.loadedPlan.read();
  if (path === undefined)
    throw new Problem("No plan is loaded in this tree. Load one: /sdd load <plan>", "wrong-usage");
  return planAt(place, path);
}

async function planAt({ documents }: Workplace, path: string): Promise<LoadedPlan> {
  const text = await documents.read(path);
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
      ? `${said} is outside of this working tree (${root}). A plan is read from the tree it is for: copy it there, then load the copy.`
      : `${said} is no file that a plan can be read from. Name one inside this working tree, such as docs/plan.md.`,
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
    "A plan begins with its **Goal:**, **Architecture:** and **Tech Stack:**. Each task has a heading `### Task 1: its title` with its steps, and stands with the same number in one block ```superteam-tasks, a list in YAML with id, title, description, files, criteria and commands, and dependsOn for the tasks it builds on.",
    "Mend it, then load it again.",
  ].join("\n");
}
