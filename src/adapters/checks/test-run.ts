// Runs a test command and has its runner say which tests pass, without a change to the project. A runner that cannot be
// made to, or that the request for a report seems to upset, is run as it is: the exit code always counts (T3).

import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { type Reporting, reportingFor } from "../../core/validation/reporter.ts";
import { readResults, type TestReport } from "../../core/validation/results.ts";
import type { CheckRun } from "../../ports/checks.ts";
import { firstBytes } from "../files/small-file.ts";
import { nodeReporter } from "./reports/node-report.ts";
import { isTap } from "./reports/printed-reports.ts";
import { type ReportOrder, readAs, readReport } from "./reports/read-report.ts";
import { readable, treeFiles } from "./tree-files.ts";

/** Runs a command line with these variables besides the usual ones; `stdout` is all that it printed there, if that was asked for. */
export type RunCommand = (order: {
  readonly command: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly keepsStdout: boolean;
}) => Promise<CheckRun & { readonly stdout: string; readonly redact: (text: string) => string }>;

export interface TestOrder {
  readonly command: string;
  /** The tests of interest; none: all of them. */
  readonly only: readonly string[];
}

export async function runTests(root: string, order: TestOrder, run: RunCommand): Promise<CheckRun> {
  const { command, only } = order;
  const folder = mkdtempSync(join(tmpdir(), "superteam-tests-"));
  try {
    const file = join(folder, "report");
    const reporting = reportingFor(command, treeFiles(root), { file, only });
    if ("why" in reporting) return await plainRun(root, { command, why: reporting.why }, run);
    if (reporting.format === "node") writeFileSync(`${file}.mjs`, nodeReporter(file));
    const startedAt = Date.now();
    const keepsStdout = reporting.source === "stdout";
    const { stdout, redact, ...outcome } = await run({ ...reporting, keepsStdout });
    const hasFailed = outcome.exitCode !== 0;
    if (hasFailed && reporting.halts?.test(outcome.output))
      return { ...outcome, tests: { reporter: null, why: `${reporting.reporter} did not run all tests` } };
    // It may have failed for the sake of the report alone.
    const isAsked = reporting.command !== command || Object.keys(reporting.environment).length > 0;
    const texts = keepsStdout ? [stdout] : reportsOf(reporting, { root, file, startedAt, hasFailed });
    const strays = hasFailed ? (reporting.strays?.(stripVTControlCharacters(outcome.output)) ?? []) : [];
    const tests = await readTests(reporting, texts, { reporter: reporting.reporter, root, redact, isAsked, strays });
    if (reporting.isPart) {
      if (saysAll(tests, only)) return { ...outcome, tests: { ...tests, isPart: true } };
      return outcome.exitCode === null ? outcome : await runTests(root, { command, only: [] }, run);
    }
    if (!hasRun(tests) && (saysNone(reporting, outcome) || (!hasFailed && tests.reporter !== null)))
      return { ...outcome, tests: { reporter: reporting.reporter, results: "", failures: [], isEmpty: true } };
    if (tests.reporter === null && hasFailed && outcome.exitCode !== null && isAsked)
      return await plainRun(root, { command, why: tests.why }, run);
    return { ...outcome, tests: hasFailed ? unblamed(withOthers(reporting, tests)) : tests };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function readTests({ format }: Reporting, texts: Iterable<string>, order: ReportOrder): Promise<TestReport> {
  return format === "tap" ? await readPrintedTap(texts, order) : readReport(texts, { ...order, format });
}

async function readPrintedTap(texts: Iterable<string>, order: ReportOrder): Promise<TestReport> {
  const { readTap } = await import("./reports/tap.ts");
  return readAs(readTap, texts, order);
}

function saysNone({ none }: Reporting, { output, exitCode }: CheckRun): boolean {
  if (none === undefined || !none.says.test(output)) return false;
  return none.exitCode === undefined || none.exitCode === exitCode;
}

/** Whether the report names a test that ran. */
function hasRun(tests: TestReport): boolean {
  return tests.reporter !== null && [...readResults(tests.results).values()].some((state) => state !== "skipped");
}

const withOthers = ({ hasOthers }: Reporting, tests: TestReport): TestReport =>
  hasOthers && tests.reporter !== null ? { ...tests, hasOthers } : tests;

/** A report that is missing or not whole says something only of a command that ended well. */
const unblamed = (tests: TestReport): TestReport =>
  tests.reporter === null ? { reporter: null, why: tests.why } : tests;

/** Whether the report has something to say of each of these tests: a selection that finds nothing must not count as green. */
function saysAll(tests: TestReport, names: readonly string[]): tests is TestReport & { readonly reporter: string } {
  if (tests.reporter === null) return false;
  const results = readResults(tests.results);
  return names.every((name) => results.has(name));
}

interface PlainOrder {
  readonly command: string;
  /** Why no report was asked for. */
  readonly why: string;
}

/** As it is. It may print its results all the same. */
async function plainRun(root: string, { command, why }: PlainOrder, run: RunCommand): Promise<CheckRun> {
  const { stdout, redact, ...outcome } = await run({ command, environment: {}, keepsStdout: true });
  if (!isTap(stdout)) return { ...outcome, tests: { reporter: null, why } };
  const tests = await readPrintedTap([stdout], { reporter: "TAP", root, redact });
  return { ...outcome, tests: outcome.exitCode === 0 ? tests : unblamed(tests) };
}

interface Where {
  readonly root: string;
  readonly file: string;
  readonly startedAt: number;
  readonly hasFailed: boolean;
}

/** Each when it is asked for, so that one of them is held at a time. Throws when they are too large together. */
function* reportsOf({ source }: Reporting, { root, file, startedAt, hasFailed }: Where): Iterable<string> {
  const isFresh = (path: string): boolean => (readable(() => statSync(path).mtimeMs) ?? 0) >= startedAt - 1_000;
  const paths = pathsOf(source, root, file);
  let left = mostBytes;
  for (const path of paths) {
    const isOld = typeof source !== "string" && !isFresh(path);
    if (isOld && !source.isAlwaysFresh) continue;
    const bytes = readable(() => firstBytes(path, left + 1)) ?? Buffer.alloc(0);
    left -= bytes.length;
    if (left < 0) throw new Error(`it is larger than ${mostBytes / megabyte} MB`);
    const text = bytes.toString("utf8");
    // A failure of an earlier run must not explain this one, which may have ended before any test ran.
    const isMisleading = isOld && hasFailed && /<(?:failure|error)\b/.test(text);
    if (text !== "" && !isMisleading) yield text;
  }
}

function pathsOf(source: Reporting["source"], root: string, file: string): readonly string[] {
  if (source === "folder") return reportsBelow(file, ".trx");
  return typeof source === "string" ? [file] : filesIn(root, source.folder, 0);
}

const megabyte = 1024 * 1024;
const mostBytes = 64 * megabyte;

/** The XML files in every folder of this name, in this package and those below it. */
function filesIn(folder: string, name: string, depth: number): readonly string[] {
  const entries = readable(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory() || entry.name === "node_modules" || entry.name.startsWith(".")) return [];
    if (entry.name === name) return reportsBelow(path, ".xml");
    return depth < 4 ? filesIn(path, name, depth + 1) : [];
  });
}

function reportsBelow(folder: string, ending: string): readonly string[] {
  const names = readable(() => readdirSync(folder, { recursive: true, encoding: "utf8" })) ?? [];
  return names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
}
