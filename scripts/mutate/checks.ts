// What can kill a mutant: the unit tests of its room, and, for what only whole runs reach, a second stage.

import { globSync } from "node:fs";
import { basename, dirname } from "node:path";
import { importGraph, reachOf } from "../test/reach.ts";

/** One file that runs by itself and fails when something is wrong. */
export interface Check {
  readonly file: string;
  /** What comes after the name of a program; a file of tests has none. */
  readonly options?: readonly string[];
  /** The files it imports, over however many others, and itself. */
  readonly reach: ReadonlySet<string>;
}

/** Two seeds of every profile: 20 runs in which everything goes wrong, in a few seconds. */
const simulation = { file: "test/simulation/main.ts", options: ["--seeds", "2"] };

/** The rooms whose unit tests come next, and whether the simulation does. */
const second: Readonly<Record<string, { readonly rooms: readonly string[]; readonly isSimulated: boolean }>> = {
  "src/core": { rooms: ["src/engine", "src/phases"], isSimulated: false },
  "src/engine": { rooms: ["src/pipelines"], isSimulated: true },
  "src/phases": { rooms: ["src/pipelines"], isSimulated: true },
  "src/pipelines": { rooms: [], isSimulated: true },
};

/** The checks whose imports reach a file, by stage. */
export function checksFor(): (file: string) => readonly (readonly Check[])[] {
  const graph = importGraph();
  const checks = new Map<string, Check>();
  const checkOf = (file: string, options: readonly string[] | undefined): Check => {
    const reach = checks.get(file)?.reach ?? reachOf([file], graph);
    const check = { file, reach, ...(options === undefined ? {} : { options }) };
    checks.set(file, check);
    return check;
  };
  const testsIn = (rooms: readonly string[]): readonly Check[] =>
    rooms.flatMap((room) => globSync(`${room}/**/*.test.ts`).sort()).map((file) => checkOf(file, undefined));
  return (file) => {
    const room = roomOf(file);
    const { rooms, isSimulated } = second[room] ?? { rooms: [], isSimulated: false };
    const later = isSimulated ? [checkOf(simulation.file, simulation.options)] : [];
    const stages = [testsIn([room]), [...testsIn(rooms), ...later]];
    return stages.map((stage) => stage.filter(({ reach }) => reach.has(file)));
  };
}

/** A folder of `src`, whose unit tests share a process in the test command. */
function roomOf(file: string): string {
  return /^src\/[^/]+/.exec(file)?.[0] ?? dirname(file);
}

/** A test that is named after the file is the likeliest to notice. */
export function isNamedAfter({ file }: Check, source: string): boolean {
  return dirname(file) === dirname(source) && basename(file).startsWith(basename(source, ".ts"));
}

export function argumentsFor(checks: readonly Check[], reporter: string): readonly string[] {
  const [first] = checks;
  if (first?.options !== undefined) return [first.file, ...first.options];
  return ["--test", "--test-isolation=none", `--test-reporter=${reporter}`, ...checks.map(({ file }) => file)];
}
