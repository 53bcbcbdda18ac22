// One command line, from its words to its exit code. What a person types often, to look, is answered before the parser of
// options and all the rest is loaded.

import type { Host } from "../../runs/host.ts";
import { isAsciiTerminal, print, sayWords } from "./say.ts";

/** Runs one command line and gives its exit code. */
export async function main(args: readonly string[], watching?: Pick<Host, "watch">): Promise<number> {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", outliveReader);
    if (isAsciiTerminal(stream, process.env)) (await import("../../adapters/person/ascii.ts")).keepToAscii(stream);
  }
  try {
    if (await isDoneAtOnce(args)) return 0;
    const { parse } = await import("./parser.ts");
    return await parse(args, watching?.watch);
  } catch (error) {
    const [{ toldOf }, { exitCodes }] = await Promise.all([import("../../runs/problem.ts"), import("../exit-code.ts")]);
    const { text, kind } = toldOf(error);
    await sayWords(text);
    return exitCodes[kind];
  }
}

/** A reader may go away, such as `| head` or a closed terminal: the run must survive that. */
function outliveReader(error: NodeJS.ErrnoException): void {
  if (!["EPIPE", "EIO", "ENXIO"].includes(error.code ?? "")) throw error;
}

/** The plainest spellings of what looks, and of what a live run is sent. All else is the parser's. */
async function isDoneAtOnce(args: readonly string[]): Promise<boolean> {
  const [first, ...rest] = args;
  if (rest.length === 0 && (first === "--version" || first === "-v")) {
    print((await import("./version.ts")).version);
    return true;
  }
  const chosen = first === "-C" || first === "--directory";
  const [folder = "", command = "", ...words] = chosen ? rest : [".", ...args];
  return Object.hasOwn(plain, command) && (await plain[command]?.(folder, words)) === true;
}

/** Each does it, or does nothing and gives false. */
const plain: Readonly<Record<string, (folder: string, words: readonly string[]) => Promise<boolean>>> = {
  async status(folder, words) {
    const json = words[0] === "--json";
    if (words.length > (json ? 1 : 0)) return false;
    await (await import("./commands/status.ts")).status({ folder, json });
    return true;
  },
  async stop(folder, words) {
    if (words.length > 0) return false;
    await (await import("./commands/live.ts")).stop(folder);
    return true;
  },
  async abort(folder, words) {
    return words.length === 0 && (await import("./commands/live.ts")).tellAbort(folder);
  },
  async answer(folder, [value = "-", option, id, ...more]) {
    if (value.startsWith("-") || (option !== undefined && option !== "--id") || more.length > 0) return false;
    if (option === "--id" && id === undefined) return false;
    return (await import("./commands/live.ts")).tellAnswer(folder, value, id);
  },
};
