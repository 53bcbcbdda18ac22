// superteam demo: the whole pipeline on a throw-away repository. The agents are real pi processes that work with their
// real tools; only the model is scripted, on loopback. A scripted person answers, visibly, or you do.

import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Mode } from "../../../core/run/config.ts";
import { shellWord } from "../../../core/text/format.ts";
import { demoAnswers } from "../../../demo/answers.ts";
import { openDemo } from "../../../demo/open.ts";
import { redTest } from "../../../demo/repository/files.ts";
import { goal } from "../../../demo/scenario/brainstorm-texts.ts";
import { demoPlay } from "../../../demo/scenario/play.ts";
import type { Host } from "../../../runs/host.ts";
import { Problem } from "../../../runs/problem.ts";
import { exitCodes } from "../exit-code.ts";
import { say } from "../say.ts";
import { start } from "./run.ts";

export interface DemoOptions {
  readonly interactive?: boolean;
  readonly mode?: Mode;
  readonly json?: boolean;
  readonly keep?: string;
}

/** What a turn of the scripted model takes: long enough to watch. */
const latencyMs = 250;

export async function demo(options: DemoOptions, watch: Host["watch"]): Promise<number> {
  if (options.interactive && !process.stdin.isTTY)
    throw new Problem(
      "There is no terminal here to ask you in. Without --interactive a scripted person answers.",
      "wrong-usage",
    );
  const folder = await emptyFolder(options.keep);
  const opened = await openDemo(folder, demoPlay({ latencyMs }));
  try {
    const asking = options.interactive ? {} : { answers: await answersFile(folder), show: true };
    const env = { ...process.env, ...opened.environment };
    const { mode, json = false } = options;
    say(`A throw-away repository is at ${opened.repository}.`);
    // The demo has written this repository itself.
    const what = { folder: opened.repository, goal, mode, env, json, trust: true, onlyNow: true };
    const exitCode = await start({ ...what, ...asking }, watch);
    for (const line of lastWords(exitCode, opened.repository)) say(line);
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
  throw new Problem(`${folder} is not empty: name a new or an empty folder for the demo.`, "wrong-usage");
}

async function answersFile(folder: string): Promise<string> {
  const file = join(folder, "answers.json");
  await writeFile(file, `${JSON.stringify(demoAnswers, null, 2)}\n`);
  return file;
}

/** What is left to say once the run has told how it ended. */
function lastWords(exitCode: number, repository: string): readonly string[] {
  if (exitCode === exitCodes.finished) return ending(repository);
  if (exitCode === exitCodes.failed) return [];
  return [
    `The run has stopped. The demo's model ends with it, so it cannot continue: ${typed("demo")} begins another.`,
  ];
}

/** The commits it made, where they are, and what to type next. */
function ending(repository: string): readonly string[] {
  const log = execFileSync("git", ["-C", repository, "log", "--oneline", "--reverse"], { encoding: "utf8" });
  const place = shellWord(repository);
  const looks = [
    [`git -C ${place} log -p`, "what was done, one commit per task"],
    [`npm --prefix ${place} test`, `its own tests ("${redTest}" was red before)`],
    [typed(`-C ${place} log`), "what happened, from the journal"],
    [typed(`-C ${place} costs`), "what it cost, by phase, task and role"],
    [typed(`-C ${place} report`), "the report once more"],
  ] as const;
  const width = Math.max(...looks.map(([command]) => command.length));
  return [
    "",
    "The commits:",
    log.trimEnd().replaceAll(/^/gm, "  "),
    "",
    `The repository is at ${repository}. Have a look:`,
    ...looks.map(([command, what]) => `  ${command.padEnd(width)}  ${what}`),
    "Then in a repository of yours:",
    `  ${typed("-C <your repository> doctor")}`,
    `  ${typed('-C <your repository> run "<what to build>"')}`,
  ];
}

/** What a person types here: the package puts `superteam` on the PATH, a checkout does not. */
function typed(words: string): string {
  const isCheckout = import.meta.url.endsWith(".ts");
  return isCheckout ? `npm run superteam -- ${words}` : `superteam ${words}`;
}
