import assert from "node:assert/strict";
import { test } from "node:test";
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
  assert.match(both.problems.join(), /"findings" is there twice/);
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
