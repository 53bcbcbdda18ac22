// Tests that do not run after every task: what is pending, who is blamed when they run, and that a run never ends without them.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Agent,
  dispatches,
  type Files,
  facts,
  type Played,
  play,
  questions,
  resultOf,
  type Script,
} from "../../../test/rig/flow.ts";
import { verdict } from "../../../test/rig/task.ts";
import { says } from "../../../test/rig/whole.ts";
import type { Flow } from "../../core/flow/flow.ts";
import { Plan } from "../../core/plan/plan.ts";
import { documentsFor } from "../../core/run/document-paths.ts";
import { Baseline } from "../../core/validation/baseline.ts";
import { resultsOf, type TestState, writeResults } from "../../core/validation/results.ts";
import { finalize } from "../finish/finalize.ts";
import type { Choices } from "../task/configure.ts";
import { type Executed, execute, type PlannedWork } from "../task/execute.ts";
import { settleTask } from "../task/settle-task.ts";
import { reviewFlows } from "../work/review.ts";
import { suiteFlows } from "./scratch-run.ts";

const goal = "Build it";
const auto: Choices = { execution: "auto", batchSize: null, review: "iterative", waivers: [] };
const planOf = (count: number) =>
  Plan.parse({
    tasks: Array.from({ length: count }, (_, index) => ({
      id: index + 1,
      title: `Part ${index + 1}`,
      description: "Do.",
      files: [`${index + 1}.ts`],
    })),
  });
const workOf = (count: number, choices = auto): PlannedWork => ({
  goal,
  mode: "standard",
  plan: planOf(count),
  requirements: [],
  choices,
});

/** One test per file: it fails where the file is bad. */
function suite(files: Files, { only = [] }: { readonly only?: readonly string[] }) {
  const all = [...files].flatMap(([path, text]): [string, TestState][] =>
    path.endsWith(".ts") ? [[`${path} works`, text.includes("bad") ? "failed" : "passed"]] : [],
  );
  const old: [string, TestState] = ["old works", [...files.values()].includes("breaks old") ? "failed" : "passed"];
  const states = [...all, old];
  const cases = states.map(([name, state]) => ({ file: "", path: [name], state }));
  const failures = states.flatMap(([name, state]) => (state === "failed" ? [{ test: name, output: "1 != 2" }] : []));
  const passed = failures.length === 0;
  asked.push(only);
  return { passed, output: "the end", tests: { reporter: "x", results: writeResults(resultsOf(cases)), failures } };
}
const asked: (readonly string[])[] = [];

/** What each task writes, in its turn; a fix makes everything good. */
const writing = (...texts: readonly string[]): NonNullable<Script["agents"]> => ({
  implement: ({ files, nth }) => {
    files.set(`${nth}.ts`, texts[nth - 1] ?? "good");
    return "Done.";
  },
  fix: ({ files }) => repaired(files),
  "final-fix": ({ files }) => repaired(files),
  "spec-review": () => verdict(),
  "quality-review": () => verdict(),
  "final-review": () => says(),
});
function repaired(files: Files): string {
  for (const [path, text] of files) if (/bad|breaks/.test(text)) files.set(path, "good");
  return "Done.";
}

const everyThree = { testCommand: "npm test", validationCadence: "every-N", tdd: "off" } as const;
const atTheEnd = { ...everyThree, validationCadence: "on-demand" } as const;
const flows = { "settle-task": settleTask, ...reviewFlows, ...suiteFlows };
const script = (more: Script): Script => ({ flows, check: suite, answers: { "finalize.docs": "no" }, ...more });
const executed = (count: number, more: Script, choices?: Choices): Played<Executed> =>
  play(execute(workOf(count, choices)), script(more));

/** All tasks, and the end of the run. */
function whole(count: number, more: Script) {
  const work = workOf(count);
  function* flow(): Flow<unknown> {
    const { start, tasks } = yield* execute(work);
    return yield* finalize(
      { ...work, start, tasks },
      documentsFor("2026-02-07", goal, () => false),
    );
  }
  return play(flow(), script(more));
}

const checks = (played: Played<unknown>) =>
  played.requests.flatMap((request) => (request.do === "check" ? [request.name] : []));
const pending = (played: Played<unknown>) =>
  facts(played).flatMap((fact) => (fact.type === "task.settled" ? [fact.testsPending === true] : []));
