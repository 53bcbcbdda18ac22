import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agent, dispatches, facts, play, questions, resultOf, type Script } from "../../../test/rig/flow.ts";
import { scouted } from "../../../test/rig/triage.ts";
import { readAnswer } from "../../core/flow/question.ts";
import { fenced } from "../../core/text/block.ts";
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
  scout: () => scouted("A small library."),
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
  "triage.mode": "standard",
  "brainstorm.question.1": "2",
  "brainstorm.question.2": "1 ms",
  "brainstorm.question.3": "everybody",
  "brainstorm.approach": "a1",
  "brainstorm.section.1": "yes",
  "brainstorm.section.2": "yes",
};
const wishes = { skipBrainstorm: false, whole: false };
const run = (script: Partial<Script> = {}) =>
  play(brainstorm({ goal: "Add rate limiting", path, wishes }), { agents, answers, documents: [path], ...script });

test("a goal that is split is not designed here: each part is, where it is built", () => {
  const parts = [
    { title: "Store", scope: "the store alone" },
    { title: "Page", scope: "what shows it" },
  ];
  const played = run({
    agents: { scout: () => scouted("A library.", { breadth: "splits", parts }) },
    answers: { "triage.mode": "full", "triage.breadth": "splits" },
  });
  const { breadth, design, sections } = resultOf(played);
  assert.deepEqual({ breadth, design, sections }, { breadth: "splits", design: "", sections: [] });
  assert.deepEqual(facts(played).at(-1), { type: "brainstorm.step", step: "done" });
  assert.deepEqual(
    dispatches(played).map(({ role }) => role),
    ["scout"],
  );
});

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

test("A14: the option that the brainstormer would pick is marked, if it is one of them", () => {
  const pick = (recommended: string): string | undefined => {
    const question = { id: "q1", text: "Which store?", type: "choice", options: ["Memory", "Redis"], recommended };
    const asking = says({ type: "questions", questions: [question] });
    const [, asked] = questions(run({ agents: { ...agents, questions: asking } }));
    return asked?.kind === "select" ? asked.recommended : undefined;
  };
  assert.deepEqual([pick("Redis"), pick("A file")], ["2", undefined]);
});

