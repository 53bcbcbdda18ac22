// How much process a goal gets: proposed by the scout, decided by the person, unless they said so before.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatches, facts, play, questions, resultOf, type Script } from "../../../test/rig/flow.ts";
import { scouted } from "../../../test/rig/triage.ts";
import type { PastRun } from "../../core/money/experience.ts";
import { type TriageWishes, triage } from "./triage.ts";

const parts = [
  { title: "Store", scope: "the store alone" },
  { title: "Page", scope: "what shows it" },
];
const run = (script: Partial<Script> = {}, wishes: Partial<TriageWishes> = {}, said = scouted("A library.")) =>
  play(triage("Add search", { whole: false, ...wishes }), {
    answers: { "triage.mode": "standard" },
    ...script,
    agents: { scout: () => said, ...script.agents },
  });
const warnings = (played: ReturnType<typeof run>) =>
  facts(played).flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
const past = (mode: PastRun["mode"], costUsd: number, how: PastRun["how"] = "finished"): PastRun => ({
  v: 1,
  runId: "r",
  goal: "g",
  how,
  mode,
  startedAt: 0,
  endedAt: 1,
  activeMs: 1,
  costUsd,
  estimated: false,
  dispatches: 3,
  tasks: 1,
  rounds: 0,
  ceremonyRatio: null,
  samples: [],
  forecast: null,
});

test("the scout's proposal is recommended with its reason, and the person decides", () => {
  const files = ["src/a.ts", "./src/a.ts", "src/b.ts"];
  const said = scouted("A library.", { mode: "hotfix", reason: "It is one line.", files });
  const played = run({ answers: { "triage.mode": "quick" } }, {}, said);
  const [question] = questions(played);
  assert.ok(question?.kind === "select");
  assert.equal(question.recommended, "hotfix");
  assert.match(question.message, /The scout proposes hotfix: It is one line\.$/);
  assert.deepEqual(
    question.options.map(({ key }) => key),
    ["hotfix", "quick", "standard", "full"],
  );
  assert.match(question.options[0]?.hint ?? "", /^one small change: implement, one review, commit; 3 agents or more$/);
  assert.deepEqual(facts(played).at(-1), {
    type: "triaged",
    mode: "quick",
    proposed: "hotfix",
    reason: "It is one line.",
    breadth: "one",
    parts: [],
    rounds: 2,
    files: 2,
  });
  const { mode, map } = resultOf(played);
  assert.deepEqual([mode, map], ["quick", "A library."]);
});

test("the scout's title for the change goes with the proposal, where it gives one", () => {
  const titled = (more: object) => resultOf(run({}, {}, scouted("A library.", more)));
  assert.equal(titled({ title: "Find pages by their words" }).title, "Find pages by their words");
  assert.ok(!("title" in titled({})));
});

test("what a mode costs stands beside it: what finished runs did, or the least at the scout's cost", () => {
  const runs = [
    past("hotfix", 0.5),
    past("hotfix", 9, "aborted"),
    past("quick", 3),
    past("quick", 1),
    past("quick", 2),
  ];
  // A dispatch without a known cost says nothing of what the others will cost.
  const scout = { role: "scout", difficulty: null, model: "a/b", costsUsd: [0, 0.1], ms: [1, 1] };
  const played = run({ experience: { own: [scout], past: runs, spentUsd: 0.1, models: {} } });
  const [question] = questions(played);
  assert.ok(question?.kind === "select");
  const hints = question.options.map(({ hint = "" }) => hint.split("; ")[1]);
  assert.deepEqual(hints, [
    "the one run so far cost $0.50",
    "the median of 3 runs so far is $2.00",
    "11 agents or more, $1.10 if each costs what the scout did",
    "13 agents or more, $1.30 if each costs what the scout did",
  ]);
});

test("a mode that was given beforehand is not asked for, the flag before the configuration", () => {
  const asked = (played: ReturnType<typeof run>) =>
    played.requests.filter((request) => request.do === "ask" || request.do === "experience").length;
  const flagged = run({ config: { mode: "full" } }, { mode: "hotfix" });
  assert.deepEqual([resultOf(flagged).mode, asked(flagged)], ["hotfix", 0]);
  const configured = run({ config: { mode: "full" } });
  assert.deepEqual([resultOf(configured).mode, asked(configured)], ["full", 0]);
  assert.ok(facts(configured).some((fact) => fact.type === "triaged" && fact.proposed === "standard"));
});

test("a goal in parts is the person's to take apart or not", () => {
  const said = scouted("A library.", { breadth: "batches", parts });
  const whole = run({ answers: { "triage.mode": "full", "triage.breadth": "one" } }, {}, said);
  assert.deepEqual([resultOf(whole).breadth, resultOf(whole).parts], ["one", []]);
  const played = run({ answers: { "triage.mode": "full", "triage.breadth": "batches" } }, {}, said);
  const question = questions(played)[1];
  assert.ok(question?.kind === "select");
  assert.equal(question.recommended, "batches");
  assert.match(question.message, /2 parts:\n {2}1\. Store: the store alone\n {2}2\. Page: what shows it/);
  assert.deepEqual(
    question.options.map(({ key }) => key),
    ["batches", "one"],
  );
  assert.deepEqual(resultOf(played).parts, parts);
});

test("a run that is a part itself is not taken apart again", () => {
  const played = run({}, { whole: true }, scouted("A library.", { breadth: "splits", parts }));
  assert.deepEqual([resultOf(played).breadth, questions(played).length], ["one", 1]);
});

test("a proposal that cannot be used is asked for again with the problem, and then the person decides without one", () => {
  const played = run({ agents: { scout: ({ nth }) => `Report ${nth}.` } });
  assert.equal(resultOf(played).map, "Report 3.");
  const sent = dispatches(played);
  assert.equal(sent.length, 3);
  assert.match(sent[1]?.prompt ?? "", /What is wrong with its form\n````\nthere is no ```superteam-json block/);
  assert.match(warnings(played)[2] ?? "", /^The scout's proposal cannot be used: there is no/);
  const [question] = questions(played);
  assert.ok(question?.kind === "select");
  assert.equal(question.recommended, "standard");
  assert.match(question.message, /The scout made no proposal\.$/);
});

test("a scout that gives only a proposal is a warning, and its proposal counts", () => {
  const played = run({}, {}, scouted("", { mode: "quick" }));
  assert.equal(resultOf(played).map, "");
  assert.deepEqual(warnings(played), ["The scout reported nothing; the design starts from the goal alone."]);
  assert.ok(facts(played).some((fact) => fact.type === "triaged" && fact.proposed === "quick"));
});

test("parts that are none are refused: batches and splits have two at least", () => {
  const said = [scouted("A library.", { breadth: "batches" }), scouted("A library.")];
  const played = run({ agents: { scout: ({ nth }) => said[nth - 1] ?? "" } });
  assert.match(dispatches(played)[1]?.prompt ?? "", /batches and splits have at least two parts/);
});
