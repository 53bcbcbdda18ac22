// The commands and their options. Each command is loaded when it is used.

import { Command, CommanderError, Option, type OptionValues } from "commander";
import { modes } from "../../core/run/config.ts";
import type { Watching } from "../../runs/host.ts";
import { withRunOptions, withStartOptions } from "../run-options.ts";
import { exitCodes } from "./exit-code.ts";
import { version } from "./version.ts";

/** Runs one command line and gives its exit code. */
export async function parse(args: readonly string[], watching: Watching | undefined): Promise<number> {
  let exitCode: number = exitCodes.finished;
  const program = new Command("superteam")
    .description("Runs software work as a fixed program: code decides every next step, agents do the creative part.")
    .version(version(), "-v, --version")
    .option("-C, --directory <path>", "work in this folder instead of the current one", ".")
    .exitOverride()
    .configureOutput({ writeErr: (text) => process.stderr.write(text) })
    .showHelpAfterError("(superteam --help shows the commands)");
  const on: On = (command, act) => {
    command.action(async () => {
      const { directory: folder } = program.opts<{ directory: string }>();
      const code = await act({ ...command.opts(), folder }, { words: command.args, watching });
      if (typeof code === "number") exitCode = code;
    });
  };
  running(program, on);
  showing(program, on);
  looking(program, on);
  lookingBack(program, on);
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.finished : exitCodes.wrongUsage;
  }
}

type Options = OptionValues & { readonly folder: string };

interface Given {
  readonly words: readonly string[];
  readonly watching: Watching | undefined;
}

/** A command without an exit code of its own fails by what it throws alone. */
type On = (command: Command, act: (options: Options, given: Given) => Promise<number> | Promise<void>) => void;

const whichRun = ["[id]", "which run; the active or last one when it is left out"] as const;

/** The commands that drive a run. */
function running(program: Command, on: On): void {
  on(
    withStartOptions(
      answered(program.command("run").argument("[goal...]", "what to build; asked when it is left out")),
    ).description("start a run in this tree"),
    async (options, { words, watching }) => (await import("./commands/run.ts")).run(words, options, watching),
  );
  on(
    answered(program.command("resume")).description("go on with the active run, after a recap of where it stands"),
    async (options, { watching }) => (await import("./commands/run.ts")).resume(options, watching),
  );
  on(
    answered(program.command("answer").argument("[value]", "an option's key, number or label"))
      .option("--id <id>", "the question that is meant")
      .option("--text <text>", "free text as the answer")
      .description("answer the pending question, then go on"),
    async (options, { words: [value], watching }) =>
      (await import("./commands/run.ts")).answer({ ...options, value }, watching),
  );
  on(program.command("stop").description("suspend the run that is going on in this tree"), async ({ folder }) =>
    (await import("./commands/end.ts")).stop(folder),
  );
  on(
    program.command("abort").description("end the active run: stop its agents, archive it, clear the active state"),
    async ({ folder }) => (await import("./commands/end.ts")).abort(folder),
  );
}

function showing(program: Command, on: On): void {
  on(
    program
      .command("demo")
      .description(
        "the whole pipeline on a throw-away repository, with the real pi and a scripted model: no key, no network",
      )
      .option("--interactive", "answer the questions yourself")
      .addOption(new Option("--mode <mode>", "how much process is shown, without being asked").choices(modes))
      .option("--json", "one JSON object per line on stdout")
      .option("--keep <path>", "where to make the repository (a new or empty folder)"),
    async ({ interactive, mode, json, keep }, { watching }) =>
      (await import("./commands/demo.ts")).demo({ interactive, mode, json, keep }, watching),
  );
}

/** The commands that only look. */
function looking(program: Command, on: On): void {
  on(
    program
      .command("status")
      .description("phase, tasks, cost and the pending question; answers at once, also while another process runs")
      .option("--json", "as one JSON object"),
    async (options) => (await import("./commands/status.ts")).status(options),
  );
  on(
    program
      .command("costs")
      .argument(...whichRun)
      .description("what a run has cost: by phase, task, role, model and dispatch, against its budget and forecast")
      .option("--json", "as one JSON object"),
    async (options, { words: [id] }) => (await import("./commands/look.ts")).costs({ ...options, id }),
  );
  on(
    program
      .command("runs")
      .description("the runs there have been in this repository, with their mode, cost and time")
      .option("--json", "as one JSON object"),
    async (options) => (await import("./commands/look.ts")).runs(options),
  );
}

/** What one run came to. */
function lookingBack(program: Command, on: On): void {
  on(
    program
      .command("report")
      .argument(...whichRun)
      .description("what a run did, what it cost and how to take it back"),
    async (options, { words: [id] }) => (await import("./commands/look.ts")).report({ ...options, id }),
  );
  on(
    program
      .command("log")
      .argument(...whichRun)
      .description("what happened, from the journal")
      .option("--follow", "go on as it happens")
      .option("--json", "one JSON object per line"),
    async (options, { words: [id] }) => (await import("./commands/look.ts")).log({ ...options, id }),
  );
  on(
    program.command("doctor").description("what is found and what is missing, each with the fix"),
    async ({ folder }) => (await import("./commands/doctor.ts")).doctor(folder),
  );
}

/** Both mean that nobody is there, also at a terminal. */
const notAsked = "nothing is asked in the terminal: what has no answer suspends the run";

/** The options of a run whose questions this host answers. */
function answered(command: Command): Command {
  const own = command
    .option("--answers <file>", `answers by question id; ${notAsked}`)
    .option("--yes", `take the recommended answer where there is one that waives nothing; ${notAsked}`)
    .option("--json", "one JSON object per line on stdout");
  return withRunOptions(own);
}
