// The commands and their options. Each command is loaded when it is used.

import { Argument, Command, CommanderError, Option, type OptionValues } from "commander";
import { modes } from "../../core/run/config.ts";
import type { Host } from "../../runs/host.ts";
import { exitCodes } from "../exit-code.ts";
import { withRunOptions, withStartOptions } from "../run-options.ts";
import { completionFor, shells } from "./completion.ts";
import { answerWith } from "./say.ts";
import { version } from "./version.ts";

/** Runs one command line and gives its exit code. */
export async function parse(args: readonly string[], watch: Host["watch"]): Promise<number> {
  let exitCode: number = exitCodes.finished;
  const program = commandsFor(watch, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return exitCodes[error.exitCode === 0 ? "finished" : "wrong-usage"];
  }
}

/** All there is to type. */
export function commandsFor(watch: Host["watch"], exit: (code: number) => void): Command {
  const program = new Command("superteam")
    .description("Runs software work as a fixed program: code decides every next step, agents do the creative part.")
    .version(version, "-v, --version")
    .option("-C, --directory <path>", "work in this folder instead of the current one", ".")
    .exitOverride()
    .showHelpAfterError("(superteam --help shows the commands)")
    .addHelpText("after", examples);
  const add: Add = (name, description, act, below = program) => {
    const command = below.command(name).description(description);
    const whole = below === program ? name : `${below.name()} ${name}`;
    command.showHelpAfterError(`(superteam ${whole} --help shows its options)`);
    return command.action(async () => {
      const { directory: folder } = program.opts<{ directory: string }>();
      const code = await act({ ...command.opts(), folder }, { words: command.args, watch });
      if (typeof code === "number") exit(code);
    });
  };
  addDriving(add);
  addLooking(add);
  const completion = add("completion", "print shell completion for commands and options", async (options, given) => {
    const shell = shells.find((one) => one === given.words[0]);
    const script = shell && completionFor(shell, program);
    if (script !== undefined) answerWith(options["json"], { shell, script }, [script]);
  });
  completion.addArgument(new Argument("<shell>", "which one").choices(shells)).option(...asObject);
  add("help", "show help for a command", (_options, { words }) => helpFor(program, words)).argument(
    "[command...]",
    "which one",
  );
  return program.helpCommand(false);
}

/** The library's own shows all of the help for a name that it does not know, without a word about it. */
async function helpFor(program: Command, [name, ...below]: readonly string[]): Promise<void> {
  const named = (command: Command, wanted: string): Command | undefined =>
    command.commands.find((one) => one.name() === wanted);
  const about = name === undefined ? program : named(program, name);
  // A name that is none: typed alone it is refused, with what may have been meant.
  if (about === undefined) await program.parseAsync([String(name)], { from: "user" });
  else (named(about, below[0] ?? "") ?? about).outputHelp();
}

const examples = `
Examples:
  superteam demo                                   see a whole run, no key
  superteam doctor                                 check the setup
  superteam run "Add rate limiting"                build something
  superteam run --file goal.md                     goal from a file; - is stdin
  superteam run "Fix the date" --mode hotfix       a small change, few agents
  superteam run "Add search" --dry-run             stop before the first task
  superteam status                                 show where the run stands
  superteam answer 1                               answer its open question
  superteam log --follow                           watch what happens`;

type Options = OptionValues & { readonly folder: string };

interface Given {
  readonly words: readonly string[];
  readonly watch: Host["watch"];
}

/** A command without an exit code of its own fails by what it throws alone. */
type Act = (options: Options, given: Given) => Promise<number> | Promise<void>;

type Add = (name: string, description: string, act: Act, below?: Command) => Command;

const running = () => import("./commands/run.ts");
const look = () => import("./commands/look.ts");

const whichRun = ["[id]", "which run; default: the active or last one"] as const;
const asObject = ["--json", "print one JSON object"] as const;

