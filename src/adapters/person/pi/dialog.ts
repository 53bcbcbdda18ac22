// A question as a dialog of pi's. In its terminal the words are laid out for its width; a program that drives pi is given
// them as they are.

import type { ExtensionContext, ExtensionUIContext } from "@earendil-works/pi-coding-agent";
import { numberedOptions, optionsOf, optionText, type Question } from "../../../core/flow/question.ts";
import { emphasized } from "../../../core/text/emphasis.ts";
import { clean, oneLine } from "../../../core/text/format.ts";
import { wrap, wrapWords } from "../../../core/text/width.ts";
import { isPaste, markLines, unmarkLines } from "../paste.ts";
import { meaningsOf, typedWords } from "../typed-words.ts";

export interface Surface {
  readonly ui: ExtensionUIContext;
  readonly mode: ExtensionContext["mode"];
  /** How this host words what is asked and told. */
  readonly wording: (text: string) => string;
  /** How wide pi's terminal is. */
  readonly columns: () => number;
  /** Puts a text where it can be read in full. */
  readonly publish: (text: string) => void;
}

/** What was said, in the form of an answer; undefined when the dialog was closed. */
export function show(surface: Surface, question: Question, signal: AbortSignal): Promise<string | undefined> {
  const { ui } = surface;
  const heading = headingOf(surface, question);
  switch (question.kind) {
    case "editor":
      return untilAborted(ui.editor(heading, question.prefill), signal);
    case "input":
      return takeLine(surface, (opts) => ui.input(heading, inside(question), opts), signal);
    // pi's own confirmation cannot tell No from Escape, so that one is a choice of two.
    case "confirm":
    case "select":
      return choose(surface, question, signal);
  }
}

/** pi makes all lines of a heading bold and coloured, each again: what is asked reads better without. */
const plain = "\x1b[0m";
const bold = (text: string): string => `\x1b[1m${text}${plain}`;
/** What pi keeps free on either side, and what it sets before an option. */
const [margins, marker] = [2, 2];
const hang = " ".repeat(marker);

function headingOf({ mode, wording, columns }: Surface, question: Question): string {
  const isTerminal = mode === "tui";
  // pi's terminal shows an empty field, whatever is to stand in it.
  const field = isTerminal && question.kind === "input" ? aroundField(question) : "";
  const parts = [question.title, question.message, field].map((text) => clean(wording(text)).trim());
  const [title = "", ...others] = parts.filter((text) => text !== "");
  if (!isTerminal || others.length === 0) return [title, ...others].join("\n\n");
  const wrapped = wrapWords(others.join("\n\n"), columns() - margins);
  const lines = wrapped.map((line) => `${plain}${emphasized(line, bold)}`);
  return [title, "", ...lines].join("\n");
}

/** What a terminal says above the field: what is taken when it stays empty, and an example, if there are any. */
function aroundField({ placeholder, default: proposed }: Question & { readonly kind: "input" }): string {
  const example = placeholder === undefined ? undefined : `for example: ${oneLine(placeholder)}`;
  return [standardText(proposed), example].filter((text) => text !== undefined).join(" · ");
}

const standardText = (proposed: string | undefined): string | undefined =>
  proposed === undefined ? undefined : `Enter for: ${oneLine(proposed)}`;

/** The text shown in an empty field. */
function inside({ placeholder, default: proposed }: Question & { readonly kind: "input" }): string | undefined {
  return standardText(proposed) ?? placeholder;
}

/** pi's field of one line would run pasted lines together. */
async function takeLine(
  { ui, mode }: Surface,
  open: (opts: { signal: AbortSignal }) => Promise<string | undefined>,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (mode !== "tui") return open({ signal });
  let isPasted = false;
  const stop = ui.onTerminalInput((keys) => {
    if (!isPaste(keys)) return undefined;
    isPasted = true;
    return { data: markLines(keys.replace(/[\r\n]+(?=\x1b\[201~)/, "").replace(/\r\n?/g, "\n")) };
  });
  const said = await open({ signal }).finally(stop);
  return said !== undefined && isPasted ? unmarkLines(said) : said;
}

/** pi's lists begin at their first line, and Enter takes it; a number takes the option with that number. */
async function choose(surface: Surface, question: Question, signal: AbortSignal): Promise<string | undefined> {
  const options = numberedOptions(question);
  const lines = options.map((option) => optionText(`${option.label}${option.isRecommended ? " ★" : ""}`, option));
  const shown = (surface.mode === "tui" ? numbered(lines) : distinct(lines)).map((line) => laidOut(surface, line));
  for (let asked = question; ; ) {
    const said = await chosenOf(surface, { question: asked, shown }, signal);
    const option = options.find(({ key }) => key === said);
    if (option?.shows === undefined) return said;
    surface.publish(option.shows);
    // A dialog can be as high as the terminal: then nothing else seems to change.
    asked = { ...question, message: `${question.message}\n\n"${option.label}" is above. Scroll up to read it.` };
  }
}

/** The key of the one that was chosen; a text that is none of them as it came. */
async function chosenOf(
  surface: Surface,
  { question, shown }: { readonly question: Question; readonly shown: readonly string[] },
  signal: AbortSignal,
): Promise<string | undefined> {
  const closing = new AbortController();
  let pressed: string | undefined;
  const stop = listenTyped(surface, question, (answer) => {
    pressed = answer;
    closing.abort();
  });
  const said = await surface.ui
    .select(headingOf(surface, question), [...shown], { signal: AbortSignal.any([signal, closing.signal]) })
    .finally(stop);
  if (pressed !== undefined && !signal.aborted) return pressed;
  const index = said === undefined ? -1 : shown.indexOf(said);
  return index < 0 ? said : optionsOf(question)[index]?.key;
}

/** What is typed at a list in pi's terminal: its own list takes letters for arrows. */
function listenTyped({ ui, mode }: Surface, question: Question, answered: (answer: string) => void): () => void {
  if (mode !== "tui") return () => undefined;
  const typed = typedWords(meaningsOf(question, "its numbers, ↑↓, Enter and Esc"));
  return ui.onTerminalInput((key) => {
    if (isPaste(key)) {
      typed.refusePaste();
      ui.notify(typed.note(), "warning");
      return { consume: true };
    }
    if (!typedKey.test(key)) return undefined;
    const heard = typed.hear(key);
    if ("answer" in heard) answered(heard.answer);
    else if (heard.forList !== "") return undefined;
    else if (/[\d\r\n]/.test(key)) ui.notify(typed.note(), "warning");
    return { consume: true };
  });
}

/** Letters, Enter, and what takes a letter back. All else is pi's. */
const typedKey = /^(?:[^\0-\x1f\x7f]+|[\r\n\b\x7f])$/;

/** pi returns the text of an option: no two may have the same. */
function distinct(lines: readonly string[]): readonly string[] {
  return new Set(lines).size === lines.length ? lines : numbered(lines);
}

function numbered(lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => `${index + 1}. ${line}`);
}

/** The further lines of an option stand below its words and not below the mark of the one that is chosen. */
function laidOut({ mode, columns }: Surface, line: string): string {
  if (mode !== "tui") return line;
  return wrap(line, columns() - margins - hang.length).join(`\n${hang}`);
}

/** pi cannot be asked to take its editor away: what is still written there has no effect. */
function untilAborted(said: Promise<string | undefined>, signal: AbortSignal): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const away = (): void => resolve(undefined);
  signal.addEventListener("abort", away, { once: true });
  said.then(resolve, reject);
  return promise.finally(() => signal.removeEventListener("abort", away));
}
