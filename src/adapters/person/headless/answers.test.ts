import assert from "node:assert/strict";
import { test } from "node:test";
import { questionIds } from "../../../pipelines/pipelines.ts";
import { type AnswersFile, keyFor, parseAnswers, unknownIds } from "./answers.ts";

function parsed(value: unknown): AnswersFile {
  const result = parseAnswers(JSON.stringify(value), "answers.json");
  assert.ok(result.ok);
  return result.answers;
}

function problems(text: string): readonly string[] {
  const result = parseAnswers(text, "answers.json");
  assert.ok(!result.ok);
  return result.problems;
}

test("values and lists of text, numbers and booleans are answers", () => {
  const { entries } = parsed({ "plan.approval": "approve", "configure.batch-size": 3, "finalize.fix": [true, "no"] });
  assert.deepEqual(Object.fromEntries(entries), {
    "plan.approval": ["approve"],
    "configure.batch-size": ["3"],
    "finalize.fix": ["yes", "no"],
  });
});

test("what is not JSON is named with its place, on one line", () => {
  assert.match(problems('{\n  "a": }')[0] ?? "", /^answers\.json is not JSON: Unexpected token '}'.*"a": }/);
  assert.match(problems("{")[0] ?? "", /^answers\.json is not JSON: .*line 1 column 2/);
});

test("what is not an object is told what is expected", () => {
  for (const text of ["[]", '"text"', "null", "3"]) {
    assert.match(problems(text).join(), /answers\.json: expected an object that maps question ids to answers/);
  }
});

test("each wrong value is named with its place", () => {
  assert.deepEqual(problems('{"a":{}, "b":["x",null], "c":[], "d":"fine"}'), [
    'answers.json: "a": expected text, a number, true or false',
    'answers.json: "b"[1]: expected text, a number, true or false',
    'answers.json: "c": the list is empty: give at least one answer',
  ]);
});

test("keys that no question has are found", () => {
  const answers = parsed({ "plan.aproval": "x", "plan.approval": "x", "execute.*": "x", "nothing.*.here": "x" });
  assert.deepEqual(unknownIds(answers, questionIds), ["plan.aproval", "nothing.*.here"]);
  assert.deepEqual(unknownIds(answers, ["nothing.#.here"]), ["plan.aproval", "plan.approval", "execute.*"]);
});

test("the exact id wins over globs, and the glob that says more over the one that says less", () => {
  const answers = parsed({
    "*": "a",
    "execute.*": "b",
    "execute.task.*.escalation": "c",
    "execute.task.2.escalation": "d",
  });
  assert.equal(keyFor(answers, "execute.task.2.escalation"), "execute.task.2.escalation");
  assert.equal(keyFor(answers, "execute.task.1.escalation"), "execute.task.*.escalation");
  assert.equal(keyFor(answers, "execute.checkpoint"), "execute.*");
  assert.equal(keyFor(answers, "plan.approval"), "*");
});

test("a glob matches from the first to the last character, and only what is written between its stars", () => {
  const answers = parsed({ "execute.task.*.escalation": "a", "a*b*c": "b", "x*x": "c" });
  assert.equal(keyFor(answers, "execute.task.escalation"), undefined);
  assert.equal(keyFor(answers, "execute.task.1.escalation.more"), undefined);
  assert.equal(keyFor(answers, "abc"), "a*b*c");
  assert.equal(keyFor(answers, "acb"), undefined);
  assert.equal(keyFor(answers, "x"), undefined);
  assert.equal(keyFor(answers, "execute_task_1_escalation"), undefined);
});
