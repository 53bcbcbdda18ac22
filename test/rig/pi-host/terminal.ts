// The real pi in a real terminal, with superteam loaded: what a person types goes in, and the screen is what they see.

import { setTimeout as passes } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { shellWord } from "../../../src/core/text/format.ts";
import { withBundledParts } from "../bundled.ts";
import { openCli } from "../cli/cli.ts";
import { openPane, type Pane } from "../person/pane.ts";
import { openLine } from "../person/remote-person.ts";
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
  const pi = [process.execPath, ...withBundledParts, piProgram, "--no-session", "-e", extension]
    .map(shellWord)
    .join(" ");
  // pi warns at its start where modified keys cannot be told apart.
  const command = `tmux set-option -g extended-keys on; cd ${shellWord(folder)} && ${pi}; echo "pi ended with $?"; exec sleep 60`;
  return openPane({ command, environment: { ...environment, COLORTERM: "truecolor" }, columns, rows });
}

const extension = fileURLToPath(new URL("./person-extension.ts", import.meta.url));

/** The person's side of superteam and nothing else, in a terminal of the smallest usual size. */
export async function openPersonPane(context: Parameters<typeof openCli>[0]) {
  const line = await openLine();
  context.after(line.close);
  const cli = await openCli(context);
  const environment = { ...cli.environment, SUPERTEAM_TEST_LINE: line.path };
  const pane = await openPiPane({ folder: cli.root, environment, extension, columns: 80, rows: 24 });
  context.after(pane.close);
  return { pane, remote: await line.connected() };
}

/** Types a line and sends it, as soon as pi takes it: while it starts it gives lines back. */
export async function enter(pane: Pane, line: string): Promise<void> {
  const isWritten = (screen: string): boolean => screen.split("\n").includes(line);
  await pane.type(line);
  await pane.until(isWritten);
  while (isWritten(await pane.screen())) {
    await pane.press("Enter");
    for (let look = 0; look < 20 && isWritten(await pane.screen()); look++) await passes(50);
  }
}
