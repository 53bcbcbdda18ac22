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
});
type Ran = z.infer<typeof Ran>;

export const suiteFlows: Flows = {
  "run-tests": defineFlow({ kind: "step", input: Order, returns: Ran, run: runHere }),
};

function* runHere({ command, only, since }: Order): Flow<Ran> {
  const diff = since === null ? "" : (yield* changes("work", since)).diff;
  const { passed, exitCode, tests } = yield* runTests("tests", command, only);
  return { passed, exitCode, results: tests === undefined || tests.reporter === null ? null : tests.results, diff };
}

export interface ScratchRun extends Pick<Ran, "passed" | "exitCode" | "diff"> {
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
  const { name, command, only = [], since } = order;
  const opened = yield* openOrAsk(at, order);
  if (opened === null) return null;
  const input = { command, only, since: since ?? null };
  const { results, ...ran } = yield* child<Ran>({ flow: "run-tests", name, input, place: opened });
  yield* closePlace(name, opened);
  return { ...ran, results: results === null ? undefined : readResults(results) };
}

function* openOrAsk(at: Anchor, { place, loss }: ScratchOrder): Flow<PlaceId | null> {
  for (;;) {
    const opened = yield* openPlace(place, at);
    if (typeof opened === "string") return opened;
    const ended = "the person ended the run when no worktree could be made";
    const way = yield* escalate("no-place", placeQuestion(opened, loss), { ended });
    if (way === "without") return null;
  }
}

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
