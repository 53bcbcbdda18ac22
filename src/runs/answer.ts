// superteam answer: answers the open question. A live runner gets the answer and returns its receipt; without one the run continues here.

import { type Question, readAnswerBy } from "../core/flow/question.ts";
import type { Ahead } from "../engine/asking/question-queue.ts";
import { viewOf } from "../engine/views/fold/run-view.ts";
import { pendingQuestion } from "../engine/views/fold/shape.ts";
import type { Journal } from "../ports/journal.ts";
import { activeRun } from "./active.ts";
import type { RunHandle } from "./handle.ts";
import type { Host } from "./host.ts";
import { type AnswerOptions, answerIfLive, saidIn } from "./live.ts";
import { Problem } from "./problem.ts";
import { resume } from "./start.ts";
import type { Workplace } from "./workplace.ts";

/** Undefined when a live runner has taken it; its receipt is shown. */
export async function answer(place: Workplace, options: AnswerOptions, host: Host): Promise<RunHandle | undefined> {
  const said = saidIn(options);
  await activeRun(place.runs);
  const told = await answerIfLive(place.runs, options);
  if (told === undefined) return resume(place, options, host, (journal) => ahead(journal, options, said));
  if (host.json) host.json(JSON.stringify({ said: told }));
  else host.tell(told);
  return undefined;
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
  throw new Problem("No question is waiting. superteam resume continues the run.", "wrong-usage");
}
