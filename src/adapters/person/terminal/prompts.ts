// What each kind of question looks like while it is open. Title and message stand above already; the first line says
// which keys do what.

import { type NumberedOption, numberedOptions, type Question, readAnswer } from "../../../core/flow/question.ts";
import { oneLine } from "../../../core/text/format.ts";
import { truncate, wrap } from "../../../core/text/width.ts";
import type { OutputStyle } from "../output.ts";
import { meaningsOf, typedWords } from "../typed-words.ts";
import type { Prompt } from "./dialog.ts";

type Choice = Question & { readonly kind: "select" | "confirm" };
type Input = Question & { readonly kind: "input" };

const libraryMargin = 14;

export function promptFor(question: Choice | Input, style: OutputStyle): Prompt {
  return question.kind === "input" ? inputPrompt(question, style) : choicePrompt(question, style);
}

/** The cursor stands on the first option: the recommended one, or No. */
function choicePrompt(question: Choice, style: OutputStyle): Prompt {
  const options = numberedOptions(question);
  const direct = question.kind === "confirm" ? "y or n" : numbersOf(options);
  const meanings = meaningsOf(question, `${direct}, ↑↓, Enter and Esc`);
  const letters: Readonly<Record<string, string>> = question.kind === "confirm" ? { y: "yes", n: "no" } : {};
  const typed = typedWords({ ...meanings, key: (key) => letters[key.toLowerCase()] ?? meanings.key(key) });
  return {
    paste: typed.refusePaste,
    hear: typed.hear,
    open: (clack, streams, takesEnter) =>
      clack.select<string>({
        ...streams,
        // Drawn again with each key.
        get message() {
          const keys = `press ${direct}, or ↑↓ and Enter · Esc to pause`;
          return `${headed("Choose", takesEnter() ? keys : "", style)}${noted(typed.note(), style)}`;
        },
        options: options.map((option) => ({ value: option.key, label: optionText(option, style) })),
        showInstructions: false,
      }),
  };
}

/** Only a number of one digit is a key. */
function numbersOf({ length }: readonly unknown[]): string {
  return length === 1 ? "1" : `1–${Math.min(length, 9)}`;
}

function optionText({ number, label, hint, isRecommended }: NumberedOption, style: OutputStyle): string {
  const star = isRecommended ? ` ${style.paint("yellow", "★")}` : "";
  return [`${number} ${label}${star}`, ...hintLines(hint, style)].join("\n");
}

function inputPrompt(question: Input, style: OutputStyle): Prompt {
  const standard = question.default;
  // True whatever has been typed so far: the library does not say.
  const enter = `Enter to answer${standard === undefined ? "" : `, empty: ${oneLine(standard)}`}`;
  // An example is no answer: Enter in an empty field does not take it.
  const placeholder = question.placeholder === undefined ? standard : `for example: ${question.placeholder}`;
  return {
    paste: "line",
    open: (clack, streams, takesEnter) =>
      clack.text({
        ...streams,
        get message() {
          return headed("Your answer", takesEnter() ? `${enter} · Esc to pause` : "", style);
        },
        ...(placeholder === undefined ? {} : { placeholder: oneLine(placeholder) }),
        ...(standard === undefined ? {} : { defaultValue: standard }),
        validate(text = "") {
          const reading = readAnswer(question, text);
          if (reading.ok) return undefined;
          if (text.trim() === "") return "Type some text, or press Esc to pause.";
          return truncate(oneLine(reading.problem), style.columns - libraryMargin);
        },
      }),
  };
}

/** Several lines without an editor. */
export function linesPrompt(text: string, style: OutputStyle): Prompt {
  return {
    paste: "lines",
    open: (clack, streams, takesEnter) =>
      clack.multiline({
        ...streams,
        get message() {
          return headed("Your text", takesEnter() ? "Tab, then Enter to answer · Esc to pause" : "", style);
        },
        initialValue: text,
        showSubmit: true,
      }),
  };
}

/** What is answered where the text stays as it is. */
export const leaveText = "leave";

/** The moment to read before an editor covers the screen, and the way back without one. */
export function beforeEditorPrompt(editor: string, style: OutputStyle): Prompt {
  const ways = ["open", leaveText];
  const typed = typedWords({
    key: (key) => ways[["1", "2"].indexOf(key)],
    word: () => undefined,
    working: "1–2, ↑↓, Enter and Esc",
  });
  return {
    paste: typed.refusePaste,
    hear: typed.hear,
    open: (clack, streams, takesEnter) =>
      clack.select<string>({
        ...streams,
        get message() {
          const keys = takesEnter() ? "Enter to open · Esc to pause" : "";
          return `${headed("Edit", keys, style)}${noted(typed.note(), style)}`;
        },
        options: [
          { value: "open", label: `1 ${truncate(`Open ${oneLine(editor)}`, style.columns - libraryMargin - 8)}` },
          { value: leaveText, label: "2 Leave the text as it is" },
        ],
        showInstructions: false,
      }),
  };
}

function headed(what: string, keys: string, style: OutputStyle): string {
  return `${what}  ${style.paint("dim", keys)}`;
}

function noted(note: string, style: OutputStyle): string {
  return note === "" ? "" : `\n${style.paint("yellow", note)}`;
}

/** Under the label, in line with it. The library wraps labels early: it counts the colours of its margin as columns. */
function hintLines(hint: string, style: OutputStyle): readonly string[] {
  if (hint === "") return [];
  return wrap(hint, style.columns - libraryMargin - 2).map((line) => `  ${style.paint("dim", line)}`);
}
