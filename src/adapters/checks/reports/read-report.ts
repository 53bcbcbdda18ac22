// Reads what a runner reported, in whichever form, into one list of tests.

import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import type { ReportFormat } from "../../../core/validation/reporter.ts";
import {
  addTo,
  type FailedTest,
  type TestCase,
  type TestReport,
  type TestState,
  testName,
  writeResults,
} from "../../../core/validation/results.ts";
import { reasonOf } from "../../../ports/failure.ts";
import { readJest, readMocha, readRspec } from "./json-reports.ts";
import { readJunit } from "./junit.ts";
import { readCargo, readGo } from "./printed-reports.ts";

const readers: Readonly<Record<ReportFormat, ReadCases>> = {
  junit: readJunit,
  jest: readJest,
  mocha: readMocha,
  rspec: readRspec,
  go: readGo,
  cargo: readCargo,
};

/** Throws what is wrong with the text. */
export type ReadCases = (text: string) => Iterable<TestCase>;

export interface ReportOrder {
  readonly reporter: string;
  readonly root: string;
  /** What tests say may hold secrets. */
  readonly redact: (text: string) => string;
}

export function readReport(
  texts: Iterable<string>,
  order: ReportOrder & { readonly format: ReportFormat },
): TestReport {
  return readAs(readers[order.format], texts, order);
}

/** What cannot be read is no report; the exit code is all there is then. */
export function readAs(read: ReadCases, texts: Iterable<string>, order: ReportOrder): TestReport {
  const { reporter } = order;
  try {
    const found = resultsIn(texts, read, order);
    return found === undefined ? { reporter: null, why: `${reporter} wrote no report` } : { reporter, ...found };
  } catch (cause) {
    return { reporter: null, why: `the report of ${reporter} cannot be read (${reasonOf(cause).slice(0, 200)})` };
  }
}

/** Text by text and test by test: of very many, only the names are held. Undefined when there is no text. */
function resultsIn(texts: Iterable<string>, read: ReadCases, { root, redact }: ReportOrder) {
  const roots = [...new Set([root, realpathSync(root)])];
  const results = new Map<string, TestState>();
  const failures: FailedTest[] = [];
  let isThere = false;
  for (const text of texts) {
    isThere = true;
    for (const reported of read(text)) {
      const one = within(reported, roots);
      addTo(results, one);
      if (one.state === "failed" && failures.length < mostFailures)
        failures.push({ test: testName(one), output: redact((one.output ?? "").trim().slice(0, mostOutput)) });
    }
  }
  return isThere ? { results: writeResults(results), failures } : undefined;
}

const mostFailures = 20;
const mostOutput = 2_000;

/** A test's file as a path in the repository: its folder may be another one next time. */
function within(one: TestCase, roots: readonly string[]): TestCase {
  if (!isAbsolute(one.file)) return one;
  const inside = roots
    .map((base) => relative(base, one.file))
    .find((path) => !path.startsWith("..") && !isAbsolute(path));
  return inside === undefined ? one : { ...one, file: inside.split(sep).join("/") };
}