/** The commands that drive a run. */
function addDriving(add: Add): void {
  const run = add("run", "start a run in this tree", async (options, { words, watch }) =>
    (await running()).run(words, options, watch),
  );
  const goal = "what to build; you are asked if you leave it out; - reads stdin";
  withStartOptions(answered(run.argument("[goal...]", goal).option("--file <path>", "read what to build from a file")));
  answered(
    add("resume", "continue the active run, after a recap", async (options, { watch }) =>
      (await running()).resume(options, watch),
    ),
  );
  const answer = add("answer", "answer the open question, then continue", async (options, { words, watch }) =>
    (await running()).answer({ ...options, value: words[0] }, watch),
  );
  answered(answer.argument("[value]", "an option's key, number or label"))
    .option("--id <id>", "which question to answer")
    .option("--text <text>", "free text as the answer");
  add("stop", "suspend the run in this tree", async ({ folder, json }) =>
    (await import("./commands/live.ts")).stop(folder, json),
  ).option(...asObject);
  add("abort", "end the active run for good: stop its agents, keep its journal", async ({ folder, json }) =>
    (await running()).abort(folder, json),
  ).option(...asObject);
  add(
    "demo",
    "run the whole pipeline on a throw-away repository, with the real pi and a scripted model: no key, no network",
    async ({ interactive, mode, json, keep, resume }, { watch }) =>
      (await import("./commands/demo.ts")).demo({ interactive, mode, json, keep, resume }, watch),
  )
    .option("--interactive", "answer the questions yourself")
    .addOption(new Option("--mode <mode>", "which mode to show, without being asked").choices(modes))
    .option("--json", "print one JSON object per line")
    .option("--keep <path>", "where to create the repository (a new or empty folder)")
    .option("--resume <path>", "continue the stopped demo in this folder");
}

/** The commands that only look. */
function addLooking(add: Add): void {
  add("status", "show phase, tasks, cost and the open question, also while another process runs", async (options) =>
    (await import("./commands/status.ts")).status(options),
  ).option(...asObject);
  add(
    "costs",
    "show what a run has cost by phase, task, role, model and agent call, against budget and forecast",
    async (options, { words: [id] }) => (await look()).costs({ ...options, id }),
  )
    .argument(...whichRun)
    .option(...asObject);
  const runs = add("runs", "list the runs of this repository, with mode, cost and time", async (options) =>
    (await look()).runs(options),
  ).option(...asObject);
  const prune = async ({ folder, keep, dryRun, json }: Options) =>
    (await import("./commands/prune.ts")).prune({ folder, keep, dryRun, json: json ?? runs.opts()["json"] });
  add("prune", "remove the data of ended runs; what they cost is kept", prune, runs)
    .option("--keep <number>", "how many of the newest runs to keep", "10")
    .option("--dry-run", "only show what would be removed")
    .option(...asObject);
  add("report", "show what a run did, what it cost and how to undo it", async (options, { words: [id] }) =>
    (await look()).report({ ...options, id }),
  )
    .argument(...whichRun)
    .option(...asObject);
  add("log", "show what happened, from the journal; times are in UTC", async (options, { words: [id] }) =>
    (await look()).log({ ...options, id }),
  )
    .argument(...whichRun)
    .option("--follow", "keep printing as it happens")
    .option("--json", "print one JSON object per line");
  add(
    "init",
    "write a commented .superteam.json with the commands that check this repository",
    async ({ folder, json }) => (await import("./commands/init.ts")).init(folder, json),
  ).option(...asObject);
  add("doctor", "check the setup: what is there, what is missing, and how to fix it", async ({ folder, json }) =>
    (await import("./commands/doctor.ts")).doctor(folder, json),
  ).option(...asObject);
}

/** Both mean that nobody is there, also at a terminal. */
const notAsked = "nothing is asked in the terminal, and a question without an answer suspends the run";

/** The options of a run whose questions this host answers. */
function answered(command: Command): Command {
  const own = command
    .option("--answers <file>", `answers by question id; ${notAsked}`)
    .option("--yes", `take the recommended answers, except those that waive something; ${notAsked}`)
    .option("--json", "print one JSON object per line");
  return withRunOptions(own);
}
