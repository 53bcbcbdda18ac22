import assert from "node:assert/strict";
import { test } from "node:test";
import { facts, play, questions, type Script } from "../../../test/rig/flow.ts";
import type { Experience } from "../../core/money/experience.ts";
import { Task } from "../../core/plan/plan.ts";
import type { Mode } from "../../core/run/config.ts";
import type { PlannedWork } from "./execute.ts";
import { forecastWork } from "./forecast.ts";

const task = Task.parse({ id: 1, title: "A", description: "B", files: ["a.ts"], complexity: "hard" });
const work = (mode: Mode): PlannedWork => ({
  goal: "g",
  mode,
  plan: { tasks: [task] },
  requirements: [],
  choices: { execution: "auto", batchSize: null, review: "iterative", waivers: [] },
});
const rich: Experience = { own: [], past: [], spentUsd: 0.25, models: { "implementer/hard": "p/strong" } };
const poor: Experience = { ...rich, spentUsd: 19.9 };

const run = (script: Script, { mode = "standard", dryRun = false }: { mode?: Mode; dryRun?: boolean } = {}) =>
  play(forecastWork(work(mode), { dryRun }), script);

test("the forecast is on record before the first task, and what fits is not asked about", () => {
  const played = run({ experience: rich });
  assert.equal(played.end.how, "done");
  const [fact] = facts(played);
  assert.ok(fact?.type === "forecast");
  assert.equal(fact.forecast.spentUsd, 0.25);
  assert.equal(fact.forecast.samples, 0);
  assert.deepEqual(questions(played), []);
  assert.ok(played.requests.every((request) => request.do !== "dispatch"));
});

test("what does not fit is not asked about again: the approval of the plan has said so", () => {
  const played = run({ experience: poor });
  assert.equal(played.end.how, "done");
  assert.deepEqual(questions(played), []);
});

test("a dry run waits with the whole forecast, whether it fits or not, and asks once", () => {
  for (const experience of [rich, poor]) {
    const played = run({ experience }, { dryRun: true });
    assert.ok(played.end.how === "waiting");
    const { question } = played.end;
    assert.equal(question.id, "execute.start");
    assert.ok(question.kind === "select" && question.recommended === undefined);
    assert.match(
      question.message,
      /Cost: about \$\d[\s\S]*Time: [\s\S]*This is a guess[\s\S]*No task has started yet\./,
    );
    assert.equal(/does not fit/.test(question.message), experience === poor);
    const started = run({ experience, answers: { "execute.start": "start" } }, { dryRun: true });
    assert.equal(started.end.how, "done");
    assert.equal(questions(started).length, 1);
    const { end } = run({ experience, answers: { "execute.start": "abort" } }, { dryRun: true });
    assert.ok(end.how === "failed" && end.failure.kind === "aborted");
    assert.equal(end.failure.detail, "the person ended the run before the first task");
  }
});

test("a change too small for a plan is forecast too, and asks only in a dry run", () => {
  const played = run({ experience: poor }, { mode: "hotfix" });
  assert.equal(played.end.how, "done");
  assert.equal(facts(played).length, 1);
  assert.equal(run({ experience: poor }, { mode: "hotfix", dryRun: true }).end.how, "waiting");
});
