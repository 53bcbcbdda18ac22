// What it costs to know which tests pass: the time that is added to a suite, and the reading of a large report.

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SaxesParser } from "saxes";
import { readReport } from "../../src/adapters/checks/reports/read-report.ts";
import { shellChecks } from "../../src/adapters/checks/shell.ts";
import { inFolder } from "../folder.ts";
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
    what: "results by name out of a JUnit report of 50,000 tests / the XML parser alone over it",
    bar: 2,
    measure: reading,
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

async function reading(strain: number): Promise<Measured> {
  const xml = largeReport();
  const order = { reporter: "junit", format: "junit", root: "/", redact: (text: string) => text } as const;
  return sideBySide(7, "ms", {
    ours: () =>
      timed(strain, () => {
        const report = readReport([xml], order);
        if (!report.reporter || report.failures.length === 0) throw new Error("The report was not understood.");
      }),
    theirs: () => timed(1, () => new SaxesParser().write(xml).close()),
  });
}

/** One test in a thousand fails, with what it said. */
function largeReport(): string {
  const said = `<failure message="1 != 2"><![CDATA[${"at a line of a stack\n".repeat(20)}]]></failure>`;
  const cases = Array.from({ length: 50_000 }, (_, index) => {
    const name = `name="adds ${index} and &quot;${index}&quot;" classname="suite ${index % 500}" time="0.001"`;
    return index % 1000 === 0
      ? `<testcase ${name} file="test/${index % 500}.test.js">${said}</testcase>`
      : `<testcase ${name} file="test/${index % 500}.test.js"/>`;
  });
  return `<?xml version="1.0"?><testsuites><testsuite name="all">${cases.join("\n")}</testsuite></testsuites>`;
}
