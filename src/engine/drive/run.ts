// Starts a run or continues it: opens a session, ends what an earlier life left, drives the pipeline, and says how
// it ended. When code and journal disagree it offers the innermost unfinished scope again.

import { Failed } from "../../core/flow/failure.ts";
import { type Flow, startPlace } from "../../core/flow/flow.ts";
import type { Pipeline } from "../../core/run/pipeline.ts";
import type { Ending, RunHeader } from "../../ports/journal.ts";
import { asidesOf } from "../asking/asides.ts";
import { listenInbox } from "../asking/inbox-listener.ts";
import { QuestionQueue } from "../asking/question-queue.ts";
import { Budget } from "../money/budget.ts";
import { counting, Tally } from "../money/tally.ts";
import { finishRestart, offerAgain, withdrawAsides } from "./again.ts";
import { Cursor } from "./cursor.ts";
import { Readers } from "./ended/side-by-side.ts";
import { type Halt, type HaltReason, Suspended } from "./halt.ts";
import { append, type Recording } from "./recorder.ts";
import { nameTakenBack, settleEarlierLives, type Traces } from "./recovery.ts";
import { Diverged, Replay } from "./replay.ts";
import { Runner, type RunnerParts } from "./runner.ts";
import type { World } from "./world.ts";

/** What of a pipeline is driven. Without roles nothing is foretold of them. */
type Program = Pick<Pipeline, "flows" | "start"> & Partial<Pick<Pipeline, "roles" | "instructions" | "guarded">>;

export type RunEnd = Ending | { readonly how: "suspended"; readonly why: HaltReason };

/** Runs until the pipeline ends or the run is suspended. Throws only for bugs and for trouble outside, such as a full disk. */
export async function run(outside: World, pipeline: Program, halt: Halt): Promise<RunEnd> {
  const { header, ending } = whatIsKnown(outside);
  if (ending) return ending;
  const tally = new Tally();
  const world = counting(outside, tally);
  const questions = new QuestionQueue(world, world.ahead);
  const closeInbox = listenInbox(world.inbox, questions, halt);
  try {
    await open(world, tally);
    const end = await endOf(world, halt, async () => {
      const desk = asidesOf(world, questions, halt);
      const { instructions = {} } = pipeline;
      const fixed = (name: string): string => instructions[name] ?? "";
      const ready: World = { ...world, ...(await world.preflight?.(desk)), instructions: fixed };
      const budget = new Budget({ world: ready, tally, desk, halt });
      await budget.open();
      const { flows, roles = [] } = pipeline;
      const guarded = pipeline.guarded?.(header.input) ?? [];
      const parts = { world: ready, halt, questions, tally, budget, readers: new Readers(), guarded };
      const whole = { ...parts, flows, roles, runId: header.runId };
      return untilSettled(whole, () => pipeline.start(header.input));
    });
    await closeInbox(end.how === "suspended" ? "The run is suspended." : `The run is ${end.how}.`);
    return end;
  } catch (error) {
    await closeInbox("The run stopped on an error; the terminal it runs in shows which.");
    throw error;
  }
}

/** Ends a run that will not be continued. What its agents have used is entered first, as a resume would do. */
export async function endRun(outside: Traces & Pick<World, "session">, detail: string): Promise<Ending> {
  const tally = new Tally();
  const traces = counting(outside, tally);
  await append(traces, { type: "session", ...traces.session });
  await settleEarlierLives(traces, tally);
  return end(traces, { how: "aborted", detail });
}

type Whole = Omit<RunnerParts, "replay">;

/** Each pass is from the root, replaying what is known. */
async function untilSettled(whole: Whole, start: () => Flow<unknown>): Promise<Ending> {
  const { world } = whole;
  const { journal } = world;
  for (;;) {
    try {
      const runner = new Runner({ ...whole, replay: new Replay(journal.entries) });
      const root = new Cursor(journal.current(""), { order: [], place: startPlace });
      const value = (await runner.drive(start(), root)) ?? null;
      return await end(world, { how: "finished", value });
    } catch (error) {
      if (!(error instanceof Diverged)) throw error;
      await offerAgain(whole, error);
    }
  }
}

/** How the run ended, when it was failed or suspended from inside. */
async function endOf(world: World, halt: Halt, work: () => Promise<RunEnd>): Promise<RunEnd> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failed) return end(world, endingOf(error));
    if (!(error instanceof Suspended)) throw error;
    return atRest(world, halt);
  }
}

/** How a run that was halted ends for now, or for good. */
function atRest(world: World, halt: Halt): RunEnd | Promise<RunEnd> {
  const { reason = "question", detail } = halt;
  if (reason === "aborted") return end(world, { how: "aborted", detail: detail || "ended by `superteam abort`" });
  return { how: "suspended", why: reason };
}

function endingOf({ failure }: Failed): Ending {
  return failure.kind === "aborted" ? { how: "aborted", detail: failure.detail } : { how: "failed", failure };
}

async function end(world: Recording, ending: Ending): Promise<Ending> {
  await append(world, { type: "end", ending });
  return ending;
}

async function open(world: World, tally: Tally): Promise<void> {
  await append(world, { type: "session", ...world.session });
  await withdrawAsides(world);
  await settleEarlierLives(world, tally);
  await finishRestart(world);
  await nameTakenBack(world);
}

function whatIsKnown(world: World): { header: RunHeader; ending: Ending | undefined } {
  const [first] = world.journal.entries;
  if (first?.type !== "run") throw new Error("a journal begins with the run it is about");
  const last = world.journal.entries.at(-1);
  return { header: first.header, ending: last?.type === "end" ? last.ending : undefined };
}
