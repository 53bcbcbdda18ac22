// What /workflow tells and does by a single word: where a run stands, what it came to, and its end.

import { nearest } from "../../../core/text/nearest.ts";
import { costsOf, shortCostLines } from "../../../engine/views/show/costs.ts";
import { recap } from "../../../engine/views/show/recap.ts";
import { activeRun } from "../../../runs/active.ts";
import { abort } from "../../../runs/end.ts";
import { stop } from "../../../runs/live.ts";
import { chooseRun } from "../../../runs/look/choose.ts";
import { logReader } from "../../../runs/look/log.ts";
import { lookAt } from "../../../runs/look/look.ts";
import { reportText, runsText } from "../../../runs/look/past.ts";
import { statusText } from "../../../runs/look/status.ts";
import { Problem } from "../../../runs/problem.ts";
import { runsAt } from "../../wiring/runs-at.ts";
import { workplaceToEnd } from "../../wiring/workplace-at.ts";
import { answerIn, personAt, type Session } from "../host.ts";
import { liveRun, suspendLiveRun } from "../kept.ts";
import { isBusy } from "../launch.ts";
import { workflowVerbs } from "./verbs.ts";
import { usage } from "./words.ts";

type Verb = (session: Session, run: string | undefined) => Promise<void>;

const telling =
  (text: (folder: string, run: string | undefined) => Promise<string>): Verb =>
  async (session, run) =>
    answerIn(session, await text(session.cwd, run));

/** Each of the words there are but `answer`, which takes what is said after it. */
const verbs: Readonly<Record<Exclude<(typeof workflowVerbs)[number], "answer">, Verb>> = {
  help: telling(async () => usage),
  status: telling(async (folder) => statusText(await runsAt(folder), Date.now())),
  runs: telling(async (folder) => runsText(await runsAt(folder))),
  costs: telling(costsText),
  report: telling(async (folder, run) => reportText(await runsAt(folder), run)),
  log: telling(logText),
  stop: stopHere,
  abort: abortHere,
};

/** Told of any run, by its id. */
const ofAnyRun: readonly string[] = ["costs", "report", "log"];

/** A part of a run's id, as `runs` lists them. */
const runId = /^(?:[0-9a-f]{4}|(?=.*\d)[0-9a-f-]{2,20})$/;

/** Undefined when the words are none of these: a goal may well begin with one of them. */
export function verbIn(said: string): ((session: Session) => Promise<void>) | undefined {
  if (/^--?h(?:elp)?$/.test(said)) return verbIn("help");
  const [first = "", ...rest] = said.split(/\s+/);
  const verb = isVerb(first) ? verbs[first] : undefined;
  const [word] = rest;
  if (verb === undefined && word === undefined) refuseSlip(first);
  if (verb === undefined || (word !== undefined && !isForVerb(rest))) return undefined;
  const takesRun = ofAnyRun.includes(first);
  if (word === undefined || (takesRun && !word.startsWith("-"))) return (session) => verb(session, word);
  const takes = takesRun ? "takes the id of a run and no options" : "takes no other words";
  throw new Problem(
    `/workflow ${first} ${takes}. Nothing was started.\nTo build something, describe it in more words.`,
    "wrong-usage",
  );
}

/** One word that is almost a verb: a run of that name would be paid for. */
function refuseSlip(word: string): void {
  const meant = nearest(word, [...workflowVerbs, "resume"]);
  if (meant === undefined || meant === word) return;
  throw new Problem(
    `There is no /workflow ${word}. Did you mean /workflow ${meant}? Nothing was started.\nTo build something with that name, describe it in more words.`,
    "wrong-usage",
  );
}

function isVerb(word: string): word is keyof typeof verbs {
  return Object.hasOwn(verbs, word);
}

/** These words are meant as a verb, not as a goal. */
function isForVerb(rest: readonly string[]): boolean {
  return rest.some((word) => /^--?\w/.test(word)) || (rest.length === 1 && runId.test(rest[0] ?? ""));
}

async function stopHere(session: Session): Promise<void> {
  const live = liveRun();
  if (live === undefined) return answerIn(session, await stop(await runsAt(session.cwd)));
  await suspendLiveRun();
  // A run itself tells that it is suspended.
  if (!live.isActive) answerIn(session, "The team in this pi is stopped.");
}

async function abortHere(session: Session): Promise<void> {
  if (liveRun()?.isActive === false && (await isBusy(session))) return;
  if (!(await isSure(session))) return;
  await suspendLiveRun();
  for (const text of await abort(await workplaceToEnd(session.cwd))) answerIn(session, text);
}

/** What cannot be had back is asked about where somebody can be asked. A run that cannot be read has nothing to tell. */
async function isSure(session: Session): Promise<boolean> {
  const { runs } = await workplaceToEnd(session.cwd);
  const active = await activeRun(runs);
  if (!session.hasUI) return true;
  const standing = await lookAt(runs, active).then(
    ({ view, owner }) => `${view.goal}\n${recap(view, { isAlive: owner !== undefined })}`,
    () => `Run ${active}; its journal cannot be read`,
  );
  const message = `End this run for good? Its commits and its journal are kept.\n\n${standing}`;
  const question = { id: "run.abort", kind: "confirm", title: "Abort Workflow", message, recommended: "no" } as const;
  return (await personAt(session).ask(question, session.ended)) === "yes";
}

/** What fits on a screen. */
const linesShown = 40;

async function costsText(folder: string, run: string | undefined): Promise<string> {
  const runs = await runsAt(folder);
  const { view, owner } = await lookAt(runs, await chooseRun(runs, run));
  return [...shortCostLines(costsOf(view, owner !== undefined)), "", eachDispatch].join("\n");
}

const eachDispatch = "For each agent call: superteam costs --json, in a terminal.";

async function logText(folder: string, run: string | undefined): Promise<string> {
  const runs = await runsAt(folder);
  const entries = await runs.read(await chooseRun(runs, run));
  return logReader()(entries).slice(-linesShown).join("\n");
}
