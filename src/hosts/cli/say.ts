// Where the command line prints, without secrets: the result of a command to stdout, everything else for people to stderr.

import type { Output } from "../../adapters/person/output.ts";
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

/** Words for people, such as a report. */
export async function printWords(text: string): Promise<void> {
  process.stdout.write(`${await wordsFor(process.stdout, redact(text))}\n`);
}

/** The same to stderr: what went wrong, or what became of a command. */
export async function sayWords(text: string): Promise<void> {
  process.stderr.write(`${await wordsFor(process.stderr, redact(text))}\n`);
}

/** A terminal gets them in lines of its width, with headings in bold where it has colours; a pipe gets them as they are. */
export async function wordsFor(out: Output, text: string): Promise<string> {
  const { isTTY, columns } = out;
  if (!isTTY || !columns) return text;
  const [{ wrapWords }, { emphasized }, { styleText }] = await Promise.all([
    import("../../core/text/width.ts"),
    import("../../core/text/emphasis.ts"),
    import("node:util"),
  ]);
  const bold = (words: string): string => styleText("bold", words, { stream: out });
  return wrapWords(text, columns)
    .map((line) => emphasized(line, bold))
    .join("\n");
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
