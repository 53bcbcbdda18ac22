// What the writer of the final fixes or of the documentation reports: shown to the person, and put into the commit.

import { type Flow, record } from "../../core/flow/flow.ts";
import { commitBody } from "../../core/run/commit-body.ts";
import { inFull, inSentences, type Told } from "../../core/run/own-words.ts";

export interface WriterWords extends Told {
  readonly said: string;
}

/** The subject of a commit, and below it what its writer said. */
export function messageOf(subject: string, words: WriterWords): string {
  return `${subject}\n\n${commitBody(inFull(words.said, words))}`.trim();
}

/** A writer that said nothing is not reported. */
export function* tellWords(work: string, { said, concerns = [], disputed = [] }: WriterWords): Flow<void> {
  const short = inSentences(said);
  if (short === "" && concerns.length === 0 && disputed.length === 0) return;
  yield* record({ type: "writer.said", work, said: short, concerns, disputed });
}
