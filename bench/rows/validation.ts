// What it costs to know which tests pass: the time that is added to a suite, and the reading of a large report.

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SaxesParser } from "saxes";
import { readJunit } from "../../src/adapters/checks/reports/junit.ts";
import { readReport } from "../../src/adapters/checks/reports/read-report.ts";
import { shellChecks } from "../../src/adapters/checks/shell.ts";
import type { TestCase } from "../../src/core/validation/results.ts";
import { inFolder } from "../folder.ts";
import { largeReport } from "../junit/large-report.ts";
import { type Measured, type Row, sideBySide, timed } from "../row.ts";

export const validationRows: readonly Row[] = [
  {
    name: "suite",
    what: "a suite of node:test run by superteam, with each test by name / the suite alone",
    bar: 1.1,
    measure: (strain) => inFolder((folder) => suite(folder, strain)),
  },
  {
    name: "junit",
    what: "reading every test of a JUnit report of 50,000 / the XML parser alone on it, in processor time",
    bar: 2,
    measure: reading,
  },
  {
    name: "junit-names",
    what: "sorted results by name from that report / the XML parser alone on it, in processor time",
    bar: 4,
    measure: naming,
  },
  {
    name: "junit-memory",
    what: "peak memory of a process that turns that report into results by name / of one that runs the XML parser alone",
    bar: 2,
    measure: (strain) => inFolder((folder) => memory(folder, strain)),
  },
];

/** Ten files of twenty tests. */
async function suite(folder: string, strain: number): Promise<Measured> {
  const body = Array.from({ length: 20 }, (_, index) => `test("test ${index}", () => {});`).join("\n");
  for (let file = 0; file < 10; file++)
    writeFileSync(join(folder, `${file}.test.mjs`), `import { test } from "node:test";\n${body}\n`);
  const checks = shellChecks({ cwd: folder, environment: [] });
  const never = new AbortController().signal;
  return sideBySide(7, "ms", {
    ours: () =>
      timed(strain, async () => {
        const { exitCode, tests } = await checks.run("node --test", never, { tests: true });
        if (exitCode !== 0 || !tests?.reporter) throw new Error("The suite was not understood.");
      }),
    theirs: () => timed(1, () => execFileSync("/bin/sh", ["-c", "node --test"], { cwd: folder, stdio: "pipe" })),
  });
}

function reading(strain: number): Promise<Measured> {
  return besideParser((xml) => busy(strain, () => countFailed(readJunit(xml))));
}

function naming(strain: number): Promise<Measured> {
  const order = { reporter: "junit", format: "junit", root: "/", redact: (text: string) => text } as const;
  return besideParser((xml) =>
    busy(strain, () => {
      const report = readReport([xml], order);
      if (!report.reporter || report.failures.length === 0) throw new Error("The report was not understood.");
    }),
  );
}

/** Milliseconds of the processor: it waits for nothing, so that others on the machine are all that a clock would add. */
async function busy(times: number, act: () => void): Promise<number> {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time++) act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function besideParser(ours: (xml: string) => Promise<number>): Promise<Measured> {
  const xml = largeReport(manyTests);
  return sideBySide(7, "ms", {
    ours: () => ours(xml),
    theirs: () => busy(1, () => void new SaxesParser().write(xml).close()),
  });
}

function countFailed(cases: Iterable<TestCase>): void {
  let failed = 0;
  for (const { state } of cases) if (state === "failed") failed++;
  if (failed !== manyTests / 1000) throw new Error("The report was not understood.");
}

/** Under strain it reads the report so many times and keeps what it read. */
function memory(folder: string, strain: number): Promise<Measured> {
  const file = join(folder, "report.xml");
  writeFileSync(file, largeReport(manyTests));
  const peak = async (...args: readonly string[]): Promise<number> =>
    Number(execFileSync(process.execPath, [program, file, ...args], { encoding: "utf8" }));
  return sideBySide(5, "MB", { ours: () => peak("results", String(strain)), theirs: () => peak("parser") });
}

const program = join(import.meta.dirname, "../junit/peak.ts");
const manyTests = 50_000;
