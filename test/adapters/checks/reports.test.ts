// What runners report, read by test name: real projects where the runner is here, and the forms that documents describe. Recordings of
// others are read in recorded.test.ts.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { type LoadedFormat, readReport } from "../../../src/adapters/checks/reports/read-report.ts";
import { shellChecks } from "../../../src/adapters/checks/shell.ts";
import type { TestReport } from "../../../src/core/validation/results.ts";

const never = new AbortController().signal;

function project(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "superteam-report-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const linesOf = (report: TestReport | undefined): readonly string[] | string | undefined =>
  report?.reporter === null ? report.why : report?.results.split("\n");

const runAlone = (root: string, command: string, ...only: readonly string[]) =>
  shellChecks({ cwd: root, environment: [] }).run(command, never, { tests: true, only });

function runIn(root: string, command: string, timeoutMs?: number) {
  const limit = timeoutMs === undefined ? {} : { timeoutMs };
  return shellChecks({ cwd: root, environment: [], ...limit }).run(command, never, { tests: true });
}

const manifest = (script: string) => ({ "package.json": JSON.stringify({ scripts: { test: script } }) });
const nodeTests = (body: string): string =>
  `import assert from "node:assert/strict";\nimport { describe, it, test } from "node:test";\n${body}\n`;

describe("node --test, for real", () => {
  test("failing, skipped and nested tests are named, whatever is in their names", async (t) => {
    const root = project(t, {
      ...manifest("node --test"),
      "test/a.test.mjs": nodeTests(
        `test("top & <x>", () => {}); describe("outer", () => { it("in\\nner \\u001b[31mred", () => {}); it("bad", () => assert.equal(1, 2)); it.skip("off", () => {}); });`,
      ),
    });
    const run = await runIn(root, "npm test");
    assert.equal(run.exitCode, 1);
    assert.deepEqual(linesOf(run.tests), [
      "- test/a.test.mjs › outer › bad",
      "+ test/a.test.mjs › outer › in ner red",
      "~ test/a.test.mjs › outer › off",
      "+ test/a.test.mjs › top & <x>",
    ]);
    assert.ok(run.tests?.reporter && run.tests.failures[0]?.output.includes("1 !== 2"), JSON.stringify(run.tests));
    assert.match(run.output, /top & <x>/, "what it prints is as it was");
  });

  test("T3: a test that fails after its subtests passed is named, as is a suite whose hook fails; one that is to do fails nothing", async (t) => {
    const root = project(t, {
      ...manifest("node --test"),
      "a.test.mjs": nodeTests(
        `import { after } from "node:test"; test("parent", async (t) => { await t.test("child", () => {}); assert.fail("own"); }); test.todo("later", () => assert.fail("not yet")); describe("hooked", () => { after(() => assert.fail("hook")); it("fine", () => {}); it("bad", () => assert.fail("it")); }); describe.skip("off", () => { it("x", () => {}); });`,
      ),
    });
    const run = await runIn(root, "npm test");
    assert.deepEqual(linesOf(run.tests), [
      "- a.test.mjs › hooked",
      "- a.test.mjs › hooked › bad",
      "+ a.test.mjs › hooked › fine",
      "~ a.test.mjs › later",
      "~ a.test.mjs › off",
      "- a.test.mjs › parent",
      "+ a.test.mjs › parent › child",
    ]);
    assert.ok(run.tests?.reporter && run.tests.failures.some(({ output }) => output.includes("own")));
  });

  for (const isolation of ["process", "none"])
    test(`a test that runs node's runner itself changes nothing in the report (isolation: ${isolation})`, async (t) => {
      const inner = `import { execFileSync } from "node:child_process";
const { NODE_TEST_CONTEXT: _, ...env } = process.env;
test("outer", () => {
  const args = ["--test", "--test-reporter=tap", "inner.mjs"];
  assert.match(execFileSync(process.execPath, args, { env, encoding: "utf8" }), /^ok 1 - within/m);
  assert.equal(process.env.NODE_OPTIONS, "--no-warnings");
});`;
      const root = project(t, {
        ...manifest(`node --test --test-isolation=${isolation} "test/*.test.mjs"`),
        "test/a.test.mjs": nodeTests(inner),
        "test/b.test.mjs": nodeTests(`test("other", () => {});`),
        "inner.mjs": nodeTests(`test("within", () => {});`),
      });
      process.env["NODE_OPTIONS"] = "--no-warnings";
      t.after(() => delete process.env["NODE_OPTIONS"]);
      const checks = shellChecks({ cwd: root, environment: ["NODE_OPTIONS"] });
      const run = await checks.run("npm test", never, { tests: true });
      assert.deepEqual(linesOf(run.tests), ["+ test/a.test.mjs › outer", "+ test/b.test.mjs › other"], run.output);
    });

  test("T3: a process that ends in the middle of its tests proves nothing, whatever its exit code says", async (t) => {
    const root = project(t, {
      ...manifest("node --test --test-isolation=none"),
      "a.test.mjs": nodeTests(`test("one", () => {}); test("two", () => process.exit(0));`),
    });
    const run = await runIn(root, "npm test");
    assert.equal(run.exitCode, 0);
    assert.ok(run.tests?.reporter === null && run.tests.isSilent, JSON.stringify(run.tests));
  });

  test("T3: of a script that fails and runs something beside its tests it is said that it does", async (t) => {
    const files = { "a.test.mjs": nodeTests(`test("one", () => assert.fail("no"));`) };
    const besides = async (script: string) => {
      const root = project(t, { ...files, "package.json": JSON.stringify({ scripts: { test: script } }) });
      const { tests } = await runIn(root, "npm test");
      return [linesOf(tests), tests?.reporter !== null && tests?.hasOthers === true];
    };
    assert.deepEqual(await besides("node --test; exit 1"), [["- a.test.mjs › one"], true]);
    assert.deepEqual(await besides("true && node --test"), [["- a.test.mjs › one"], false]);
  });

  test("X-5: the same tests have the same names in the next run", async (t) => {
    const root = project(t, {
      ...manifest("node --test"),
      "a.test.mjs": nodeTests(`test("slow", () => new Promise((done) => setTimeout(done, Math.random() * 20)));`),
    });
    const [first, second] = [await runIn(root, "npm test"), await runIn(root, "npm test")];
    assert.deepEqual(linesOf(first.tests), ["+ a.test.mjs › slow"]);
    assert.deepEqual(first.tests, second.tests);
  });

  test("S3-37: tests of one file run alone; a file that does not say something of each of them has all run", async (t) => {
    const root = project(t, {
      ...manifest("node --test"),
      "a.test.mjs": nodeTests(`test("one", () => assert.fail("no")); test("two", () => {});`),
      "b.test.mjs": nodeTests(`test("three", () => {});`),
    });
    const alone = await runAlone(root, "npm test", "a.test.mjs › one");
    assert.deepEqual([alone.exitCode, linesOf(alone.tests)], [1, ["- a.test.mjs › one", "+ a.test.mjs › two"]]);
    const all = await runAlone(root, "npm test", "a.test.mjs › one", "a.test.mjs › gone");
    assert.equal(linesOf(all.tests)?.length, 3);
    assert.ok(all.tests?.reporter && !all.tests.isPart);
  });

  test("a file that crashes is a test that fails; a suite that never ends has no exit code", async (t) => {
    const root = project(t, { ...manifest("node --test"), "a.test.mjs": "throw new Error('at load');" });
    assert.deepEqual(linesOf((await runIn(root, "npm test")).tests), ["- a.test.mjs › a.test.mjs"]);
    writeFileSync(join(root, "a.test.mjs"), "setInterval(() => {}, 1000);");
    const hanging = await runIn(root, "node --test", 1_500);
    assert.deepEqual([hanging.timedOut, hanging.exitCode], [true, null]);
  });
});

/** A runner of this name that does what the text says, where npm looks for it. */
function fakeRunner(root: string, name: string, script: string): void {
  const path = join(root, "node_modules/.bin", name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

describe("a runner that finds no tests, or none that runs", () => {
  const empty = (reporter: string) => ({ reporter, results: "", failures: [], isEmpty: true });

  test("ends well with an empty report, or one in which all is skipped", async (t) => {
    const root = project(t, manifest("node --test"));
    assert.deepEqual((await runIn(root, "npm test")).tests, empty("node --test"));
    writeFileSync(join(root, "a.test.mjs"), nodeTests(`test.skip("a", () => {});`));
    assert.deepEqual((await runIn(root, "npm test")).tests, empty("node --test"));
  });

  test("fails and says so, with a report or without; it is not run a second time", async (t) => {
    const said: Readonly<Record<string, string>> = {
      jest: "No tests found, exiting with code 1",
      mocha: 'Error: No test files found: "test"',
      vitest: "No test files found, exiting with code 1",
    };
    for (const [name, text] of Object.entries(said)) {
      const root = project(t, manifest(name));
      fakeRunner(root, name, `echo ran >> ran.txt; echo '${text}' >&2; exit 1`);
      assert.deepEqual((await runIn(root, "npm test")).tests, empty(name));
      assert.equal(readFileSync(join(root, "ran.txt"), "utf8"), "ran\n");
      fakeRunner(root, name, "echo out of memory >&2; exit 1");
      assert.equal((await runIn(root, "npm test")).tests?.reporter, null, "another failure is none of that");
    }
  });

  test("says so in its own words, whatever its exit code is", async (t) => {
    const said: readonly (readonly [command: string, text: string, exitCode: number, others: string])[] = [
      ["bun test", "No tests found!", 1, "error: out of memory"],
      ["deno test", "error: No test modules found", 1, "error: Type checking failed."],
      ["go test ./...", "no packages to test", 1, "go: cannot find main module"],
      ["phpunit", "No tests executed!", 1, "PHP Fatal error"],
      ["mvn test", "[INFO] No tests to run.", 0, "Tests run: 2, Failures: 0\n[INFO] No tests to run."],
      ["gradle test", "> Task :a:test NO-SOURCE", 0, "> Task :a:test\n> Task :b:test NO-SOURCE"],
    ];
    for (const [command, text, exitCode, others] of said) {
      const [program = ""] = command.split(" ");
      const root = project(t, {});
      fakeRunner(root, program, `echo '${text}'; exit ${exitCode}`);
      const reporter = program === "go" ? "go test" : program === "mvn" ? "maven" : program;
      assert.deepEqual((await runIn(root, `node_modules/.bin/${command}`)).tests, empty(reporter));
      fakeRunner(root, program, `printf '${others}\n'; exit ${exitCode}`);
      assert.equal((await runIn(root, `node_modules/.bin/${command}`)).tests?.reporter, null, others);
    }
  });

  test("T3: that ends well without the report it was asked for is told apart from one that was not asked", async (t) => {
    const root = project(t, manifest("jest"));
    fakeRunner(root, "jest", "exit 0");
    const why = "jest wrote no report";
    assert.deepEqual((await runIn(root, "npm test")).tests, { reporter: null, why, isSilent: true });
    fakeRunner(root, "jest", "exit 1");
    assert.deepEqual((await runIn(root, "npm test")).tests, { reporter: null, why });
    writeFileSync(join(root, "pom.xml"), "");
    fakeRunner(root, "mvn", "exit 0");
    const maven = await runIn(root, "node_modules/.bin/mvn test");
    assert.deepEqual(maven.tests, { reporter: null, why: "maven wrote no report" });
  });
});

const hasPytest = spawnSync("python3", ["-m", "pytest", "--version"]).status === 0;

test("pytest, for real", { skip: hasPytest ? false : "pytest is not here" }, async (t) => {
  const root = project(t, {
    "tests/test_a.py": `import pytest
def test_top(): pass
class TestX:
    def test_bad(self): assert 1 == 2
    @pytest.mark.skip
    def test_off(self): pass
@pytest.fixture
def breaking():
    yield
    raise RuntimeError("at the end")
def test_left(breaking): pytest.skip("no")
@pytest.mark.xfail
def test_known(): assert False
@pytest.mark.xfail(strict=True)
def test_fixed(): pass
`,
  });
  const run = await runIn(root, "python3 -m pytest");
  assert.equal(run.exitCode, 1);
  assert.deepEqual(linesOf(run.tests), [
    "- tests/test_a.py › tests.test_a › test_fixed",
    "~ tests/test_a.py › tests.test_a › test_known",
    "- tests/test_a.py › tests.test_a › test_left",
    "+ tests/test_a.py › tests.test_a › test_top",
    "- tests/test_a.py › tests.test_a.TestX › test_bad",
    "~ tests/test_a.py › tests.test_a.TestX › test_off",
  ]);
  const none = await runIn(project(t, { "conftest.py": "" }), "python3 -m pytest");
  assert.deepEqual([none.exitCode, none.tests], [5, { reporter: "pytest", results: "", failures: [], isEmpty: true }]);
  const mistaken = await runIn(root, "python3 -m pytest no/such/folder");
  assert.match(mistaken.output, /no tests ran/);
  assert.deepEqual([mistaken.exitCode, mistaken.tests], [4, { reporter: "pytest", results: "", failures: [] }]);
  const early = project(t, { "test_a.py": "import os\ndef test_a(): os._exit(0)\ndef test_b(): assert 0" });
  const ended = await runIn(early, "python3 -m pytest");
  assert.deepEqual(
    [ended.exitCode, ended.tests],
    [0, { reporter: null, why: "pytest wrote no report", isSilent: true }],
  );
  const broken = await runIn(project(t, { "test_a.py": "import no_such_module" }), "python3 -m pytest");
  assert.equal(broken.exitCode, 2);
  assert.match(String(linesOf(broken.tests)), /^- .*test_a/);
  const hanging = project(t, { "test_a.py": "import time\ndef test_a(): time.sleep(60)" });
  const { timedOut, exitCode } = await runIn(hanging, "python3 -m pytest", 2_000);
  assert.deepEqual([timedOut, exitCode], [true, null]);
  writeFileSync(join(root, "tests/test_b.py"), "def test_other(): pass");
  const alone = await runAlone(root, "python3 -m pytest", "tests/test_b.py › tests.test_b › test_other");
  assert.deepEqual([alone.exitCode, linesOf(alone.tests)], [0, ["+ tests/test_b.py › tests.test_b › test_other"]]);
});

const hasPython = spawnSync("python3", ["--version"]).status === 0;

describe("unittest, for real", { skip: hasPython ? false : "python3 is not here" }, () => {
  const command = "python3 -m unittest discover -s tests";
  const suite = (body: string) => ({ "tests/test_a.py": `import os, sys, unittest\n${body}\n` });
  const failingTests = suite(`class T(unittest.TestCase):
    def test_bad(self):
        "It has a line of its own."
        print("loud")
        self.assertEqual(1, 2)
    def test_good(self): sys.stderr.write("half a line ")
    @unittest.skip("not today")
    def test_off(self): pass
    @unittest.expectedFailure
    def test_known(self): self.fail()
    def test_parts(self):
        for part in range(2):
            with self.subTest(part=part): self.assertEqual(part, 0)`);

  test("each test is named, with what it says", async (t) => {
    const root = project(t, { ...failingTests, "tests/test_crash.py": "import no_such_module" });
    const run = await runIn(root, command);
    assert.equal(run.exitCode, 1);
    assert.deepEqual(linesOf(run.tests), [
      "- test_a.T › test_bad",
      "+ test_a.T › test_good",
      "+ test_a.T › test_known",
      "~ test_a.T › test_off",
      "- test_a.T › test_parts",
      "- unittest.loader._FailedTest › test_crash",
    ]);
    const { failures = [] } = run.tests?.reporter ? run.tests : {};
    assert.match(failures.find(({ test: name }) => name.includes("bad"))?.output ?? "", /1 != 2/);
    assert.match(run.output, /loud/);
  });

  test("no tests are none, with whichever exit code", async (t) => {
    const root = project(t, { "tests/a.txt": "" });
    const { tests } = await runIn(root, command);
    assert.deepEqual(tests, { reporter: "unittest", results: "", failures: [], isEmpty: true });
  });

  test("T3: a test that ends the process, a class that cannot be set up, and one that prints what looks like a result", async (t) => {
    const ending = (what: string): string =>
      `class T(unittest.TestCase):\n    def test_a(self): ${what}\n    def test_b(self): pass`;
    const early = await runIn(project(t, suite(ending("os._exit(0)"))), command);
    assert.deepEqual([early.exitCode, early.tests?.reporter], [0, null]);
    assert.ok(early.tests?.reporter === null && early.tests.isSilent, JSON.stringify(early.tests));
    const liar = await runIn(project(t, suite(ending('sys.stderr.write("ok\\n"); self.fail()'))), command);
    assert.deepEqual([liar.exitCode, linesOf(liar.tests)], [1, ["- test_a.T › test_a", "+ test_a.T › test_b"]]);
    const forger = await runIn(
      project(t, suite(ending('sys.stderr.write("\\ntest_x (a.T.test_x) ... ok\\n")'))),
      command,
    );
    assert.match(String(linesOf(forger.tests)), /cannot be read \(it ran 2 tests and named 3\)/);
    const unset = suite(`${ending("pass")}\n    @classmethod\n    def setUpClass(cls): raise ValueError("no")`);
    assert.deepEqual(linesOf((await runIn(project(t, unset), command)).tests), ["- test_a.T › setUpClass"]);
  });

  test("a suite that never ends has no exit code, and one that is quiet has no names", async (t) => {
    const root = project(t, suite("import time\ntime.sleep(60)"));
    const hanging = await runIn(root, command, 1_500);
    assert.deepEqual([hanging.timedOut, hanging.exitCode], [true, null]);
    const quiet = await runIn(project(t, failingTests), `${command} -q`);
    assert.deepEqual([quiet.exitCode, quiet.tests?.reporter], [1, null]);
  });
});

test("TAP that is not whole explains nothing, and what only looks like it is no TAP", async (t) => {
  const root = project(t, {});
  const said = async (text: string) => linesOf((await runIn(root, `printf '${text}'`)).tests);
  assert.match(
    String(await said("1..3\\nok 1 - a\\n")),
    /cannot be read \(it is incomplete: incorrect number of tests\)/,
  );
  assert.match(String(await said("1..2\\nok 1 - a\\nBail out! no database\\n")), /it bailed out: no database/);
  const cut = (await runIn(root, "echo TAP version 13; echo ok 1 - a")).tests;
  assert.ok(cut?.reporter === null && cut.isSilent, "T3: a process that ends well in the middle of it proves nothing");
  const two = (await runIn(root, "printf '1..1\\nok 1 - a\\n1..1\\nok 1 - b\\n'")).tests;
  assert.ok(
    two?.reporter === null && !two.isSilent,
    "two reports say nothing of names, and nothing against the command",
  );
  const subtest = "# Subtest: s\\n    ok 1 - x\\n    1..2\\nok 1 - s\\n1..1\\n";
  assert.match(String(await said(subtest)), /it is incomplete/, "a subtest too");
  for (const text of ["ok\\nall is well\\n", "1..2\\n", "ok 1 - a\\n"])
    assert.equal(await said(text), "no reporter is known for it");
});

test("the same TAP with other times has the same names", async (t) => {
  const root = project(t, {});
  const tap = (time: number): string =>
    `# Subtest: s\\n    ok 1 - x # time=${time}ms\\n    1..1\\n    # time=${time}ms\\nok 1 - s # time=${time}ms\\n\\n1..1\\n# time=${time}ms\\n`;
  const [first, second] = [await runIn(root, `printf '${tap(3)}'`), await runIn(root, `printf '${tap(41)}'`)];
  assert.deepEqual(linesOf(first.tests), ["+ s", "+ s › x"]);
  assert.deepEqual(first.tests, second.tests);
});

describe("reports in the forms that documents describe", () => {
  const read = (format: LoadedFormat, ...texts: readonly string[]) =>
    linesOf(readReport(texts, { reporter: "x", format, root: "/", redact: (said) => said }));

  test("T3: a report of node's runner that two processes wrote, or that ends in the middle, names nothing", () => {
    const events = [
      { type: "test:start", name: "a", nesting: 0 },
      { type: "test:pass", name: "a", nesting: 0, file: "a.mjs" },
    ];
    const lines = (more: readonly object[]) => [...events, ...more].map((event) => JSON.stringify(event)).join("\n");
    assert.deepEqual(read("node", lines([{ type: "end" }])), ["+ a.mjs › a"]);
    assert.match(String(read("node", lines([{ type: "another" }, { type: "end" }]))), /more than one process/);
    assert.match(String(read("node", lines([]))), /its end is missing/);
    assert.match(String(read("node", lines([]).slice(0, -5))), /incomplete/);
  });

  describe("TRX, as dotnet test documents it: no dotnet was here to record one", () => {
    const head = '<?xml version="1.0" encoding="utf-8"?>';
    const space = "http://microsoft.com/schemas/VisualStudio/TeamTest/2010";
    const run = (results: string, definitions = "", summary = '<ResultSummary outcome="Completed"/>'): string =>
      `${head}<TestRun name="r" xmlns="${space}"><Results>${results}</Results><TestDefinitions>${definitions}</TestDefinitions>${summary}</TestRun>`;
    const result = (id: string, name: string, outcome: string, inner = ""): string =>
      `<UnitTestResult testId="${id}" testName="${name}" outcome="${outcome}" duration="00:00:00.1">${inner}</UnitTestResult>`;
    const definition = (id: string, className: string): string =>
      `<UnitTest id="${id}" name="n" storage="/w/bin/letters.tests.dll"><TestMethod codeBase="/w/bin/Letters.Tests.dll" className="${className}" name="n"/></UnitTest>`;
    const said = (message: string): string =>
      `<Output><StdOut>loud</StdOut><ErrorInfo><Message>${message}</Message><StackTrace>   at L.Bad()</StackTrace></ErrorInfo></Output>`;

    test("a test is known by its assembly, its class and its name, with or without the class in front", () => {
      const xml = run(
        [
          result("1", "Letters.Tests.LetterTests.Good", "Passed"),
          result("2", "Bad(text: &quot;a&quot;)", "Failed", said("Expected: 1&#xD;\nActual: 2")),
          result("3", "LeftOut", "NotExecuted"),
          result("4", "Slow", "Timeout"),
        ].join(""),
        ["1", "2", "3", "4"].map((id) => definition(id, "Letters.Tests.LetterTests")).join(""),
        '<ResultSummary outcome="Failed"><RunInfos><RunInfo outcome="Error"><Text>[xUnit.net] Bad [FAIL]</Text></RunInfo></RunInfos></ResultSummary>',
      );
      const report = readReport([xml], { reporter: "x", format: "trx", root: "/", redact: (text) => text });
      const where = "Letters.Tests.dll › Letters.Tests.LetterTests";
      assert.deepEqual(linesOf(report), [
        `- ${where} › Bad(text: "a")`,
        `+ ${where} › Good`,
        `~ ${where} › LeftOut`,
        `- ${where} › Slow`,
      ]);
      assert.ok(report.reporter && /Expected: 1\s+Actual: 2\s+at L\.Bad\(\)/.test(report.failures[0]?.output ?? ""));
    });

    test("the rows of a data-driven test are tests, and the test around them only if it fails by itself", () => {
      const rows = result("1", "Rows (1)", "Passed") + result("1", "Rows (2)", "Failed", said("no"));
      const inner = (outcome: string, of: string): string =>
        result("1", "Rows", outcome, `<InnerResults>${of}</InnerResults>`);
      assert.deepEqual(read("trx", run(inner("Failed", rows), definition("1", "C, Letters, Version=1.0"))), [
        "+ Letters.Tests.dll › C › Rows (1)",
        "- Letters.Tests.dll › C › Rows (2)",
      ]);
      assert.deepEqual(read("trx", run(inner("Failed", result("1", "Rows (1)", "Passed")))), ["- Rows", "+ Rows (1)"]);
    });

    test("T3: a run that was aborted fails, though no test of it does; half a report proves nothing", () => {
      const aborted =
        '<ResultSummary outcome="Failed"><RunInfos><RunInfo outcome="Error"><Text>The active test run was aborted. Reason: Test host process crashed</Text></RunInfo></RunInfos></ResultSummary>';
      const one = run(result("1", "Good", "Passed"), definition("1", "C"), aborted);
      const expected = ["+ Letters.Tests.dll › C › Good", "- Letters.Tests.dll › the test run as a whole"];
      assert.deepEqual(read("trx", one), expected);
      const mute = run(result("1", "Good", "Passed"), definition("1", "C"), '<ResultSummary outcome="Aborted"/>');
      assert.deepEqual(read("trx", mute), expected);
      assert.deepEqual(read("trx", run("")), [""], "no tests are none");
      assert.match(String(read("trx", "<TestRunner/>")), /it has no <TestRun>/);
      const half = readReport([one.slice(0, 300)], { reporter: "x", format: "trx", root: "/", redact: (text) => text });
      assert.ok(half.reporter === null && half.isSilent);
    });

    test("each project writes a file of its own, into a folder outside the tree", async (t) => {
      const one = run(result("1", "Good", "Passed"), definition("1", "C"));
      const two = one.replaceAll("Letters.Tests", "Other.Tests");
      const dotnet = `#!/bin/sh\nwhile [ "$1" != --results-directory ]; do shift; done\nmkdir -p "$2/in"\ncat one > "$2/a.trx"; cat two > "$2/b.trx"; echo > "$2/in/x.xml"\n`;
      const root = project(t, { one, two, "bin/dotnet": dotnet });
      chmodSync(join(root, "bin/dotnet"), 0o755);
      const before = readdirSync(root, { recursive: true });
      const { tests } = await runIn(root, "./bin/dotnet test");
      assert.deepEqual(linesOf(tests), ["+ Letters.Tests.dll › C › Good", "+ Other.Tests.dll › C › Good"]);
      assert.deepEqual(readdirSync(root, { recursive: true }), before);
    });
  });

  test("go's events: subtests, and a package that does not build", () => {
    const events = [
      { Action: "run", Package: "p", Test: "TestA" },
      { Action: "output", Package: "p", Test: "TestA/one", Output: "no\n" },
      { Action: "fail", Package: "p", Test: "TestA/one" },
      { Action: "fail", Package: "p", Test: "TestA" },
      { Action: "fail", Package: "p" },
      { Action: "skip", Package: "q", Test: "TestB" },
      { Action: "fail", Package: "broken" },
    ];
    const printed = ["# not an event", ...events.map((event) => JSON.stringify(event))].join("\n");
    assert.deepEqual(read("go", printed), [
      "- broken › does not build or run",
      "- p › TestA",
      "- p › TestA › one",
      "~ q › TestB",
    ]);
  });

  test("nextest's events: what is ignored, and what passes in a further try", () => {
    const suite = { type: "suite", nextest: { crate: "letters", test_binary: "letters", kind: "lib" } };
    const it = (event: string, name: string, stdout?: string) => ({ type: "test", event, name, stdout });
    const events = [
      { ...suite, event: "started", test_count: 4 },
      it("started", "letters::letters$tests::bad"),
      it("failed", "letters::letters$tests::bad", "1 != 2"),
      it("ok", "letters::letters$tests::good"),
      it("ok", "letters::letters$tests::moody#2"),
      it("ignored", "letters::letters$tests::left_out"),
      { ...suite, event: "failed", passed: 2, failed: 1, ignored: 1 },
    ];
    const printed = (lines: readonly object[]): string => lines.map((line) => JSON.stringify(line)).join("\n");
    assert.deepEqual(read("libtest", printed(events)), [
      "- letters::letters › tests::bad",
      "+ letters::letters › tests::good",
      "~ letters::letters › tests::left_out",
      "+ letters::letters › tests::moody",
    ]);
    assert.match(String(read("libtest", printed(events.slice(0, 4)))), /it began 4 tests and reported 2/);
    assert.match(String(read("libtest", "error: no such command: `nextest`")), /it printed no events/);
  });

  test("JUnit files of several modules", () => {
    const file = (name: string, inner: string) => `<?xml version="1.0"?><testsuite name="${name}">${inner}</testsuite>`;
    const one = file("a.ATest", '<testcase name="adds" classname="a.ATest"/>');
    const two = file(
      "b.BTest",
      '<testcase name="x" classname="b.BTest"><error type="E"><![CDATA[no]]></error></testcase>',
    );
    assert.deepEqual(read("junit", one, two), ["+ a.ATest › adds", "- b.BTest › x"]);
  });

  test("a JUnit report of very many tests is read piece by piece, with the same names as in one", () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `adds ${index} & "${index}" 🎉`);
    const escaped = names.map((name) => name.replaceAll("&", "&amp;").replaceAll('"', "&quot;"));
    const cases = escaped.map(
      (name) => `<testcase name="${name}" file="a.js"><system-out>fine</system-out></testcase>`,
    );
    const xml = `<testsuites><testsuite name="s">${cases.join("\n")}</testsuite></testsuites>`;
    assert.ok(xml.length > 4 * 64 * 1024);
    assert.deepEqual(
      read("junit", xml),
      names.map((name) => `+ a.js › s › ${name}`).toSorted((one, other) => (one < other ? -1 : 1)),
    );
  });

  test("X-5: tests of mocha that share a name are told by how they went, all of them", () => {
    const it = (err: object) => ({ fullTitle: "it", file: "/a.js", err });
    const [passes, failures] = [[it({}), it({})], [it({ message: "no" })]];
    const mocha = JSON.stringify({ tests: [...passes, ...failures], passes, failures, pending: [] });
    assert.deepEqual(read("mocha", mocha), ["- a.js › it", "+ a.js › it (2)", "+ a.js › it (3)"]);
  });

  test("T3: a file of jest that fails by a hook fails, though its tests pass", () => {
    const assertionResults = [{ title: "fine", status: "passed" }];
    const testResults = [{ name: "a.test.js", status: "failed", message: "afterAll threw", assertionResults }];
    assert.deepEqual(read("jest", JSON.stringify({ testResults })), [
      "- a.test.js › fails outside its tests",
      "+ a.test.js › fine",
    ]);
  });

  test("rspec", () => {
    const examples = [
      { full_description: "A adds", file_path: "./spec/a_spec.rb", status: "failed", exception: { message: "no" } },
    ];
    assert.deepEqual(read("rspec", JSON.stringify({ examples })), ["- spec/a_spec.rb › A adds"]);
    const summary = { errors_outside_of_examples_count: 2 };
    assert.deepEqual(
      read("rspec", JSON.stringify({ examples: [], summary, messages: ["at load"] })),
      ["- does not load", "- does not load (2)"],
      "a second file that does not load is another failure",
    );
  });

  test("what is no report says so, and never counts as green", () => {
    assert.match(String(read("junit", "<testsuites><testcase")), /cannot be read \(it is not XML/);
    assert.match(String(read("junit", "<html></html>")), /no <testsuites>/);
    assert.match(String(read("jest", "{}")), /cannot be read/);
    assert.match(String(read("jest", "not json")), /cannot be read/);
    assert.match(String(read("go", "ok p 0.1s")), /it printed no events/);
    assert.match(String(read("cargo", "error[E0425]")), /it printed no results/);
    for (const format of ["go", "cargo"] as const)
      assert.match(String(read(format, '[... 9 bytes left out]\ntest result: "Action"')), /it printed too much/);
    const crashed = "running 2 tests\ntest old ... FAILED\n";
    assert.match(String(read("cargo", crashed)), /it began 2 tests and printed 1 result/, "T3: it may have crashed");
    for (const [format, text] of [
      ["cargo", crashed],
      ["junit", "<testsuites><testsuite>"],
      ["node", '{"type":"test:pass","name":"a"}'],
      ["unittest", "test_a (t.T.test_a) ... ok\n"],
    ] as const) {
      const half = readReport([text], { reporter: "x", format, root: "/", redact: (said) => said });
      assert.ok(half.reporter === null && half.isSilent, `${format}: with exit code 0 it proves nothing`);
    }
  });
});

test("a command that only fails because a report was asked for is run as it is", async (t) => {
  // The name of a runner, but a program of its own that knows no options.
  const root = project(t, { jest: '#!/bin/sh\n[ $# -eq 0 ] && echo fine || { echo "unknown option"; exit 2; }\n' });
  const run = await runIn(root, "sh ./jest");
  assert.deepEqual([run.exitCode, linesOf(run.tests)], [0, "jest wrote no report"]);
});

test("T3: reports that gradle left from an earlier run do not explain a run that fails before any test", async (t) => {
  const left = (name: string, inner: string): string =>
    `<testsuite name="${name}"><testcase name="it" classname="${name}">${inner}</testcase></testsuite>`;
  const folder = "app/build/test-results/test";
  const root = project(t, {
    [`${folder}/a.xml`]: left("A", ""),
    [`${folder}/b.xml`]: left("B", "<failure/>"),
    gradlew: "",
  });
  for (const name of ["a", "b"]) utimesSync(join(root, folder, `${name}.xml`), 1_000, 1_000);
  writeFileSync(join(root, "gradlew"), "exit 1");
  assert.deepEqual(linesOf((await runIn(root, "sh ./gradlew test")).tests), ["+ A › it"]);
  writeFileSync(join(root, "gradlew"), "exit 0");
  assert.deepEqual(linesOf((await runIn(root, "sh ./gradlew test")).tests), ["+ A › it", "- B › it"]);
});

test("T3: a runner that did not run all tests explains nothing, though a test that was red before fails and the exit code is the same", async (t) => {
  const red = `<testsuite name="A"><testcase name="old"><failure/></testcase></testsuite>`;
  const says: Readonly<Record<string, string>> = {
    mvnw: "[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.11.0:compile",
    gradlew: "Execution failed for task ':b:compileTestJava'.",
  };
  for (const [name, line] of Object.entries(says)) {
    const folder = name === "mvnw" ? "target/surefire-reports" : "build/test-results/test";
    const write = `mkdir -p ${folder}; echo '${red}' > ${folder}/a.xml`;
    const root = project(t, { [name]: `${write}; echo "${line}"; exit 1` });
    const stopped = await runIn(root, `sh ./${name} test`);
    assert.ok(stopped.tests?.reporter === null);
    assert.match(stopped.tests.why, /did not run all tests/);
    writeFileSync(join(root, name), `${write}; exit 1`);
    assert.deepEqual(linesOf((await runIn(root, `sh ./${name} test`)).tests), ["- A › old"]);
  }
  const trx = `<TestRun><Results><UnitTestResult testName="old" outcome="Failed"/></Results></TestRun>`;
  const dotnet = `while [ "$1" != --results-directory ]; do shift; done; mkdir -p "$2"; cat trx > "$2/a.trx"; echo ran >> ran; echo "/w/B.cs(3,5): error CS1002: ; expected [/w/B.csproj]"; exit 1`;
  const root = project(t, { trx, dotnet });
  const stopped = await runIn(root, "sh ./dotnet test");
  assert.ok(stopped.tests?.reporter === null);
  assert.match(stopped.tests.why, /did not run all tests/);
  assert.equal(readFileSync(join(root, "ran"), "utf8"), "ran\n", "it is not run once more to find that out");
});

test("nothing is left among the temporary files", async (t) => {
  const root = project(t, manifest("jest"));
  fakeRunner(root, "jest", "exit 1");
  const temporary = join(root, "temporary");
  mkdirSync(temporary);
  const { TMPDIR: before } = process.env;
  process.env["TMPDIR"] = temporary;
  t.after(() => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  });
  await runIn(root, "node_modules/.bin/jest");
  assert.deepEqual(readdirSync(temporary), []);
});

test("a report that cannot be opened is passed over", async (t) => {
  const root = project(t, {
    mvnw: "touch target/surefire-reports/a.xml",
    "target/surefire-reports/a.xml": "<testsuite/>",
  });
  symlinkSync("nowhere", join(root, "target/surefire-reports/b.xml"));
  assert.deepEqual(linesOf((await runIn(root, "sh ./mvnw test")).tests), [""]);
});

test("reports that are larger than 64 MB together are not read, which is said; the exit code decides", async (t) => {
  const report = (name: string): string => `<testsuite name="${name}"><testcase name="it"/></testsuite>`;
  const root = project(t, { mvnw: "", "target/surefire-reports/a.xml": report("A") });
  const pad = `head -c 67108864 /dev/zero | tr '\\0' ' ' >> target/surefire-reports/b.xml`;
  writeFileSync(
    join(root, "mvnw"),
    `touch target/surefire-reports/a.xml; echo '${report("B")}' > target/surefire-reports/b.xml`,
  );
  assert.deepEqual(linesOf((await runIn(root, "sh ./mvnw test")).tests), ["+ A › it", "+ B › it"]);
  writeFileSync(join(root, "mvnw"), `touch target/surefire-reports/a.xml; ${pad}`);
  const large = await runIn(root, "sh ./mvnw test");
  assert.equal(large.exitCode, 0);
  assert.match(String(linesOf(large.tests)), /the report of maven cannot be read \(it is larger than 64 MB\)/);
});

test("bad input: no such command, no right to run it, 200 MB of output", async (t) => {
  const root = project(t, { runner: "#!/bin/sh\n" });
  assert.equal((await runIn(root, "no-such-runner-here")).exitCode, 127);
  assert.equal((await runIn(root, "./runner")).exitCode, 126);
  const loud = await runIn(root, "head -c 200000000 /dev/zero | tr '\\0' '\\377'; exit 3");
  assert.equal(loud.exitCode, 3);
  assert.ok(loud.output.length < 300_000, `${loud.output.length}`);
});
