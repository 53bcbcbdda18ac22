// What real runners reported (scripts/record-test-reports.ts), read by test name.

import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { type LoadedFormat, readReport } from "../../../src/adapters/checks/reports/read-report.ts";
import { shellChecks } from "../../../src/adapters/checks/shell.ts";
import type { TestReport } from "../../../src/core/validation/results.ts";

function project(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "superteam-recorded-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const linesOf = (report: TestReport | undefined): readonly string[] | string | undefined =>
  report?.reporter === null ? report.why : report?.results.split("\n");

const runIn = (root: string, command: string) =>
  shellChecks({ cwd: root, environment: [] }).run(command, new AbortController().signal, { tests: true });

describe("S3-32: recorded reports", () => {
  const cases: readonly (readonly [name: string, format: LoadedFormat, expected: readonly string[]])[] = [
    [
      "vitest",
      "jest",
      [
        "- a.test.js › outer › bad 5ms",
        "+ a.test.js › outer › good",
        "~ a.test.js › outer › left out",
        "+ a.test.js › top",
        "- crash.test.js › does not load",
        "+ late.test.js › late",
      ],
    ],
    [
      "jest",
      "jest",
      [
        "- a.test.js › outer › bad 5ms",
        "+ a.test.js › outer › good",
        "~ a.test.js › outer › left out",
        "+ a.test.js › top",
        "- crash.test.js › does not load",
      ],
    ],
    [
      "mocha",
      "mocha",
      [
        '- test/a.js › hooked "before all" hook for "never runs"',
        "- test/a.js › outer bad 5ms",
        "+ test/a.js › outer good",
        "~ test/a.js › outer left out",
        "+ test/a.js › top",
      ],
    ],
    [
      "playwright",
      "junit",
      [
        "- tests/a.spec.ts › outer › bad 5ms",
        "+ tests/a.spec.ts › outer › good",
        "~ tests/a.spec.ts › outer › left out",
        "+ tests/a.spec.ts › top",
      ],
    ],
    [
      "bun",
      "junit",
      [
        "- a.test.ts › outer › bad 5ms",
        "+ a.test.ts › outer › good",
        "+ a.test.ts › outer › inner › good",
        "~ a.test.ts › outer › left out",
        "+ a.test.ts › top",
      ],
    ],
    [
      "deno",
      "junit",
      [
        "- a_test.ts › bad 5ms",
        "~ a_test.ts › left out",
        "+ a_test.ts › outer",
        "+ a_test.ts › outer > good",
        "+ a_test.ts › top",
      ],
    ],
    [
      "go",
      "go",
      [
        "~ example.org/letters › TestLeftOut",
        "- example.org/letters › TestOuter",
        "- example.org/letters › TestOuter › bad_5ms",
        "+ example.org/letters › TestOuter › good",
        "+ example.org/letters › TestTop",
        "- example.org/letters/crash › does not build or run",
      ],
    ],
    [
      "rspec",
      "rspec",
      [
        "- spec/a_spec.rb › Outer is bad 5ms",
        "+ spec/a_spec.rb › Outer is good",
        "~ spec/a_spec.rb › Outer is left out",
      ],
    ],
    [
      "phpunit",
      "junit",
      [
        '+ tests/OuterTest.php › all › OuterTest › OuterTest::testRows › testRows with data set "one"',
        '- tests/OuterTest.php › all › OuterTest › OuterTest::testRows › testRows with data set "two"',
        "- tests/OuterTest.php › all › OuterTest › testBad",
        "+ tests/OuterTest.php › all › OuterTest › testGood",
        "~ tests/OuterTest.php › all › OuterTest › testLeftOut",
      ],
    ],
    ["maven", "junit", ["- letters.OuterTest › bad", "+ letters.OuterTest › good", "~ letters.OuterTest › leftOut"]],
    ["cargo", "cargo", ["- tests::bad", "+ tests::good", "~ tests::left_out", "+ tests::panics"]],
    [
      "nextest",
      "libtest",
      ["bad", "good", "left_out", "panics"].map((name, nth) => `${"-+~+"[nth]} letters::letters › tests::${name}`),
    ],
    [
      "dotnet",
      "trx",
      ["- Bad", "+ Good", "~ LeftOut", "+ Rows(row: 1)", "- Rows(row: 2)"].map((line) =>
        line.replace(" ", " Letters.Tests.dll › Letters.Tests.LetterTests › "),
      ),
    ],
  ];
  const fileOf = (name: string): string => join(import.meta.dirname, `recorded/${name}.txt`);
  const recordedAs = (name: string): string => readFileSync(fileOf(name), "utf8");
  for (const [name, format, expected] of cases)
    test(name, {
      skip: existsSync(fileOf(name)) ? false : "it was never here: its form is the documented one",
    }, (t) => {
      const root = project(t, {});
      const text = recordedAs(name).replaceAll("/repository", root);
      const report = readReport([text], { reporter: name, format, root, redact: (said) => said });
      assert.deepEqual(linesOf(report), expected);
      assert.ok(report.reporter && report.failures.every(({ output }) => output !== ""), JSON.stringify(report));
    });

  const printed: Readonly<Record<string, readonly string[]>> = {
    ava: ["- a › bad 5ms", "+ a › known", "~ a › left out", "+ a › top", "+ b › top"],
    tape: [
      "- bad 5ms › should be strictly equal",
      "+ good › is so",
      "+ top › should be strictly equal",
      "+ top › should be strictly equal (2)",
    ],
    node: ["- outer", "- outer › bad 5ms", "+ outer › good", "~ outer › later", "~ outer › left out", "+ top"],
  };
  for (const [name, expected] of Object.entries(printed))
    test(`TAP as ${name} prints it is recognised`, async (t) => {
      const root = project(t, { "printed.txt": recordedAs(name) });
      const run = await runIn(root, "cat printed.txt; exit 1");
      assert.deepEqual([run.exitCode, linesOf(run.tests)], [1, expected]);
      assert.ok(run.tests?.reporter === "TAP");
      assert.match(run.tests.failures.at(0)?.output ?? "", /expected: 2\nactual: 1|"- 1\\n\+ 2"/);
    });
});

describe("T3: errors outside of all tests, which a runner prints and leaves out of its report", () => {
  /** A program that reports and prints what the real one did. */
  const replay = async (t: TestContext, name: string, command: string, { exitCode = 1, printed = "" } = {}) => {
    const file = (ending: string): string =>
      readFileSync(join(import.meta.dirname, `recorded/${name}${ending}`), "utf8");
    const [program = ""] = command.split(" ");
    const said = printed === "" ? file(".printed.txt") : printed;
    const root = project(t, {
      report: file(".txt"),
      printed: said,
      [program]: `#!/bin/sh\nfor last; do :; done\nfile="\${last#*=}"\n[ -d "\${file%/*}" ] || file="$PLAYWRIGHT_JUNIT_OUTPUT_FILE"\ncp report "$file"\ncat printed\nexit ${exitCode}\n`,
    });
    chmodSync(join(root, program), 0o755);
    const { tests } = await runIn(root, `./${command}`);
    return [linesOf(tests)].flat().filter((line) => line?.includes("outside of"));
  };
  const cases: readonly (readonly [name: string, command: string, line: string])[] = [
    ["vitest", "vitest run", "- an error outside of all tests"],
    ["playwright", "playwright test", "- an error outside of all tests"],
    ["bun", "bun test", "- an error outside of all tests"],
    ["deno", "deno test", "- crash_test.ts › an error outside of its tests"],
  ];
  for (const [name, command, line] of cases)
    test(`${name}: are failures with a name, so that no test that was red before excuses them`, async (t) => {
      assert.deepEqual(await replay(t, name, command), [line]);
      assert.deepEqual(await replay(t, name, command, { printed: "all is well" }), []);
      assert.deepEqual(await replay(t, name, command, { exitCode: 0 }), [], "a run that ends well had none");
    });

  test("a second one is another failure", async (t) => {
    const printed = " 1 pass\n 1 fail\n 2 errors\nRan 2 tests across 2 files.\n";
    assert.deepEqual(await replay(t, "bun", "bun test", { printed }), [
      "- an error outside of all tests",
      "- an error outside of all tests (2)",
    ]);
  });
});
