// Tells something in pi: in the chat of its terminal, where it stays, and as a notice to a program that drives it.

import { Writable } from "node:stream";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { clean } from "../../../core/text/format.ts";
import type { Level } from "../../../ports/person.ts";
import { chat } from "../kept.ts";
import { inPi } from "../wording.ts";

export type ChatContext = Pick<ExtensionContext, "ui" | "mode" | "hasUI">;

/**
 * What a command was asked for. A pi that only prints has it on stdout, as `superteam status` has; with `--mode json` it is
 * an entry of the session there, as every line of stdout is JSON then. Everything else it tells is on stderr.
 */
export function answerIn(listener: ChatContext, text: string): void {
  if (listener.mode === "print") print(wordsOf(text));
  else if (listener.mode === "json") chat()?.say(wordsOf(text), false);
  else tell(listener, text, "info", false);
}

/** pi hides stdout from stray output by a `write` of its own, and ends when what was written here is out. */
function print(words: string): void {
  Writable.prototype.write.call(process.stdout, `${words}\n`, "utf8");
}

/** All of it is shown: it is short, or the person has to know it. */
export function tellIn(listener: ChatContext, text: string, level: Level): void {
  tell(listener, text, level, false);
}

/** Of a long text the beginning is shown, and the key that shows the rest. */
export function tellBriefly(listener: ChatContext, text: string, level: Level): void {
  tell(listener, text, level, true);
}

/** Without dialogs there are no notifications either. Warnings and errors stay in pi's chat as they are. */
function tell({ ui, mode, hasUI }: ChatContext, text: string, level: Level, isBrief: boolean): void {
  const words = wordsOf(text);
  if (!hasUI) {
    process.stderr.write(`${words}\n`);
    return;
  }
  const own = mode === "tui" ? chat() : undefined;
  if (own && level === "info") {
    own.say(words, isBrief);
    return;
  }
  own?.interrupt();
  ui.notify(words, level);
}

const wordsOf = (text: string): string => clean(inPi(text)).trimEnd();
