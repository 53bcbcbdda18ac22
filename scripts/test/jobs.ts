// What the test command runs, as jobs: each is one process. Tests share a process, which saves the start of one per file and
// loading the same modules again: unit tests those of their room, and what starts processes of its own a few of its folder.

import { globSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

export interface Job {
  readonly name: string;
  readonly files: readonly string[];
}

const all = ["src/**/*.test.ts", "test/*.test.ts", "test/!(slow)/**/*.test.ts"];

/** Apart from the others, for npm run test:slow: in `test/slow` those of many whole runs each, elsewhere those that take long for what they show. */
export const isSlow = (file: string): boolean => file.startsWith("test/slow/") || file.endsWith(".slow.test.ts");

/** Given files, folders or patterns; none for the usual tests. */
export function findTests(given: readonly string[]): readonly string[] {
  const found = given.length > 0 ? globSync(given.map(asPattern)) : globSync(all).filter((file) => !isSlow(file));
  return [...new Set(found)].sort();
}

const asPattern = (given: string): string =>
  statSync(given, { throwIfNoEntry: false })?.isDirectory() ? join(given, "**/*.test.ts") : given;

export function makeJobs(files: readonly string[]): readonly Job[] {
  const rooms = Map.groupBy(files, (file) => /^src\/[^/]+/.exec(file)?.[0] ?? dirname(file));
  const jobs = [...rooms].flatMap(([room, members]) =>
    room.startsWith("src/") ? [{ name: room, files: members }] : shared(room, members),
  );
  // Long ones first, so that none of them is still running when everything else is done.
  return jobs.sort((a, b) => weight(b) - weight(a));
}

/** More would be too long for one of the jobs that run at once; to start with fewer costs a second each time. */
const together = 8;

/** The files of a folder in jobs of a few, dealt one by one: those of a name are alike, and often long together. */
function shared(folder: string, files: readonly string[]): readonly Job[] {
  if (folder === "test/slow") return files.map((file) => ({ name: file, files: [file] }));
  const count = Math.ceil(files.length / together);
  return Array.from({ length: count }, (_, job) => {
    const members = files.filter((_file, index) => index % count === job);
    return { name: members.length === 1 ? (members[0] ?? folder) : `${folder} ${job + 1}/${count}`, files: members };
  });
}

const long = [
  /\/crash-/,
  /^test\/slow\//,
  /^test\/e2e\//,
  /^test\/docs/,
  /^test\/adapters\//,
  /^test\/(?:demo|simulation)/,
  /^src\//,
];

function weight({ name }: Job): number {
  const place = long.findIndex((pattern) => pattern.test(name));
  return place === -1 ? 0 : long.length - place;
}
