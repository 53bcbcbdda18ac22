// The tests on another tree than the one that is worked in: in a place of its own, which is removed again.

import { z } from "zod";
import {
  changes,
  child,
  closePlace,
  defineFlow,
  type Flow,
  type Flows,
  type NoPlace,
  openPlace,
  type PlaceId,
  runTests,
} from "../../core/flow/flow.ts";
import { KeptTree } from "../../core/flow/kept-tree.ts";
import type { Anchor } from "../../core/flow/repository.ts";
import { type Results, readResults } from "../../core/validation/results.ts";
import type { AbortableQuestion } from "../work/ask.ts";
import { escalate } from "../work/respond.ts";

const Order = z.object({
  command: z.string(),
  /** The tests of interest; none: all of them. */
  only: z.array(z.string()),
  /** What changed since then has to be reported. */
  since: KeptTree.nullable(),
});
type Order = z.infer<typeof Order>;

const Ran = z.object({
  passed: z.boolean(),
  exitCode: z.int().nullable(),
  results: z.string().nullable(),
  diff: z.string(),
  /** The end of what a command said that failed; else empty. */
  said: z.string().default(""),
});
type Ran = z.infer<typeof Ran>;

export const suiteFlows: Flows = {
  "run-tests": defineFlow({ kind: "step", input: Order, returns: Ran, run: runHere }),
};

function* runHere({ command, only, since }: Order): Flow<Ran> {
  const diff = since === null ? "" : (yield* changes("work", since)).diff;
  const { passed, exitCode, tests, output } = yield* runTests("tests", command, only);
  const results = tests === undefined || tests.reporter === null ? null : tests.results;
  return { passed, exitCode, results, diff, said: passed ? "" : output.slice(-mostSaid) };
}

const mostSaid = 2000;

export interface ScratchRun extends Pick<Ran, "passed" | "exitCode" | "diff" | "said"> {
  /** Undefined where the runner said nothing of single tests. */
  readonly results: Results | undefined;
}

export interface ScratchOrder {
  /** Of the place, for people who look for it. */
  readonly place: string;
  readonly name: string;
  readonly command: string;
  readonly only?: readonly string[];
  readonly since?: Anchor;
  /** What is not known without it. */
  readonly loss: string;
}

/** Null when there is no place for it, and the person goes without: who asked for it records that as a waiver. */
export function* runElsewhere(at: Anchor, order: ScratchOrder): Flow<ScratchRun | null> {
  const { place, name, command, only = [], since, loss } = order;
  const input = { command, only: [...only], since: since === undefined ? null : KeptTree.parse(since) };
  for (;;) {
    const opened = yield* openPlace(place, at);
    const ran = typeof opened === "string" ? yield* runIn(opened, name, input) : opened;
    if ("passed" in ran) return ran;
    if ((yield* askPlace(ran, loss)) === "without") return null;
  }
}

/** What to do without a place in which the tests run. */
export function* askPlace(lack: NoPlace, loss: string): Flow<"retry" | "without"> {
  const ended = "the person ended the run when the tests could not run in a worktree";
  return yield* escalate("no-place", placeQuestion(lack, loss), { ended });
}

/** A command that could be run before, and cannot be run there, says nothing about the work: the place lacks it. */
function* runIn(place: PlaceId, name: string, input: Order): Flow<ScratchRun | NoPlace> {
  const { results, ...ran } = yield* child<Ran>({ flow: "run-tests", name, input, place });
  yield* closePlace(name, place);
  if (isNotRun(ran.exitCode)) return lackIn(`\`${input.command}\` cannot be run there`, ran);
  return { ...ran, results: results === null ? undefined : readResults(results) };
}

/** What a shell has for a command that may not be run, or that is not there. */
const isNotRun = (exitCode: number | null): boolean => exitCode === 126 || exitCode === 127;

export const lackIn = (what: string, { said }: Pick<ScratchRun, "said">): NoPlace => ({
  why: `${what}:\n${said.slice(-500).trim()}\nSet worktree.setup to a command that installs what the tests need, and worktree.copy to the ignored files that they read.`,
});

export const placeId = "execute.place";

function placeQuestion({ why }: NoPlace, loss: string): AbortableQuestion<"retry" | "without"> {
  return {
    id: placeId,
    title: "No Worktree",
    message: `The tests cannot run in a worktree.\n${why}`,
    options: [
      { key: "retry", label: "Try again", hint: "after you have fixed the cause" },
      { key: "without", label: "Go without it", hint: `${loss}; recorded as your decision` },
    ],
  };
}
