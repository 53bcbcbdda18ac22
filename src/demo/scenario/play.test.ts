import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { Design, goalAsDesign, revisionOf } from "../../core/plan/brainstorm.ts";
import { designDocument } from "../../core/plan/design-document.ts";
import { readPlan } from "../../core/plan/document.ts";
import { FinalReview } from "../../core/review/review.ts";
import { ceremonies } from "../../core/run/ceremony.ts";
import { readAnswerBlock } from "../../core/text/answer.ts";
import * as brainstorm from "../../prompts/brainstorm.ts";
import { finalReview } from "../../prompts/final.ts";
import { revisePlan, writePlan } from "../../prompts/plan.ts";
import { turnOf } from "../model/conversation.ts";
import type { Turn } from "../model/play.ts";
import { approaches, design, goal } from "./brainstorm-texts.ts";
import { firstDraft } from "./plan-text.ts";
import { demoPlay } from "./play.ts";

const play = demoPlay({ latencyMs: 0 });
const { sections } = Design.parse(design);
const brief: brainstorm.Brief = {
  goal,
  map: "",
  answers: [{ question: "Why?", answer: "Because." }],
  approach: "Mine.",
};

/** The first request of a dispatch. */
function opening(step: string, prompt: string, attempt = 1): Turn {
  const text = `${prompt}\n\n[superteam] run=r role=any step=${step} attempt=${attempt}`;
  const message = { role: "user" as const, text, calls: [], results: [] };
  return turnOf({ model: "m", system: "", tools: [], messages: [message] });
}

test("a person at the keyboard may want any section changed in any way", () => {
  for (const [index, section] of sections.entries()) {
    const others = sections.filter((other) => other !== section);
    const prompt = brainstorm.reviseSection(brief, section, "Say it in\n## fewer `words`.", others);
    const { text = "" } = play(opening(`brainstorm/section-${index + 1}`, prompt));
    const answer = readAnswerBlock(text, "superteam-brainstorm", revisionOf(section, sections));
    assert.ok(answer.ok, JSON.stringify(answer));
    assert.match(answer.value.section.content, /fewer/);
  }
});

test("a person at the keyboard may want the plan changed, more than once, and gets another plan each time", () => {
  const job = { goal, map: "", design: "", path: "docs/plans/p-plan.md", tdd: "required" } as const;
  const ids = sections.flatMap((section) => section.requirements.map((requirement) => requirement.id));
  const texts = [1, 2].map((attempt) => {
    const looked = { ...opening("plan-review/revise", revisePlan(job, "Shorter."), attempt), turn: 1 };
    const { tools } = play({ ...looked, results: [{ name: "read", text: "export", failed: false }] });
    const { oldText, newText } = z
      .object({ oldText: z.string(), newText: z.string() })
      .parse(z.array(z.unknown()).parse(tools?.[0]?.args["edits"])[0]);
    const draft = firstDraft(ids);
    assert.equal(draft.split(oldText).length, 2);
    return draft.replace(oldText, newText);
  });
  for (const text of texts) assert.equal(readPlan(text, ids).ok, true);
  assert.notEqual(texts[0], texts[1]);
});

test("the plan covers the requirements that the design has, also when the goal is the only one", () => {
  const design = designDocument({ goal, answers: [], approach: "", sections: goalAsDesign(goal) });
  const prompt = writePlan({ goal, map: "", design, path: "docs/plans/p.md", tdd: "required" });
  const results = [{ name: "read", text: "export", failed: false }];
  const { tools } = play({ ...opening("plan-write/plan", prompt), turn: 1, results });
  const reading = readPlan(String(tools?.[0]?.args["content"]), ["R1"]);
  assert.ok(reading.ok, JSON.stringify(reading));
  assert.equal(reading.plan.tasks.length, 3);
});

test("the final review holds only what was done against the design, by requirements that the design has", () => {
  const requirements = [{ id: "R1", text: goal }];
  const changes = { files: [], diff: "" };
  const whole = { goal, designPath: "docs/plans/p-design.md", tasks: [{ id: 2, title: "Middleware" }], requirements };
  const prompt = finalReview({
    ...whole,
    changes,
    evidence: [],
    leftOut: [],
    deferred: [],
    waivers: [],
    concerns: [],
    blockOn: "low",
    since: null,
  });
  const start = opening("finalize/final-review", prompt);
  const calls = play(start).tools ?? [];
  const results = calls.map(({ name }) => ({ name, text: "no such file", failed: true }));
  const { text = "" } = play({ ...start, turn: 1, results, history: [{ text: "", calls, results }] });
  const answer = readAnswerBlock(text, "superteam-json", FinalReview);
  assert.ok(answer.ok, JSON.stringify(answer));
  assert.match(answer.value.findings.map(({ what }) => what).join(), /No request is ever refused/);
  assert.doesNotMatch(answer.value.findings.map(({ what }) => what).join(), /minutes|bucket can fill/);
  for (const { anchor } of answer.value.findings) assert.deepEqual(anchor, { requirement: "R1" });
});

test("every reviewer that a task can have has a part, in a plan and without one", () => {
  for (const role of ceremonies.full.reviewers) {
    const name = role.replace("-reviewer", "-review");
    for (const prompt of ["", `## Task 1: ${goal}\nDo it.`]) {
      const { tools = [] } = play(opening(`execute/task-1/${name}/${name}`, prompt));
      assert.equal(
        tools.some(({ args }) => args["path"] === "src/rate-limit.js"),
        prompt !== "",
        name,
      );
    }
  }
});

test("a person at the keyboard may discuss a question and ask for the documentation", () => {
  for (const step of ["brainstorm/discuss-2", "finalize/docs"]) {
    assert.deepEqual(
      play(opening(step, "")).tools?.map(({ name }) => name),
      ["read"],
      step,
    );
  }
});

test("the scenario says so when it is asked to mend what it does not know", () => {
  const { text, tools } = play(opening("execute/task-1/fix", "Fix.\n\n## What was found\n- F1 high incorrect: Wrong."));
  assert.match(text ?? "", /I do not know how to fix this[\s\S]*F1/);
  assert.equal(tools, undefined);
});

test("brainstorm steps do not go on without what came before them", () => {
  const bare = { ...brief, answers: [], approach: "" };
  const prompts = {
    questions: brainstorm.questions(bare),
    approaches: brainstorm.approaches(bare),
    design: brainstorm.design(bare),
    "design#2": brainstorm.designPage(bare),
  };
  for (const [name, prompt] of Object.entries(prompts)) {
    assert.match(play(opening(`brainstorm/${name}`, prompt)).text ?? "", /^I cannot /, name);
  }
});

test("an unknown step or a prompt without its first line is refused, and a restarted scope is not", () => {
  assert.throws(() => play(opening("brainstorm/dance", "")), /no scene for the step brainstorm\/dance/);
  assert.throws(() => play(opening("execute/task-9/implement", "")), /no scene/);
  assert.throws(() => play({ ...opening("brainstorm/scout", ""), header: null }), /first line|names a dispatch/);
  const prompt = brainstorm.approaches(brief);
  assert.deepEqual(play(opening("brainstorm@2/approaches", prompt)), play(opening("brainstorm/approaches", prompt)));
  assert.match(play(opening("brainstorm/approaches", prompt)).text ?? "", new RegExp(approaches.recommendation));
});

test("the model takes its time when it is told to", () => {
  const turn = opening("brainstorm/approaches", brainstorm.approaches(brief));
  assert.equal(demoPlay({ latencyMs: 80 })(turn).latencyMs, 80);
  assert.equal(play(turn).latencyMs, undefined);
});
