// Questions of the host beside the steps of a run, such as trust. They are asked and journaled like the engine's own questions:
// not as a step of the flow, so that no replay depends on them.

import type { Fact } from "../../core/flow/fact.ts";
import { type Request, startPlace } from "../../core/flow/flow.ts";
import { aboutRun, asideFact, asideQuestion, readAside } from "../../core/flow/keys.ts";
import { type Answered, type Question, withdrawn } from "../../core/flow/question.ts";
import type { Journal } from "../../ports/journal.ts";
import { type Halt, Suspended } from "../drive/halt.ts";
import { append, type Recording, settle } from "../drive/recorder.ts";
import { beside, type QuestionQueue } from "./question-queue.ts";

/** What a host may do beside the flow. A mark tells two askings of the same question apart. */
export interface Asides {
  /**
   * Once per mark: an answer that the journal has is given back; `fresh` is one that was given just now. `given` is an
   * answer nobody has to be asked for.
   */
  ask(question: Question, mark: string, given?: Answered): Promise<Answered & { readonly fresh: boolean }>;
  /** Takes back what is still open of a question, but for this mark: what it asked about is no longer so. */
  withdraw(id: string, except: string): Promise<void>;
  /** Told in every session, recorded once per mark. */
  warn(text: string, mark: string): Promise<void>;
  /** Recorded each time. */
  record(fact: Fact): Promise<void>;
  /** Suspends the run here: the person said so. */
  stop(): never;
}

export function asidesOf(world: Recording, questions: QuestionQueue, halt: Halt): Asides {
  const begin = (key: string, request: Request, tries: number) => beginBeside(world, key, request, tries);
  return {
    async ask(question, mark, given) {
      const key = asideQuestion(aboutRun, question.id, mark);
      const known = world.journal.recall(key);
      if (known?.settled) return { ...saidIn(world.journal, key), fresh: false };
      halt.check();
      if (given === undefined) await questions.ask(key, question, { ...beside, halt });
      else {
        if (known === undefined) await begin(key, { do: "ask", question }, 1);
        await settle(world, key, given.answer, given.by);
      }
      return { ...saidIn(world.journal, key), fresh: true };
    },
    async withdraw(id, except) {
      const open = openAsides(world.journal, id).filter((key) => readAside(key)?.mark !== except);
      for (const key of open) await settle(world, key, withdrawn);
    },
    warn: (text, mark) => warnBeside(world, text, mark),
    async record(fact) {
      const key = asideFact(fact.type, world.journal.entries.length);
      await begin(key, { do: "record", fact }, 1);
      await settle(world, key, null);
    },
    stop() {
      halt.drain("stopped");
      throw new Suspended();
    },
  };
}

/** Told in every session, recorded once per mark. */
export async function warnBeside(world: Recording, text: string, mark: string): Promise<void> {
  const key = asideFact("warning", mark);
  const known = world.journal.recall(key);
  if (known?.settled) return world.watch({ type: "told", text });
  await beginBeside(world, key, { do: "record", fact: { type: "warning", text } }, (known?.tries ?? 0) + 1);
  await settle(world, key, null);
}

function beginBeside(world: Recording, key: string, request: Request, tries: number): Promise<unknown> {
  return append(world, { type: "begin", key, request, tries, place: startPlace });
}

function saidIn({ entries }: Journal, key: string): Answered {
  const settled = entries.findLast((entry) => entry.type === "settle" && entry.key === key);
  if (settled?.type !== "settle") throw new Error(`${key} has no answer`);
  return { answer: String(settled.outcome), by: settled.by ?? "person" };
}

/** Keys of requests that have no outcome, each once, in the order in which they were begun first. */
export function openKeys(journal: Journal): readonly string[] {
  const begun = new Set(journal.entries.flatMap((entry) => (entry.type === "begin" ? entry.key : [])));
  return [...begun].filter((key) => journal.recall(key)?.settled === false);
}

/** The askings of this question about the run that have no answer. */
export function openAsides(journal: Journal, id: string): readonly string[] {
  return openKeys(journal).filter((key) => {
    const aside = readAside(key);
    return aside?.about === aboutRun && aside.id === id;
  });
}
