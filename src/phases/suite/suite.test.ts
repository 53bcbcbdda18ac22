// What a task does to the tests, and what happens to the task: values alone, no process.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Agent, dispatches, type Files, facts, type Played, type Script } from "../../../test/rig/flow.ts";
import { commits, names, run } from "../../../test/rig/task.ts";
import type { CheckRequest } from "../../core/flow/flow.ts";
import type { Settled } from "../../core/run/report.ts";
import { readResults, resultsOf, type TestState, writeResults } from "../../core/validation/results.ts";

const testCommand = "npm test";
/** Whether the tests came first is another matter (test-first.test.ts). */
const config = { testCommand, tdd: "off" } as const;

/** The first task of a run. */
const first = { earlier: [] };

/** The outcome of a suite with these tests. */
function said(states: Readonly<Record<string, TestState>>, passed = !Object.values(states).includes("failed")) {
  const cases = Object.entries(states).map(([name, state]) => ({ file: "", path: [name], state }));
  const failures = cases
    .filter(({ state }) => state === "failed")
    .map(({ path }) => ({ test: path.join(), output: "1 != 2" }));
  return { passed, output: "the end", tests: { reporter: "x", results: writeResults(resultsOf(cases)), failures } };
}

/** A suite by the files there are: the word "bad" anywhere breaks the test `works`. */
const honest = (files: Files) => said({ works: isBad(files) ? "failed" : "passed", old: "failed" });
const isBad = (files: Files): boolean => [...files.values()].some((text) => text.includes("bad"));
const writes =
  (text: string): Agent =>
  ({ files }) => {
    files.set("a.ts", text);
    return "Done.";
  };
const breaking: Script = { config, check: honest, agents: { implement: writes("bad"), fix: writes("good") } };
const checks = (played: Played<unknown>) =>
  played.requests.flatMap((request) => (request.do === "check" ? [request.name] : []));
const compared = (played: Played<unknown>) => facts(played).filter((fact) => fact.type === "tests.compared");
const settled = (played: Played<Settled>): Settled => {
  assert.ok(played.end.how === "done", JSON.stringify(played.end));
  return played.end.value;
};

test("S3-25, S3-34: tests are run before any work, and again before the work is reviewed; a red test from before blocks nothing", () => {
  const played = run({ config, check: honest });
  const task = settled(played);
  assert.deepEqual(checks(played), ["baseline", "tests"]);
  assert.deepEqual(names(played), ["implement", "spec-review", "quality-review"]);
  const kinds = played.requests.map((request) => request.do);
  assert.ok(kinds.lastIndexOf("check") < kinds.lastIndexOf("dispatch"), "R1: before the reviews are paid for");
  assert.deepEqual(
    readResults(task.tests?.results ?? ""),
    new Map([
      ["old", "failed"],
      ["works", "passed"],
    ]),
  );
  const [baseline] = facts(played).filter((fact) => fact.type === "tests.baseline");
  assert.deepEqual([baseline?.total, baseline?.failing, baseline?.reporter], [2, ["old"], "x"]);
});

test("S3-36, S3-38, S3-46: a regression is the person's at once, with the test, what it says and the diff; it is not committed", () => {
  const played = run(breaking);
  assert.ok(played.end.how === "waiting");
  const { id, message, ...question } = played.end.question;
  assert.equal(id, "execute.task.2.escalation");
  assert.match(
    message,
    /introduced a test regression\.\nPassed before, and fail now \(`npm test`, run twice\):\n {2}- works/,
  );
  assert.match(message, /1 != 2/);
  assert.match(message, /\+bad/);
  assert.ok(question.kind === "select");
  assert.deepEqual(
    question.options.map(({ key }) => key),
    ["retry", "rollback", "skip", "abort"],
  );
  assert.deepEqual([names(played), commits(played)], [["implement"], []], "R1: no review was paid for");
});

