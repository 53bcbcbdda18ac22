import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agent, dispatches, facts, play, questions, resultOf, type Script } from "../../test/rig/flow.ts";
import { fenced } from "../core/block.ts";
import { brainstorm } from "./brainstorm.ts";

const path = "docs/plans/x-design.md";
const says =
  (value: unknown): Agent =>
  () =>
    fenced("superteam-brainstorm", JSON.stringify(value));
const section = (id: string, requirement: string, content = "Text.") => ({
  id,
  title: `Title ${id}`,
  content,
  requirements: [{ id: requirement, text: "It must." }],
});
const agents: Record<string, Agent> = {
  scout: () => "A small library.\n",
  questions: says({
    type: "questions",
    questions: [
      { id: "q1", text: "Which store?", type: "choice", options: ["Memory", "Redis"] },
      { id: "q2", text: "How fast?", type: "input", placeholder: "<1 ms" },
      { id: "q3", text: "For whom?", type: "input" },
    ],
  }),
  approaches: says({
    type: "approaches",
    approaches: [
      { id: "a1", title: "Middleware", summary: "Simple.", tradeoffs: "Memory.", taskEstimate: 3 },
      { id: "a2", title: "Proxy", summary: "Apart.", tradeoffs: "Operations.", taskEstimate: 1 },
    ],
    recommendation: "a1",
    reasoning: "It fits.",
  }),
  design: says({ type: "design", sections: [section("s1", "R1"), section("s2", "R2")] }),
  "section-2": says({ type: "section", section: section("s2", "R2", "Better text.") }),
};
const answers = {
  "brainstorm.question.1": "2",
  "brainstorm.question.2": "1 ms",
  "brainstorm.question.3": "everybody",
  "brainstorm.approach": "a1",
  "brainstorm.section.1": "yes",
  "brainstorm.section.2": "yes",
};
const run = (script: Partial<Script> = {}) =>
  play(brainstorm("Add rate limiting", path), { agents, answers, documents: [path], ...script });

test("a goal becomes a design that the person agreed to, on disk before it is announced", () => {
  const played = run();
  const { map, design, sections } = resultOf(played);
  assert.equal(map, "A small library.");
  assert.deepEqual(
    sections.map(({ id }) => id),
    ["s1", "s2"],
  );
  assert.equal(played.files.get(path), design);
  assert.match(
    design,
    /^# Design: Add rate limiting\n[\s\S]*Which store\?\n {2}\*\*Redis\*\*[\s\S]*## Title s2\n\nText\.\n\n- \*\*R2\*\* It must\./,
  );
  const steps = played.requests.map((request) => (request.do === "record" ? request.fact.type : request.do));
  assert.ok(steps.indexOf("write") < steps.indexOf("design.written"));
});

test("each step is shown, and every answer and agreement recorded as it is given", () => {
  const types = facts(run()).map((fact) => (fact.type === "brainstorm.step" ? fact.step : fact.type));
  assert.deepEqual(types, [
    "scout",
    "questions",
    "brainstorm.questions",
    "brainstorm.answer",
    "brainstorm.answer",
    "brainstorm.answer",
    "approaches",
    "brainstorm.approaches",
    "brainstorm.approach",
    "design",
    "brainstorm.sections",
    "brainstorm.section",
    "brainstorm.section",
    "design.written",
    "done",
  ]);
});

test("questions come one by one, as a choice or an input", () => {
  const [first, second, third] = questions(run());
  assert.deepEqual(first, {
    id: "brainstorm.question.1",
    kind: "select",
    title: "Question 1 of 3",
    message: "Which store?",
    options: [
      { key: "1", label: "Memory" },
      { key: "2", label: "Redis" },
    ],
  });
  assert.deepEqual(second, {
    id: "brainstorm.question.2",
    kind: "input",
    title: "Question 2 of 3",
    message: "How fast?",
    placeholder: "<1 ms",
  });
  assert.equal(third?.title, "Question 3 of 3");
});

