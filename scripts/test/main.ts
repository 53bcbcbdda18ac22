// Finds the tests, runs them as jobs side by side, and says how it went. Fails when a file held no test, or none was found.

import { availableParallelism } from "node:os";
import { delimiter, dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { findTests, type Job, makeJobs } from "./jobs.ts";
import { reachedBy } from "./reach.ts";
import { cache, type Outcome, runJob } from "./run-job.ts";
import { endAllOnInterrupt } from "./run-node.ts";
import { folderInMemory } from "./scratch.ts";

export async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = optionsOf(args);
  // More than there are processors: tests wait for processes, screens and timers for a quarter of their time.
  const width = Number(values.jobs ?? availableParallelism() + 2);
  if (!Number.isInteger(width) || width < 1) return fail(`--jobs needs a number from 1, and "${values.jobs}" is none.`);
  const found = findTests(positionals);
  if (found.length === 0) return fail(`No test file matches ${positionals.join(", ")}: nothing was tested.`);
  const files = values.changed === undefined ? found : reachedBy(values.changed, found);
  if (files.length === 0) return say(`Nothing that changed since ${values.changed} is reached by a test.`);
  endAllOnInterrupt();
  // What tests start by the name "node" is the Node that runs them, as it is under npm.
  process.env["PATH"] = [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
  const scratch = folderInMemory();
  if (scratch !== undefined) process.env["TMPDIR"] = scratch;
  const folder = files.some((file) => starting.test(file)) ? await bundled() : undefined;
  const outcomes = await runAll(makeJobs(files), width, folder);
  return summarise(values.again ? await tryAgain(outcomes, folder) : outcomes);
}

/** Where tests start a program of ours, most of them more than once. */
const starting = /^test\/(?:e2e|docs|slow|adapters\/person)\//;

async function bundled(): Promise<string | undefined> {
  try {
    const { bundle } = await import("./bundle.ts");
    return await bundle(cache);
  } catch (error) {
    console.log(`The tests start our programs from their sources, because they could not be bundled: ${error}`);
    return undefined;
  }
}

/**
 * Runs the files that failed once more, alone. A machine that is busy with something else must not refuse a landing; a test that
 * is only green alone is named all the same, because it needs a fix.
 */
async function tryAgain(outcomes: readonly Outcome[], folder?: string): Promise<readonly Outcome[]> {
  const settled: Outcome[] = [];
  for (const outcome of outcomes) {
    if (outcome.isGood) {
      settled.push(outcome);
      continue;
    }
    const files = filesToRepeat(outcome);
    const second = await runJob({ name: `${outcome.job.name}, again and alone`, files }, folder);
    report(second);
    if (second.isGood) for (const file of files) console.log(`unsteady, green only when run again alone: ${file}`);
    settled.push(second.isGood ? withSecond(outcome, second) : outcome);
  }
  return settled;
}

/** The files whose tests failed; the whole job where that does not say all, as when a file runs the tests of others in a longer form. */
function filesToRepeat({ job, tests, trouble }: Outcome): readonly string[] {
  const failed = tests.filter(({ passed }) => !passed).map(({ file }) => resolve(file));
  const files = job.files.filter((file) => failed.includes(resolve(file)));
  const isAll = trouble === undefined && failed.every((file) => files.some((own) => resolve(own) === file));
  return isAll && files.length > 0 ? files : job.files;
}

function withSecond(first: Outcome, second: Outcome): Outcome {
  const ofSecond = new Set(second.tests.map(({ file }) => file));
  return {
    ...second,
    job: first.job,
    tests: [...first.tests.filter(({ file }) => !ofSecond.has(file)), ...second.tests],
  };
}

function optionsOf(args: readonly string[]) {
  return parseArgs({
    args: args.map((each) => (each === "--changed" ? "--changed=HEAD" : each)),
    allowPositionals: true,
    options: { changed: { type: "string" }, jobs: { type: "string" }, again: { type: "boolean" } },
  });
}

async function runAll(jobs: readonly Job[], width: number, folder?: string): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = [...jobs];
  const work = async (): Promise<void> => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      const outcome = await runJob(job, folder);
      outcomes.push(outcome);
      report(outcome);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return outcomes;
}

function report({ job, isGood, tests, seconds, processorSeconds, output, trouble }: Outcome): void {
  const spent = processorSeconds === undefined ? "" : `  ${processorSeconds.toFixed(1)} s of processor time`;
  console.log(`${isGood ? "✔" : "✖"} ${job.name}  ${tests.length} tests  ${seconds.toFixed(1)} s${spent}`);
  if (isGood) return;
  if (trouble !== undefined) console.log(`✖ ${job.name}: ${trouble}`);
  console.log(output);
}

function summarise(outcomes: readonly Outcome[]): number {
  const tests = outcomes.flatMap((outcome) => outcome.tests);
  const skipped = tests.filter(({ skip }) => skip !== undefined && skip !== false);
  for (const { name, skip } of skipped) console.log(`skipped: ${name}${skip === true ? "" : ` (${skip})`}`);
  const failed = tests.filter(({ passed }) => !passed);
  const bad = outcomes.filter(({ isGood }) => !isGood);
  for (const { output } of bad) console.log(failuresOf(output));
  if (failed.length > 0) console.log("failing tests:");
  for (const { file, name } of failed) console.log(`✖ ${name} (${file})`);
  for (const { job, trouble } of bad) console.log(`✖ ${job.name}${trouble === undefined ? "" : `: ${trouble}`}`);
  const passed = tests.length - failed.length - skipped.length;
  console.log(`tests ${tests.length}, passed ${passed}, failed ${failed.length}, skipped ${skipped.length}`);
  const spent = outcomes.reduce((sum, { processorSeconds = 0 }) => sum + processorSeconds, 0);
  if (spent > 0) console.log(`processor time ${spent.toFixed(0)} s`);
  return bad.length === 0 ? 0 : 1;
}

/** Said again at the end, where someone who is only shown a log's end sees it. */
function failuresOf(output: string): string {
  return output.slice(Math.max(0, output.indexOf("✖ failing tests:"))).slice(-6_000);
}

function say(text: string): number {
  console.log(text);
  return 0;
}

function fail(text: string): number {
  console.error(text);
  return 1;
}
