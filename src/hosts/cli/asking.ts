// Who is asked on the command line: the person at the terminal, or nobody, where answers were given beforehand.

import { answerIn, type Question } from "../../core/flow/question.ts";
import type { Variables } from "../../ports/backend.ts";
import { Problem } from "../../runs/problem.ts";

export interface Asking {
  readonly answers?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
  /** Show each question with its answer, as the demo does. */
  readonly show?: boolean;
  readonly onlyNow?: boolean;
  /** How a message names commands, where they are typed in another way. */
  readonly wording?: (text: string) => string;
  /** Where variables for agents are taken from, if not from this process. */
  readonly env?: Variables;
}

/** Both options mean that nobody is there, also at a terminal. */
export function isHeadless({ answers, yes = false }: Asking): boolean {
  return answers !== undefined || yes || !canBeAsked();
}

/** Build servers set CI, and some give a terminal to jobs that nobody watches. */
export function canBeAsked(): boolean {
  const { CI = "" } = process.env;
  return process.stdin.isTTY && /^(?:|0|false)$/i.test(CI);
}

/** Asks something before there is a run. Throws `unsaid` when nobody is there, or the question was closed. */
export async function askAtTerminal(asking: Asking, question: Question, unsaid: () => Problem): Promise<string> {
  if (isHeadless(asking)) throw unsaid();
  const { terminalPerson } = await import("../../adapters/person/terminal/terminal.ts");
  const interrupted = new AbortController();
  const person = terminalPerson({ onInterrupt: () => interrupted.abort(), plain: asking.json === true });
  try {
    if (!person.canAsk) throw unsaid();
    const answer = answerIn(await person.ask(question, new AbortController().signal));
    if (interrupted.signal.aborted) throw new Problem("Nothing was started.", "interrupted");
    if (answer === undefined) throw unsaid();
    return answer;
  } finally {
    person.close();
  }
}