test("a green suite is not said to be red before any work; of many tests that break the first are named", () => {
  const all = Array.from({ length: 23 }, (_, index) => `t${index + 10}`);
  const check = (files: Files) =>
    said(Object.fromEntries(all.map((name) => [name, isBad(files) ? "failed" : "passed"])));
  const asked = run({ ...breaking, check }, first);
  const told = facts(asked).flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
  assert.deepEqual(
    told.filter((text) => /Red before/.test(text)),
    [],
  );
  assert.ok(asked.end.how === "waiting");
  assert.match(asked.end.question.message, /\n {2}- t29\n {2}and 3 more\n/);
});

test("a failing test of which the report says nothing is told with what the command printed", () => {
  const silent = (files: Files) => {
    const tests = said({ works: isBad(files) ? "failed" : "passed", quiet: isBad(files) ? "failed" : "passed" });
    const failures = tests.tests.failures.filter(({ test }) => test !== "quiet");
    return { ...tests, output: "quiet: it does not compile", tests: { ...tests.tests, failures } };
  };
  const played = run({ ...breaking, check: silent, answers: { "execute.task.2.escalation": "retry" } });
  const fix = dispatches(played).find(({ name }) => name === "fix");
  assert.match(fix?.prompt ?? "", /works\n1 != 2\n\n1 test: quiet\nquiet: it does not compile/);
});

test("X-28: a retry is told which tests broke, and the work is committed once they pass", () => {
  const played = run({ ...breaking, answers: { "execute.task.2.escalation": "retry" } });
  assert.equal(settled(played).status, "complete");
  const fix = dispatches(played).find(({ name }) => name === "fix");
  assert.match(fix?.prompt ?? "", /broke these tests, which passed before it.*\n- works\n/);
  assert.deepEqual(
    compared(played).map(({ broken }) => broken),
    [["works"], []],
  );
});

test("a rollback starts over from what was known before the task, and a skip leaves that to the next one", () => {
  const again = run({
    ...breaking,
    agents: { implement: ({ files, nth, ...turn }) => writes(nth === 1 ? "bad" : "good")({ files, nth, ...turn }) },
    answers: { "execute.task.2.escalation": "rollback" },
  });
  assert.equal(settled(again).status, "complete");
  assert.deepEqual(
    compared(again).map(({ vanished }) => vanished),
    [[], []],
  );
  const skipped = settled(run({ ...breaking, answers: { "execute.task.2.escalation": "skip" } }));
  assert.equal(readResults(skipped.tests?.results ?? "").get("works"), "passed");
});

test("S3-37: a test that passes when it is run again is flaky: it is told, and blocks nothing", () => {
  const flips = (_: Files, { name }: CheckRequest) => said({ works: name === "tests" ? "failed" : "passed" });
  const played = run({ config, check: flips });
  assert.equal(settled(played).status, "complete");
  assert.deepEqual(checks(played), ["baseline", "tests", "tests-again"]);
  assert.deepEqual(
    compared(played).map(({ flaky, broken }) => [flaky, broken]),
    [[["works"], []]],
  );
  const warnings = facts(played).flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
  assert.match(warnings.join(), /Flaky, so no task is blamed: works/);
});

