// superteam answer: answers the question that waits. A live runner is told and gives its receipt; without one the run goes
// on here.

import { type Answerer, type Question, readAnswerBy } from "../core/flow/question.ts";
import type { Ahead } from "../engine/asking/question-queue.ts";
import { viewOf } from "../engine/views/fold/run-view.ts";
import { pendingQuestion } from "../engine/views/fold/shape.ts";
import type { Journal } from "../ports/journal.ts";
import type { Runs } from "../ports/runs.ts";
import { activeRun, tellRunner } from "./active.ts";
import type { RunHandle, RunOptions } from "./handle.ts";
import type { Host } from "./host.ts";
import { runnerOf } from "./look/look.ts";
import { Problem } from "./problem.ts";
import { resume } from "./start.ts";
import type { Workplace } from "./workplace.ts";

export interface AnswerOptions extends RunOptions {
  readonly value: string | undefined;
  readonly id?: string;
  readonly text?: string;
  /** Whose words they are; the person's unless a host says otherwise. */
  readonly by?: Answerer;
}

/** Undefined when a live runner has taken it; its receipt is shown. */
export async function answer(place: Workplace, options: AnswerOptions, host: Host): Promise<RunHandle | undefined> {
  const { runs } = place;
  const message = messageOf(options);
  const runId = await activeRun(runs);
  const live = await runnerOf(runs, runId);
  if (live === undefined) return resume(place, options, host, (journal) => ahead(journal, options, message.said));
  host.tell(await tellRunner(runs, runId, message));
  return undefined;
}

/** Answers a live run only; starts nothing. Returns its receipt. */
export async function answerLive(runs: Runs, options: AnswerOptions): Promise<string> {
  const message = messageOf(options);
  const runId = await runs.readActive();
  if (runId !== undefined && (await runnerOf(runs, runId))) return tellRunner(runs, runId, message);
  throw new Problem(
    "No question of a run was answered: the run is just starting, or has just come to rest. Answer what is asked in a dialog there, or try again in a moment. See where it stands: superteam status",
    "not-possible",
  );
}

function messageOf({ text, value, id, by }: AnswerOptions) {
  const said = text ?? value;
  if (said !== undefined) return { kind: "answer", question: id ?? null, said, by } as const;
  throw new Problem('Say what to answer: superteam answer <value>, or --text "..." for free text.', "wrong-usage");
}

function ahead(journal: Journal, { id, by = "person" }: AnswerOptions, said: string): Ahead {
  const question = pending(journal);
  if (id !== undefined && id !== question.id)
    throw new Problem(`The question that waits is ${question.id}, not ${id}.`, "wrong-usage");
  const reading = readAnswerBy(by, question, said);
  if (!reading.ok) throw new Problem(reading.problem, "wrong-usage");
  return { question: question.id, answer: reading.answer, by };
}

function pending(journal: Journal): Question {
  const question = pendingQuestion(viewOf(journal.entries))?.question;
  if (question) return question;
  throw new Problem("No question is waiting. superteam resume goes on with the run.", "wrong-usage");
}
