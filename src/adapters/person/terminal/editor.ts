// The person's own editor on a temporary file that nobody else can read.

import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeOf, readIfPresent } from "../../files/present.ts";
import { onPath } from "../../process/on-path.ts";
import type { DialogEnding } from "./dialog.ts";

export type EditorEnding =
  | DialogEnding
  | { readonly how: "not-started"; readonly why: string }
  /** It ran, and said with its exit code that nothing is to be taken. */
  | { readonly how: "failed"; readonly code: number | null };

/** The command from VISUAL or EDITOR. Without either, text that fits is edited in place; for more, an editor that is there. */
export function editorsFor({ text, rows, environment }: LongText): readonly string[] {
  const chosen = [environment["VISUAL"], environment["EDITOR"]].find((command) => command?.trim());
  if (chosen !== undefined) return [chosen];
  if (text.split("\n").length + linesAround <= rows) return [];
  return ["nano", "vi"].filter((name) => onPath(name, environment) !== undefined);
}

interface LongText {
  readonly text: string;
  /** How high the terminal is. */
  readonly rows: number;
  readonly environment: NodeJS.ProcessEnv;
}

/** What a dialog draws above and below a text. */
const linesAround = 8;

/** What shows a long text page by page: the person's own choice, or what is likely there. */
export function pagersOf(environment: NodeJS.ProcessEnv): readonly string[] {
  const chosen = environment["PAGER"]?.trim();
  return chosen ? [chosen] : ["less", "more"];
}

/** Edits the text with the command, on the terminal this process has. */
export async function runEditor(command: string, text: string, signal: AbortSignal): Promise<EditorEnding> {
  const folder = await mkdtemp(join(tmpdir(), "superteam-edit-"));
  const file = join(folder, "answer.md");
  try {
    await writeFile(file, text, { mode: 0o600 });
    const ended = await waitFor(command, file, signal);
    if (ended !== "saved") return ended;
    // It may have been cleared away under an editor that was open for days.
    const saved = await readIfPresent(file);
    return saved === undefined ? { how: "closed" } : { how: "answered", said: withoutAddedNewline(saved, text) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const noProgram = "no such program";

function waitFor(command: string, file: string, signal: AbortSignal): Promise<"saved" | EditorEnding> {
  const [program, args] = commandLine(command, file);
  return new Promise((resolve) => {
    // The editor draws where people's text goes: stdout may be a pipe that carries JSON.
    const editor = spawn(program, args, { stdio: ["inherit", 2, "inherit"], signal });
    // One that is ended by the signal is waited for until it is gone.
    editor.once("error", (error) => {
      if (!signal.aborted) resolve({ how: "not-started", why: codeOf(error) === "ENOENT" ? noProgram : error.message });
    });
    editor.once("close", (code) => {
      if (signal.aborted) return resolve({ how: "withdrawn" });
      if (code === 127) return resolve({ how: "not-started", why: noProgram });
      resolve(code === 0 ? "saved" : { how: "failed", code });
    });
  });
}

/** Plain words are started as they are, so that ending the process ends the editor; anything else is for the shell. */
function commandLine(command: string, file: string): readonly [string, readonly string[]] {
  if (!/^[\w@%+:,./ -]+$/.test(command) || /^\w+=/.test(command)) {
    return ["sh", ["-c", `${command} "$@"`, command, file]];
  }
  const [program = "", ...args] = command.trim().split(/ +/);
  return [program, [...args, file]];
}

/** Editors end the last line; the text was not meant to be changed by that. */
function withoutAddedNewline(after: string, before: string): string {
  return before.endsWith("\n") ? after : after.replace(/\r?\n$/, "");
}
