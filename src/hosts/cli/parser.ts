// The commands and their options. Each command is loaded when it is used.

import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { exitCodes } from "./problem.ts";
import { version, type Watching } from "./program.ts";

/** Runs one command line and gives its exit code. */
export async function parse(args: readonly string[], watching: Watching | undefined): Promise<number> {
  let exitCode: number = exitCodes.finished;
  const program = build(async (command) => {
    exitCode = await command(watching);
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.finished : exitCodes.wrongUsage;
  }
}

type Run = (command: (watching: Watching | undefined) => Promise<number>) => Promise<void>;

function build(run: Run): Command {
  const program = new Command("superteam")
    .description("Runs software work as a fixed program: code decides every next step, agents do the creative part.")
    .version(version(), "-v, --version")
    .option("-C, --directory <path>", "work in this folder instead of the current one", ".")
    .exitOverride()
    .configureOutput({ writeErr: (text) => process.stderr.write(text) })
    .showHelpAfterError("(superteam --help shows the commands)");
  running(program, run);
  looking(program, run);
  return program;
}

/** The commands that drive a run. */
function running(program: Command, run: Run): void {
  const folder = (): string => program.opts<{ directory: string }>().directory;
  withRunOptions(program.command("run").argument("[goal...]", "what to build; asked when it is left out"))
    .description("start a run in this tree")
    .action((words: string[], options) =>
      run(async (watching) => {
        const goal = words.length > 0 ? words.join(" ") : await (await import("./goal.ts")).askForGoal(options);
        return (await import("./commands/run.ts")).start({ ...options, folder: folder(), goal }, watching);
      }),
    );
  withRunOptions(program.command("resume"))
    .description("go on with the active run, after a recap of where it stands")
    .action((options) =>
      run(async (watching) => (await import("./commands/run.ts")).resume({ ...options, folder: folder() }, watching)),
    );
  withRunOptions(program.command("answer").argument("[value]", "an option's key, number or label"))
    .option("--id <id>", "the question that is meant")
    .option("--text <text>", "free text as the answer")
    .description("answer the pending question, then go on")
    .action((value: string | undefined, options) =>
      run(async (watching) =>
        (await import("./commands/answer.ts")).answer({ ...options, folder: folder(), value }, watching),
      ),
    );
  program
    .command("stop")
    .description("suspend the run that is going on in this tree")
    .action(() => run(async () => (await import("./commands/end.ts")).stop(folder())));
  program
    .command("abort")
    .description("end the active run: stop its agents, archive it, clear the active state")
    .action(() => run(async () => (await import("./commands/end.ts")).abort(folder())));
  program
    .command("demo")
    .description(
      "the whole pipeline on a throw-away repository, with the real pi and a scripted model: no key, no network",
    )
    .option("--interactive", "answer the questions yourself")
    .option("--json", "one JSON object per line on stdout")
    .option("--keep <path>", "where to make the repository (a new or empty folder)")
    .action((options) => run(async (watching) => (await import("./commands/demo.ts")).demo(options, watching)));
}

/** The commands that only look. */
function looking(program: Command, run: Run): void {
  const folder = (): string => program.opts<{ directory: string }>().directory;
  program
    .command("status")
    .description("phase, tasks, cost and the pending question; answers at once, also while another process runs")
    .option("--json", "as one JSON object")
    .action((options) =>
      run(async () => (await import("./commands/status.ts")).status({ ...options, folder: folder() })),
    );
  program
    .command("log")
    .description("what happened, from the journal")
    .option("--follow", "go on as it happens")
    .option("--json", "one JSON object per line")
    .action((options) => run(async () => (await import("./commands/log.ts")).log({ ...options, folder: folder() })));
  program
    .command("doctor")
    .description("what is found and what is missing, each with the fix")
    .action(() => run(async () => (await import("./commands/doctor.ts")).doctor(folder())));
}

function withRunOptions(command: Command): Command {
  return command
    .option("--answers <file>", "answers by question id, for a run without a person")
    .option("--yes", "take the recommended answer where there is one that waives nothing")
    .option("--trust", "let the repository's own profiles and commands count in this run, without being asked")
    .option("--json", "one JSON object per line on stdout")
    .option("--model <provider/id>", "the model for every role")
    .addOption(
      new Option("--execution <mode>", "whether to stop between tasks").choices(["auto", "checkpoint", "batch"]),
    )
    .option("--batch-size <n>", "how many tasks make a batch", wholeNumber)
    .addOption(
      new Option("--review <mode>", "whether findings are fixed and reviewed again").choices([
        "iterative",
        "single-pass",
      ]),
    )
    .addOption(new Option("--backend <name>", "who runs the agents").choices(["pi"]));
}

function wholeNumber(word: string): number {
  if (/^[1-9]\d{0,8}$/.test(word)) return Number(word);
  throw new InvalidArgumentError("It must be a whole number, 1 or more.");
}
