// For terminals that do not show UTF-8, as LANG=C says: the symbols of ours that they cannot show, in ASCII and as wide as
// before, so that boxes and tables stay whole. Other letters are left as they are.

import type { Output } from "./output.ts";

const inAscii: Readonly<Record<string, string>> = {
  ...all("─━—–−·", "-"),
  ...all("│┃", "|"),
  ...all("┌┐└┘├┤┬┴┼╭╮╰╯", "+"),
  ...all("✓✔", "+"),
  ...all("✗✖×", "x"),
  ...all("●◆★•⚖", "*"),
  ...all("○◇", "o"),
  ...all("■▪◼█", "#"),
  ...all("□◻░", "."),
  ...all("▲⚠", "!"),
  ...all("→›❯▸⏭", ">"),
  ...all("←↩⏎", "<"),
  ...all("⏸", "="),
  ...all("↻", "@"),
  ...all("“”", '"'),
  ...all("‘’", "'"),
  ...all("⠋⠼", "|"),
  ...all("⠙⠴", "/"),
  ...all("⠹⠦⠇", "-"),
  ...all("⠸⠧⠏", "\\"),
  "↑": "^",
  "↓": "v",
  "…": "~",
  ℹ: "i",
};

function all(symbols: string, ascii: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...symbols].map((symbol) => [symbol, ascii]));
}

/** A picture is two columns wide, also a symbol that is made one by the selector after it. */
const picture = /\p{Emoji_Presentation}|\p{Emoji}\u{fe0f}/gu;

export function toAscii(text: string): string {
  return text.replace(picture, "* ").replace(/[^\0-\x7f]/gu, (symbol) => inAscii[symbol] ?? symbol);
}

/** From now on what is written there is in ASCII. */
export function keepToAscii(out: Output): void {
  const write: Writing = out.write.bind(out);
  const plain: Writing = (chunk, ...rest) => write(typeof chunk === "string" ? toAscii(chunk) : chunk, ...rest);
  Object.defineProperty(out, "write", { value: plain });
}

type Writing = (chunk: string | Uint8Array, ...rest: never[]) => boolean;
