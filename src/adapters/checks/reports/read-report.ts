// Reads what a runner reported, in whichever form, into one list of tests.

import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import {
  type FailedTest,
  ResultCount,
  type TestCase,
  type TestReport,
  testName,
  writeResults,
} from "../../../core/validation/results.ts";
import type { ReportFormat } from "../../../core/validation/runners/table.ts";
import { reasonOf } from "../../../ports/failure.ts";
import { CutShort } from "./cut-short.ts";
import { readJest, readMocha, readRspec } from "./json-reports.ts";
import { readJunit } from "./junit.ts";
import { readNode } from "./node-report.ts";
import { readCargo, readGo, readLibtest } from "./printed-reports.ts";
import { readTrx } from "./trx.ts";
import { readUnittest } from "./unittest.ts";

/** Who reads TAP is loaded only where there is some. */
export type LoadedFormat = Exclude<ReportFormat, "tap">;

const readers: Readonly<Record<LoadedFormat, ReadCases>> = {
  junit: readJunit,
  node: readNode,
  jest: readJest,
  mocha: readMocha,
  rspec: readRspec,
  go: readGo,
  cargo: readCargo,
  libtest: readLibtest,
  trx: readTrx,
  unittest: readUnittest,
};

/** Throws what is wrong with the text. */
export type ReadCases = (text: string) => Iterable<TestCase>;

export interface ReportOrder {
  readonly reporter: string;
  readonly root: string;
  /** Whether the command was asked for one: then it says something that there is none. */
  readonly isAsked?: boolean;
  /** Failures that the report leaves out: they say something only where tests ran. */
  readonly strays?: readonly TestCase[];
  /** What tests say may hold secrets. */
  readonly redact: (text: string) => string;
}

export function readReport(
  texts: Iterable<string>,
  order: ReportOrder & { readonly format: LoadedFormat },
): TestReport {
  return readAs(readers[order.format], texts, order);
}

/** What cannot be read is no report; the exit code is all there is then, unless the report is missing or not whole. */
export function readAs(read: ReadCases, texts: Iterable<string>, order: ReportOrder): TestReport {
  const { reporter, isAsked = false } = order;
  try {
    const found = resultsIn(texts, read, order);
    if (found !== undefined) return { reporter, ...found };
    return { reporter: null, why: `${reporter} wrote no report`, ...(isAsked ? { isSilent: true } : {}) };
  } catch (cause) {
    const why = `the report of ${reporter} cannot be read (${reasonOf(cause).slice(0, 200)})`;
    return { reporter: null, why, ...(cause instanceof CutShort ? { isSilent: true } : {}) };
  }
}

/** Text by text and test by test: of very many, only the names are held. Undefined when there is no text. */
function resultsIn(texts: Iterable<string>, read: ReadCases, { root, redact, strays = [] }: ReportOrder) {
  const roots = [...new Set([root, realpathSync(root)])];
  const count = new ResultCount();
  const failures: FailedTest[] = [];
  let isThere = false;
  let hasRun = false;
  for (const text of texts) {
    isThere = true;
    for (const reported of read(text)) {
      const one = within(reported, roots);
      count.add(one);
      if (one.state !== "skipped") hasRun = true;
      const output = one.state === "failed" ? (one.output ?? "").trim() : "";
      if (output !== "" && failures.length < mostFailures)
        failures.push({ test: testName(one), output: redact(output.slice(0, mostOutput)) });
    }
  }
  if (hasRun) for (const one of strays) count.add(one);
  return isThere ? { results: writeResults(count.results()), failures } : undefined;
}

const mostFailures = 20;
const mostOutput = 2_000;

/** Files as paths in the repository: its folder may be another one next time. Node names a file that fails as a whole by its path. */
function within(one: TestCase, roots: readonly string[]): TestCase {
  if (!isAbsolute(one.file) && !one.path.some(isAbsolute)) return one;
  return { ...one, file: pathWithin(one.file, roots), path: one.path.map((part) => pathWithin(part, roots)) };
}

function pathWithin(text: string, roots: readonly string[]): string {
  if (!isAbsolute(text)) return text;
  const inside = roots.map((base) => relative(base, text)).find((path) => !path.startsWith("..") && !isAbsolute(path));
  return inside === undefined ? text : inside.split(sep).join("/");
}
