// Tells something in pi: in the chat of its terminal, where it stays, and as a notice to a program that drives it.

import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { clean } from "../../../core/text/format.ts";
import type { Level } from "../../../ports/person.ts";
import { chat } from "../kept.ts";
import { inPi } from "../wording.ts";

export type ChatContext = Pick<ExtensionContext, "ui" | "mode" | "hasUI">;

/** All of it is shown: the person has asked for it, or it is short. */
export function tellIn(listener: ChatContext, text: string, level: Level): void {
  tell(listener, text, level, false);
}

/** Of a long text the beginning is shown, and the key that shows the rest. */
export function tellBriefly(listener: ChatContext, text: string, level: Level): void {
  tell(listener, text, level, true);
}

/** Without dialogs there are no notifications either. Warnings and errors stay in pi's chat as they are. */
function tell({ ui, mode, hasUI }: ChatContext, text: string, level: Level, isBrief: boolean): void {
  const words = clean(inPi(text)).trimEnd();
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
