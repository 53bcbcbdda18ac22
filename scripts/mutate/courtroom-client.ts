// Our end of the shared process: starts it, starts it again when a mutant broke it, and gives each order its time.

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { atTheLimit, inOwnGroup } from "../test/run-node.ts";

export type Order =
  | { readonly do: "measure" }
  | { readonly do: "try"; readonly id: number; readonly tests: readonly number[] };

export type Answer =
  | { readonly did: "load"; readonly atLoading: readonly number[] }
  | { readonly did: "measure"; readonly tests: readonly Measured[] }
  | { readonly did: "fail"; readonly file: string; readonly failure: string }
  | { readonly did: "try"; readonly verdict: "killed" | "survived" | "unsteady" };

/** One test without any mutant. */
export interface Measured {
  readonly file: string;
  /** Of processor time: the clock says little on a busy machine. */
  readonly seconds: number;
  /** The mutants whose place it executes. */
  readonly hits: readonly number[];
}

export interface Courtroom {
  readonly atLoading: ReadonlySet<number>;
  readonly tests: readonly Measured[];
  /** Runs tests, by their number, until one fails. */
  attempt(id: number, tests: readonly number[]): Promise<"killed" | "timed out" | "survived">;
  close(): void;
}

const secondsToLoad = 600;

export async function openCourtroom(
  folder: string,
  files: readonly string[],
  texts: Readonly<Record<string, string>>,
): Promise<Courtroom> {
  const path = join(folder, "mutants.json");
  writeFileSync(path, JSON.stringify({ files: files.map((file) => resolve(file)), texts }));
  let child = start(folder, path);
  const { atLoading } = await expect(child, "load");
  child.tell({ do: "measure" });
  const { tests } = await expect(child, "measure");

  const again = async (): Promise<void> => {
    child.end();
    child = start(folder, path);
    await expect(child, "load");
  };
  return {
    atLoading: new Set(atLoading),
    tests,
    async attempt(id, numbers) {
      const usual = numbers.reduce((sum, number) => sum + (tests[number]?.seconds ?? 0), 0);
      for (let isFirst = true; ; isFirst = false) {
        child.tell({ do: "try", id, tests: numbers });
        const answer = await child.next(2 + 10 * usual);
        if (typeof answer !== "string" && answer.did === "try" && answer.verdict !== "unsteady") return answer.verdict;
        await again();
        // It ended by itself, or never.
        if (answer === "gone") return "killed";
        if (answer === "late") return "timed out";
        // It failed again, in a process that no other mutant was tried in: what makes it unsteady is its own.
        if (!isFirst) return "killed";
      }
    },
    close: () => child.end(),
  };
}

async function expect<Did extends Answer["did"]>(child: Child, did: Did): Promise<Extract<Answer, { did: Did }>> {
  const answer = await child.next(secondsToLoad);
  if (typeof answer !== "string" && answer.did === did) return answer as Extract<Answer, { did: Did }>;
  if (typeof answer !== "string" && answer.did === "fail")
    throw new Error(`${answer.file} fails without any mutant. Fix it first.\n${answer.failure}`);
  throw new Error(`The tests cannot be run in one process: ${answer}\n${child.said()}`);
}

interface Child {
  tell(order: Order): void;
  next(seconds: number): Promise<Answer | "gone" | "late">;
  said(): string;
  end(): void;
}

function start(folder: string, path: string): Child {
  const { NODE_TEST_CONTEXT: _, ...usual } = process.env;
  const env = {
    ...usual,
    NODE_COMPILE_CACHE: folder,
    NODE_OPTIONS: `--import=${pathToFileURL(`${import.meta.dirname}/apply.mjs`).href}`,
    SUPERTEAM_MUTANTS: path,
  };
  const child = spawn(process.execPath, [`${import.meta.dirname}/courtroom.ts`], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    detached: true,
    env,
  });
  const end = inOwnGroup(child);
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    said += chunk;
  });
  return {
    tell: (order) => void child.send(order),
    said: () => said,
    end,
    next: (seconds) =>
      new Promise((settle) => {
        const done = (answer: Answer | "gone" | "late"): void => {
          limit.stop();
          child.off("message", done).off("close", gone);
          settle(answer);
        };
        const gone = (): void => done("gone");
        const limit = atTheLimit(child, seconds, () => done("late"));
        child.once("message", done).once("close", gone);
      }),
  };
}
