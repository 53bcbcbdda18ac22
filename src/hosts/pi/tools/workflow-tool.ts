// The tool `workflow`: a run by a model's calls. Each goes on to the next question, to the end of the run or until it is
// suspended, and gives back text that says where it stands and what the next call can do.

import type { AgentToolResult, AgentToolUpdateCallback, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { z } from "zod";
import { optionsOf, type Question, readAnswerBy } from "../../../core/flow/question.ts";
import { pendingQuestion } from "../../../engine/views/fold/shape.ts";
import { recap } from "../../../engine/views/show/recap.ts";
import { type AnswerOptions, answer, answerLive } from "../../../runs/answer.ts";
import type { RunHandle } from "../../../runs/handle.ts";
import type { Host } from "../../../runs/host.ts";
import { lookAtActive, type ObservedRun } from "../../../runs/look/look.ts";
import { lookAtLine } from "../../../runs/look/queue.ts";
import { resume, start } from "../../../runs/start.ts";
import { toldOf } from "../../../runs/trouble.ts";
import { runsAt } from "../../runs-at.ts";
import { sessionUsage } from "../chat/session-usage.ts";
import { workflowVerbs } from "../commands/verbs.ts";
import { type Session, type Stay, sessionOf, tellIn } from "../host.ts";
import { keep, liveRun, runAtWork } from "../kept.ts";
import { busyText } from "../launch.ts";
import { inPi } from "../wording.ts";
import { toolHost } from "./workflow-tool-host.ts";
import { Narrative, questionText, standingText } from "./workflow-tool-text.ts";

export interface Call {
  /** What the model said, as the tool's parameters have it. */
  readonly given: unknown;
  /** Aborted by Escape. */
  readonly signal: AbortSignal | undefined;
  readonly onUpdate: AgentToolUpdateCallback<undefined> | undefined;
}

/** pi marks what is thrown as failed: input that was refused, and trouble. */
export async function workflowTool(call: Call, context: ExtensionContext): Promise<AgentToolResult<undefined>> {
  const narrative = new Narrative((text) => call.onUpdate?.(asResult(text)));
  const reader = context.sessionManager.getSessionId();
  const caller: Caller = { signal: call.signal, narrative, session: sessionOf(context), reader };
  try {
    const { input = "" } = Input.parse(call.given);
    return { ...asResult(await performed(caller, input.trim())), usage: sessionUsage(narrative.used) };
  } catch (error) {
    throw error instanceof Refusal ? error : new Error(inPi(toldOf(error).text));
  }
}

/** Input that counts for nothing, in words for the model. */
class Refusal extends Error {}

const Input = z.object({ input: z.string().optional() });

function asResult(text: string): AgentToolResult<undefined> {
  return { content: [{ type: "text", text }], details: undefined };
}

type Act = (host: Host) => Promise<RunHandle | undefined>;

interface Caller extends Pick<Call, "signal"> {
  readonly session: Session;
  readonly narrative: Narrative;
  /** The session of pi whose model calls: what it was shown it may answer. */
  readonly reader: string;
}

async function performed(caller: Caller, said: string): Promise<string> {
  await runAtWork();
  const folder = caller.session.cwd;
  const look = await lookAtActive(await runsAt(folder));
  if (look === undefined) return begun(caller, said);
  const pending = pendingQuestion(look.view);
  if (said === "status" && !isOption(pending?.question, said)) return shown(caller, look);
  if (said === "" || said === "resume") {
    return look.owner ? shown(caller, look) : launched(caller, (host) => resume({ folder }, host), look);
  }
  if (pending === undefined || !wasShown(caller, look)) throw refused(unasked(said), shown(caller, look));
  const reading = readAnswerBy("model", pending.question, said);
  if (!reading.ok) throw refused(reading.problem, questionText(pending.question, caller.session));
  const answering: AnswerOptions = { folder, value: said, id: pending.question.id, by: "model" };
  return look.owner ? toldTo(caller, answering) : launched(caller, (host) => answer(answering, host), look);
}

/** Words that mean something to /workflow are no goals. */
const verbs: readonly string[] = ["", "resume", ...workflowVerbs];

function isVerb(said: string): boolean {
  return verbs.includes(said.toLowerCase()) || /^answer\s/i.test(said);
}

async function begun(caller: Caller, said: string): Promise<string> {
  const folder = caller.session.cwd;
  const isAnswering = forgetQuestion(caller);
  if (!isVerb(said)) {
    if (isAnswering) throw new Refusal(tooLate(said));
    return launched(caller, (host) => start({ folder, goal: said }, host));
  }
  const none = "No run is active in this tree. To start one, call this tool with what to build.";
  if (said !== "status") throw new Refusal(none);
  return [none, ...(await lookAtLine(await runsAt(folder))).text].join("\n");
}

function isOption(question: Question | undefined, said: string): boolean {
  return question !== undefined && optionsOf(question).length > 0 && readAnswerBy("person", question, said).ok;
}

/** Goes on with a run in this process until it comes to rest. `before` is where it stood, as the model was told. */
async function launched(caller: Caller, act: Act, before?: ObservedRun): Promise<string> {
  const { session, signal, narrative } = caller;
  const live = liveRun();
  if (live) return busyText(live, () => shownNow(caller));
  const away = new AbortController();
  const stay: Stay = { away: AbortSignal.any([away.signal, ...(signal ? [signal] : [])]), leaving: false };
  if (before) narrative.know(recap(before.view));
  session.ui.setStatus("workflow", "⚡ Workflow: starting...");
  const running = act(toolHost(session, stay, narrative))
    .then((run) => run?.ended)
    .finally(() => session.ui.setStatus("workflow", undefined));
  const rest = (): void => undefined;
  keep({ isActive: true, stop: () => away.abort(), atRest: running.then(rest, rest), isLeaving: () => stay.leaving });
  await running;
  await callPerson(session);
  return [narrative.text(), await shownNow(caller)].filter((text) => text !== "").join("\n\n");
}

/** A live run takes the answer where it goes on, in this process or in another. */
async function toldTo(caller: Caller, answering: AnswerOptions): Promise<string> {
  return `${inPi(await answerLive(answering))}\n\n${await shownNow(caller)}`;
}

/** Nobody has to read what a model reads to know that a decision of theirs is waited for. */
async function callPerson(session: Session): Promise<void> {
  const look = await lookAtActive(await runsAt(session.cwd));
  const question = look && pendingQuestion(look.view)?.question;
  if (question === undefined || question.modelMayAnswer || !session.hasUI) return;
  tellIn(
    session,
    `The run waits for your decision: ${question.title.replace(/(?<![?.:])$/, ".")} /workflow asks you.`,
    "info",
  );
}

async function shownNow(caller: Caller): Promise<string> {
  const look = await lookAtActive(await runsAt(caller.session.cwd));
  if (look) return shown(caller, look);
  forgetQuestion(caller);
  return "No run is active in this tree any more.";
}

/** The question that each reader was shown last. A model must not answer what it has not read, whoever put it there. */
const lastShown = new Map<string, string>();

function shown({ session, reader }: Caller, look: ObservedRun): string {
  lastShown.set(reader, markOf(look));
  return standingText(look, session);
}

/** Once its reader is told that the run is over. Whether there was one. */
function forgetQuestion({ reader }: Caller): boolean {
  const mark = lastShown.get(reader);
  lastShown.delete(reader);
  return mark !== undefined && !mark.endsWith(" ");
}

const wasShown = ({ reader }: Caller, look: ObservedRun): boolean => lastShown.get(reader) === markOf(look);

const markOf = ({ view }: ObservedRun): string => `${view.runId} ${pendingQuestion(view)?.key ?? ""}`;

function refused(why: string, standing: string): Refusal {
  return new Refusal(`${why}\nNothing was changed.\n\n${standing}`);
}

/** An answer that comes too late would be built as a goal. */
function tooLate(said: string): string {
  return [
    `"${said}" answers nothing any more: the run whose question you were shown last is over. Nothing was started.`,
    "Only if the person wants another run, call this tool again with what to build.",
  ].join("\n");
}

function unasked(said: string): string {
  return [
    `"${said}" is no answer to anything you were shown: a run is active already, and stands as below.`,
    "To start another one gives this one up, which is the person's decision: /workflow <what to build> asks them.",
  ].join("\n");
}