describe("S3-37: of tests that run again alone", () => {
  type Turns = Readonly<Record<"alone" | "together", TestState>>;
  /** Knows `works`, `other` and `old`. `works` fails at first; then it runs alone, and at last with all others once more. */
  const turns =
    ({ alone, together }: Turns, isAloneFine = alone === "passed") =>
    (_: Files, { name, only }: CheckRequest) => {
      if (name === "baseline") return said({ works: "passed", other: "passed", old: "failed" });
      if (name === "tests") return said({ works: "failed", other: "passed", old: "failed" });
      if (name === "tests-together") return said({ works: together, other: "passed", old: "failed" });
      assert.deepEqual(only, ["works"], "not what was red before");
      const { tests, ...outcome } = said({ works: alone }, isAloneFine);
      return { ...outcome, tests: { ...tests, isPart: true as const } };
    };

  test("one that passes then, and with all others too, is flaky", () => {
    const played = run({ config, check: turns({ alone: "passed", together: "passed" }) });
    const task = settled(played);
    assert.deepEqual(checks(played), ["baseline", "tests", "tests-again", "tests-together"]);
    const [{ flaky, broken, vanished, preExisting, total } = assert.fail()] = compared(played);
    assert.deepEqual([flaky, broken, vanished, preExisting, total], [["works"], [], [], ["old"], 3]);
    assert.equal(readResults(task.tests?.results ?? "").get("other"), "passed");
    assert.equal(task.tests?.exitCode, 1, "as the suite as a whole ends");
  });

  test("T1: one that passes alone, and fails again with all others, is broken: the suite is red", () => {
    const played = run({ config, check: turns({ alone: "passed", together: "failed" }) });
    assert.deepEqual(
      compared(played).map(({ broken, flaky }) => [broken, flaky]),
      [[["works"], []]],
    );
    assert.ok(played.end.how === "waiting" && played.end.question.id === "execute.task.2.escalation");
    assert.match(played.end.question.message, /They pass when they run alone: something else in the suite/);
    assert.deepEqual(commits(played), []);
  });

  test("one that fails again is broken, without another run", () => {
    const played = run({ config, check: turns({ alone: "failed", together: "passed" }) });
    assert.deepEqual(
      compared(played).map(({ broken, vanished }) => [broken, vanished]),
      [[["works"], []]],
    );
    assert.deepEqual(checks(played), ["baseline", "tests", "tests-again"]);
  });

  test("a run of some tests that fails for another reason, such as how much they cover, says nothing about the whole", () => {
    const played = run({ config, check: turns({ alone: "passed", together: "passed" }, false) });
    assert.equal(settled(played).status, "complete");
  });

  test("T3: a run of all that fails without a failing test is red, whatever was red before", () => {
    const check = (files: Files, request: CheckRequest) =>
      request.name === "tests-together"
        ? said({ works: "passed", other: "passed", old: "passed" }, false)
        : turns({ alone: "passed", together: "passed" })(files, request);
    assert.equal(compared(run({ config, check }))[0]?.red, true);
  });
});

test("S3-45, S3-47: what is flaky or red before any work is told, put to the person or passed over, as the configuration says", () => {
  const flips = (_: Files, { name }: CheckRequest) =>
    said({ old: "failed", works: name === "tests" ? "failed" : "passed" });
  const by = (failureActions: object, answers: Script["answers"] = {}) =>
    run({ config: { ...config, failureActions }, check: flips, answers }, first);
  const told = (played: Played<unknown>) =>
    facts(played).flatMap((fact) => (fact.type === "warning" ? [fact.text.slice(0, 19)] : []));
  assert.deepEqual(told(by({})), ["Flaky, so no task i"]);
  assert.deepEqual(told(by({ "test-flake": "ignore" })), []);
  assert.deepEqual(told(by({ "test-preexisting": "warn-continue" })), ["Red before any work", "Flaky, so no task i"]);
  for (const [type, id] of [
    ["test-flake", "execute.flaky"],
    ["test-preexisting", "execute.preexisting"],
  ] as const) {
    const asked = by({ [type]: "checkpoint" });
    assert.ok(asked.end.how === "waiting" && asked.end.question.id === id, type);
    assert.equal(settled(by({ [type]: "checkpoint" }, { [id]: "continue" })).status, "complete");
    const ended = by({ [type]: "checkpoint" }, { [id]: "abort" });
    assert.ok(ended.end.how === "failed" && ended.end.failure.kind === "aborted");
    assert.match(ended.end.failure.detail, /ended the run at the question "(?:Flaky Tests|Red Before Any Work)"$/);
  }
});

test("S3-45, S3-46: a regression is fixed without the person, or shown without the diff, as the configuration says", () => {
  const by = (action: string) =>
    run({ ...breaking, config: { ...config, failureActions: { "test-regression": action } } });
  for (const action of ["auto-retry", "retry-then-escalate"]) {
    const played = by(action);
    assert.equal(settled(played).status, "complete", action);
    assert.deepEqual(names(played), ["implement", "fix", "spec-review", "quality-review"]);
  }
  const plain = by("escalate");
  assert.ok(plain.end.how === "waiting");
  assert.doesNotMatch(plain.end.question.message, /What was changed|\+bad/);
});

