// How a run is configured: asked in order, pre-answered by the configuration, and never by an agent.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatches, facts, play, questions, resultOf, type Script } from "../../../test/rig/flow.ts";
import { readAnswer } from "../../core/flow/question.ts";
import type { Mode } from "../../core/run/config.ts";
import { configure, sizeFrom } from "./configure.ts";

const run = (answers: Record<string, string>, config: Script["config"] = {}, mode: Mode = "standard") =>
  play(configure(mode), { answers, config });
const asked = (played: ReturnType<typeof run>) => questions(played).map(({ id }) => id);

test("execution is asked first, then the size of a batch, then reviews, in the agreed words", () => {
  const played = run({
    "configure.execution": "batch",
    "configure.batch-size": "2",
    "configure.review": "iterative",
  });
  assert.deepEqual(
    questions(played).map(({ id, title, kind }) => [id, title, kind]),
    [
      ["configure.execution", "Execution Mode", "select"],
      ["configure.batch-size", "Batch Size", "input"],
      ["configure.review", "Review Mode", "select"],
    ],
  );
  const options = questions(played).map((question) => (question.kind === "select" ? question.options : []));
  assert.deepEqual(
    options.map((some) => some.map(({ key, label }) => [key, label])),
    [
      [
        ["auto", "Auto (run all tasks)"],
        ["checkpoint", "Checkpoint (pause after each task)"],
        ["batch", "Batch (pause every N tasks)"],
      ],
      [],
      [
        ["iterative", "Iterative (review-fix loop until pass)"],
        ["single-pass", "Single-pass (one round, warnings only)"],
      ],
    ],
  );
  assert.deepEqual(resultOf(played), { execution: "batch", batchSize: 2, review: "iterative", waivers: [] });
  assert.deepEqual(dispatches(played), []);
});

test("the size of a batch is asked for batches only", () => {
  for (const execution of ["auto", "checkpoint"]) {
    const played = run({ "configure.execution": execution, "configure.review": "iterative" });
    assert.deepEqual(asked(played), ["configure.execution", "configure.review"]);
    assert.equal(resultOf(played).batchSize, null);
  }
});

test("what is recommended runs everything and waives nothing", () => {
  const played = run({ "configure.execution": "batch", "configure.batch-size": "3", "configure.review": "iterative" });
  assert.deepEqual(
    questions(played).map(({ recommended }) => recommended),
    ["auto", "3", "iterative"],
  );
});

test("a batch is of at least one task, and of three when no number was given", () => {
  const sizes = ["5", " 4 ", "1", "0", "-2", "2.7", "", "many", "5 tasks", "1e3", "Infinity", "9".repeat(400)];
  assert.deepEqual(sizes.map(sizeFrom), [5, 4, 1, 1, 1, 2, 3, 3, 3, 3, 3, 3]);
});

test("a size that is not what was typed is told", () => {
  const warnings = (typed: string) => {
    const answers = { "configure.execution": "batch", "configure.batch-size": typed, "configure.review": "iterative" };
    return facts(run(answers)).flatMap((fact) => (fact.type === "warning" ? fact.text : []));
  };
  assert.deepEqual(warnings("ten"), ['"ten" is not a number of tasks. A batch has 3.']);
  assert.deepEqual(warnings("0"), ['"0" is not a number of tasks. A batch has 1.']);
  assert.deepEqual([warnings("4"), warnings(" 4 "), warnings("+4")], [[], [], []]);
});

test("nothing typed is the usual size of a batch", () => {
  const played = run({ "configure.execution": "batch", "configure.batch-size": "3", "configure.review": "iterative" });
  const question = questions(played).find(({ id }) => id === "configure.batch-size");
  assert.ok(question);
  assert.deepEqual(readAnswer(question, ""), { ok: true, answer: "3" });
});

test("what the configuration says is not asked", () => {
  const whole = run({}, { execution: { mode: "batch", batchSize: 4 }, review: { mode: "iterative" } });
  assert.deepEqual(asked(whole), []);
  assert.deepEqual(resultOf(whole), { execution: "batch", batchSize: 4, review: "iterative", waivers: [] });
  const part = run({ "configure.batch-size": "6", "configure.review": "iterative" }, { execution: { mode: "batch" } });
  assert.deepEqual(asked(part), ["configure.batch-size", "configure.review"]);
  const size = run({ "configure.execution": "auto", "configure.review": "iterative" }, { execution: { batchSize: 4 } });
  assert.deepEqual([asked(size), resultOf(size).batchSize], [["configure.execution", "configure.review"], null]);
});

test("what was chosen is told, and a single pass is recorded as the waiver it is, whoever chose it", () => {
  const chosen = run({ "configure.execution": "auto", "configure.review": "single-pass" });
  const configured = run({ "configure.execution": "auto" }, { review: { mode: "single-pass" } });
  for (const played of [chosen, configured]) {
    const [first, second] = facts(played);
    assert.deepEqual(first, { type: "configured", execution: "auto", batchSize: null, review: "single-pass" });
    assert.ok(second?.type === "waiver" && second.step === "configure.review");
    assert.match(second.what, /single-pass: what they find is not fixed, unless it is critical/);
    assert.deepEqual(resultOf(played).waivers, [second.what]);
  }
  const iterative = run({ "configure.execution": "auto", "configure.review": "iterative" });
  assert.deepEqual(
    facts(iterative).map(({ type }) => type),
    ["configured"],
  );
});

test("what is one task is not asked about: it is run through, and what is found is fixed", () => {
  const played = run({}, { execution: { mode: "checkpoint" } }, "hotfix");
  assert.deepEqual(asked(played), []);
  const decided = { execution: "auto", batchSize: null, review: "iterative" };
  assert.deepEqual(resultOf(played), { ...decided, waivers: [] });
  assert.deepEqual(facts(played), [{ type: "configured", ...decided }]);
  assert.equal(resultOf(run({}, { review: { mode: "single-pass" } }, "hotfix")).review, "single-pass");
});
