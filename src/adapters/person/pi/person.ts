// The person at pi: its dialogs, notifications, status line and widgets. All of it works over pi's RPC as well as in its
// terminal; what only a terminal can do is asked of one alone.

import type { ExtensionContext, ExtensionUIContext } from "@earendil-works/pi-coding-agent";
import { type Option, optionsOf, type Question, readAnswer } from "../../../core/question.ts";
import type { Person } from "../../../ports/person.ts";
import { clean, oneLine, truncate } from "../text.ts";

export interface PiPersonOptions {
  readonly ui: ExtensionUIContext;
  readonly mode: ExtensionContext["mode"];
  /** How this host words what is told. */
  readonly wording: (text: string) => string;
  /** Whether pi itself has nothing to do: while its model works, Escape is meant for that. */
  readonly isIdle: () => boolean;
}

export interface PiPerson extends Person {
  /** Hears Escape in pi's terminal while no question is shown. Returns how to stop; does nothing elsewhere. */
  listenEscape(onEscape: () => void): () => void;
}

export function piPerson({ ui, mode, wording, isIdle }: PiPersonOptions): PiPerson {
  let asking = false;
  const ask = async (question: Question, signal: AbortSignal): Promise<string | undefined> => {
    asking = true;
    try {
      return await untilAnswered(ui, question, signal);
    } finally {
      asking = false;
    }
  };
  const isNew = changes();
  return {
    select: (question, signal) => ask({ ...question, kind: "select" }, signal),
    confirm: (question, signal) => ask({ ...question, kind: "confirm" }, signal),
    input: (question, signal) => ask({ ...question, kind: "input" }, signal),
    editor: (question, signal) => ask({ ...question, kind: "editor" }, signal),
    notify: (message, level) => ui.notify(clean(wording(message)).trimEnd(), level),
    status(slot, text) {
      const line = text === undefined ? undefined : oneLine(text);
      if (isNew(`status ${slot}`, line)) ui.setStatus(slot, line);
    },
    widget(id, lines) {
      const shown = lines === undefined ? undefined : clean(lines.join("\n")).split("\n");
      if (isNew(`widget ${id}`, shown?.join("\n"))) setWidget(ui, mode, { id, lines: shown });
    },
    listenEscape: (onEscape) => (mode === "tui" ? escapes(ui, () => !asking && isIdle(), onEscape) : () => undefined),
  };
}

/** What is no answer is refused in words, and the question stands. */
async function untilAnswered(
  ui: ExtensionUIContext,
  question: Question,
  signal: AbortSignal,
): Promise<string | undefined> {
  while (!signal.aborted) {
    const said = await show(ui, question, signal);
    if (said === undefined) return undefined;
    const reading = readAnswer(question, said);
    if (reading.ok) return reading.answer;
    ui.notify(clean(reading.problem), "warning");
  }
  return undefined;
}

/** pi's own confirmation cannot tell No from Escape, so a confirmation is a choice of two. */
function show(ui: ExtensionUIContext, question: Question, signal: AbortSignal): Promise<string | undefined> {
  const title = [question.title, question.message].map((text) => clean(text).trim()).filter((text) => text !== "");
  const heading = title.join("\n\n");
  if (question.kind === "editor") return untilAborted(ui.editor(heading, question.prefill), signal);
  if (question.kind === "input") {
    const { placeholder, default: proposed } = question;
    return ui.input(heading, proposed === undefined ? placeholder : `Enter for: ${oneLine(proposed)}`, { signal });
  }
  return choose(ui, { heading, options: optionsOf(question), recommended: question.recommended }, signal);
}

interface Choice {
  readonly heading: string;
  readonly options: readonly Option[];
  readonly recommended: string | undefined;
}

async function choose(
  ui: ExtensionUIContext,
  { heading, options, recommended }: Choice,
  signal: AbortSignal,
): Promise<string | undefined> {
  const lines = options.map((option) => optionLine(option, option.key === recommended));
  const said = await ui.select(heading, distinct(lines), { signal });
  if (said === undefined) return undefined;
  return options[distinct(lines).indexOf(said)]?.key ?? said;
}

function optionLine({ label, hint }: Option, isRecommended: boolean): string {
  return `${oneLine(label)}${isRecommended ? " ★" : ""}${hint ? ` — ${oneLine(hint)}` : ""}`;
}

/** pi gives back the words of an option: no two may have the same. */
function distinct(lines: readonly string[]): string[] {
  if (new Set(lines).size === lines.length) return [...lines];
  return lines.map((line, index) => `${index + 1}. ${line}`);
}

/** pi cannot be asked to take its editor away: what is still written there has no effect. */
function untilAborted(said: Promise<string | undefined>, signal: AbortSignal): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const away = (): void => resolve(undefined);
  signal.addEventListener("abort", away, { once: true });
  said.then(resolve, reject);
  return promise.finally(() => signal.removeEventListener("abort", away));
}

/** Says whether a place is to show something else than it did. */
function changes(): (place: string, content: string | undefined) => boolean {
  const shown = new Map<string, string | undefined>();
  return (place, content) => {
    if (shown.get(place) === content) return false;
    shown.set(place, content);
    return true;
  };
}

/** pi's terminal cuts a list of lines after the tenth, and what goes on now stands last: there they are drawn as they are. */
function setWidget(
  ui: ExtensionUIContext,
  mode: ExtensionContext["mode"],
  { id, lines }: { readonly id: string; readonly lines: readonly string[] | undefined },
): void {
  if (lines === undefined || mode !== "tui") {
    ui.setWidget(id, lines === undefined ? undefined : [...lines]);
    return;
  }
  ui.setWidget(id, () => ({
    render: (columns) => lines.map((line) => truncate(` ${line}`, columns - 1)),
    invalidate: () => undefined,
  }));
}

/** Escape alone, as terminals send it plainly and as they send it to programs that ask for distinct keys. */
const escapeKey = /^\x1b(?:\[27(?:;1(?::1)?)?u)?$/;

function escapes(ui: ExtensionUIContext, isFree: () => boolean, onEscape: () => void): () => void {
  return ui.onTerminalInput((keys) => {
    if (!isFree() || !escapeKey.test(keys)) return undefined;
    onEscape();
    return { consume: true };
  });
}