test("S3-46: what else fails shows the diff if the configuration says so", () => {
  const red = {
    ...breaking,
    agents: { ...breaking.agents, fix: writes("bad") },
    check: () => ({ passed: false, output: "TS2322" }),
  };
  const checked = { validationCommand: "check it", testCommand: "" };
  const by = (failureActions: object) => run({ ...red, config: { ...checked, failureActions } });
  const shown = by({ "validation-failure": "stop-show-diff" });
  assert.ok(shown.end.how === "waiting");
  assert.match(shown.end.question.message, /TS2322\nWhat was changed:\n[\s\S]*\+bad/);
  assert.deepEqual(names(shown), ["implement"]);
  assert.deepEqual(names(by({ "validation-failure": "auto-retry" })), ["implement", "fix", "fix", "fix"]);
});

test("tests that take too long: the implementer and the person learn of the limit, and of the key that sets it", () => {
  const late = { passed: false, exitCode: null, output: "the end", timedOut: true } as const;
  const before = run({ config, check: () => ({ ...said({}, false), ...late }) }, first);
  assert.ok(before.end.how === "waiting");
  assert.match(before.end.question.message, /`npm test` does not end in time before any work \(testTimeoutMinutes\)/);
  assert.equal(before.end.question.title, "Takes Too Long");
  const silent = run({ config, check: () => ({ ...said({}, false), ...late, output: "\n" }) }, first);
  assert.ok(silent.end.how === "waiting");
  assert.match(silent.end.question.message, /\nIt printed nothing\.$/);
  const check = (files: Files) => (isBad(files) ? { ...said({}, false), ...late } : said({ works: "passed" }));
  const fixed = run({ ...breaking, check });
  assert.match(dispatches(fixed)[1]?.prompt ?? "", /It did not end in time \(testTimeoutMinutes\)\.\nthe end/);
});

test("X-4: tests that are killed are not run once more, and nobody says how they fare alone", () => {
  const killed = { passed: false, exitCode: null, output: "out of memory" } as const;
  const hangs = (files: Files) =>
    isBad(files) ? { ...said({ works: "failed" }), ...killed } : said({ works: "passed" });
  const played = run({ ...breaking, check: hangs, agents: { implement: writes("bad"), fix: writes("bad") } });
  assert.deepEqual(checks(played), ["baseline", "tests"]);
  assert.ok(played.end.how === "waiting");
  assert.doesNotMatch(played.end.question.message, /alone/);
});

test("S3-37: a test that fails only the second time is flaky as well", () => {
  const turns = (_: Files, { name }: CheckRequest) => {
    if (name === "baseline") return said({ one: "passed", two: "passed" });
    return name === "tests" ? said({ one: "failed", two: "passed" }) : said({ one: "passed", two: "failed" });
  };
  const played = run({ config, check: turns });
  assert.equal(settled(played).status, "complete");
  assert.deepEqual(
    compared(played).map(({ flaky }) => flaky),
    [["one", "two"]],
  );
});

test("what the second run of a suite changes is told as well", () => {
  const plain = { output: "", tests: { reporter: null, why: "it wrote no report" } } as const;
  const flips = (_: Files, { name }: CheckRequest) => {
    const changed = name === "tests-again" ? { changed: ["out.log"], backupRef: "refs/kept" } : {};
    return { ...plain, ...changed, passed: name !== "tests" };
  };
  const played = run({ config, check: flips });
  assert.equal(settled(played).status, "complete");
  const warnings = facts(played).flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
  assert.match(warnings.join("\n"), /out\.log changed[\s\S]*refs\/kept[\s\S]*Flaky/);
});

