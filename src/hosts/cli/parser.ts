// The commands and their options. Each command is loaded when it is used.

import { Command, CommanderError, Option } from "commander";
import { modes } from "../../core/run/mode.ts";
import type { Watching } from "../../runs/host.ts";
import { withRunOptions, withStartOptions } from "../run-options.ts";
import { exitCodes } from "./exit-code.ts";
import { version } from "./version.ts";

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

/** For a command that fails by what it throws alone. */
const looked =
  (run: Run) =>
  (command: () => Promise<void>): Promise<void> =>
    run(async () => {
      await command();
      return exitCodes.finished;
    });

function build(run: Run): Command {
  const program = new Command("superteam")
    .description("Runs software work as a fixed program: code decides every next step, agents do the creative part.")
    .version(version(), "-v, --version")
    .option("-C, --directory <path>", "work in this folder instead of the current one", ".")
    .exitOverride()
    .configureOutput({ writeErr: (text) => process.stderr.write(text) })
    .showHelpAfterError("(superteam --help shows the commands)");
  running(program, run);
  showing(program, run);
  looking(program, run);
  return program;
}

/** The commands that drive a run. */
function running(program: Command, run: Run): void {
  const folder = (): string => program.opts<{ directory: string }>().directory;
  withStartOptions(answered(program.command("run").argument("[goal...]", "what to build; asked when it is left out")))
    .description("start a run in this tree")
    .action((words: string[], options) =>
      run(async (watching) =>
        (await import("./commands/run.ts")).run(words, { ...options, folder: folder() }, watching),
      ),
    );
  answered(program.command("resume"))
    .description("go on with the active run, after a recap of where it stands")
    .action((options) =>
      run(async (watching) => (await import("./commands/run.ts")).resume({ ...options, folder: folder() }, watching)),
    );
  answered(program.command("answer").argument("[value]", "an option's key, number or label"))
    .option("--id <id>", "the question that is meant")
    .option("--text <text>", "free text as the answer")
    .description("answer the pending question, then go on")
    .action((value: string | undefined, options) =>
      run(async (watching) =>
        (await import("./commands/run.ts")).answer({ ...options, folder: folder(), value }, watching),
      ),
    );
  program
    .command("stop")
    .description("suspend the run that is going on in this tree")
    .action(() => looked(run)(async () => (await import("./commands/end.ts")).stop(folder())));
  program
    .command("abort")
    .description("end the active run: stop its agents, archive it, clear the active state")
    .action(() => looked(run)(async () => (await import("./commands/end.ts")).abort(folder())));
}

function showing(program: Command, run: Run): void {
  program
    .command("demo")
    .description(
      "the whole pipeline on a throw-away repository, with the real pi and a scripted model: no key, no network",
    )
    .option("--interactive", "answer the questions yourself")
    .addOption(new Option("--mode <mode>", "how much process is shown, without being asked").choices(modes))
    .option("--json", "one JSON object per line on stdout")
    .option("--keep <path>", "where to make the repository (a new or empty folder)")
    .action((options) => run(async (watching) => (await import("./commands/demo.ts")).demo(options, watching)));
}

/** The commands that only look. */
function looking(program: Command, run: Run): void {
  const look = looked(run);
  const folder = (): string => program.opts<{ directory: string }>().directory;
  program
    .command("status")
    .description("phase, tasks, cost and the pending question; answers at once, also while another process runs")
    .option("--json", "as one JSON object")
    .action((options) =>
      look(async () => (await import("./commands/status.ts")).status({ ...options, folder: folder() })),
    );
  program
    .command("costs")
    .argument("[id]", "which run; the active or last one when it is left out")
    .description("what a run has cost: by phase, task, role, model and dispatch, against its budget and forecast")
    .option("--json", "as one JSON object")
    .action((id: string | undefined, options) =>
      look(async () => (await import("./commands/costs.ts")).costs({ ...options, id, folder: folder() })),
    );
  pastRuns(program, look);
  program
    .command("log")
    .argument("[id]", "which run; the active or last one when it is left out")
    .description("what happened, from the journal")
    .option("--follow", "go on as it happens")
    .option("--json", "one JSON object per line")
    .action((id: string | undefined, options) =>
      look(async () => (await import("./commands/log.ts")).log({ ...options, id, folder: folder() })),
    );
  program
    .command("doctor")
    .description("what is found and what is missing, each with the fix")
    .action(() => run(async () => (await import("./commands/doctor.ts")).doctor(folder())));
}

function pastRuns(program: Command, look: ReturnType<typeof looked>): void {
  const folder = (): string => program.opts<{ directory: string }>().directory;
  program
    .command("runs")
    .description("the runs there have been in this repository, with their mode, cost and time")
    .option("--json", "as one JSON object")
    .action((options) => look(async () => (await import("./commands/runs.ts")).runs({ ...options, folder: folder() })));
  program
    .command("report")
    .argument("[id]", "which run; the active or last one when it is left out")
    .description("what a run did, what it cost and how to take it back")
    .action((id: string | undefined) =>
      look(async () => (await import("./commands/runs.ts")).report({ id, folder: folder() })),
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