test("the recommended approach is marked, with summary, size and trade-offs of each", () => {
  const question = questions(run()).find(({ id }) => id === "brainstorm.approach");
  assert.ok(question?.kind === "select");
  assert.equal(question.title, "Choose Approach");
  assert.equal(question.recommended, "a1");
  assert.deepEqual(question.options, [
    { key: "a1", label: "Middleware", hint: "Simple. (3 tasks)" },
    { key: "a2", label: "Proxy", hint: "Apart. (1 task)" },
    { key: "other", label: "Other", hint: "describe your own approach" },
  ]);
  assert.match(question.message, /Trade-offs: Operations\.\nRecommended: Middleware\. It fits\./);
});

test("a person may describe an approach of their own", () => {
  const own = { "brainstorm.approach": "other", "brainstorm.approach.other": "Use the gateway." };
  const played = run({ answers: { ...answers, ...own } });
  assert.match(resultOf(played).design, /## Approach\n\nUse the gateway\./);
  assert.ok(facts(played).some((fact) => fact.type === "brainstorm.approach" && fact.custom));
  assert.match(dispatches(played).find(({ name }) => name === "design")?.prompt ?? "", /Use the gateway\./);
});

test("a section that is turned down is revised alone, with the person's words, and asked about again", () => {
  const refused = {
    ...answers,
    "brainstorm.section.2": ["no", "yes"],
    "brainstorm.section.2.feedback": "Say what happens behind a proxy.",
  };
  const played = run({ answers: refused });
  assert.deepEqual(
    resultOf(played).sections.map(({ content }) => content),
    ["Text.", "Better text."],
  );
  const revision = dispatches(played).find(({ name }) => name === "section-2");
  assert.match(revision?.prompt ?? "", /Say what happens behind a proxy\./);
  assert.doesNotMatch(revision?.prompt ?? "", /"id": "s1"/);
  const asked = questions(played).map(({ id }) => id);
  assert.equal(asked.filter((id) => id === "brainstorm.section.1").length, 1);
  assert.equal(asked.filter((id) => id === "brainstorm.section.2").length, 2);
});

test("a revision that answers with another section is not taken", () => {
  const played = run({
    answers: { ...answers, "brainstorm.section.2": ["no", "yes"], "brainstorm.section.2.feedback": "More." },
    agents: {
      ...agents,
      "section-2": ({ nth, ...turn }) =>
        nth === 1
          ? says({ type: "section", section: section("s1", "R2") })({ nth, ...turn })
          : says({ type: "section", section: section("s2", "R2", "Right.") })({ nth, ...turn }),
    },
  });
  assert.equal(resultOf(played).sections[1]?.content, "Right.");
  assert.match(dispatches(played).findLast(({ name }) => name === "section-2")?.prompt ?? "", /must keep the id "s2"/);
});

test("a scout with nothing to say is a warning, no obstacle", () => {
  const played = run({ agents: { ...agents, scout: () => " \n" } });
  assert.equal(resultOf(played).map, "");
  assert.match(JSON.stringify(facts(played)), /The scout reported nothing/);
  assert.doesNotMatch(dispatches(played)[1]?.prompt ?? "", /as the scout reports it/);
});

test("only readers are sent, each told what is known so far", () => {
  const sent = dispatches(run());
  assert.deepEqual(
    sent.map(({ name, role, access }) => `${name} ${role} ${access}`),
    ["scout scout read", "questions brainstormer read", "approaches brainstormer read", "design brainstormer read"],
  );
  assert.match(sent[1]?.prompt ?? "", /A small library\./);
  assert.match(sent[2]?.prompt ?? "", /Which store\?\n {2}Redis/);
  assert.match(sent[3]?.prompt ?? "", /Middleware: Simple\. Trade-offs: Memory\./);
});

test("a question that is not answered stops the run there, with nothing asked after it", () => {
  const { "brainstorm.question.2": _, ...rest } = answers;
  const played = run({ answers: rest });
  assert.ok(played.end.how === "waiting");
  assert.equal(played.end.question.id, "brainstorm.question.2");
  assert.deepEqual(
    dispatches(played).map(({ name }) => name),
    ["scout", "questions"],
  );
});