test("a command that takes another one's place in the middle of a run: what is red in it is not said to be red before any work", () => {
  const known = settled(run({ config, check: honest }, first)).tests ?? null;
  const other = { ...config, testCommand: "npm run t" };
  const played = run(
    { config: { ...other, failureActions: { "test-preexisting": "warn-continue" } }, check: honest },
    { tests: known },
  );
  const [baseline] = facts(played).filter((fact) => fact.type === "tests.baseline");
  assert.deepEqual([baseline?.command, baseline?.failing, baseline?.replaces], ["npm run t", ["old"], testCommand]);
  const [told] = facts(played).flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
  assert.match(
    told ?? "",
    /^Red in their first run, which came after earlier tasks\. It is not known .*`npm run t`\): old\./,
  );
  const useless = run({ config: other, check: () => ({ passed: false, output: "no such script" }) }, { tests: known });
  assert.ok(useless.end.how === "waiting");
  assert.match(useless.end.question.message, /^`npm run t` fails when it first runs\./);
  const found = run({ config, check: honest }, { tests: null });
  const [late] = facts(found).filter((fact) => fact.type === "tests.baseline");
  assert.equal(late?.replaces, "", "there were none for the task before");
});

test("T1: tasks whose tests were pending when the command changed are not tested by a new one that is red, and nobody knows why it is", () => {
  const known = settled(run({ config, check: honest }, first)).tests;
  assert.ok(known);
  const pending = [
    {
      task: 1,
      title: "Bucket",
      commit: "b0b0",
      start: { sha: "s", branch: "main", tree: "t", ref: "r", leftAlone: [] },
    },
  ];
  const baselineOf = (states: Parameters<typeof said>[0]) => {
    const other = { ...config, testCommand: "npm run t" };
    const played = run({ config: other, check: () => said(states) }, { tests: { ...known, pending } });
    return facts(played).find((fact) => fact.type === "tests.baseline");
  };
  assert.deepEqual(baselineOf({ works: "failed" })?.untested, ["1"]);
  assert.equal(baselineOf({ works: "passed" })?.untested, undefined);
});

test("E3b: a check that moved HEAD is named, with where it left HEAD and where that is kept", () => {
  const moves = () => ({
    ...said({ works: "passed" }),
    movedTo: { sha: "5d6e7f8a9b", branch: "tmp" },
    backupRef: "refs/kept",
  });
  const played = run({ config, check: moves });
  assert.equal(settled(played).status, "complete");
  const [warning] = facts(played).flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
  assert.match(warning ?? "", /^`npm test` moved HEAD to tmp \(5d6e7f8\)\..*undone.*refs\/kept/);
});

test("E3b: a check that changed git's own files is named, with where they are kept as it left them", () => {
  const sets = () => ({
    ...said({ works: "passed" }),
    settings: ["config", "hooks/pre-commit"],
    settingsKept: "/kept",
  });
  const played = run({ config, check: sets });
  assert.equal(settled(played).status, "complete");
  const warnings = facts(played).flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
  assert.equal(
    warnings[0],
    "`npm test` changed git's own files: config, hooks/pre-commit. They were restored. What it left is in /kept.",
  );
});

test("tests of the task's own that fail are the implementer's to fix, without a question", () => {
  const own = (files: Files) =>
    said(files.has("a.ts") ? { works: "passed", own: isBad(files) ? "failed" : "passed" } : { works: "passed" });
  const played = run({ ...breaking, check: own });
  assert.equal(settled(played).status, "complete");
  assert.deepEqual(names(played), ["implement", "fix", "spec-review", "quality-review"]);
});

test("T3: a suite that fails and names no test is a failure; where nothing parses the exit code tells", () => {
  const plain = (files: Files) => ({
    passed: !isBad(files),
    output: "Segmentation fault",
    tests: { reporter: null, why: "no reporter is known for it" },
  });
  const played = run({ ...breaking, check: plain });
  assert.equal(settled(played).status, "complete");
  const fix = dispatches(played).find(({ name }) => name === "fix");
  assert.match(fix?.prompt ?? "", /`npm test` fails[\s\S]*Segmentation fault/);
});

