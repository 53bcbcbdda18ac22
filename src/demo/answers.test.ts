import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAnswers, unknownIds } from "../adapters/person/headless/answers.ts";
import { type Question, readAnswer } from "../core/flow/question.ts";
import { Approaches, BrainstormQuestions, Design } from "../core/plan/brainstorm.ts";
import {
  approachQuestion,
  feedbackQuestion,
  interviewQuestion,
  sectionQuestion,
} from "../phases/brainstorm/questions.ts";
import { questionIds } from "../pipelines/pipelines.ts";
import { demoAnswers } from "./answers.ts";
import { approaches, design, questions } from "./scenario/brainstorm-texts.ts";

const sections = Design.parse(design).sections;
const asked: readonly Question[] = [
  ...BrainstormQuestions.parse(questions).questions.map((question, index, all) =>
    interviewQuestion(question, { number: index + 1, total: all.length }),
  ),
  approachQuestion(Approaches.parse(approaches)),
  ...sections.map((section, index) => sectionQuestion(section, index + 1, sections.length)),
  ...sections.slice(1, 2).map((section) => feedbackQuestion(section, 2)),
];

test("the scripted person has an answer to every question of the brainstorm, and each is one", () => {
  for (const question of asked) {
    const answers = [demoAnswers[question.id] ?? []].flat();
    assert.ok(answers.length > 0, question.id);
    for (const said of answers) assert.equal(readAnswer(question, said).ok, true, `${question.id}: ${said}`);
  }
});

test("the scripted person turns down one section, once", () => {
  const sections = Object.entries(demoAnswers).filter(([id]) => id.startsWith("brainstorm.section."));
  const turnedDown = sections.filter(([, said]) => [said].flat().includes("no"));
  assert.deepEqual(turnedDown, [["brainstorm.section.2", ["no", "yes"]]]);
});

test("the answers are a valid answers file without unknown ids", () => {
  const parsed = parseAnswers(JSON.stringify(demoAnswers), "the demo");
  assert.ok(parsed.ok);
  assert.deepEqual(unknownIds(parsed.answers, questionIds), []);
});
