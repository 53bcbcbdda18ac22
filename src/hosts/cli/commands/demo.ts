// superteam demo: the whole pipeline on a throw-away repository. The agents are real pi processes that work with their
// real tools; only the model is scripted, on loopback. A scripted person answers, visibly, or you do.

import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Mode } from "../../../core/run/config.ts";
import { shellWord } from "../../../core/text/format.ts";
import { truncate } from "../../../core/text/width.ts";
import { demoAnswers } from "../../../demo/answers.ts";
import { isDemo, openDemo } from "../../../demo/open.ts";
import { redTest } from "../../../demo/repository/files.ts";
import { goal } from "../../../demo/scenario/brainstorm-texts.ts";
import { demoPlay } from "../../../demo/scenario/play.ts";
import type { Host } from "../../../runs/host.ts";
import { Problem } from "../../../runs/problem.ts";
import { exitCodes } from "../../exit-code.ts";
import { asTyped, startedHere } from "../as-typed.ts";
import { canBeAsked } from "../asking.ts";
import { say } from "../say.ts";
import { resume, start } from "./run.ts";

export interface DemoOptions {
  readonly interactive?: boolean;
  readonly mode?: Mode;
  readonly json?: boolean;
  readonly keep?: string;
  /** The folder of a demo that was stopped. */
  readonly resume?: string;
}

/** What a turn of the scripted model takes: long enough to watch. */
const latencyMs = 250;

export async function demo(options: DemoOptions, watch: Host["watch"]): Promise<number> {
  if (options.interactive && !canBeAsked())
    throw new Problem(
      "--interactive needs a terminal, and CI must not be set. Without it a scripted person answers.",
      "wrong-usage",
    );
  const folder = options.resume === undefined ? await emptyFolder(options.keep) : stoppedDemo(options.resume);
  const opened = await openDemo(folder, demoPlay({ latencyMs }));
  try {
    const asking = options.interactive ? {} : { answers: await answersFile(folder), show: true };
    const env = { ...process.env, ...opened.environment };
    const { mode, json = false } = options;
    // The demo has written this repository itself.
    const again = resuming(folder, options);
    const wording = (text: string): string => inDemo(text, { repository: opened.repository, again });
    const here = { folder: opened.repository, env, json, trust: true, onlyNow: true, wording, ...asking };
    if (options.resume === undefined) say(`The throw-away repository is ${opened.repository}.`);
    const exitCode = await (options.resume === undefined ? start({ ...here, goal, mode }, watch) : resume(here, watch));
    for (const line of lastWords(exitCode, opened.repository, again)) say(line);
    return exitCode;
  } finally {
    await opened.close();
  }
}

async function emptyFolder(wanted: string | undefined): Promise<string> {
  if (wanted === undefined) return mkdtemp(join(tmpdir(), "superteam-demo-"));
  const folder = resolve(wanted);
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length === 0) return folder;
  throw new Problem(`${folder} is not empty. Name a new or empty folder for the demo.`, "wrong-usage");
}

function stoppedDemo(named: string): string {
  const folder = resolve(named);
  if (isDemo(folder)) return folder;
  throw new Problem(
    `There is no demo in ${folder}. Name the folder that the demo printed when it stopped.`,
    "wrong-usage",
  );
}

async function answersFile(folder: string): Promise<string> {
  const file = join(folder, "answers.json");
  await writeFile(file, `${JSON.stringify(demoAnswers, null, 2)}\n`);
  return file;
}

/** A run names commands for its own tree and for one that resumes by itself. What to look at is said at the end of the demo. */
function inDemo(text: string, { repository, again }: { readonly repository: string; readonly again: string }): string {
  return text
    .replace(/superteam resume\b/g, () => again)
    .replace(/^ {2}Look: .*\n/m, "")
    .replace(/\bgit revert\b/g, () => `git -C ${shellWord(repository)} revert`);
}

/** What is left to say once the run has told how it ended. */
function lastWords(exitCode: number, repository: string, again: string): readonly string[] {
  if (exitCode === exitCodes.finished) return ending(repository);
  if (exitCode === exitCodes.failed) return [];
  return ["The demo has stopped. To continue it from there:", `  ${again}`];
}

/** The commits it made, where they are, and what to type next. */
function ending(repository: string): readonly string[] {
  const log = execFileSync("git", ["-C", repository, "log", "--oneline", "--reverse"], { encoding: "utf8" });
  const place = shellWord(repository);
  const looks = [
    ["The work, one commit per task:", `git -C ${place} log -p`],
    [`Its own tests ("${redTest}" was red before):`, `npm --prefix ${place} test`],
    ["What happened, from the journal:", typed(`-C ${place} log`)],
    ["What it cost, by phase, task and role:", typed(`-C ${place} costs`)],
    ["The report again:", typed(`-C ${place} report`)],
    ["Next, in a repository of your own:", typed("-C <your repository> doctor")],
    ["", typed('-C <your repository> run "<what to build>"')],
  ] as const;
  const columns = process.stderr.columns || 80;
  return [
    "",
    "The commits:",
    ...log
      .trimEnd()
      .split("\n")
      .map((line) => truncate(`  ${line}`, columns)),
    "",
    ...looks.flatMap(([what, command]) => [...(what === "" ? [] : [what]), `  ${command}`]),
  ];
}

const typed = (words: string): string => asTyped(words, startedHere());

/** The one who answered continues to answer. */
const resuming = (folder: string, { interactive }: DemoOptions): string =>
  typed(`demo${interactive ? " --interactive" : ""} --resume ${shellWord(folder)}`);