test("S3-37: a suite that names no test and passes when it is run again is flaky as a whole, which is told", () => {
  const tests = { reporter: null, why: "no reporter is known for it" } as const;
  const flips = (_: Files, { name }: CheckRequest) => ({ passed: name !== "tests", output: "", tests });
  const played = run({ config, check: flips });
  assert.equal(settled(played).status, "complete");
  const warnings = facts(played).flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
  assert.match(warnings.join(), /Flaky, so no task is blamed: npm test\./);
});

test("X-4: a suite that is red before any work and names nothing is one question; going without is a waiver", () => {
  const broken = {
    passed: false,
    output: "npm: not found",
    tests: { reporter: null, why: "it wrote no report" },
  } as const;
  const asked = run({ config, check: () => broken }, first);
  assert.ok(asked.end.how === "waiting");
  assert.equal(asked.end.question.id, "execute.baseline");
  assert.match(asked.end.question.message, /`npm test` fails before any work[\s\S]*npm: not found/);
  assert.equal(dispatches(asked).length, 0, "nobody was paid");
  const { end } = run({ config, check: () => broken, answers: { "execute.baseline": "abort" } }, first);
  assert.ok(end.how === "failed" && end.failure.kind === "aborted");
  assert.equal(end.failure.detail, "the person ended the run before any work");
  const played = run({ config, check: () => broken, answers: { "execute.baseline": "without" } }, first);
  assert.equal(settled(played).status, "complete");
  assert.deepEqual(checks(played), ["baseline"]);
  const [waiver] = facts(played).filter((fact) => fact.type === "waiver");
  assert.match(waiver?.what ?? "", /`npm test` fails before any work/);
});

test("T3: a command that is red before any work, and not only by the tests it names, is one question", () => {
  const ran = said({ works: "passed", old: "failed" });
  const asked = run({ config, check: () => ({ ...ran, tests: { ...ran.tests, hasOthers: true } }) });
  assert.ok(asked.end.how === "waiting" && asked.end.question.kind === "select");
  assert.equal(asked.end.question.id, "execute.baseline");
  assert.match(
    asked.end.question.message,
    /^`npm test` fails when it first runs, and not only its tests may be the reason\. So it cannot show/,
  );
});

test("X-4: tests that pass while files keep changing are not said to fail", () => {
  const asked = run({ config, check: () => ({ ...said({ works: "passed" }), tree: null }) });
  assert.ok(asked.end.how === "waiting");
  assert.equal(asked.end.question.title, "Files Keep Changing");
  assert.match(asked.end.question.message, /^The files changed while `npm test` ran/);
});

test("one command that is both the check and the suite is run once", () => {
  const played = run({ config: { ...config, validationCommand: testCommand }, check: honest });
  assert.equal(settled(played).status, "complete");
  assert.deepEqual(checks(played), ["baseline", "tests"]);
});

test("what the tests themselves change is told from the first run on", () => {
  const snapshots = (files: Files) => ({ ...honest(files), changed: ["a.snap"], backupRef: "refs/kept" });
  const told = facts(run({ config, check: snapshots })).flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
  assert.equal(told.filter((text) => /a\.snap/.test(text)).length, 2, "before the work and after it");
});

