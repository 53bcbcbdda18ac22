// superteam demo: the whole pipeline on a throw-away repository. The agents are real pi processes that work with their
// real tools; only the model is scripted, on loopback. A scripted person answers, visibly, or you do.

import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { demoAnswers } from "../../demo/answers.ts";
import { openDemo } from "../../demo/open.ts";
import { goal } from "../../demo/scenario/brainstorm-texts.ts";
import { demoPlay } from "../../demo/scenario/play.ts";
import type { Watching } from "../../run/host.ts";
import { exitCodes, Problem } from "../../run/problem.ts";
import { say } from "../say.ts";
import { start } from "./run.ts";

export interface DemoOptions {
  readonly interactive?: boolean;
  readonly json?: boolean;
  readonly keep?: string;
}

/** What a turn of the scripted model takes: long enough to see what goes on. */
const latencyMs = 250;

export async function demo(options: DemoOptions, watching: Watching | undefined): Promise<number> {
  const folder = await emptyFolder(options.keep);
  const opened = await openDemo(folder, demoPlay({ latencyMs }));
  try {
    const asking = options.interactive ? {} : { answers: await answersFile(folder), show: true };
    const env = { ...process.env, ...opened.environment };
    const json = options.json ?? false;
    say(`A throw-away repository is at ${opened.repository}.`);
    // The demo has written this repository itself.
    const what = { folder: opened.repository, goal, env, json, trust: true };
    const exitCode = await start({ ...what, ...asking }, watching);
    if (exitCode === exitCodes.finished) say(ending(opened.repository));
    else say("The demo's model has ended with it, so this run cannot go on: superteam demo begins another.");
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
  throw new Problem(`${folder} is not empty: name a new or an empty folder for the demo.`, exitCodes.wrongUsage);
}

async function answersFile(folder: string): Promise<string> {
  const file = join(folder, "answers.json");
  await writeFile(file, `${JSON.stringify(demoAnswers, null, 2)}\n`);
  return file;
}

/** The commits it made, where they are, and what to type next. */
function ending(repository: string): string {
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-C", repository, ...args], { encoding: "utf8" }).trimEnd();
  return [
    "",
    "The commits:",
    ...git("log", "--oneline", "--reverse")
      .split("\n")
      .map((line) => `  ${line}`),
    "",
    `The repository is at ${repository}. Have a look:`,
    `  cd ${repository}`,
    "  git log -p          what was done, one commit per task",
    "  npm test            its own tests",
    "  superteam log       what happened, from the journal",
    'Then in a repository of yours: superteam doctor, superteam run "<what to build>"',
  ].join("\n");
}
