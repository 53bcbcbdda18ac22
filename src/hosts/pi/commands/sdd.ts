// /sdd: single tasks of a plan that a person wrote, each as a run of its own. Such a run is suspended, asks and
// continues (/workflow) like any other.

import type { ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import { Problem } from "../../../runs/problem.ts";
import { type Chosen, choose, load, planStatus, startTask } from "../../../runs/sdd/sdd.ts";
import { workplaceAt } from "../../wiring/workplace-at.ts";
import { answerIn, personAt, type Session, sessionOf, tellIn } from "../host.ts";
import { isBusy, launch, tellTrouble } from "../launch.ts";

/** Never throws: shows what went wrong. */
export async function command(words: string, context: ExtensionCommandContext, ended: AbortSignal): Promise<void> {
  const session = sessionOf(context, ended);
  const [, verb = "", rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(words.trim()) ?? [];
  try {
    if (verb === "load" && rest !== "")
      return answerIn(session, await load(await workplaceAt(session.cwd), session.cwd, rest));
    if (verb === "status" && rest === "") return answerIn(session, await planStatus(await workplaceAt(session.cwd)));
    if (verb === "run") return await runTask(session, rest);
    if (verb === "") return answerIn(session, usage);
    tellIn(session, usage, "warning");
  } catch (error) {
    tellTrouble(session, error);
  }
}

const usage = [
  "/sdd load <plan>  reads your own plan and lists its tasks",
  "/sdd run [task]   implements, reviews and commits one task: this one, or the next",
  "/sdd status       which tasks are done, with commit and cost",
].join("\n");

async function runTask(session: Session, said: string): Promise<void> {
  if (await isBusy(session)) return;
  const place = await workplaceAt(session.cwd);
  const chosen = await choose(place, said);
  const doubt = doubtAbout(chosen);
  if (doubt && !(await isWantedAnyway(session, doubt))) return;
  return launch(session, (host) => startTask(place, chosen, host));
}

/** Why a task may not be what the person wants to run, and what to do instead where nobody can be asked. */
function doubtAbout({ input: { task }, gaps, isDone }: Chosen) {
  if (isDone)
    return {
      what: `Task ${task.id} is done already.`,
      question: "Run it again, on top of its commit?",
      instead: "For the next open task: /sdd run",
    };
  if (gaps.length === 0) return undefined;
  return {
    what: `Task ${task.id} builds on ${gaps.length === 1 ? "task" : "tasks"} ${gaps.join(", ")}, which no run has completed.`,
    // The person may have done by hand what no run has.
    question: "Run it anyway, if you did that by hand?",
    instead: `Run that first: /sdd run ${gaps[0]}`,
  };
}

const options = [
  { key: "leave", label: "Not now" },
  { key: "run", label: "Run it anyway" },
];

type Doubt = NonNullable<ReturnType<typeof doubtAbout>>;

async function isWantedAnyway(session: Session, { what, question, instead }: Doubt): Promise<boolean> {
  if (!session.hasUI) throw new Problem(`${what} ${instead}`, "wrong-usage");
  const asked = { id: "sdd.doubt", title: what, message: question, options, recommended: "leave" } as const;
  return (await personAt(session).ask({ ...asked, kind: "select" }, session.ended)) === "run";
}
