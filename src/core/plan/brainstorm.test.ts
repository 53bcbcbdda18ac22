import assert from "node:assert/strict";
import { test } from "node:test";
import { Approaches, BrainstormQuestions, Design, revisionOf, type Section } from "./brainstorm.ts";

const question = (id: string) => ({ id, text: "What?", type: "input" });
const approach = (id: string) => ({ id, title: "A", summary: "s", tradeoffs: "t", taskEstimate: 3 });
const section = (id: string, ...requirements: string[]): Section => ({
  id,
  title: id,
  content: "text",
  requirements: requirements.map((name) => ({ id: name, text: "must" })),
});
const messages = (result: { error?: { issues: { message: string }[] } | undefined }) =>
  result.error?.issues.map((issue) => issue.message) ?? [];

test("A14: there are up to 7 questions, each with an id of its own", () => {
  const of = (...ids: string[]) => BrainstormQuestions.safeParse({ type: "questions", questions: ids.map(question) });
  assert.ok(of("q1", "q2", "q3").success);
  assert.ok(of().success, "nothing may be open");
  assert.ok(!of(...Array.from({ length: 8 }, (_, index) => `q${index}`)).success);
  assert.deepEqual(messages(of("q1", "q2", "q1")), ['id "q1" is given twice']);
});

test("questions that are no list are refused as what they are", () => {
  const of = (questions: unknown) => messages(BrainstormQuestions.safeParse({ type: "questions", questions }));
  assert.match(of("none").join(), /expected array, received string/);
  assert.match(of({ id: "a" }).join(), /expected array, received object/);
});

test("a choice needs at least two options, an input none", () => {
  const of = (first: object) =>
    BrainstormQuestions.safeParse({ type: "questions", questions: [first, question("b"), question("c")] });
  assert.ok(of({ id: "a", text: "Which?", type: "choice", options: ["x", "y"] }).success);
  assert.ok(!of({ id: "a", text: "Which?", type: "choice", options: ["x"] }).success);
  assert.ok(!of({ id: "a", text: "Which?", type: "choice" }).success);
});

test("the recommendation names one of two or three approaches", () => {
  const of = (recommendation: string, ...ids: string[]) =>
    Approaches.safeParse({ type: "approaches", approaches: ids.map(approach), recommendation, reasoning: "because" });
  assert.ok(of("a1", "a1", "a2").success);
  assert.deepEqual(messages(of("a9", "a1", "a2")), ["must be the id of one of the approaches"]);
  assert.ok(!of("a1", "a1").success);
  assert.ok(!of("a1", "a1", "a2", "a3", "a4").success);
  assert.deepEqual(messages(of("a1", "a1", "other")), ['the id "other" is taken']);
});

test("a design has requirements, each once in the whole of it", () => {
  const of = (...sections: unknown[]) => Design.safeParse({ type: "design", sections });
  assert.ok(of(section("s1", "R1"), section("s2", "R2")).success);
  assert.ok(of(section("s1", "R1"), { id: "s2", title: "t", content: "c" }).success);
  assert.deepEqual(messages(of(section("s1", "R1"), section("s2", "R1"))), ["requirement R1 is given twice"]);
  assert.match(messages(of(section("s1"))).join(), /at least one requirement/);
  assert.match(messages(of(section("s1", "first"))).join(), /must be R1, R2/);
});

test("a revised section stays that section and takes no requirement from another", () => {
  const sections = [section("s1", "R1"), section("s2", "R2")];
  const of = (revised: Section) =>
    revisionOf(section("s1", "R1"), sections).safeParse({ type: "section", section: revised });
  assert.ok(of(section("s1", "R1", "R3")).success);
  assert.deepEqual(messages(of(section("s9", "R1"))), ['must keep the id "s1"']);
  const places = (revised: Section) => of(revised).error?.issues.map(({ path }) => path.join("."));
  assert.deepEqual(
    [places(section("s9", "R1")), places(section("s1", "R2"))],
    [["section.id"], ["section.requirements"]],
  );
  assert.deepEqual(messages(of(section("s1", "R2"))), ["R2 belongs to another section: the next free number is R3"]);
  assert.deepEqual(messages(of(section("s1", "R3", "R3"))), ["R3 is given twice"]);
  const alone = revisionOf(section("s1", "R1"), [section("s1", "R1")]);
  assert.deepEqual(messages(alone.safeParse({ type: "section", section: section("s1") })), [
    "the design needs at least one requirement",
  ]);
});
