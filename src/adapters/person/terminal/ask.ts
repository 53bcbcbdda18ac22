// One question at a terminal: what it says, the dialog, and what came of it. Everything else that is printed waits
// until the dialog is gone.

import { type Question, readAnswer } from "../../../core/flow/question.ts";
import { type Output, type OutputStyle, rowsOf } from "../output.ts";
import type { Screen, Stage } from "../screen/screen.ts";
import { answerLine, noticeLines, questionLines, unansweredLines } from "../transcript.ts";
import { type DialogEnding, openDialog, type Prompt } from "./dialog.ts";
import { editorOf, runEditor } from "./editor.ts";
import type { TerminalKeyboard } from "./keyboard.ts";
import { beforeEditorPrompt, confirmPrompt, inputPrompt, linesPrompt, selectPrompt } from "./prompts.ts";

export interface Terminal {
  readonly keyboard: TerminalKeyboard;
  readonly out: Output;
  readonly style: OutputStyle;
  readonly screen: Screen;
  readonly onInterrupt: () => void;
}

export async function ask(terminal: Terminal, question: Question, signal: AbortSignal): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  const { style } = terminal;
  const stage = terminal.screen.stage();
  try {
    stage.print(["", ...questionLines(question, style)]);
    const ending = await open({ terminal, stage, signal }, question);
    const answer = ending.how === "answered" ? readAnswer(question, ending.said) : undefined;
    stage.print(answer?.ok ? [answerLine(question, answer.answer, style)] : unansweredLines(words(ending), style));
    if (ending.how === "interrupted") terminal.onInterrupt();
    return answer?.ok ? answer.answer : undefined;
  } finally {
    stage.end();
  }
}

/** What one open question needs. */
interface Turn {
  readonly terminal: Terminal;
  readonly stage: Stage;
  readonly signal: AbortSignal;
}

function open(turn: Turn, question: Question): Promise<DialogEnding> {
  const { style } = turn.terminal;
  switch (question.kind) {
    case "select":
      return dialog(turn, selectPrompt(question, style));
    case "confirm":
      return dialog(turn, confirmPrompt(question, style));
    case "input":
      return dialog(turn, inputPrompt(question, style));
    case "editor":
      return edit(turn, question);
  }
}

function dialog(turn: Turn, prompt: Prompt): Promise<DialogEnding> {
  return openDialog(turn.terminal, prompt, turn.signal);
}

async function edit(turn: Turn, question: Question & { readonly kind: "editor" }): Promise<DialogEnding> {
  const { style, out, keyboard } = turn.terminal;
  for (const command of editors(question.prefill, rowsOf(out))) {
    const start = await dialog(turn, beforeEditorPrompt(command, style));
    if (start.how !== "answered") return start;
    const reclaim = keyboard.lend();
    const ending = await runEditor(command, question.prefill, turn.signal).finally(reclaim);
    if (ending.how !== "not-started") return ending;
    turn.stage.print(noticeLines(`The editor "${command}" could not be started: ${ending.why}.`, "warning", style));
  }
  return dialog(turn, linesPrompt(question, style));
}

/** Without an editor of the person's choice, text that fits is edited in place; for more, an editor that is likely there. */
function editors(text: string, rows: number): readonly string[] {
  const chosen = editorOf(process.env);
  if (chosen !== undefined) return [chosen];
  return text.split("\n").length + 8 <= rows ? [] : ["nano", "vi"];
}

function words(ending: DialogEnding): string {
  if (ending.how === "interrupted") return "interrupted";
  if (ending.how === "withdrawn") return "no longer asked";
  return "not answered";
}
