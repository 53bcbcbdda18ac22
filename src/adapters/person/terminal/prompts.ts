// What each kind of question looks like while it is open. Title and message stand above already; the first line says
// which keys do what.

import { type Question, readAnswer } from "../../../core/flow/question.ts";
import { oneLine } from "../../../core/text/format.ts";
import { wrap } from "../../../core/text/width.ts";
import type { OutputStyle } from "../output.ts";
import type { Prompt } from "./dialog.ts";

type Select = Question & { readonly kind: "select" };
type Confirm = Question & { readonly kind: "confirm" };
type Input = Question & { readonly kind: "input" };

const libraryMargin = 14;

export function promptFor(question: Select | Confirm | Input, style: OutputStyle): Prompt {
  if (question.kind === "select") return selectPrompt(question, style);
  return question.kind === "confirm" ? confirmPrompt(question, style) : inputPrompt(question, style);
}

function selectPrompt(question: Select, style: OutputStyle): Prompt {
  const { options, recommended } = question;
  return (clack, streams) =>
    clack.select<string>({
      ...streams,
      message: headed("Choose", "↑↓ to move · Enter to answer · Esc to pause", style),
      options: options.map(({ key, label, hint }) => ({
        value: key,
        label: [starred(label, key === recommended, style), ...hintLines(hint, style)].join("\n"),
      })),
      showInstructions: false,
      ...(recommended === undefined ? {} : { initialValue: recommended }),
    });
}

/** Without a recommendation the cursor stands on No: Enter alone agrees to nothing. */
function confirmPrompt(question: Confirm, style: OutputStyle): Prompt {
  const { recommended } = question;
  return async (clack, streams) => {
    const said = await clack.confirm({
      ...streams,
      message: headed("Yes or no", "y/n · Enter to answer · Esc to pause", style),
      active: starred("Yes", recommended === "yes", style),
      inactive: starred("No", recommended === "no", style),
      initialValue: recommended === "yes",
    });
    return typeof said === "symbol" ? said : said ? "yes" : "no";
  };
}

function inputPrompt(question: Input, style: OutputStyle): Prompt {
  const standard = question.default;
  const enter = standard === undefined ? "Enter to answer" : `Enter for ${oneLine(standard)}`;
  const placeholder = question.placeholder ?? standard;
  return (clack, streams) =>
    clack.text({
      ...streams,
      message: headed("Your answer", `${enter} · Esc to pause`, style),
      ...(placeholder === undefined ? {} : { placeholder: oneLine(placeholder) }),
      ...(standard === undefined ? {} : { defaultValue: standard }),
      validate: (text) => (readAnswer(question, text ?? "").ok ? undefined : "Type some text, or press Esc to pause."),
    });
}

/** Several lines without an editor. */
export function linesPrompt(text: string, style: OutputStyle): Prompt {
  return (clack, streams) =>
    clack.multiline({
      ...streams,
      message: headed("Your text", "Tab, then Enter to answer · Esc to pause", style),
      initialValue: text,
      showSubmit: true,
    });
}

/** The moment to read before an editor covers the screen. */
export function beforeEditorPrompt(editor: string, style: OutputStyle): Prompt {
  return (clack, streams) =>
    clack.select<string>({
      ...streams,
      message: headed("Edit", "Enter to open · Esc to pause", style),
      options: [{ value: "open", label: `Open ${oneLine(editor)}` }],
      showInstructions: false,
    });
}

function headed(what: string, keys: string, style: OutputStyle): string {
  return `${what}  ${style.paint("dim", keys)}`;
}

function starred(label: string, recommended: boolean, style: OutputStyle): string {
  return recommended ? `${oneLine(label)} ${style.paint("yellow", "★")}` : oneLine(label);
}

/** Under the label, in line with it. The library wraps labels early: it counts the colours of its margin as columns. */
function hintLines(hint: string | undefined, style: OutputStyle): readonly string[] {
  if (hint === undefined || hint.trim() === "") return [];
  return wrap(oneLine(hint), style.columns - libraryMargin - 2).map((line) => `  ${style.paint("dim", line)}`);
}
