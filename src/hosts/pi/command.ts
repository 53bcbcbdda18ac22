// /workflow and /superteam: starts a run or goes on with the active one, in the background, so that pi stays usable and
// hears the other commands; and looks at it, answers it, stops it and ends it.

import type { ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import { readFileJournal } from "../../adapters/journal/file.ts";
import { shortCostLines } from "../../engine/views/cost-table.ts";
import { costsOf } from "../../engine/views/costs.ts";
import { logLine } from "../../engine/views/log.ts";
import { applyEntry, emptyView } from "../../engine/views/run-view.ts";
import { answer, answerLive } from "../run/answer.ts";
import { abort, stop } from "../run/end.ts";
import { chooseRun, lookAt, storeOf } from "../run/look.ts";
import { startNext } from "../run/next.ts";
import { refuseOwnWishes } from "../run/options.ts";
import { reportText, runsText } from "../run/past.ts";
import { resume, start } from "../run/start.ts";
import { statusText } from "../run/status.ts";
import { activeRun, openTree } from "../run/tree.ts";
import { type Session, sessionOf, tellIn } from "./host.ts";
import { isBusy, launch, tellTrouble } from "./launch.ts";
import { liveRun, runAtWork, suspendLiveRun } from "./live.ts";
import { readWords } from "./words.ts";

/** Never throws: what goes wrong is told. */
export async function command(words: string, context: ExtensionCommandContext, ended: AbortSignal): Promise<void> {
  const session = sessionOf(context, ended);
  const said = words.trim();
  const [, first = "", rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(said) ?? [];
  try {
    if (first === "answer") return await answered(session, rest);
    const look = rest === "" && Object.hasOwn(looks, first) ? looks[first] : undefined;
    if (look) return await look(session);
    await startOrGoOn(session, said === "resume" ? "" : said);
  } catch (error) {
    tellTrouble(session, error);
  }
}

type Verb = (session: Session) => Promise<void>;

/** Only these words alone: a goal may well begin with one of them. */
const looks: Readonly<Record<string, Verb>> = {
  status: async (session) => tellIn(session, await statusText(session.cwd), "info"),
  costs: async (session) => tellIn(session, await costsText(session.cwd), "info"),
  runs: async (session) => tellIn(session, await runsText(session.cwd), "info"),
  report: async (session) => tellIn(session, await reportText(session.cwd, undefined), "info"),
  log: async (session) => tellIn(session, await logText(session.cwd), "info"),
  stop: async (session) => {
    const live = liveRun();
    if (live === undefined) return void (await stop(session.cwd, (text) => tellIn(session, text, "info")));
    await suspendLiveRun();
    // A run itself tells that it is suspended.
    if (live.kind === "team") tellIn(session, "The team at work in this pi is stopped.", "info");
  },
  abort: async (session) => {
    if (liveRun()?.kind === "team" && (await isBusy(session))) return;
    await suspendLiveRun();
    await abort(session.cwd, (text) => tellIn(session, text, "info"));
  },
};

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
  const active = session.hasUI ? await tree.store.readActive() : await activeRun(tree);
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
  if (live?.kind !== "run") return launch(session, (host) => answer(options, host));
  tellIn(session, await answerLive(options), "info");
}

/** What fits on a screen. */
const linesShown = 40;

async function costsText(folder: string): Promise<string> {
  const store = await storeOf(folder);
  const { view, owner } = await lookAt(store, await chooseRun(store, undefined));
  return [...shortCostLines(costsOf(view, owner !== undefined)), "", eachDispatch].join("\n");
}

const eachDispatch = "Each dispatch by itself: superteam costs --json, in a terminal.";

async function logText(folder: string): Promise<string> {
  const store = await storeOf(folder);
  const { entries } = await readFileJournal(store.paths(await chooseRun(store, undefined)).folder);
  const view = emptyView();
  const lines = entries.flatMap((entry) => {
    applyEntry(view, entry);
    return logLine(entry, view) ?? [];
  });
  return lines.slice(-linesShown).join("\n");
}
