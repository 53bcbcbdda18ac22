// What can kill a mutant: the unit tests of its room, what stands elsewhere and tests nothing but the room, and, for what only
// whole runs reach, a second stage.

import { globSync } from "node:fs";
import { basename, dirname } from "node:path";
import { importGraph, reachOf } from "../test/reach.ts";

/** A file of tests. */
export interface Check {
  readonly file: string;
  /** The files it imports, over however many others, and itself. */
  readonly reach: ReadonlySet<string>;
}

const simulation = "scripts/mutate/simulation.ts";

/** What is as good as a unit test of a room: real answers of models, and the documents that are written from its tables. */
const besides: Readonly<Record<string, readonly string[]>> = {
  "src/core": ["test/corpus/*.test.ts", "test/docs/written.test.ts"],
};

/** What comes after those. */
const second: Readonly<Record<string, readonly string[]>> = {
  "src/core": ["src/{prompts,engine,phases,pipelines}/**/*.test.ts"],
  "src/engine": ["src/pipelines/**/*.test.ts", simulation],
  "src/phases": ["src/pipelines/**/*.test.ts", simulation],
  "src/pipelines": [simulation],
};

/** The checks of a room whose imports reach one of its files, by stage. */
export function checksFor(room: string, files: readonly string[]): readonly (readonly Check[])[] {
  const graph = importGraph();
  return [[`${room}/**/*.test.ts`, ...(besides[room] ?? [])], second[room] ?? []].map((patterns) =>
    patterns
      .flatMap((pattern) => globSync(pattern).sort())
      .map((file) => ({ file, reach: reachOf([file], graph) }))
      .filter(({ reach }) => files.some((file) => reach.has(file))),
  );
}

/** A folder of `src`, whose unit tests share a process in the test command. */
export function roomOf(file: string): string {
  return /^src\/[^/]+/.exec(file)?.[0] ?? dirname(file);
}

/** A test that is named after the file is the likeliest to notice. */
export function isNamedAfter(test: string, source: string): boolean {
  return dirname(test) === dirname(source) && basename(test).startsWith(basename(source, ".ts"));
}
