// A git process that stays open and answers one question after another, for the commands that can. It is never essential: if it does not
// answer, the caller starts a git process for that question, which also reports what is wrong.
//
// It ends when its input does, however superteam ends, and it does not keep superteam running. It begins outside the working tree, so that
// orphaned-lock.ts does not mistake it for a git process at work there.

import { type ChildProcessByStdio, type SpawnOptions, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { join } from "node:path";
import { decisiveVariables, type GitSurroundings, ownVariables, quietGit, variablesFor } from "./environment.ts";

export interface StandingQuestion {
  readonly args: readonly string[];
  /** Bytes. */
  readonly input: string;
  /** How an answer ends. Nothing else may look like it. */
  readonly end: string;
  readonly surroundings?: GitSurroundings;
}

/** The answer without its end; undefined when there is none in time. */
export async function askStanding(
  root: string,
  question: StandingQuestion,
  patienceMs = usualPatienceMs,
): Promise<string | undefined> {
  const surroundings = question.surroundings ?? {};
  const key = JSON.stringify([root, question.args, ownVariables(surroundings), decisiveVariables()]);
  const standing = gits.get(key) ?? new Standing(key, root, question.args, variablesFor(surroundings));
  // The one that was asked last is the last to go.
  gits.delete(key);
  gits.set(key, standing);
  for (const [, oldest] of [...gits].slice(0, -most)) oldest.close();
  return standing.ask(question, patienceMs);
}

/** A process of ours that holds no lock between two questions. */
export const isStanding = (pid: number): boolean => [...gits.values()].some((standing) => standing.pid === pid);

const gits = new Map<string, Standing>();
/** As many as there are kinds of questions, and some for other rules or repositories. */
const most = 14;
const idleMs = 60_000;
/** A git that is asked about objects and refs answers at once, or something is wrong. */
const usualPatienceMs = 30_000;

class Standing {
  readonly #key: string;
  readonly #process: ChildProcessByStdio<Socket, Socket, null>;
  #last: Promise<unknown> = Promise.resolve();
  #out: string[] = [];
  #hear: ((isEnded: boolean) => void) | undefined;
  #isEnded = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(key: string, root: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    this.#key = key;
    // In a session of its own: the person's Ctrl-C is for superteam.
    const options: SpawnOptions = { cwd: "/", env, detached: true, stdio: ["pipe", "pipe", "ignore"] };
    this.#process = spawn(
      "git",
      [`--git-dir=${join(root, ".git")}`, ...quietGit, ...args],
      options,
    ) as ChildProcessByStdio<Socket, Socket, null>;
    this.#process.unref();
    this.#process.stdin.unref();
    this.#process.stdout.unref();
    this.#process.stdout.setEncoding("latin1").on("data", (text: string) => {
      this.#out.push(text);
      this.#hear?.(false);
    });
    for (const emitter of [this.#process, this.#process.stdin]) emitter.on("error", () => this.#lost());
    this.#process.on("close", () => this.#lost());
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** One question at a time. */
  ask(question: StandingQuestion, patienceMs: number): Promise<string | undefined> {
    const answer = this.#last.then(() => this.#answer(question, patienceMs));
    this.#last = answer;
    return answer;
  }

  async #answer({ input, end }: StandingQuestion, patienceMs: number): Promise<string | undefined> {
    if (this.#isEnded) return undefined;
    clearTimeout(this.#idle);
    this.#out = [];
    const answer = await new Promise<string | undefined>((resolve) => {
      const late = setTimeout(() => resolve(undefined), patienceMs);
      this.#hear = (isEnded) => {
        const isWhole = this.#out.at(-1)?.endsWith(end.slice(-1)) && this.#out.join("").endsWith(end);
        if (!isWhole && !isEnded) return;
        clearTimeout(late);
        resolve(isWhole ? this.#out.join("").slice(0, -end.length) : undefined);
      };
      // While it is waited for, superteam runs on.
      this.#process.stdout.ref();
      this.#process.stdin.write(input, "latin1");
    });
    this.#hear = undefined;
    this.#process.stdout.unref();
    if (answer === undefined) this.#end();
    else this.#idle = setTimeout(() => this.close(), idleMs).unref();
    return answer;
  }

  close(): void {
    this.#lost();
    this.#process.stdin.end();
  }

  /** One that does not answer may not end by itself either. */
  #end(): void {
    this.close();
    this.#process.kill("SIGKILL");
  }

  #lost(): void {
    clearTimeout(this.#idle);
    this.#isEnded = true;
    if (gits.get(this.#key) === this) gits.delete(this.#key);
    this.#hear?.(true);
  }
}
