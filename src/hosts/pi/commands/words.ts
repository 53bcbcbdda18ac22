// What was typed after /workflow: options, as the command line has them, and what to build.

import { Command, CommanderError } from "commander";
import type { StartOptions } from "../../../runs/handle.ts";
import { Problem } from "../../../runs/problem.ts";
import { withRunOptions, withStartOptions } from "../../run-options.ts";

export interface Typed {
  readonly options: Omit<StartOptions, "goal"> & { readonly next?: boolean };
  /** As it was typed, line breaks included; may be empty. */
  readonly goal: string;
}

/** Options come first; the rest, from the first other word, is the goal. Throws a Problem for an unknown option. */
export function readWords(typed: string): Typed {
  const text = typed.trim();
  let problem = "";
  const command = new Command("/workflow")
    .helpOption(false)
    .exitOverride()
    .configureOutput({ writeErr: (words) => (problem += words) })
    .passThroughOptions()
    .argument("[goal...]");
  withRunOptions(withStartOptions(command));
  const flags = command.options.flatMap(({ long }) => long ?? []);
  if (!text.startsWith("-")) {
    refuseLateOptions(text, flags);
    return { options: {}, goal: text };
  }
  try {
    command.parse(text.split(/\s+/), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw new Problem(
      `${problem.trim().replace(/^error: /, "")}\nThe options are: ${optionsOf(command)}`,
      "wrong-usage",
    );
  }
  const goal = lastWords(text, command.args.length);
  if (!/(?:^|\s)--\s/.test(text)) refuseLateOptions(goal, flags);
  return { options: command.opts(), goal };
}

/** An option typed after the goal would become part of it, and the wrong run would be paid for. */
function refuseLateOptions(goal: string, known: readonly string[]): void {
  const late = goal.split(/\s+/).find((word) => known.includes(word.replace(/=.*/, "")));
  if (late === undefined) return;
  throw new Problem(
    `Options come first: /workflow ${late} ... <what to build>\nIf ${late} is part of what to build, put -- before the text: /workflow -- <what to build>`,
    "wrong-usage",
  );
}

/** The help text. */
export const usage = [
  "/workflow <what to build>   starts a run; without it, continues the active one",
  "/workflow status            phase, tasks, cost, and the question that waits",
  "/workflow answer <value>    answers that question",
  "/workflow log, costs        what happened, what it cost",
  "/workflow report, runs      the report; the runs of this repository",
  "/workflow stop              stops agents and suspends the run",
  "/workflow abort             ends the run for good",
  "Options come before what to build: --mode hotfix|quick|standard|full,",
  "--budget <dollars>, --skip-brainstorm, --dry-run, --next, --trust, --wait,",
  "--model <provider/id>, --execution, --batch-size, --review",
].join("\n");

function optionsOf(command: Command): string {
  return command.options.map(({ flags }) => flags).join(", ");
}

/** The end of a text, from so many words before it. */
function lastWords(text: string, count: number): string {
  const starts = [...text.matchAll(/\S+/g)].map(({ index }) => index);
  return count === 0 ? "" : text.slice(starts.at(-count));
}
