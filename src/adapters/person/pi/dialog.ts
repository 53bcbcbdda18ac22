// A question as a dialog of pi's. In its terminal the words are laid out for its width; a program that drives pi is given
// them as they are.

import type { ExtensionContext, ExtensionUIContext } from "@earendil-works/pi-coding-agent";
import { numberedOptions, optionText, type Question } from "../../../core/flow/question.ts";
import { clean, oneLine } from "../../../core/text/format.ts";
import { wrap } from "../../../core/text/width.ts";

export interface Surface {
  readonly ui: ExtensionUIContext;
  readonly mode: ExtensionContext["mode"];
  /** How this host words what is asked and told. */
  readonly wording: (text: string) => string;
  /** How wide pi's terminal is. */
  readonly columns: () => number;
}

/** What was said, in the form of an answer; undefined when the dialog was closed. */
export function show(surface: Surface, question: Question, signal: AbortSignal): Promise<string | undefined> {
  const { ui } = surface;
  const heading = headingOf(surface, question);
  switch (question.kind) {
    case "editor":
      return untilAborted(ui.editor(heading, question.prefill), signal);
    case "input":
      return ui.input(heading, inside(question), { signal });
    // pi's own confirmation cannot tell No from Escape, so that one is a choice of two.
    case "confirm":
    case "select":
      return choose(surface, question, signal);
  }
}

/** pi makes all lines of a heading bold and coloured, each anew: what is asked reads better without. */
const plain = "\x1b[0m";
/** What pi keeps free on either side, and what it sets before an option. */
const [margins, marker] = [2, 2];
const hang = " ".repeat(2 * marker);

function headingOf({ mode, wording, columns }: Surface, question: Question): string {
  const isTerminal = mode === "tui";
  // pi's terminal shows an empty field, whatever is to stand in it.
  const field = isTerminal && question.kind === "input" ? (inside(question) ?? "") : "";
  const parts = [question.title, question.message, field].map((text) => clean(wording(text)).trim());
  const [title = "", ...others] = parts.filter((text) => text !== "");
  if (!isTerminal || others.length === 0) return [title, ...others].join("\n\n");
  const lines = wrap(others.join("\n\n"), columns() - margins).map((line) => `${plain}${line}`);
  return [title, "", ...lines].join("\n");
}

/** The text shown in an empty field. */
function inside({ placeholder, default: proposed }: Question & { readonly kind: "input" }): string | undefined {
  return proposed === undefined ? placeholder : `Enter for: ${oneLine(proposed)}`;
}

/** pi's lists begin at their first line, and Enter takes it. */
async function choose(surface: Surface, question: Question, signal: AbortSignal): Promise<string | undefined> {
  const options = numberedOptions(question);
  const lines = options.map((option) => optionText(`${option.label}${option.isRecommended ? " ★" : ""}`, option));
  const shown = distinct(lines).map((line) => laidOut(surface, line));
  const said = await surface.ui.select(headingOf(surface, question), shown, { signal });
  if (said === undefined) return undefined;
  return options[shown.indexOf(said)]?.key ?? said;
}

/** pi returns the text of an option: no two may have the same. */
function distinct(lines: readonly string[]): readonly string[] {
  if (new Set(lines).size === lines.length) return lines;
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
