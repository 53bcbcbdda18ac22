// What an implementer says of its work, as the body of a commit.

import { wrap } from "../text/width.ts";
import { wordsIn } from "./own-words.ts";

const bodyColumns = 72;
const bodyLines = 30;

/** The body of a commit; empty when nothing was said. */
export function commitBody(said: string): string {
  const lines = wordsIn(said)
    .map((line) => (/^([A-Za-z0-9-]+|Disputes .*): /.test(line) ? `- ${line}` : line))
    .flatMap((line) => wrap(line, bodyColumns));
  const cut = lines.length > bodyLines ? [...lines.slice(0, bodyLines), "…"] : lines;
  return cut.join("\n").trim();
}