const compared = (played: Played<unknown>) => facts(played).filter((fact) => fact.type === "tests.compared");
const places = (played: Played<unknown>) =>
  played.requests.flatMap((request) => (request.do === "open-place" ? [request.name] : []));

test("S3-35: with every-N the suite runs for the third task, and for the sixth; the others are complete with their tests pending", () => {
  const played = executed(7, { config: everyThree, agents: writing() });
  const { tasks } = resultOf(played);
  assert.deepEqual(pending(played), [true, true, false, true, true, false, true]);
  assert.deepEqual(checks(played), ["baseline", "tests", "tests"]);
  assert.deepEqual(
    tasks.map(({ tests }) => tests?.pending.map(({ task }) => task)),
    [[1], [1, 2], [], [4], [4, 5], [], [7]],
  );
});

test("S3-26, S3-27, S3-28, S3-31: what is known of the tests is in each task's outcome: command, tree, and each test by name", () => {
  const { tasks } = resultOf(executed(2, { config: { testCommand: "npm test", tdd: "off" }, agents: writing() }));
  const [first, second] = tasks.map(({ tests }) => Baseline.parse(JSON.parse(JSON.stringify(tests))));
  assert.ok(first !== undefined && second !== undefined);
  assert.equal(first.command, "npm test");
  assert.notEqual(first.tree, second.tree, "it moves on with each task");
  assert.deepEqual(first.results?.split("\n"), ["+ 1.ts works", "+ old works"]);
  assert.deepEqual(second.results?.split("\n"), ["+ 1.ts works", "+ 2.ts works", "+ old works"]);
});

test("tests that crash in a worktree blame nobody: they run once more there, and then a warning says so", () => {
  const crashing = (times: number): NonNullable<Script["check"]> => {
    let left = times;
    return (files, request) => {
      const isElsewhere = request.only !== undefined && request.name === "tests" && left-- > 0;
      return isElsewhere
        ? { passed: false, output: "out of memory", tests: { reporter: null, why: "no report" } }
        : suite(files, request);
    };
  };
  const blamed = (times: number) =>
    executed(3, { config: everyThree, agents: writing("good", "breaks old"), check: crashing(times) });
  const by = (played: Played<unknown>) => compared(played).map((fact) => fact.by ?? []);
  assert.deepEqual(by(blamed(1)), [[{ task: "2", tests: ["old works"] }]]);
  const twice = blamed(2);
  assert.deepEqual(by(twice), [[]]);
  const warnings = facts(twice).flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
  assert.match(warnings.join(), /cannot find out which task broke the tests/);
});

const social: NonNullable<Script["check"]> = (files, request) => {
  const { only = [] } = request;
  if (only.length === 0) return suite(files, request);
  const { tests, ...run } = suite(new Map(), request);
  return { ...run, tests: { ...tests, results: only.map((name) => `+ ${name}`).join("\n"), isPart: true as const } };
};
for (const crashes of [false, true])
  test(`a test that fails only together with others is bisected with all of them, ${crashes ? "also after a crash" : "where it passed alone"}`, () => {
    let left = crashes ? 1 : 0;
    const check: typeof social = (files, request) =>
      request.name === "tests" && left-- > 0
        ? { passed: false, output: "out of memory", tests: { reporter: null, why: "no report" } }
        : social(files, request);
    const played = executed(3, { config: everyThree, agents: writing("good", "breaks old"), check });
    assert.deepEqual(
      compared(played).map(({ broken, by }) => [broken, by]),
      [[["old works"], [{ task: "2", tests: ["old works"] }]]],
    );
  });

test("without a worktree to bisect in, the person is asked once; going without it blames nobody, and is a waiver", () => {
  const noPlace = () => "no space left";
  const played = executed(3, {
    config: everyThree,
    agents: writing("breaks old", "bad"),
    noPlace,
    answers: { "execute.place": "without" },
  });
  assert.ok(played.end.how === "waiting");
  assert.equal(played.end.question.id, "execute.task.3.escalation");
  assert.doesNotMatch(played.end.question.message, /Task \d, ".*", broke/);
  assert.deepEqual(
    questions(played).map(({ id }) => id),
    ["execute.place", "execute.task.3.escalation"],
  );
  assert.deepEqual(
    facts(played).filter(({ type }) => type === "waiver"),
    [
      {
        type: "waiver",
        step: "execute.place",
        what: "The tests could not run in a worktree: it stays unknown which task broke the tests",
      },
    ],
  );
});

