// Which tests a change can reach. A unit test is reached by what it imports. A test that starts the program as a process reaches
// what the program's entries import as well: the folder it is in says which entry.

import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What the tests of a folder start beside what they import. */
const entries: Readonly<Record<string, readonly string[]>> = {
  "test/e2e/pi/": ["src/hosts/pi/extension.ts", "src/hosts/cli/main.ts"],
  "test/e2e/": ["src/hosts/cli/main.ts"],
  "test/slow/": ["src/hosts/cli/main.ts"],
  "test/docs/": ["src/hosts/cli/main.ts", "src/hosts/pi/extension.ts", "src/index.ts"],
};

/** What no import shows: a change of one of these reaches everything. */
const everywhere = /^(?:package(?:-lock)?\.json|tsconfig.*\.json|scripts\/test\b.*)$/;

export function reachedBy(commit: string, tests: readonly string[]): readonly string[] {
  const changed = new Set(changedSince(commit));
  if ([...changed].some((file) => everywhere.test(file))) return tests;
  // Pages, role profiles and skills are read by the tests of the docs and by whole runs.
  const hasTexts = [...changed].some((file) => !file.endsWith(".ts"));
  const graph = importGraph();
  return tests.filter((test) => {
    if (hasTexts && /^test\/(?:docs|e2e)\//.test(test)) return true;
    const folder = Object.keys(entries).find((each) => test.startsWith(each));
    const starts = [test, ...(folder === undefined ? [] : (entries[folder] ?? []))];
    return isReached(starts, graph, changed);
  });
}

/** Which file names which others. */
export function importGraph(): ReadonlyMap<string, readonly string[]> {
  return new Map(globSync("{src,test,examples,bench,scripts}/**/*.ts").map((file) => [file, importsOf(file)]));
}

export function changedSince(commit: string): readonly string[] {
  const git = (...args: readonly string[]): readonly string[] =>
    execFileSync("git", args, { encoding: "utf8" }).split("\0").filter(Boolean);
  return [...git("diff", "--name-only", "-z", commit), ...git("ls-files", "-o", "-z", "--exclude-standard")];
}

function isReached(
  starts: readonly string[],
  graph: ReadonlyMap<string, readonly string[]>,
  changed: ReadonlySet<string>,
): boolean {
  return !reachOf(starts, graph).isDisjointFrom(changed);
}

/** The files themselves and all that they import, over however many others. */
export function reachOf(starts: readonly string[], graph: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const seen = new Set(starts);
  for (const file of seen) for (const next of graph.get(file) ?? []) seen.add(next);
  return seen;
}

/** Values, types, what is loaded only when it is needed, and files named beside the module that are run as programs. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, "utf8");
  const beside = [...text.matchAll(/"(\.{1,2}\/[^"\n]+\.ts)"/g)].map(([, target = ""]) => join(dirname(file), target));
  // By its place in the project, where a test starts what was bundled of it.
  const started = [...text.matchAll(/\bbundled\("([^"\n]+\.ts)"\)/g)].map(([, target = ""]) => target);
  return [...beside, ...started];
}
