// The commands and their options. Each command is loaded when it is used.

import { readFileSync } from "node:fs";
import { Command, CommanderError, Option } from "commander";
import type { Sight } from "../../engine/world.ts";
import { exitCodes, Problem } from "./problem.ts";
import { troubleOf } from "./trouble.ts";

/** What somebody who embeds the command line may watch. */
export interface Watching {
  readonly watch: (sight: Sight) => void;
}

/** Runs one command line and gives its exit code. */
export async function main(args: readonly string[], watching?: Watching): Promise<number> {
  let exitCode: number = exitCodes.finished;
  const program = build(async (command) => {
    exitCode = await command(watching);
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    return told(error);
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
  withRunOptions(program.command("run").argument("<goal...>", "what to build"))
    .description("start a run in this tree")
    .action((goal: string[], options) =>
      run(async (watching) =>
        (await import("./commands/run.ts")).start({ ...options, folder: folder(), goal: goal.join(" ") }, watching),
      ),
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
    .option("--json", "one JSON object per line on stdout")
    .option("--model <provider/id>", "the model for every role")
    .addOption(new Option("--backend <name>", "who runs the agents").choices(["pi"]));
}

function version(): string {
  // Development runs src/hosts/cli, the package dist/hosts/cli: three folders up either way.
  const file = new URL("../../../package.json", import.meta.url);
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { version: string };
  return version;
}

/** A person's mistake and trouble from outside are told in words; only a bug shows where it happened. */
function told(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.finished : exitCodes.wrongUsage;
  if (error instanceof Problem) {
    process.stderr.write(`${error.message}\n`);
    return error.exitCode;
  }
  const trouble = troubleOf(error);
  if (trouble) {
    process.stderr.write(`${trouble.text}\n`);
    return trouble.exitCode;
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `superteam stopped on a bug of its own. What was done so far is in the journal; superteam resume goes on.\n${detail}\n`,
  );
  return exitCodes.failed;
}