test("each step is shown, and every answer and agreement recorded as it is given", () => {
  const types = facts(run()).map((fact) => (fact.type === "brainstorm.step" ? fact.step : fact.type));
  assert.deepEqual(types, [
    "scout",
    "triaged",
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

test("questions come one by one, as a choice or an input, each with its ways out", () => {
  const [, first, second, third] = questions(run());
  assert.deepEqual(first, {
    id: "brainstorm.question.1",
    kind: "select",
    title: "Question 1 of 3",
    modelMayAnswer: true,
    message: "Which store?",
    options: [
      { key: "1", label: "Memory" },
      { key: "2", label: "Redis" },
      { key: "other", label: "Other", hint: "answer in your own words" },
      { key: "judgment", label: "Use your best judgment" },
      { key: "discuss", label: "Discuss", hint: "ask something before you answer" },
    ],
  });
  assert.deepEqual(second, {
    id: "brainstorm.question.2",
    kind: "input",
    title: "Question 2 of 3",
    modelMayAnswer: true,
    message: "How fast?\n(Leave it empty: use your best judgment · < goes back · ? and your words: discuss it first)",
    placeholder: "<1 ms",
    default: "Use your best judgment",
  });
  assert.equal(third?.title, "Question 3 of 3");
});

test("any question may be left to the agent's judgment, which the next prompt is told", () => {
  const [, , input] = questions(run());
  assert.ok(input?.kind === "input");
  const left = readAnswer(input, "  ");
  assert.ok(left.ok);
  const played = run({
    answers: { ...answers, "brainstorm.question.1": "judgment", "brainstorm.question.2": left.answer },
  });
  const told = facts(played).flatMap((fact) => (fact.type === "brainstorm.answer" ? [fact.answer] : []));
  assert.deepEqual(told, ["Use your best judgment", "Use your best judgment", "everybody"]);
  const prompt = dispatches(played).find(({ name }) => name === "approaches")?.prompt ?? "";
  assert.match(prompt, /Which store\?\n {2}Use your best judgment\n- How fast\?\n {2}Use your best judgment/);
});

test("a person goes back to the question before, and the new answer counts", () => {
  const back = { ...answers, "brainstorm.question.1": ["1", "2"], "brainstorm.question.2": [" < ", " 2 ms "] };
  const played = run({ answers: back });
  assert.deepEqual(
    questions(played)
      .slice(1, 6)
      .map(({ id }) => id.slice("brainstorm.".length)),
    ["question.1", "question.2", "question.1", "question.2", "question.3"],
  );
  assert.match(resultOf(played).design, /\*\*Redis\*\*\n- How fast\?\n {2}\*\*2 ms\*\*/);
  assert.doesNotMatch(resultOf(played).design, /Memory\*\*/);
});

test("U7: none of the options has to fit: the person's own words are an answer to a choice", () => {
  const own = { ...answers, "brainstorm.question.1": "other", "brainstorm.question.1.other": "SQLite" };
  const played = run({ answers: own });
  const told = facts(played).find((fact) => fact.type === "brainstorm.answer");
  assert.equal(told?.answer, "SQLite");
});

test("a choice recommends what the brainstormer would choose, and offers to go back from the second question on", () => {
  const choice = (id: string) => ({ id, text: `${id}?`, type: "choice", options: ["A", "B"], recommended: "B" });
  const choices = says({ type: "questions", questions: ["q1", "q2", "q3"].map(choice) });
  const said = {
    "brainstorm.question.1": ["1", "2"],
    "brainstorm.question.2": ["back", "1"],
    "brainstorm.question.3": "2",
  };
  const played = run({ agents: { ...agents, questions: choices }, answers: { ...answers, ...said } });
  assert.match(resultOf(played).design, /q1\?\n {2}\*\*B\*\*\n- q2\?\n {2}\*\*A\*\*/);
  const asked = questions(played).filter((question) => question.kind === "select");
  assert.deepEqual(
    asked.slice(1, 4).map(({ recommended }) => recommended),
    ["2", "2", "2"],
  );
  const keys = asked.map(({ options }) => options.map(({ key }) => key));
  assert.deepEqual(keys[1], ["1", "2", "other", "judgment", "discuss"]);
  assert.deepEqual(keys[2], ["1", "2", "other", "judgment", "back", "discuss"]);
});

test("there is no way back from the first question", () => {
  const inputs = says({
    type: "questions",
    questions: ["q1", "q2", "q3"].map((id) => ({ id, text: id, type: "input" })),
  });
  const played = run({
    agents: { ...agents, questions: inputs },
    answers: { ...answers, "brainstorm.question.1": ["<", "yes"] },
  });
  const [, first, again] = questions(played);
  assert.doesNotMatch(first?.message ?? "", /goes back/);
  assert.equal(again?.id, "brainstorm.question.1");
  assert.match(again?.message ?? "", /^This is the first question: there is nothing to go back to\.\n\nq1\n/);
});

test("a question is discussed in one more turn, and asked again below what was said", () => {
  const reply: Agent = ({ nth }) => `Memory is lost at a restart (${nth}).\n`;
  const played = run({
    agents: { ...agents, "discuss-1": reply },
    answers: {
      ...answers,
      "brainstorm.question.1": ["discuss", "discuss", "1"],
      "brainstorm.question.1.discuss": ["What is lost?", "And with Redis?"],
    },
  });
  const asked = questions(played).filter(({ id }) => id === "brainstorm.question.1");
  assert.deepEqual(
    asked.map(({ message }) => message),
    [
      "Which store?",
      "Memory is lost at a restart (1).\n\nWhich store?",
      "Memory is lost at a restart (2).\n\nWhich store?",
    ],
  );
  const [first, second] = dispatches(played).filter(({ name }) => name === "discuss-1");
  assert.deepEqual([first?.role, first?.access], ["brainstormer", "read"]);
  assert.match(first?.prompt ?? "", /Which store\?\n- Memory\n- Redis[\s\S]*What is lost\?/);
  assert.doesNotMatch(first?.prompt ?? "", /so far/);
  assert.match(
    second?.prompt ?? "",
    /The person: What is lost\?\nYou: Memory is lost at a restart \(1\)\.[\s\S]*And with Redis\?/,
  );
  const answered = facts(played).filter(({ type }) => type === "brainstorm.answer");
  assert.equal(answered.length, 3, "a discussion is no answer");
  const approaches = dispatches(played).find(({ name }) => name === "approaches")?.prompt ?? "";
  assert.match(
    approaches,
    /Discussed first:\n {2}> The person: What is lost\?\n {2}> You: /,
    "A4: later steps know it",
  );
  assert.match(
    resultOf(played).design,
    /## Decisions\n\n[\s\S]*- The person: What is lost\?\n {2}- The brainstormer: /,
  );
});

test("an empty line goes back from one's own words to the question, and costs no agent", () => {
  const own = {
    "brainstorm.question.1": ["other", "discuss", "1"],
    "brainstorm.question.1.other": "",
    "brainstorm.question.1.discuss": "",
    "brainstorm.approach": ["other", "a2"],
    "brainstorm.approach.other": "",
    "brainstorm.section.2": ["no", "yes"],
    "brainstorm.section.2.feedback": "",
  };
  const played = run({ answers: { ...answers, ...own } });
  assert.match(resultOf(played).design, /Which store\?\n {2}\*\*Memory\*\*[\s\S]*## Approach\n\nProxy:/);
  assert.deepEqual(
    dispatches(played).map(({ name }) => name),
    dispatches(run()).map(({ name }) => name),
  );
});

test("in an input a question mark discusses: with words at once, without them after asking for some", () => {
  const played = run({
    agents: { ...agents, "discuss-2": () => " ", "discuss-3": () => "Everyone who calls." },
    answers: {
      ...answers,
      "brainstorm.question.2": ["? what is usual", "1 ms"],
      "brainstorm.question.3": ["?", "all"],
      "brainstorm.question.3.discuss": "Who is meant?",
    },
  });
  assert.match(resultOf(played).design, /For whom\?\n {2}\*\*all\*\*/);
  const sent = dispatches(played).filter(({ name }) => name.startsWith("discuss-"));
  assert.match(sent[0]?.prompt ?? "", /The person says, before answering\n```\nwhat is usual\n```/);
  assert.match(sent[1]?.prompt ?? "", /The person says, before answering\n```\nWho is meant\?\n```/);
  const shown = questions(played).map(({ id, message }) => `${id} ${message}`);
  assert.ok(shown.some((line) => line.startsWith("brainstorm.question.2 The brainstormer had no reply to that.")));
  assert.ok(!shown.some((line) => line.startsWith("brainstorm.question.2.discuss")));
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
  assert.equal(questions(played).find(({ id }) => id === "brainstorm.approach.other")?.kind, "input");
});

test("every step is told the goal and the scout's map, and from the approaches on what the person answered", () => {
  const played = run({
    answers: { ...answers, "brainstorm.section.2": ["no", "yes"], "brainstorm.section.2.feedback": "More." },
  });
  const brainstorming = dispatches(played).filter(({ role }) => role === "brainstormer");
  assert.deepEqual(
    brainstorming.map(({ name }) => name),
    ["questions", "approaches", "design", "section-2"],
  );
  for (const { name, prompt } of brainstorming) {
    assert.match(prompt, /## Goal\nAdd rate limiting\n/, name);
    assert.match(prompt, /as the scout reports it\n```\nA small library\.\n```/, name);
    const told = /- Which store\?\n {2}Redis\n- How fast\?\n {2}1 ms\n- For whom\?\n {2}everybody/.test(prompt);
    assert.equal(told, name !== "questions", name);
  }
  assert.match(dispatches(played)[0]?.prompt ?? "", /## Goal\nAdd rate limiting/);
  assert.match(
    brainstorming.at(-1)?.prompt ?? "",
    /## The other sections\n```markdown\n## Title s1\n[\s\S]*- \*\*R1\*\*/,
  );
  const feedback = questions(played).find(({ id }) => id === "brainstorm.section.2.feedback");
  assert.equal(feedback?.kind, "input");
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
  const shown = questions(played).find(({ id }) => id === "brainstorm.section.1");
  assert.equal(shown?.title, "Design Section: Title s1 (1 of 2)");
  const feedback = questions(played).find(({ id }) => id === "brainstorm.section.2.feedback");
  assert.equal(
    feedback?.message,
    "## Title s2\n\nText.\n\n- **R2** It must.\n\nWhat should change? (Leave it empty to go back to the question.)",
    "U7: the text stays",
  );
  assert.equal(shown?.message, "## Title s1\n\nText.\n\n- **R1** It must.\n\nDoes this section look right?");
  assert.ok(shown.kind === "select");
  assert.deepEqual(
    shown.options.map(({ label }) => label),
    ["Yes", "No, revise"],
  );
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

test("a model may answer what the work is about, and only a person approves", () => {
  const script = {
    answers: {
      ...answers,
      "brainstorm.question.1": ["discuss", "other"],
      "brainstorm.question.1.discuss": "Why?",
      "brainstorm.question.1.other": "A file",
      "brainstorm.approach": "other",
      "brainstorm.approach.other": "Mine.",
      "brainstorm.section.2": ["no", "yes"],
      "brainstorm.section.2.feedback": "Shorter.",
    },
    agents: { ...agents, "discuss-1": () => "Because." },
  };
  const asked = questions(run(script));
  const ids = (isOpen: boolean) =>
    asked.filter((each) => (each.modelMayAnswer ?? false) === isOpen).map(({ id }) => id);
  assert.deepEqual([...new Set(ids(true))].sort(), [
    "brainstorm.approach",
    "brainstorm.approach.other",
    "brainstorm.question.1",
    "brainstorm.question.1.discuss",
    "brainstorm.question.1.other",
    "brainstorm.question.2",
    "brainstorm.question.3",
  ]);
  assert.deepEqual([...new Set(ids(false))].sort(), [
    "brainstorm.section.1",
    "brainstorm.section.2",
    "brainstorm.section.2.feedback",
    "triage.mode",
  ]);
});

test("an agent that fails is asked about under the name of its step", () => {
  for (const name of ["scout", "questions", "approaches", "design"]) {
    const { end } = run({ agents: { ...agents, [name]: () => ({ failed: "auth" }) } });
    assert.equal(end.how === "waiting" && end.question.id, `brainstorm.${name}.failed`);
  }
});
