// The person at pi: its dialogs, chat, status line and widgets. All of it works over pi's RPC as well as in its terminal;
// what only a terminal can do is asked of one alone.

import { setTimeout as delay } from "node:timers/promises";
import { answerText, type Question, readAnswer } from "../../../core/flow/question.ts";
import { clean, oneLine } from "../../../core/text/format.ts";
import { truncate } from "../../../core/text/width.ts";
import type { Level, Person } from "../../../ports/person.ts";
import { attentionSignal } from "../attention.ts";
import { type Surface, show } from "./dialog.ts";
import { keyboardOf, type PiKeyboard } from "./keyboard.ts";
import { statusLine } from "./status-line.ts";

export interface PiPersonOptions extends Surface {
  /** Tells something in the words of this host. */
  readonly tell: (text: string, level: Level) => void;
  /** Whether pi itself has nothing to do: while its model works, Escape is meant for that. */
  readonly isIdle: () => boolean;
}

export function piPerson(options: PiPersonOptions) {
  const { mode, tell, isIdle } = options;
  let asking = false;
  let answeredAt = Number.NEGATIVE_INFINITY;
  const keyboard = keyboardOf(options);
  const ask = async (question: Question, signal: AbortSignal): Promise<string | undefined> => {
    asking = true;
    try {
      if (mode === "tui") {
        await delay(Math.max(0, answeredAt + momentMs - performance.now()));
        await untilFree(keyboard, signal, () => tell(laterLine(question), "info"));
      }
      const answer = await untilAnswered(options, question, signal);
      if (answer !== undefined && mode === "tui") tell(answerLine(question, answer), "info");
      return answer;
    } finally {
      asking = false;
      answeredAt = performance.now();
    }
  };
  return {
    ask,
    notify: (message: string, level: Level) => tell(clean(message).trimEnd(), level),
    ...(mode === "tui" ? { attention: (message: string) => void process.stdout.write(attentionSignal(message)) } : {}),
    status: statusLine(options),
    widget: widgets(options, keyboard),
    /** Hears Escape in pi's terminal while no question is shown. Returns how to stop; does nothing elsewhere. */
    listenEscape: (onEscape: () => void) =>
      mode === "tui" ? keyboard.listenEscape(() => !asking && isIdle(), onEscape) : () => undefined,
  };
}

/** An Enter that follows the key of an answer finds pi's editor, which is empty, and not the dialog after that. */
const momentMs = 400;

/** A person who has just sent something may already be typing again. */
const pauseMs = 1500;

/** A dialog takes the place of pi's editor: the Enter that was to send a message would answer it. */
async function untilFree(keyboard: PiKeyboard, signal: AbortSignal, tellOnce: () => void): Promise<void> {
  if (keyboard.isFree()) return;
  tellOnce();
  const quiet = keyboard.listenQuiet();
  while (!signal.aborted && !(keyboard.isFree() && quiet.forMs() >= pauseMs)) await delay(100);
  quiet.stop();
}

function laterLine({ title }: Question): string {
  return `A question waits: ${oneLine(title)}. It appears once you have sent or cleared what you are writing and closed any other dialog.`;
}

/** An invalid answer is refused with the reason, and the question stays open. */
async function untilAnswered(options: PiPersonOptions, question: Question, signal: AbortSignal) {
  while (!signal.aborted) {
    const said = await show(options, question, signal);
    if (said === undefined) return undefined;
    const reading = readAnswer(question, said);
    if (reading.ok) return reading.answer;
    options.tell(clean(reading.problem), "warning");
  }
  return undefined;
}

/** A dialog is gone once it is answered; what was decided stays to be read. */
function answerLine(question: Question, answer: string): string {
  const label = answerText(question, answer);
  const asked = oneLine(question.title).replace(/(?<![?:])$/, ":");
  return truncate(`❯ ${asked} ${label.trim() === "" ? "(nothing)" : oneLine(label)}`, 200);
}

/** pi's terminal cuts a list of lines after the tenth, and what happens now stands last: there they are drawn as they are. */
function widgets({ ui, mode }: Surface, keyboard: PiKeyboard): NonNullable<Person["widget"]> {
  const shown = new Map<string, string>();
  return (id, content) => {
    const lines = content && clean(content.join("\n")).split("\n");
    if (shown.get(id) === lines?.join("\n")) return;
    if (lines === undefined) {
      shown.delete(id);
      ui.setWidget(id, undefined);
      return;
    }
    shown.set(id, lines.join("\n"));
    if (mode !== "tui") {
      ui.setWidget(id, lines);
      return;
    }
    ui.setWidget(id, (tui) => {
      keyboard.drawnOn(tui);
      return {
        render: (columns) => lines.map((line) => truncate(` ${line}`, columns - 1)),
        invalidate: () => undefined,
      };
    });
  };
}
