// A run by a model's calls. Each continues to the next question, to the end of the run or until it is suspended, and gives
// back text that says where it stands and what the next call can do. What is the person's to decide a model cannot (S2).

import { optionsOf, type Question, readAnswerBy } from "../../core/flow/question.ts";
import { pendingQuestion } from "../../engine/views/fold/shape.ts";
import { recap } from "../../engine/views/show/recap.ts";
import type { Runs } from "../../ports/runs.ts";
import { answer } from "../answer.ts";
import type { RunHandle } from "../handle.ts";
import type { Host } from "../host.ts";
import { type AnswerOptions, answerLive } from "../live.ts";
import { lookAtActive, lookAtLine, type ObservedRun } from "../look/look.ts";
import { resume, start } from "../start.ts";
import type { Workplace } from "../workplace.ts";
import type { Narrative } from "./narrative.ts";
import { type ModelSpeech, questionText, standingText } from "./text.ts";

/** Starts or resumes a run. */
export type Act = (host: Host) => Promise<RunHandle | undefined>;

export interface ModelCaller {
  readonly runs: Runs;
  readonly open: () => Promise<Workplace>;
  readonly now: () => number;
  /** Whose model calls: what it was shown it may answer. */
  readonly reader: string;
  readonly speech: ModelSpeech;
  readonly narrative: Narrative;
  /** Words that mean something to the host's own command, and are no goals. */
  readonly verbs: readonly string[];
  /** Continues it in this process until it ends or is suspended. Where something else does already, says so with its standing. */
  readonly launch: (act: Act, standing: () => Promise<string>) => Promise<string | undefined>;
  /** Nobody has to read what a model reads to know that a decision of theirs is waited for. */
  readonly callPerson: (question: Question) => void;
}

/** Input that cannot be used, in words for the model. */
export class RefusedInput extends Error {}

/** The text for the model. Throws a RefusedInput for input that cannot be used. */
export async function callByModel(caller: ModelCaller, said: string): Promise<string> {
  const look = await lookAtActive(caller.runs);
  if (look === undefined) return begun(caller, said);
  const pending = pendingQuestion(look.view);
  if (said === "status" && !isOption(pending?.question, said)) return shown(caller, look);
  if (said === "" || said === "resume") return look.owner ? shown(caller, look) : resumed(caller, look);
  if (pending === undefined || !wasShown(caller, look)) throw refused(unasked(said), shown(caller, look));
  const reading = readAnswerBy("model", pending.question, said);
  if (!reading.ok) throw refused(reading.problem, questionText(pending.question, caller.speech));
  const answering: AnswerOptions = { value: said, id: pending.question.id, by: "model" };
  if (look.owner) return toldTo(caller, answering);
  return launched(caller, async (host) => answer(await caller.open(), answering, host), look);
}

async function begun(caller: ModelCaller, said: string): Promise<string> {
  const isAnswering = forgetQuestion(caller);
  if (!isVerb(caller, said)) {
    if (isAnswering) throw new RefusedInput(tooLate(said));
    if (!isGoal(said)) throw new RefusedInput(noGoal(said));
    return launched(caller, async (host) => start(await caller.open(), { goal: said, by: "model" }, host));
  }
  const none = "No run is active in this tree. To start one, call this tool with what to build.";
  if (said !== "status") throw new RefusedInput(none);
  return [none, ...(await lookAtLine(caller.runs)).text].join("\n");
}

function isVerb({ verbs }: ModelCaller, said: string): boolean {
  return ["", "resume", ...verbs].includes(said.toLowerCase()) || /^answer\s/i.test(said);
}

function isOption(question: Question | undefined, said: string): boolean {
  return question !== undefined && optionsOf(question).length > 0 && readAnswerBy("person", question, said).ok;
}

function resumed(caller: ModelCaller, look: ObservedRun): Promise<string> {
  return launched(caller, async (host) => resume(await caller.open(), {}, host), look);
}

/** `before` is where the run stood, as the model was told. */
async function launched(caller: ModelCaller, act: Act, before?: ObservedRun): Promise<string> {
  const { narrative } = caller;
  if (before) narrative.know(recap(before.view));
  const busy = await caller.launch(act, () => shownNow(caller));
  if (busy !== undefined) return busy;
  const look = await lookAtActive(caller.runs);
  const question = look && pendingQuestion(look.view)?.question;
  if (question && !question.modelMayAnswer) caller.callPerson(question);
  return [narrative.text(), await shownNow(caller)].filter((text) => text !== "").join("\n\n");
}

/** A live run takes the answer, in this process or in another. */
async function toldTo(caller: ModelCaller, answering: AnswerOptions): Promise<string> {
  return `${caller.speech.wording(await answerLive(caller.runs, answering))}\n\n${await shownNow(caller)}`;
}

async function shownNow(caller: ModelCaller): Promise<string> {
  const look = await lookAtActive(caller.runs);
  if (look) return shown(caller, look);
  forgetQuestion(caller);
  return "No run is active in this tree now.";
}

/** The question that each reader was shown last. A model must not answer what it has not read, whoever put it there. */
const lastShown = new Map<string, string>();

function shown({ speech, reader, now }: ModelCaller, look: ObservedRun): string {
  lastShown.set(reader, markOf(look));
  return standingText(look, speech, now());
}

/** Once its reader knows that the run is over. Whether there was one. */
function forgetQuestion({ reader }: ModelCaller): boolean {
  const mark = lastShown.get(reader);
  lastShown.delete(reader);
  return mark !== undefined && !mark.endsWith(" ");
}

const wasShown = ({ reader }: ModelCaller, look: ObservedRun): boolean => lastShown.get(reader) === markOf(look);

const markOf = ({ view }: ObservedRun): string => `${view.runId} ${pendingQuestion(view)?.key ?? ""}`;

function refused(why: string, standing: string): RefusedInput {
  return new RefusedInput(`${why}\nNothing was changed.\n\n${standing}`);
}

/** One word is an answer to something, and an option is the person's to give. */
export function isGoal(said: string): boolean {
  return wordsIn(said.trim()) > 1 && !said.trim().startsWith("-");
}

/** Some languages are written without spaces. */
function wordsIn(text: string): number {
  if (/^\p{ASCII}*$/u.test(text)) return text.split(/\s+/).length;
  const parts = new Intl.Segmenter(undefined, { granularity: "word" }).segment(text);
  return [...parts].filter(({ isWordLike }) => isWordLike).length;
}

function noGoal(said: string): string {
  const why = said.trim().startsWith("-") ? "Options are the person's to give" : "One word does not say what to build";
  return `"${said}" starts nothing. ${why}. Call this tool with what to build, in a sentence.`;
}

/** An answer that comes too late would be built as a goal. */
function tooLate(said: string): string {
  return [
    `"${said}" answers nothing: the run whose question you saw last is over. Nothing was started.`,
    "Only if the person wants another run, call this tool again with what to build.",
  ].join("\n");
}

function unasked(said: string): string {
  return [
    `"${said}" does not answer a question you have seen: a run is already active, as shown below.`,
    "Starting another run would end this one, which only the person can decide: /workflow <what to build> asks them.",
  ].join("\n");
}
