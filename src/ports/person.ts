import type { Answered, Question } from "../core/flow/question.ts";

export type Level = "info" | "warning" | "error";

/** The person: a terminal, pi's dialogs, answers given beforehand. */
export interface Person {
  /**
   * Resolves with the answer: an option's key, `yes` or `no`, or text. Never with one that is not among the options. A plain
   * text is the person's own word; whoever else decided is named.
   * Resolves with undefined, and the run is suspended, when the person closed the question or nobody is there to answer it.
   * Aborting the signal takes the question away and resolves with undefined too. The signal's reason is `AnsweredElsewhere` where
   * that is why.
   */
  ask(question: Question, signal: AbortSignal): Promise<string | Answered | undefined>;
  notify(message: string, level: Level): void;
  /** Calls a person who may be looking elsewhere, by a bell for instance. Left out where nobody sees a screen. */
  attention?(message: string): void;
  /** One line that is replaced by the next; undefined clears it. */
  status(slot: string, text: string | undefined): void;
  /** A few lines that are replaced by the next; undefined clears them. Left out where nothing is drawn over. */
  widget?(id: string, lines: readonly string[] | undefined): void;
}
