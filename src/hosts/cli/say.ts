// Where the command line's words go, without secrets: what was asked for to stdout, all that is told to people to stderr.

import { redactor } from "../../adapters/process/secrets.ts";

const redact = redactor(process.env);

export function print(text: string): void {
  process.stdout.write(`${redact(text)}\n`);
}

/** What a command that drives no run has to say: words for people, or one object for programs. */
export function answerWith(json: boolean | undefined, object: object, lines: readonly string[]): void {
  for (const text of json ? [JSON.stringify(object)] : lines) print(text);
}

export function say(text: string): void {
  process.stderr.write(`${redact(text)}\n`);
}
