// npm run mutate -- [folder or file ...] [--sample 300] [--seed 1] [--changed[=rev]]
// Changes the source in one small place at a time and runs the tests that execute it. A change that no test notices survives.
//   --sample N       that many mutants of each folder, chosen by the seed
//   --changed[=rev]  only files that changed since a commit (HEAD)

import { globSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { parseArgs } from "node:util";
import { changedSince } from "../test/reach.ts";
import { endAllOnInterrupt } from "../test/run-node.ts";
import { roomOf } from "./checks.ts";
import { refusedOf } from "./compile.ts";
import { type Mutant, mutantsOf } from "./mutants.ts";
import { isUnnoticed, reportFolder, reportSurvivor } from "./report.ts";
import { sample } from "./sample.ts";
import { judge, type Trial } from "./trial.ts";

const atOnce = 300;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: args.map((each) => (each === "--changed" ? "--changed=HEAD" : each)),
    allowPositionals: true,
    options: {
      sample: { type: "string", default: "300" },
      seed: { type: "string", default: "1" },
      changed: { type: "string" },
    },
  });
  const size = Number(values.sample);
  const seed = Number(values.seed);
  if (!Number.isInteger(size) || size < 1)
    return fail(`--sample needs a number from 1, and "${values.sample}" is none.`);
  if (!Number.isInteger(seed)) return fail(`--seed needs a whole number, and "${values.seed}" is none.`);
  const folders = positionals.length > 0 ? positionals.map((each) => normalize(`${each}/.`)) : usualFolders();
  const sources = folders.map((folder) => sourcesIn(folder, values.changed));
  if (sources.every((files) => files.length === 0)) return fail(`No source to mutate in ${folders.join(", ")}.`);

  endAllOnInterrupt();
  const cache = mkdtempSync(join(tmpdir(), "superteam-mutate-"));
  try {
    for (const [index, folder] of folders.entries()) {
      const all = mutantsOf(sources[index] ?? []);
      reportFolder(folder, await tryAll(sample(all, size, seed), cache), all.length);
    }
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
  return 0;
}

/** The rooms that decide what happens. The goal of `docs/numbers.md` is for these. */
function usualFolders(): readonly string[] {
  return ["src/core", "src/engine", "src/phases"];
}

function sourcesIn(path: string, changed: string | undefined): readonly string[] {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  const found = isFile ? [path] : globSync(`${path}/**/*.ts`).sort();
  const sources = found.filter((file) => !file.endsWith(".test.ts"));
  if (changed === undefined) return sources;
  const touched = new Set(changedSince(changed));
  return sources.filter((file) => touched.has(file));
}

/** In parts, so that there is something to read while the others are tried. */
async function tryAll(mutants: readonly Mutant[], cache: string): Promise<readonly Trial[]> {
  const trials: Trial[] = [];
  for (let start = 0; start < mutants.length; start += atOnce) {
    const rooms = Map.groupBy(mutants.slice(start, start + atOnce), ({ file }) => roomOf(file));
    for (const [room, some] of rooms) trials.push(...compiled(await judge(room, some, cache)));
    for (const trial of trials.slice(start)) reportSurvivor(trial);
    console.log(`${trials.length} of ${mutants.length} tried`);
  }
  return trials;
}

/** What no test noticed is given to the compiler. */
function compiled(trials: readonly Trial[]): readonly Trial[] {
  const refused = refusedOf(trials.filter(isUnnoticed).map(({ mutant }) => mutant));
  return trials.map((trial) => (refused.has(trial.mutant) ? { ...trial, verdict: "refused" } : trial));
}

function fail(text: string): number {
  console.error(text);
  return 1;
}
