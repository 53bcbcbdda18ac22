// Where the command line's words go, without secrets: what was asked for to stdout, all that is told to people to stderr.

import { redactor } from "../../core/text/secrets.ts";
import type { Variables } from "../../ports/backend.ts";

/** Whether it is one that shows no UTF-8, as its locale says. Where none is set nothing is said: most terminals show it. */
export function isAsciiTerminal(out: { readonly isTTY?: boolean }, { LC_ALL, LC_CTYPE, LANG }: Variables): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || "";
  return out.isTTY === true && (/^(?:C|POSIX)$/i.test(locale) || /\.(?!utf-?8)/i.test(locale));
}

const redact = redactor(process.env);

export function print(text: string): void {
  process.stdout.write(`${redact(text)}\n`);
}

/** Words for people: a terminal gets them in lines of its width, a pipe as they are. */
export async function printWords(text: string): Promise<void> {
  const { isTTY, columns } = process.stdout;
  if (!isTTY || !columns) return print(text);
  const { wrapWords } = await import("../../core/text/width.ts");
  print(wrapWords(text, columns).join("\n"));
}

/** A table: a terminal gets each row on one line, a pipe as it is. */
export async function printRows(text: string): Promise<void> {
  const { isTTY, columns } = process.stdout;
  if (!isTTY || !columns) return print(text);
  const { truncate } = await import("../../core/text/width.ts");
  print(
    text
      .split("\n")
      .map((row) => truncate(row, columns))
      .join("\n"),
  );
}

/** What a command that drives no run has to say: words for people, or one object for programs. */
export function answerWith(json: boolean | undefined, object: object, lines: readonly string[]): void {
  for (const text of json ? [JSON.stringify(object)] : lines) print(text);
}

export function say(text: string): void {
  process.stderr.write(`${redact(text)}\n`);
}
