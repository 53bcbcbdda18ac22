// What to build: as it was typed, from a file, or from stdin; else it is asked for. Every agent is sent it, so what cannot be a
// goal is refused before anything is paid for.

import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { systemReason } from "../../../ports/failure.ts";
import { Problem } from "../../../runs/problem.ts";
import { refuseBeforeGoal } from "../../../runs/start.ts";
import { workplaceAt } from "../../wiring/workplace-at.ts";
import { type Asking, askAtTerminal, isHeadless } from "../asking.ts";
import { say } from "../say.ts";

type Here = Asking & { readonly folder: string };

/** Stdin where the words are `-`. */
export async function goalOf(words: readonly string[], file: string | undefined, asking: Here): Promise<string> {
  const typed = words.join(" ").trim();
  if (file === undefined && typed !== "-") return typed === "" ? askForGoal(asking) : typed;
  if (file !== undefined && typed !== "") throw refused("Say what to build either in words or with --file, not both.");
  const source = file ?? "stdin";
  if (file === undefined && process.stdin.isTTY) say("Type what to build, then Enter and Ctrl-D.");
  const read = file === undefined ? buffer(process.stdin) : readFile(file);
  const bytes = await read.catch((cause: unknown) => {
    throw refused(`${source} cannot be read: ${systemReason(cause)}.`);
  });
  const goal = textOf(bytes)?.trim();
  if (goal === undefined) throw refused(`${source} is not text in UTF-8. It must say what to build.`);
  if (goal === "") throw refused(`${source} is empty. It must say what to build.`);
  if (goal.length <= longestGoal) return goal;
  const length = `${goal.length} characters long, and a goal may have ${longestGoal}: every agent is sent it`;
  throw refused(`${source} is ${length}. Say in a few words what to build, and name the file for agents to read.`);
}

/** Some 25,000 tokens, which is more than any goal and a small part of what a model takes. */
const longestGoal = 100_000;

/** Undefined for what is no text. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

async function askForGoal(asking: Here): Promise<string> {
  if (!isHeadless(asking)) await refuseBeforeGoal(await workplaceAt(asking.folder));
  const message = "What do you want to build?";
  const notSaid = (): Problem =>
    new Problem('Nothing was started. Say what to build: superteam run "<what to build>"', "wrong-usage");
  return askAtTerminal(asking, { id: "run.goal", kind: "input", title: "Start Workflow", message }, notSaid);
}

const refused = (why: string): Problem => new Problem(`${why} Nothing was started.`, "wrong-usage");
