// One command line, from its words to its exit code. What a person types often, to look, is answered before the parser of
// options and all the rest is loaded.

import { readFileSync } from "node:fs";
import type { Watching } from "../../runs/host.ts";
import { exitCodes } from "../../runs/problem.ts";
import { toldOf } from "../../runs/trouble.ts";
import { say } from "./say.ts";

/** Runs one command line and gives its exit code. */
export async function main(args: readonly string[], watching?: Watching): Promise<number> {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", outliveReader);
  try {
    return (await atOnce(args)) ?? (await (await import("./parser.ts")).parse(args, watching));
  } catch (error) {
    const { text, exitCode } = toldOf(error);
    say(text);
    return exitCode;
  }
}

export function version(): string {
  // Development runs src/hosts/cli, the package dist/hosts/cli: three folders up either way.
  const file = new URL("../../../package.json", import.meta.url);
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { version: string };
  return version;
}

/** Whoever reads along may go away, as `| head` does or a terminal that is closed: the run must not die of it. */
function outliveReader(error: NodeJS.ErrnoException): void {
  if (!["EPIPE", "EIO", "ENXIO"].includes(error.code ?? "")) throw error;
}

/** The plainest spellings of `--version` and `status`; undefined for all else, which is the parser's to judge. */
async function atOnce(args: readonly string[]): Promise<number | undefined> {
  const [first, ...rest] = args;
  if (rest.length === 0 && (first === "--version" || first === "-v")) {
    process.stdout.write(`${version()}\n`);
    return exitCodes.finished;
  }
  const chosen = first === "-C" || first === "--directory";
  const [folder = "", command, ...options] = chosen ? rest : [".", ...args];
  const json = options[0] === "--json";
  if (command !== "status" || options.length > (json ? 1 : 0)) return undefined;
  return (await import("./commands/status.ts")).status({ folder, json });
}
