import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agent, dispatches, facts, play, questions, resultOf, type Script } from "../../test/rig/flow.ts";
import { planDocument } from "../../test/rig/plan.ts";
import { missing, resolved, reviewer } from "../../test/rig/task.ts";
import { readPlan } from "../core/plan/document.ts";
import { fenced } from "../core/text/block.ts";
import { inputFor, type LoadedPlan, type SddInput, sdd } from "./sdd.ts";

const path = "docs/my plan.md";
const text = planDocument([{ id: 1 }, { id: 2, dependsOn: [1], description: "First this, then that." }, { id: 3 }]);
const reading = readPlan(text, null);
const loaded: LoadedPlan = { path, text, plan: reading.ok ? reading.plan : assert.fail(reading.problems.join()) };
const second = loaded.plan.tasks[1] ?? assert.fail();
const first = { id: 1, title: "Title 1", status: "complete", commit: "b0b0b0b0b0", files: ["src/1.ts"] } as const;

const writes: Agent = ({ files, nth }) => {
  files.set("src/2.ts", `limit(${nth});`);
  return "Done.";
};
const script: Script = {
  flows: sdd.flows,
  documents: [path],
  files: { "README.md": "hello", [path]: text },
  agents: { implement: writes, "spec-review": reviewer({}), "quality-review": reviewer({}) },
};
const run = (changed: Partial<Script> = {}, earlier: SddInput["earlier"] = [{ ...first, files: [...first.files] }]) =>
  play(sdd.start(inputFor(loaded, second, earlier)), { ...script, ...changed });

test("a task of a plan is implemented, reviewed and committed, and nothing else is done", () => {
  const played = run();
  assert.deepEqual(
    dispatches(played).map(({ name }) => name),
    ["implement", "spec-review", "quality-review"],
  );
  assert.deepEqual(played.scopes, ["phase execute", "task task-2"]);
  assert.deepEqual(questions(played), []);
  const commits = played.requests.filter((request) => request.do === "commit");
  assert.deepEqual(
    commits.map(({ message, task, documents }) => [message.split("\n", 1)[0], task, documents]),
    [["workflow: task 2 — Title 2", "2", undefined]],
  );
  const report = resultOf(played);
  assert.equal(report.goal, "Task 2 of docs/my plan.md: Title 2");
  assert.deepEqual(
    report.tasks.map(({ task, status, files }) => [task, status, files]),
    [[2, "complete", ["src/2.ts"]]],
  );
  assert.equal(played.files.get(path), text);
});

test("the implementer is told what the plan says of the whole and of this task, and what was done before", () => {
  const [implement] = dispatches(run());
  const prompt = implement?.prompt ?? "";
  for (const told of [
    "## Goal\nlimit\n",
    "**Architecture:** a bucket",
    "## Task 2: Title 2",
    "First this, then that.",
    "This is one of 3 tasks: ",
    "Task 1, Title 1: complete, commit b0b0b0b (src/1.ts)",
  ])
    assert.ok(prompt.includes(told), told);
  assert.ok(!prompt.includes("Title 3"));
});

test("the implementer is told of the tasks that its own builds on, however many others are done", () => {
  const done = [1, 3, 4, 5, 6, 7, 8].map((id) => ({ ...first, id, title: `Title ${id}`, files: [`src/${id}.ts`] }));
  const [implement] = dispatches(run({}, done));
  const told = [...(implement?.prompt ?? "").matchAll(/^- Task (\d+), Title/gm)].map(([, id]) => id);
  assert.deepEqual(told, ["1", "5", "6", "7", "8"]);
});

test("what a reviewer finds is fixed before the commit", () => {
  const found = { ...missing, anchor: { requirement: "C1" } };
  const played = run({
    agents: {
      ...script.agents,
      fix: ({ files }) => {
        files.set("src/2.ts", "fixed(1);");
        return "Done.";
      },
      "spec-review": reviewer({ findings: [found] }, { resolutions: [resolved("F1")] }),
    },
  });
  assert.equal(resultOf(played).tasks[0]?.rounds, 1);
  assert.equal(played.files.get("src/2.ts"), "fixed(1);");
});

test("the plan is told once, with the mode; the configuration may say another one", () => {
  const told = (mode: string | undefined) =>
    facts(run({ config: { mode } })).flatMap((fact) =>
      fact.type === "plan.loaded"
        ? [`${fact.path} ${fact.task.id}/${fact.of}`]
        : fact.type === "triaged"
          ? [fact.mode]
          : [],
    );
  assert.deepEqual(told(undefined), ["docs/my plan.md 2/3", "standard"]);
  assert.deepEqual(told("hotfix"), ["docs/my plan.md 2/3", "hotfix"]);
});

test("what no run has done is warned about when a task builds on it", () => {
  const warnings = (earlier: SddInput["earlier"]) =>
    facts(run({}, earlier)).flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
  assert.deepEqual(warnings([{ ...first, files: [] }]), []);
  const expected = ["Task 2 builds on task 1, which no run has completed."];
  assert.deepEqual(warnings([]), expected);
  assert.deepEqual(warnings([{ ...first, status: "skipped", commit: null, files: [] }]), expected);
});

test("a single pass of reviews is a waiver in the report", () => {
  const [waiver = "", ...others] = resultOf(run({ config: { review: { mode: "single-pass" } } })).waivers;
  assert.match(waiver, /^reviews are single-pass/);
  assert.deepEqual(others, []);
});

test("a task that outgrows its mode goes on in a larger one, with the work so far", () => {
  const bigger = fenced("superteam-json", JSON.stringify({ bigger: { mode: "standard", reason: "It is more." } }));
  const implement: Agent = ({ files, nth }) => {
    files.set(`src/2-${nth}.ts`, `${nth}`);
    return nth === 1 ? `Begun.\n\n${bigger}` : "Done.";
  };
  const played = run({
    config: { mode: "hotfix" },
    agents: { ...script.agents, implement },
    answers: { "execute.task.2.bigger": "switch" },
  });
  assert.deepEqual(resultOf(played).tasks[0]?.files.toSorted(), ["src/2-1.ts", "src/2-2.ts"]);
  assert.deepEqual(
    dispatches(played).map(({ name }) => name),
    ["implement", "implement", "spec-review", "quality-review"],
  );
});

test("a task that is skipped leaves nothing and says so", () => {
  const played = run({
    agents: { ...script.agents, implement: () => "Nothing to do." },
    answers: { "execute.task.2.nothing": "skip" },
  });
  assert.equal(resultOf(played).tasks[0]?.status, "skipped");
  assert.ok(
    facts(played).some((fact) => fact.type === "report" && fact.text === "Task 2 of docs/my plan.md is skipped."),
  );
});

test("the plan is the only document: what is named like the plan of a part belongs to the work", () => {
  assert.deepEqual(sdd.documents(inputFor(loaded, second, [])), [path]);
});

test("an input with a plan outside the tree is refused", () => {
  assert.throws(() => sdd.start({ ...inputFor(loaded, second, []), documents: { plan: "../plan.md" } }));
});
