// One question at a terminal: its text, the dialog, and the answer. Everything else that is printed waits until the dialog is gone.

import { AnsweredElsewhere, answerText, optionsOf, type Question, readAnswer } from "../../../core/flow/question.ts";
import { clean, oneLine } from "../../../core/text/format.ts";
import { type Output, type OutputStyle, rowsOf } from "../output.ts";
import type { Screen, Stage } from "../screen/screen.ts";
import { answerLine, noticeLines, questionLines, unansweredLines } from "../transcript.ts";
import { type DialogEnding, openDialog } from "./dialog.ts";
import { type EditorEnding, editorsFor, pagersOf, runEditor } from "./editor.ts";
import type { TerminalKeyboard } from "./keyboard.ts";
import { beforeEditorPrompt, leaveText, linesPrompt, promptFor } from "./prompts.ts";

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
    const ending =
      question.kind === "editor"
        ? await edit({ terminal, stage, signal }, question.prefill)
        : await choose({ terminal, stage, signal }, question);
    const answer = ending.how === "answered" ? readAnswer(question, ending.said) : undefined;
    const unanswered = (): readonly string[] => unansweredLines(words(question, ending, signal), style);
    stage.print(answer?.ok ? [answerLine(question, answer.answer, style)] : unanswered());
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

/** An option that only shows a text leaves the question open. */
async function choose(turn: Turn, question: Exclude<Question, { kind: "editor" }>): Promise<DialogEnding> {
  const { terminal, signal } = turn;
  for (;;) {
    const ending = await openDialog(terminal, promptFor(question, terminal.style), signal);
    const said = ending.how === "answered" ? ending.said : undefined;
    const text = optionsOf(question).find(({ key }) => key === said)?.shows;
    if (text === undefined) return ending;
    await page(turn, text);
  }
}

/** In the person's pager; printed where there is none. */
async function page({ terminal, stage, signal }: Turn, text: string): Promise<void> {
  for (const command of pagersOf(process.env)) {
    const reclaim = terminal.keyboard.lend();
    const ending = await runEditor(command, clean(text), signal).finally(reclaim);
    if (ending.how !== "not-started") return;
  }
  stage.print(clean(text).split("\n"));
}

async function edit(turn: Turn, text: string): Promise<DialogEnding> {
  const { terminal, signal } = turn;
  for (const command of editorsFor({ text, rows: rowsOf(terminal.out), environment: process.env })) {
    const ending = await editWith(turn, command, text);
    if (ending.how !== "not-started") return ending;
  }
  return openDialog(terminal, linesPrompt(text, terminal.style), signal);
}

type Edited = Exclude<EditorEnding, { readonly how: "failed" }>;

/** Until the editor ends well or the text is left as it is. Editors are told to fail when nothing is to be saved, and some always do. */
async function editWith({ terminal, stage, signal }: Turn, command: string, text: string): Promise<Edited> {
  const { style, keyboard } = terminal;
  for (;;) {
    const start = await openDialog(terminal, beforeEditorPrompt(command, style), signal);
    if (start.how !== "answered") return start;
    if (start.said === leaveText) return { how: "answered", said: text };
    const reclaim = keyboard.lend();
    const ending = await runEditor(command, text, signal).finally(reclaim);
    if (ending.how !== "not-started" && ending.how !== "failed") return ending;
    stage.print(noticeLines(`The editor "${command}" ${whyUnused(ending)}.`, "warning", style));
    if (ending.how === "not-started") return ending;
  }
}

function whyUnused(ending: EditorEnding & { readonly how: "not-started" | "failed" }): string {
  if (ending.how === "not-started") return `could not be started: ${ending.why}`;
  const how = ending.code === null ? "was ended by a signal" : `ended with exit code ${ending.code}`;
  return `${how}, so its text is not used`;
}

function words(question: Question, { how }: DialogEnding, { reason }: AbortSignal): string {
  if (how === "interrupted") return "interrupted";
  if (how !== "withdrawn") return "not answered";
  if (!(reason instanceof AnsweredElsewhere)) return "no longer asked";
  return `answered elsewhere: ${oneLine(answerText(question, reason.answer), 200)}`;
}
