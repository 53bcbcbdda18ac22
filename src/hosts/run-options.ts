// The options a run can be started and gone on with, in every host that takes them as words.

import { type Command, InvalidArgumentError, Option } from "commander";
import { backends } from "../adapters/agents/backends.ts";
import { executionModes, modes, reviewModes } from "../core/run/config.ts";
import type { StartOptions } from "../runs/handle.ts";
import { Problem } from "../runs/problem.ts";

/** What only a start has. */
export function withStartOptions(command: Command): Command {
  return command
    .addOption(new Option("--mode <mode>", "how much process the run gets, without being asked").choices(modes))
    .option("--skip-brainstorm", "use the goal as the design")
    .option("--dry-run", "stop before the first task, once the plan is approved and its cost is forecast")
    .option("--next", "start the next run in the queue instead of a new one");
}

export function withRunOptions(command: Command): Command {
  return command
    .option("--trust", "trust the repository's own settings, profiles and commands for this run")
    .option("--model <provider/id>", "the model for every role")
    .option("--budget <usd>", "the hard limit in dollars; overrides the configuration", dollars)
    .option("--wait", "sleep while a provider's quota is used up, instead of suspending the run")
    .addOption(new Option("--execution <mode>", "whether to stop between tasks").choices(executionModes))
    .option("--batch-size <n>", "how many tasks make a batch", wholeNumber)
    .addOption(new Option("--review <mode>", "whether findings are fixed and reviewed again").choices(reviewModes))
    .addOption(new Option("--backend <name>", "who runs the agents").choices(Object.keys(backends)));
}

/** A queued run has its own goal and mode. */
export function refuseOwnWishes(goal: string, { mode, skipBrainstorm = false }: Omit<StartOptions, "goal">): void {
  const own = [
    ...(goal === "" ? [] : ["your goal"]),
    ...(mode === undefined ? [] : ["--mode"]),
    ...(skipBrainstorm ? ["--skip-brainstorm"] : []),
  ];
  if (own.length === 0) return;
  throw new Problem(
    `The next run in the queue has its own goal and mode: leave out ${own.join(" and ")}.`,
    "wrong-usage",
  );
}

function wholeNumber(word: string): number {
  if (/^[1-9]\d{0,8}$/.test(word)) return Number(word);
  throw new InvalidArgumentError("It must be a whole number, 1 or more.");
}

/** People write a currency: better told than misread. */
function dollars(word: string): number {
  const amount = /^\d{1,6}(\.\d+)?$/.test(word) ? Number(word) : 0;
  if (amount > 0 && amount <= 100_000) return amount;
  throw new InvalidArgumentError("It must be a number of dollars above 0, such as 5 or 2.50, without a currency.");
}
