// What makes a terminal call its owner: the bell, and the notifications of iTerm2, WezTerm, Windows Terminal (OSC 9) and of
// urxvt, foot, Ghostty (OSC 777). A terminal that knows neither shows nothing.

import { oneLine } from "../../core/text/format.ts";

export function attentionSignal(message: string): string {
  const text = oneLine(message, 120).replaceAll(";", ",");
  return `\x07\x1b]9;${text}\x1b\\\x1b]777;notify;superteam;${text}\x1b\\`;
}