test("S3-35: with on-demand it runs at the end alone, and there it always does", () => {
  const played = whole(3, { config: atTheEnd, agents: writing() });
  assert.equal(played.end.how, "done");
  assert.deepEqual(pending(played), [true, true, true]);
  assert.deepEqual(checks(played), ["baseline", "tests"]);
  assert.deepEqual(
    compared(played).map(({ task, broken }) => [task, broken]),
    [[null, []]],
  );
});

test("the end runs the suite also where the mode has no final review of so little", () => {
  const once: Agent = ({ files, nth }) => {
    if (nth === 1) files.set("1.ts", "good");
    return "Done.";
  };
  const skipping: Script = {
    config: atTheEnd,
    agents: { ...writing(), implement: once },
    answers: { "execute.task.2.nothing": "skip", "finalize.docs": "no" },
  };
  const work = { ...workOf(2), mode: "quick" as const };
  function* flow(): Flow<unknown> {
    const { start, tasks } = yield* execute(work);
    return yield* finalize(
      { ...work, start, tasks },
      documentsFor("2026-02-07", goal, () => false),
    );
  }
  assert.deepEqual(checks(play(flow(), script(skipping))), ["baseline", "tests"]);
});

test("a single task has its tests before its commit, whatever the cadence", () => {
  assert.deepEqual(checks(executed(1, { config: atTheEnd, agents: writing() })), ["baseline", "tests"]);
});

test("S3-38, S3-46: a regression is the task's that made it, found by bisecting; the question names it and shows its diff alone", () => {
  asked.length = 0;
  const played = executed(3, { config: everyThree, agents: writing("breaks old", "good") });
  assert.ok(played.end.how === "waiting");
  const { id, message } = played.end.question;
  assert.equal(id, "execute.task.3.escalation");
  assert.match(message, /^Task "Part 3": the tests ran, and fail\.\n/);
  assert.match(message, /\n {2}- old works\nTask 1, "Part 1" \([^)]+\), broke: old works\n/);
  assert.match(message, /What was changed:\nTask 1, "Part 1" \([^)]+\), changed:\n[\s\S]*\+breaks old/);
  assert.doesNotMatch(message, /2\.ts|3\.ts/, "what others changed is not shown");
  assert.deepEqual(places(played), ["blame-1", "blame-before"]);
  assert.deepEqual(asked.slice(-2), [["old works"], ["old works"]], "only what fails is run there");
  assert.deepEqual(compared(played)[0]?.by, [{ task: "1", tests: ["old works"] }]);
});

test("tests that are killed are not bisected: they would be killed again and again", () => {
  const check: NonNullable<Script["check"]> = (files, request) => {
    const ran = suite(files, request);
    return ran.passed ? ran : { ...ran, exitCode: null };
  };
  const played = executed(3, { config: everyThree, agents: writing("breaks old", "good"), check });
  assert.ok(played.end.how === "done" || played.end.how === "waiting");
  assert.deepEqual(compared(played)[0]?.red, true);
  assert.deepEqual(places(played), []);
});

test("tests that fail by the work itself are its own: the question shows the work's diff", () => {
  const played = executed(3, { config: everyThree, agents: writing("good", "good", "breaks old") });
  assert.ok(played.end.how === "waiting");
  assert.match(played.end.question.message, /introduced a test regression\.[\s\S]*\+breaks old/);
  assert.equal(compared(played)[0]?.by, undefined);
});

test("several tests are each given to the task that broke them; no tree is tried twice", () => {
  const played = executed(4, {
    config: { ...everyThree, validationInterval: 4 },
    agents: writing("breaks old", "bad", "good", "bad"),
  });
  assert.deepEqual(compared(played)[0]?.by, [
    { task: "1", tests: ["old works"] },
    { task: "2", tests: ["2.ts works"] },
  ]);
  assert.deepEqual(places(played).toSorted(), ["blame-1", "blame-2", "blame-3", "blame-before"]);
});

