import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import fc from "../../../test/rig/property.ts";
import { readAnswerBlock } from "./answer.ts";
import { fenced } from "./block.ts";

const Wanted = z.object({ passed: z.boolean(), note: z.string() });
const read = (text: string) => readAnswerBlock(text, "superteam-json", Wanted);
const problemOf = (text: string): string => {
  const answer = read(text);
  return answer.ok ? "" : answer.problem;
};

test("an answer is the JSON of the last block, checked against the schema", () => {
  const draft = fenced("superteam-json", '{"passed": false, "note": "draft"}');
  const last = fenced("superteam-json", '{"passed": true, "note": "final"}');
  assert.deepEqual(read(`${draft}\n\nNo, wait.\n\n${last}`), {
    ok: true,
    value: { passed: true, note: "final" },
    blocks: 2,
  });
});

test("a last block that is broken is a problem, even after a good one", () => {
  const good = fenced("superteam-json", '{"passed": true, "note": "x"}');
  assert.match(problemOf(`${good}\n\n${fenced("superteam-json", '{"passed": true, "note": "x"')}`), /is not JSON/);
});

test("nothing is guessed out of braces", () => {
  assert.match(problemOf('My verdict: {"passed": true, "note": "x"}'), /no ```superteam-json block/);
  assert.match(problemOf(fenced("json", '{"passed": true, "note": "x"}')), /no ```superteam-json block/);
});

test("one stray quote is a problem with its place", () => {
  assert.match(problemOf(fenced("superteam-json", '{"passed": true, "note": "a "b"}')), /not JSON: .*position \d+/);
});

test("the validator's own words name each wrong field", () => {
  const problem = problemOf(fenced("superteam-json", '{"passed": "yes"}'));
  assert.match(problem, /expected boolean, received string\n {2}→ at passed/);
  assert.match(problem, /expected string, received undefined\n {2}→ at note/);
});

test("every value of the schema survives being written and read", () => {
  fc.assert(
    fc.property(fc.boolean(), fc.string({ unit: "binary" }), (passed, note) => {
      const text = `So:\n\n${fenced("superteam-json", JSON.stringify({ passed, note }))}`;
      assert.deepEqual(read(text), { ok: true, value: { passed, note }, blocks: 1 });
    }),
  );
});
