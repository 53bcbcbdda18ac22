import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { BrainstormQuestions } from "../plan/brainstorm.ts";
import { Triage } from "../plan/triage.ts";
import { Review } from "../review/review.ts";
import { fit } from "./fit.ts";

const triage = { mode: "quick", reason: "Small." };
const review = { passed: true, findings: [], summary: "Fine." };

test("texts that are numbers or booleans, single values, words in another spelling and nulls fit", () => {
  const said = { mode: "Quick", reason: "x", files: "a.ts", testing: "Existing_Tests", parts: null };
  assert.deepEqual(fit(Triage, said).value, { mode: "quick", reason: "x", files: ["a.ts"], testing: "existing-tests" });
  assert.deepEqual(fit(Review, { ...review, passed: "True", findings: null }).value, {
    passed: true,
    summary: "Fine.",
  });
  assert.deepEqual(fit(Triage, [{ ...triage, files: '["a.ts", "b.ts"]' }]).value, {
    ...triage,
    files: ["a.ts", "b.ts"],
  });
});

test("what is no such thing stays as it is, for the schema to refuse", () => {
  for (const passed of ["yes", "true, once it is fixed", 1, "1"])
    assert.deepEqual(fit(Review, { ...review, passed }).value, { ...review, passed });
  assert.deepEqual(fit(Triage, { ...triage, mode: "quickly" }).value, { ...triage, mode: "quickly" });
});

test("a key in another spelling is the key; two spellings with different values are a problem", () => {
  assert.deepEqual(fit(Review, { Passed: true, findings: [], summary: "x" }).value, { ...review, summary: "x" });
  const both = fit(Review, { ...review, Findings: [{ rule: "unsafe" }] });
  assert.match(both.problems.join(), /"findings" is given twice/);
});

test("whether there is a key that nobody asked for is told, at any depth", () => {
  assert.equal(fit(Triage, { ...triage, parts: [{ title: "a", scope: "b" }] }).unknown, false);
  assert.equal(fit(Triage, { ...triage, parts: [{ title: "a", scope: "b", size: 3 }] }).unknown, true);
});

test("a fixed word may be missing or spelled otherwise; one of several forms is known by it, or by its fields", () => {
  const questions = [
    { id: "a", text: "A?", type: "Choice", options: ["x", "y"] },
    { id: "b", text: "B?", options: ["x", "y"] },
    { id: "c", text: "C?" },
  ];
  const { value } = fit(BrainstormQuestions, { questions });
  assert.deepEqual(value, {
    type: "questions",
    questions: questions.map((each, index) => ({ ...each, type: index === 2 ? "input" : "choice" })),
  });
});

const word = z.enum(["a-b", "c"]);
const either = z.union([
  z.object({ name: z.string(), size: z.number().optional() }),
  z.object({ name: z.string(), colour: z.string().optional() }),
]);

for (const [what, schema, given, fitted] of [
  ["a number", z.int(), " -40 ", -40],
  ["a number", z.number(), "7", 7],
  ["no number", z.number(), "7.5", "7.5"],
  ["no number that can be counted with", z.int(), "1234567890123456", "1234567890123456"],
  ["false", z.boolean(), " FALSE ", false],
  ["a text", z.string(), 3, "3"],
  ["no text", z.string(), 1.5, 1.5],
  ["no text", z.string(), true, true],
  ["a word in another spelling", word, " A_B", "a-b"],
  ["a word alone in a list", word, ["A B"], "a-b"],
  ["no word, for two are spelled like it", z.enum(["a-b", "a_b"]), "A B", "A B"],
  ["one of them, for it is spelled so", z.enum(["a-b", "a_b"]), "a_b", "a_b"],
  ["a list of one", z.array(z.int()), "4", [4]],
  ["a list in a text", z.array(z.int()), ' ["4", 5]', [4, 5]],
  ["a text that only looks like a list", z.array(z.string()), "[x] is checked", ["[x] is checked"]],
  ["no list", z.array(z.int()), null, null],
  ["an object alone in a list", z.object({ a: z.int() }), [{ A: "1" }], { a: 1 }],
  ["two objects where one is due", z.object({ a: z.int() }), [{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 2 }]],
  ["null where it is allowed", z.object({ a: z.int().nullable() }), { a: null }, { a: null }],
  ["nothing where it is not", z.object({ a: z.int().optional() }), { a: null }, {}],
  ["a choice of texts or none", z.union([z.int(), z.null()]), "4", 4],
  ["the form that knows all its keys", either, { Name: "x", Colour: 3 }, { name: "x", colour: "3" }],
  ["the first form that has what it takes", either, { Name: "x", weight: 3 }, { name: "x", weight: 3 }],
  ["none of the forms", either, { size: "3" }, { size: "3" }],
] as const) {
  test(`${JSON.stringify(given)} is ${what}: ${JSON.stringify(fitted)}`, () => {
    assert.deepEqual(fit(schema, given).value, fitted);
  });
}
