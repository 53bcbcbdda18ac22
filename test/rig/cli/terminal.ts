// The command line in a real terminal, where a run waits for its person.

import { shellWord } from "../../../src/core/text/format.ts";
import { openPane, type Pane } from "../person/pane.ts";
import { type Cli, program } from "./cli.ts";

/** The terminal stays when the program has ended, and shows with which exit code. */
export async function inTerminal(
  context: { after(act: () => Promise<void>): void },
  cli: Cli,
  args: readonly string[],
  changes: Readonly<Record<string, string>> = {},
): Promise<Pane> {
  const words = [process.execPath, program, "-C", cli.root, ...cli.trusting(args)].map(shellWord).join(" ");
  const pane = await openPane({
    command: `${words}; echo "ended with $?"; exec sleep 120`,
    environment: { ...cli.environment, ...changes },
    columns: 100,
    rows: 40,
  });
  context.after(() => pane.close());
  return pane;
}
