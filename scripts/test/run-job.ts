// Runs one job: a process of Node's own runner, and what it told of each test.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Job } from "./jobs.ts";
import { runNode } from "./run-node.ts";

export interface Outcome {
  readonly job: Job;
  readonly isGood: boolean;
  readonly output: string;
  readonly seconds: number;
  /** What it and all it started took of the processors; none where the system does not tell. */
  readonly processorSeconds?: number;
  readonly tests: readonly EndedTest[];
  /** Why the job failed, when that is not a test's doing. */
  readonly trouble?: string;
}

interface EndedTest {
  readonly passed: boolean;
  readonly file: string;
  readonly name: string;
  /** No test, but a file that has none. */
  readonly isFile: boolean;
  /** True, or the reason. */
  readonly skip?: boolean | string;
}

interface Spent {
  readonly processorSeconds?: number;
}

const longestMinutes = 45;
/** One test, but for the slow ones: a test that hangs must not hold up the others until the job's time is over. */
const longestTestMs = 10 * 60_000;
/** What Node compiled is kept: the command line is started hundreds of times, and starts in half the time. */
export const cache = resolve("node_modules/.cache/superteam-tests");

/** `programs` is a folder of what tests start, where that is not the sources. */
export async function runJob(job: Job, programs?: string): Promise<Outcome> {
  const env = {
    NODE_COMPILE_CACHE: cache,
    ...(programs === undefined ? {} : { SUPERTEAM_TEST_PROGRAMS: programs }),
    ...process.env,
  };
  const folder = await mkdtemp(join(tmpdir(), "superteam-tests-"));
  const tallied = join(folder, "tally");
  const start = performance.now();
  const { code, output, isLate } = await runNode(argumentsFor(job, tallied), { seconds: longestMinutes * 60, env });
  const seconds = (performance.now() - start) / 1000;
  const lines = (await readFile(tallied, "utf8").catch(() => "")).split("\n").filter(Boolean);
  await rm(folder, { recursive: true, force: true });
  // The last line is of the job as a whole, unless it was ended before that.
  const told = lines.map((line) => JSON.parse(line) as EndedTest | Spent);
  const all = told.filter((each) => "file" in each);
  const spent = told.findLast((each) => "processorSeconds" in each);
  const tests = all.filter(({ isFile }) => !isFile);
  const trouble = isLate ? `did not end within ${longestMinutes} minutes` : silentFiles(all);
  const isGood = code === 0 && trouble === undefined && tests.every(({ passed }) => passed);
  return { job, isGood, output, seconds, tests, ...spent, ...(trouble === undefined ? {} : { trouble }) };
}

function argumentsFor(job: Job, tallied: string): readonly string[] {
  const spec = ["--test-reporter=spec", "--test-reporter-destination=stdout"];
  const tally = [`--test-reporter=${join(import.meta.dirname, "tally.mjs")}`, `--test-reporter-destination=${tallied}`];
  const whole = ["--import", pathToFileURL(join(import.meta.dirname, "whole.mjs")).href];
  const limit = job.files.some((file) => file.startsWith("test/slow/")) ? [] : [`--test-timeout=${longestTestMs}`];
  return [...whole, "--test", "--test-isolation=none", ...limit, ...spec, ...tally, ...job.files];
}

/** A file whose tests all vanished would look like one whose tests all passed. */
function silentFiles(all: readonly EndedTest[]): string | undefined {
  if (all.length === 0) return "no test ran";
  const silent = all.filter(({ isFile }) => isFile).map(({ file }) => relative(".", file));
  return silent.length === 0 ? undefined : `no test ran in ${silent.join(", ")}`;
}
