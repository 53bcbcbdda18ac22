// One dialog of the prompt library, from the first key to the last trace.
//
// The library takes Escape and Ctrl-C for the same and leaves its drawing behind when a dialog is withdrawn. So it is
// given streams of our own: the keys pass through here first, and what it draws is taken away at the end.

import { PassThrough, type Readable, type Writable } from "node:stream";
import type { Output } from "../output.ts";
import { markLines, pasteReader, pastesBracketed, pastesPlain, unmarkLines } from "../paste.ts";
import type { Heard } from "../typed-words.ts";
import { earlyEnter } from "./early-enter.ts";
import { openFrame } from "./frame.ts";
import type { TerminalKeyboard } from "./keyboard.ts";
import { ctrlC, escapeKey } from "./keys.ts";

export type DialogEnding =
  | { readonly how: "answered"; readonly said: string }
  | { readonly how: "closed" }
  | { readonly how: "interrupted" }
  /** The signal was aborted. */
  | { readonly how: "withdrawn" };

export interface Prompt {
  /** Asks through the library; gives a symbol when the dialog was closed. */
  readonly open: (
    clack: typeof import("@clack/prompts"),
    streams: { readonly input: Readable; readonly output: Writable },
    /** Whether Enter would answer. The dialog is drawn anew when that changes. */
    takesEnter: () => boolean,
  ) => Promise<string | symbol>;
  /** What keys come to, where they are not all for the library. The dialog is drawn anew after them. */
  readonly hear?: (keys: string) => Heard;
  /** Where pasted text goes: into a field of one line, or of several. A choice refuses it, and is drawn anew. */
  readonly paste: "line" | "lines" | (() => void);
}

const showCursor = "\x1b[?25h";
const ctrlD = "\x04";
/** Keys with which the library's line editor would stop the process or go deaf. */
const harmful = /[\x04\x1a]/g;
/** A key that the library draws again for and does nothing else. */
const harmless = "~";

export async function openDialog(
  terminal: { readonly keyboard: TerminalKeyboard; readonly out: Output },
  prompt: Prompt,
  signal: AbortSignal,
): Promise<DialogEnding> {
  const clack = await import("@clack/prompts");
  if (signal.aborted) return { how: "withdrawn" };
  const input = new PassThrough();
  const frame = openFrame(terminal.out);
  let ending: DialogEnding | undefined;
  let isEscapeLeft = false;
  const end = (how: DialogEnding): void => {
    ending ??= how;
    // The library's own way out: it puts the cursor back and lets go of its streams.
    input.write(ctrlC);
  };
  const withdraw = (): void => end({ how: "withdrawn" });
  const early = earlyEnter(terminal.keyboard, frame.redraw);
  const { hear, typed } = hearing(prompt, { input, early, end });
  const release = terminal.keyboard.listen({ hear, gone: () => end({ how: "closed" }), waits: true });
  const leave = (): void => {
    frame.erase();
    terminal.out.write(`${pastesPlain}${showCursor}`);
  };
  signal.addEventListener("abort", withdraw, { once: true });
  process.once("exit", leave);
  terminal.out.write(pastesBracketed);
  try {
    const said = await prompt.open(clack, { input, output: frame.output }, early.isOver);
    if (typeof said !== "string") return ending ?? { how: "closed" };
    // Read together with the key that answered, it was meant for what comes next.
    isEscapeLeft = typed.last.length > 1 && typed.last.endsWith(escapeKey);
    return { how: "answered", said: typed.isPasted && prompt.paste === "line" ? unmarkLines(said) : said };
  } finally {
    signal.removeEventListener("abort", withdraw);
    process.off("exit", leave);
    release();
    early.end();
    frame.erase();
    terminal.out.write(pastesPlain);
    input.destroy();
    if (isEscapeLeft) terminal.keyboard.putBack(escapeKey);
  }
}

/** What is typed and pasted goes to the library, unless it ends the dialog. `typed` has what was read last. */
function hearing(
  prompt: Prompt,
  to: {
    readonly input: PassThrough;
    readonly early: ReturnType<typeof earlyEnter>;
    readonly end: (how: DialogEnding) => void;
  },
) {
  const typed = { last: "", isPasted: false };
  const keys = (read: string): void => {
    typed.last = read;
    if (to.early.refuses(read)) return;
    const said = prompt.hear?.(read) ?? { forList: read };
    if (read.includes(ctrlC)) to.end({ how: "interrupted" });
    else if (read === ctrlD) to.end({ how: "closed" });
    else if ("answer" in said) to.end({ how: "answered", said: said.answer });
    else to.input.write(said.forList === "" ? harmless : said.forList.replace(harmful, ""));
  };
  const paste = (text: string): void => {
    if (typeof prompt.paste === "function") {
      prompt.paste();
      to.input.write(harmless);
      return;
    }
    typed.isPasted = true;
    to.input.write(prompt.paste === "line" ? markLines(text) : text);
  };
  return { typed, hear: pasteReader({ keys, paste }) };
}
