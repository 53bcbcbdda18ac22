// The real pi in a real terminal, with superteam loaded: what a person types goes in, and the screen is what they see.

import { openPane, type Pane } from "../person/pane.ts";
import { piProgram } from "./session.ts";

export interface PiPaneOptions {
  /** The repository pi is started in. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly extension: string;
  readonly columns: number;
  readonly rows: number;
}

/** To be closed by whoever opened it. */
export function openPiPane({ folder, environment, extension, columns, rows }: PiPaneOptions): Promise<Pane> {
  const pi = [process.execPath, piProgram, "--no-session", "-e", extension].map(quoted).join(" ");
  // pi warns at its start where modified keys cannot be told apart.
  const command = `tmux set-option -g extended-keys on; cd ${quoted(folder)} && ${pi}; echo "pi ended with $?"; exec sleep 60`;
  return openPane({ command, environment: { ...environment, COLORTERM: "truecolor" }, columns, rows });
}

/** Types a line and sends it. */
export async function enter(pane: Pane, line: string): Promise<void> {
  await pane.type(line);
  await pane.until(line);
  await pane.press("Enter");
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
