// What the test command runs, as jobs: each is one process. Unit tests of a room share a process, which saves the start of one
// per file; what starts processes of its own gets a process per file.

import { globSync } from "node:fs";

export interface Job {
  readonly name: string;
  readonly files: readonly string[];
}

/** The slow ones, of many whole runs each, are apart: npm run test:slow. */
const all = ["src/**/*.test.ts", "test/*.test.ts", "test/{adapters,demo,docs,e2e,simulation}/**/*.test.ts"];

export function findTests(globs: readonly string[]): readonly string[] {
  return [...new Set((globs.length > 0 ? globs : all).flatMap((glob) => globSync(glob)))].sort();
}

export function makeJobs(files: readonly string[]): readonly Job[] {
  const rooms = Map.groupBy(files, (file) => /^src\/[^/]+/.exec(file)?.[0] ?? file);
  const jobs = [...rooms].map(([name, members]) => ({ name, files: members }));
  // Long ones first, so that none of them is still running when everything else is done.
  return jobs.sort((a, b) => weight(b) - weight(a));
}

const long = [/\/crash-/, /^test\/slow\//, /^test\/e2e\//, /^test\/adapters\//, /^src\//];

function weight({ name }: Job): number {
  const place = long.findIndex((pattern) => pattern.test(name));
  return place === -1 ? 0 : long.length - place;
}
