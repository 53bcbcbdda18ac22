// /workflow and /superteam: starts a run or goes on with the active one, in the background, so that pi stays usable and
// hears the other commands; and looks at it, answers it, stops it and ends it.

import type { ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import { answer, answerLive } from "../../../runs/answer.ts";
import { startNext } from "../../../runs/life/next.ts";
import { resume, start } from "../../../runs/start.ts";
import { activeRun, openTree } from "../../../runs/tree.ts";
import { refuseOwnWishes } from "../../run-options.ts";
import { type Session, sessionOf, tellIn } from "../host.ts";
import { runAtWork } from "../kept.ts";
import { isBusy, launch, tellTrouble } from "../launch.ts";
import { verbIn } from "./looks.ts";
import { readWords } from "./words.ts";

/** Never throws: what goes wrong is told. */
export async function command(words: string, context: ExtensionCommandContext, ended: AbortSignal): Promise<void> {
  const session = sessionOf(context, ended);
  const said = words.trim();
  const [, first = "", rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(said) ?? [];
  try {
    if (first === "answer") return await answered(session, rest);
    const verb = verbIn(said);
    if (verb) return await verb(session);
    await startOrGoOn(session, said.replace(/^resume(?=\s+--|$)/, ""));
  } catch (error) {
    tellTrouble(session, error);
  }
}

async function startOrGoOn(session: Session, said: string): Promise<void> {
  const { options, goal } = readWords(said);
  const folder = session.cwd;
  const { next = false, ...wishes } = options;
  // Nobody is to be asked for a goal that cannot be had.
  if (await isBusy(session)) return;
  if (next) {
    refuseOwnWishes(goal, wishes);
    return launch(session, (host) => startNext({ ...wishes, folder }, host));
  }
  if (goal !== "") return launch(session, (host) => start({ ...wishes, folder, goal }, host));
  const tree = await openTree(folder);
  // A pi that only prints asks nobody what to build.
  const active = session.hasUI ? await tree.runs.readActive() : await activeRun(tree);
  if (active !== undefined) return launch(session, (host) => resume({ ...wishes, folder }, host));
  const asked = await askForGoal(session);
  if (asked !== "") return launch(session, (host) => start({ ...wishes, folder, goal: asked }, host));
}

/** Empty when the person would rather not. */
async function askForGoal(session: Session): Promise<string> {
  // pi's terminal shows no words in an empty field.
  const title = session.mode === "tui" ? "Start Workflow\n\nWhat do you want to build?" : "Start Workflow";
  const said = await session.ui.input(title, "Describe what you want to build...", { signal: session.ended });
  return said?.trim() ?? "";
}

/** A run that goes on is told; for one that does not, the answer is what it goes on with. */
async function answered(session: Session, said: string): Promise<void> {
  const options = { folder: session.cwd, value: said === "" ? undefined : said };
  const live = await runAtWork();
  if (!live?.isActive) return launch(session, (host) => answer(options, host));
  tellIn(session, await answerLive(options), "info");
}
