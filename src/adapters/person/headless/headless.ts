// A run without a person: answers that were given beforehand, else what `--yes` allows, else what a question says is taken
// where nobody is, else the run pauses. It never skips or approves by itself.

import { type Answered, type Question, readAnswer } from "../../../core/flow/question.ts";
import type { Output, OutputStyle } from "../output.ts";
import { openScreen } from "../screen/open-screen.ts";
import { answeredLine, answerLine, optionLines, questionLines, waitingLines } from "../transcript.ts";
import { type AnswersFile, keyFor } from "./answers.ts";

export interface HeadlessOptions {
  readonly answers: AnswersFile | undefined;
  /** Take the recommended answer where there is one. */
  readonly yes: boolean;
  readonly out: Output;
  /** How often each question, by id, has been answered so far in this run, in earlier processes too. */
  readonly served: ReadonlyMap<string, number>;
  /** Show each question in full with its answer, instead of one line. */
  readonly show?: boolean;
  /** Print plain lines and draw nothing over, even on a terminal. */
  readonly plain?: boolean;
}

export function headlessPerson(options: HeadlessOptions) {
  const { screen, style, reports } = openScreen(options.out, options.plain ?? false);
  const supply = answerSupply(options);
  /** Answers that were given but are none to their question. The run pauses there. */
  const problems: string[] = [];
  const ask = async (question: Question, signal: AbortSignal): Promise<Answered | undefined> => {
    if (signal.aborted) return undefined;
    const found = supply(question);
    if (found.how === "answered") {
      const { answer, by, source } = found;
      screen.print(options.show ? inFull(question, answer, style) : [answeredLine(question, answer, source, style)]);
      return { answer, by };
    }
    if (found.how === "invalid") {
      problems.push(found.why);
      reports.notify(found.why, "error");
    }
    screen.print(waitingLines(question, style, found.how === "missing" ? found.why : undefined));
    return undefined;
  };
  /** Takes the live area away. Lines can still be printed. */
  const close = (): void => screen.close();
  return { problems, ask, ...reports, close };
}

type Found =
  | ({ readonly how: "answered"; readonly source: string } & Answered)
  | { readonly how: "invalid"; readonly why: string }
  | { readonly how: "missing"; readonly why: string | undefined };

/** Finds answers and counts, by key of the answers file, how many have been used. */
function answerSupply({ answers = noAnswers, yes, served }: HeadlessOptions): (question: Question) => Found {
  const used = usedBefore(answers, served);
  return (question) => {
    const key = keyFor(answers, question.id);
    const given = key === undefined ? [] : (answers.entries.get(key) ?? []);
    const count = used.get(key ?? "") ?? 0;
    const said = given[count];
    if (key !== undefined && said !== undefined) {
      const found = read(question, { answer: said, by: "file" }, answers.fileName);
      if (found.how === "answered") used.set(key, count + 1);
      return found;
    }
    // A recommendation that is no answer is our own mistake; it pauses the run like a wrong answer, and says so.
    const { recommended, unattended } = question;
    if (yes && recommended !== undefined) return read(question, { answer: recommended, by: "policy" }, "--yes");
    if (unattended !== undefined) return read(question, { answer: unattended, by: "policy" }, "no one to ask");
    return { how: "missing", why: key === undefined ? undefined : usedUp(key, given.length) };
  };
}

const noAnswers: AnswersFile = { fileName: "", entries: new Map() };

function read(question: Question, { answer, by }: Answered, source: string): Found {
  const reading = readAnswer(question, answer);
  if (!reading.ok) return { how: "invalid", why: `${source}: ${reading.problem}` };
  return { how: "answered", answer: reading.answer, by, source };
}

function usedBefore(answers: AnswersFile, served: ReadonlyMap<string, number>): Map<string, number> {
  const used = new Map<string, number>();
  for (const [id, count] of served) {
    const key = keyFor(answers, id);
    if (key !== undefined) used.set(key, (used.get(key) ?? 0) + count);
  }
  return used;
}

function usedUp(key: string, count: number): string {
  const answers = count === 1 ? "the one answer" : `all ${count} answers`;
  return `The run has used ${answers} given for "${key}".`;
}

function inFull(question: Question, answer: string, style: OutputStyle): readonly string[] {
  return ["", ...questionLines(question, style), ...optionLines(question, style), answerLine(question, answer, style)];
}