test("A6: who builds the task and who reviews it know which tests were red before", () => {
  const played = run({ config, check: honest, agents: { implement: writes("good") } });
  const prompt = (name: string) => dispatches(played).find((one) => one.name === name)?.prompt ?? "";
  assert.match(
    prompt("implement"),
    /## Red before your work\nThese tests of `npm test` fail already: old\. Leave them alone unless/,
  );
  assert.match(
    prompt("spec-review"),
    /- `npm test` passes on this tree: 2 tests, all green except old, which was red before the work\./,
  );
  const repaired = run({ ...breaking, answers: { "execute.task.2.escalation": "retry" } });
  assert.match(dispatches(repaired).find(({ name }) => name === "fix")?.prompt ?? "", /## Red before your work\n/);
  const green = run({ config, check: () => said({ works: "passed" }), agents: { implement: writes("good") } });
  assert.doesNotMatch(dispatches(green)[0]?.prompt ?? "", /Red before your work/);
});

test("X-6: who reviews the task knows which tests do not run any more: an agent may have deleted what it broke", () => {
  const fewer = (files: Files) => (isBad(files) ? said({ old: "passed" }) : said({ works: "passed", old: "passed" }));
  const played = run({ ...breaking, check: fewer });
  const review = dispatches(played).find(({ name }) => name === "spec-review");
  assert.match(
    review?.prompt ?? "",
    /- `npm test` passes on this tree: 1 test, and 1 test that ran before does not run now: works\./,
  );
});

describe("a repository without tests", () => {
  const empty = (exitCode: number) => {
    const tests = { reporter: "pytest", results: "", failures: [], isEmpty: true } as const;
    return { passed: exitCode === 0, output: "no tests ran", tests };
  };
  const warnings = (played: Played<unknown>) =>
    facts(played).flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));

  test("is no question, though its command fails: it is said before any work, and to who reviews", () => {
    const played = run({ config, check: () => empty(5) });
    assert.equal(settled(played).status, "complete");
    assert.ok(warnings(played).includes("`npm test` finds no tests. Until there are some, it checks nothing."));
    assert.deepEqual(
      compared(played).map(({ isEmpty, total, red }) => [isEmpty, total, red]),
      [[true, 0, false]],
    );
    const review = dispatches(played).find(({ name }) => name === "spec-review");
    assert.match(review?.prompt ?? "", /- `npm test` finds no tests on this tree\./);
    assert.doesNotMatch(review?.prompt ?? "", /`npm test` passes/);
  });

  test("has tests as soon as a task brings some: they are judged by name, and are known from then on", () => {
    const growing = (files: Files) =>
      files.has("a.ts") ? said({ own: isBad(files) ? "failed" : "passed" }) : empty(5);
    const played = run({ config, check: growing, agents: { implement: writes("bad"), fix: writes("good") } });
    const task = settled(played);
    assert.deepEqual(
      compared(played).map(({ unfinished }) => unfinished),
      [["own"], []],
    );
    assert.deepEqual([task.tests?.isEmpty, task.tests?.exitCode, task.tests?.results], [false, 0, "+ own"]);
  });
});

test("X-6: work after which no test runs any more is not taken, and the implementer learns why", () => {
  const tests = { reporter: "x", results: "", failures: [], isEmpty: true } as const;
  const gone = (files: Files) =>
    isBad(files) ? { passed: true, output: "", tests } : said({ works: "passed", old: "passed" });
  const played = run({ ...breaking, check: gone });
  assert.equal(settled(played).status, "complete");
  const fix = dispatches(played).find(({ name }) => name === "fix");
  assert.match(fix?.prompt ?? "", /No tests run now\. Before this work: 2 tests\./);
});

test("T3: a runner that ends well without its report proves nothing; one that cannot report any more is told", () => {
  const silent = { reporter: null, why: "jest wrote no report", isSilent: true } as const;
  const early = (files: Files) =>
    isBad(files) ? { passed: true, output: "", tests: silent } : said({ works: "passed" });
  const fix = dispatches(run({ ...breaking, check: early })).find(({ name }) => name === "fix");
  assert.match(fix?.prompt ?? "", /The exit code is 0, but jest wrote no report: .*it reported 1 test\./);
  const unknown = { reporter: null, why: "no reporter is known for it" } as const;
  const other = (files: Files) =>
    isBad(files) ? { passed: true, output: "", tests: unknown } : said({ works: "passed" });
  const played = run({ ...breaking, check: other });
  assert.equal(settled(played).status, "complete");
  assert.equal(
    dispatches(played).some(({ name }) => name === "fix"),
    false,
  );
  const told = facts(played).flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
  assert.match(told.join(), /`npm test` no longer reports which tests pass\./);
});
