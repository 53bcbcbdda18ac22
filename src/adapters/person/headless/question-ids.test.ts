import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../../test/rig/property.ts";
import { questionIds } from "../../../pipelines/pipelines.ts";
import { canMatch } from "./question-ids.ts";

const known = (key: string): boolean => questionIds.some((pattern) => canMatch(key, pattern));
const ids = [
  "triage.mode",
  "brainstorm.question.12",
  "brainstorm.section.1.feedback",
  "plan.approval",
  "execute.baseline",
  "execute.task.3.escalation",
  "brainstorm.scout.failed",
  "plan.draft.unparsable",
];

test("every kind of question is known by its id", () => {
  assert.deepEqual(
    ids.filter((id) => !known(id)),
    [],
  );
});

test("a typing error, a word for a number, and half an id are not known", () => {
  for (const key of ["plan.aproval", "brainstorm.question.one", "brainstorm.question.", "execute.task.3", "", "plan"]) {
    assert.equal(known(key), false, key);
  }
});

test("a glob is known when it can stand for a question", () => {
  for (const key of ["*", "brainstorm.*", "execute.task.*.escalation", "execute.task.1*.nothing", "*.fa*ed"]) {
    assert.equal(known(key), true, key);
  }
  for (const key of ["execute.task.x*.escalation", "brainstorm.questions.*.x", "f*.fixed"]) {
    assert.equal(known(key), false, key);
  }
});

test("whatever part of a question's id a star stands for, the glob is known", () => {
  fc.assert(
    fc.property(fc.constantFrom(...ids), fc.nat(40), fc.nat(40), (id, one, other) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      return known(`${id.slice(0, from)}*${id.slice(to)}`);
    }),
  );
});
