// /workflow and /superteam: starts a run or continues the active one, in the background, so that pi stays usable and
// hears the other commands; and looks at it, answers it, stops it and ends it.

import type { ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import { activeRun } from "../../../runs/active.ts";
import { answer } from "../../../runs/answer.ts";
import { startNext } from "../../../runs/life/next.ts";
import { answerLive } from "../../../runs/live.ts";
import { refuseBeforeGoal, resume, start } from "../../../runs/start.ts";
import { refuseOwnWishes } from "../../run-options.ts";
import { runsAt } from "../../wiring/runs-at.ts";
import { workplaceAt } from "../../wiring/workplace-at.ts";
import { answerIn, type Session, sessionOf } from "../host.ts";
import { runAtWork } from "../kept.ts";
import { isBusy, launch, tellTrouble } from "../launch.ts";
import { verbIn } from "./looks.ts";
import { readWords } from "./words.ts";

/** Never throws: shows what went wrong. */
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
  // Do not ask for a goal that cannot be run.
  if (await isBusy(session)) return;
  if (next) {
    refuseOwnWishes(goal, wishes);
    return launch(session, async (host) => startNext(await workplaceAt(folder), wishes, host));
  }
  if (goal !== "") return launch(session, async (host) => start(await workplaceAt(folder), { ...wishes, goal }, host));
  const place = await workplaceAt(folder);
  // In print mode pi cannot ask what to build.
  const active = session.hasUI ? await place.runs.readActive() : await activeRun(place.runs);
  if (active !== undefined) return launch(session, (host) => resume(place, wishes, host));
  await refuseBeforeGoal(place);
  const asked = await askForGoal(session);
  if (asked !== "") return launch(session, (host) => start(place, { ...wishes, goal: asked }, host));
}

/** Empty when the person would rather not. */
async function askForGoal(session: Session): Promise<string> {
  // pi's terminal shows no words in an empty field.
  const title = session.mode === "tui" ? "Start Workflow\n\nWhat do you want to build?" : "Start Workflow";
  const said = await session.ui.input(title, "Describe what you want to build...", { signal: session.ended });
  return said?.trim() ?? "";
}

/** A live run gets the answer; a suspended one is resumed with it. */
async function answered(session: Session, said: string): Promise<void> {
  const options = { value: said === "" ? undefined : said };
  const live = await runAtWork();
  if (!live?.isActive) return launch(session, async (host) => answer(await workplaceAt(session.cwd), options, host));
  answerIn(session, await answerLive(await runsAt(session.cwd), options));
}
