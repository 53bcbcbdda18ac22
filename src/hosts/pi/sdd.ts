// /sdd: single tasks of a plan that a person wrote, each as a run of its own. What goes on, is suspended and is asked is
// a run like any other: /workflow goes on with it.

import type { ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import { exitCodes, Problem } from "../run/problem.ts";
import { type Chosen, choose, load, planStatus, startTask } from "../run/sdd.ts";
import { type Session, sessionOf, tellIn } from "./host.ts";
import { isBusy, launch, tellTrouble } from "./launch.ts";

/** Never throws: what goes wrong is told. */
export async function command(words: string, context: ExtensionCommandContext): Promise<void> {
  const session = sessionOf(context);
  const [, verb = "", rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(words.trim()) ?? [];
  try {
    if (verb === "load" && rest !== "") return tellIn(session, await load(session.cwd, rest), "info");
    if (verb === "status" && rest === "") return tellIn(session, await planStatus(session.cwd), "info");
    if (verb === "run") return await runTask(session, rest);
    tellIn(session, usage, verb === "" ? "info" : "warning");
  } catch (error) {
    tellTrouble(session, error);
  }
}

const usage = [
  "/sdd load <plan>  reads a plan of yours and lists its tasks",
  "/sdd run [task]   has one task implemented, reviewed and committed: the one with that number, else the next",
  "/sdd status       which tasks are done, with commit and cost",
].join("\n");

async function runTask(session: Session, said: string): Promise<void> {
  if (await isBusy(session)) return;
  const chosen = await choose(session.cwd, said);
  if (chosen.gaps.length > 0 && !(await isWantedAnyway(session, chosen))) return;
  const { id } = chosen.input.task;
  if (chosen.isDone) tellIn(session, `Task ${id} was done before. It is run again.`, "info");
  return launch(session, (host) => startTask(chosen, { folder: session.cwd }, host));
}

const yes = "Run it all the same";

/** The person may have done by hand what no run has. Without dialogs there is nobody to say so. */
async function isWantedAnyway({ ui, hasUI }: Session, { input: { task }, gaps }: Chosen): Promise<boolean> {
  const what = `Task ${task.id} builds on ${gaps.length === 1 ? "task" : "tasks"} ${gaps.join(", ")}, which no run has done.`;
  if (!hasUI) throw new Problem(`${what} Run that first: /sdd run ${gaps[0]}`, exitCodes.wrongUsage);
  return (await ui.select(`${what}\n\nRun it all the same, if you have done that by hand?`, [yes, "Not now"])) === yes;
}
