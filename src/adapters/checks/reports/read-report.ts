// Reads what a runner reported, in whichever form, into one list of tests.

import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import type { ReportFormat } from "../../../core/validation/reporter.ts";
import {
  type FailedTest,
  resultsOf,
  type TestCase,
  type TestReport,
  testName,
  writeResults,
} from "../../../core/validation/results.ts";
import { reasonOf } from "../../../ports/failure.ts";
import { readJest, readMocha, readRspec } from "./json-reports.ts";
import { readJunit } from "./junit.ts";
import { readCargo, readGo } from "./printed-reports.ts";

const readers: Readonly<Record<ReportFormat, (text: string) => readonly TestCase[]>> = {
  junit: readJunit,
  jest: readJest,
  mocha: readMocha,
  rspec: readRspec,
  go: readGo,
  cargo: readCargo,
};

export interface ReportOrder {
  readonly reporter: string;
  readonly format: ReportFormat;
  readonly root: string;
  /** What tests say may hold secrets. */
  readonly redact: (text: string) => string;
}

/** What cannot be read is no report; the exit code is all there is then. */
export function readReport(texts: readonly string[], { reporter, format, root, redact }: ReportOrder): TestReport {
  try {
    const cases = texts.flatMap((text) => readers[format](text)).map((one) => within(one, root));
    const failing = cases.filter(({ state }) => state === "failed").slice(0, mostFailures);
    const failures = failing.map(
      (one): FailedTest => ({ test: testName(one), output: redact((one.output ?? "").trim().slice(0, mostOutput)) }),
    );
    return { reporter, results: writeResults(resultsOf(cases)), failures };
  } catch (cause) {
    return { reporter: null, why: `the report of ${reporter} cannot be read (${reasonOf(cause).slice(0, 200)})` };
  }
}

const mostFailures = 20;
const mostOutput = 2_000;

/** A test's file as a path in the repository: its folder may be another one next time. */
function within(one: TestCase, root: string): TestCase {
  if (!isAbsolute(one.file)) return one;
  const inside = [root, realpathSync(root)]
    .map((base) => relative(base, one.file))
    .find((path) => !path.startsWith("..") && !isAbsolute(path));
  return inside === undefined ? one : { ...one, file: inside.split(sep).join("/") };
}