test("X-28: who fixes it is told which task broke what, by which change; then nothing is pending", () => {
  const played = executed(3, {
    config: everyThree,
    agents: writing("breaks old"),
    answers: { "execute.task.3.escalation": "retry" },
  });
  const fix = dispatches(played).find(({ name }) => name === "fix");
  assert.match(fix?.prompt ?? "", /Task 1, "Part 1", broke old works by this change:\n```diff\n[\s\S]*\+breaks old/);
  assert.deepEqual(resultOf(played).tasks.at(-1)?.tests?.pending, []);
});

test("where the runner names no test, the commits are bisected by the exit code", () => {
  const plain = (files: Files) => ({
    passed: ![...files.values()].some((text) => text.includes("bad")),
    output: "no",
    tests: { reporter: null, why: "no reporter is known for it" } as const,
  });
  const played = executed(3, { config: everyThree, check: plain, agents: writing("good", "bad") });
  assert.deepEqual(compared(played)[0]?.by, [{ task: "2", tests: ["npm test"] }]);
});

test("no task is blamed when the tests fail in a worktree even before it: the worktree lacks what they need", () => {
  let runs = 0;
  // Good before any work; then bad in the tree, and wherever else they run.
  const bad = () => ({ passed: ++runs === 1, output: "no", tests: { reporter: null, why: "no reporter" } as const });
  const played = executed(3, { config: everyThree, check: bad, agents: writing() });
  assert.equal(compared(played)[0]?.by, undefined);
  assert.deepEqual([...new Set(places(played))], ["blame-1", "blame-before"]);
  const warned = facts(played).flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
  assert.match(
    warned.join("\n"),
    /cannot find out which task broke npm test\. .* set worktree\.setup or worktree\.copy\./,
  );
});

test("at the end, too, the task is named; a final fix repairs it", () => {
  const broken = { config: atTheEnd, agents: writing("good", "breaks old") };
  const asks = whole(3, broken);
  assert.ok(asks.end.how === "waiting");
  assert.match(
    asks.end.question.message,
    /The finished work breaks tests[\s\S]*Task 2, "Part 2" \([^)]+\), broke: old works[\s\S]*\+breaks old/,
  );
  const fixed = whole(3, { ...broken, answers: { "finalize.fix": "fix", "finalize.docs": "no" } });
  assert.equal(fixed.end.how, "done");
  assert.deepEqual(
    compared(fixed).map(({ broken: tests }) => tests),
    [["old works"], []],
  );
});

test("S3-35: at a checkpoint the person may have the tests run; what fails is named, and can wait", () => {
  const checkpoint: Choices = { ...auto, execution: "checkpoint" };
  const good = executed(
    2,
    { config: atTheEnd, agents: writing(), answers: { "execute.checkpoint": "tests" } },
    checkpoint,
  );
  assert.deepEqual(checks(good), ["baseline", "tests"]);
  assert.deepEqual(
    resultOf(good)
      .tasks.at(-1)
      ?.tests?.pending.map(({ task }) => task),
    [2],
  );
  const [first] = questions(good);
  assert.match(first?.message ?? "", /Task 1, "Part 1": complete, tests pending/);
  const answers = { "execute.checkpoint": "tests", "execute.tests": "continue" };
  const bad = executed(2, { config: atTheEnd, agents: writing("breaks old"), answers }, checkpoint);
  const asks = questions(bad).find(({ id }) => id === "execute.tests");
  assert.match(asks?.message ?? "", /Task 1, "Part 1" \([^)]+\), broke: old works[\s\S]*\+breaks old/);
  assert.deepEqual(
    resultOf(bad)
      .tasks.at(-1)
      ?.tests?.pending.map(({ task }) => task),
    [1, 2],
  );
});

test("test first cannot be proved without a run of the tests, which is said", () => {
  const both: Agent = ({ files, nth }) => {
    files.set(`${nth}.ts`, "good");
    files.set(`test/${nth}.test.ts`, "good");
    return "Done.";
  };
  const config = { ...atTheEnd, tdd: "required" };
  const played = executed(2, { config, agents: { ...writing(), implement: both } });
  const proofs = facts(played).flatMap((fact) => (fact.type === "tests.first" ? [fact.why] : []));
  assert.deepEqual([...new Set(proofs)], ["The tests do not run after this task (validationCadence)."]);
});
