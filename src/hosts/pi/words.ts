// What was typed after /workflow: options, as the command line has them, and what to build.

import { Command, CommanderError } from "commander";
import { withRunOptions, withStartOptions } from "../run/options.ts";
import { exitCodes, Problem } from "../run/problem.ts";
import type { StartOptions } from "../run/start.ts";

export interface Typed {
  readonly options: Omit<StartOptions, "goal" | "folder"> & { readonly next?: boolean };
  /** As it was typed, line breaks and all; empty when there is none. */
  readonly goal: string;
}

/** Options come first: from the first word that is none, all is the goal. Throws a Problem for one there is not. */
export function readWords(typed: string): Typed {
  const text = typed.trim();
  if (!text.startsWith("-")) return { options: {}, goal: text };
  let problem = "";
  const command = new Command("/workflow")
    .helpOption(false)
    .exitOverride()
    .configureOutput({ writeErr: (words) => (problem += words) })
    .passThroughOptions()
    .argument("[goal...]");
  withRunOptions(withStartOptions(command));
  try {
    command.parse(text.split(/\s+/), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw new Problem(`${problem.trim()}\nThe options are: ${optionsOf(command)}`, exitCodes.wrongUsage);
  }
  return { options: command.opts(), goal: lastWords(text, command.args.length) };
}

function optionsOf(command: Command): string {
  return command.options.map(({ flags }) => flags).join(", ");
}

/** The end of a text, from so many words before it. */
function lastWords(text: string, count: number): string {
  const starts = [...text.matchAll(/\S+/g)].map(({ index }) => index);
  return count === 0 ? "" : text.slice(starts.at(-count));
}
