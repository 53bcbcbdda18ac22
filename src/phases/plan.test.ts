// The plan, from the planner's file to the person's approval.

import assert from "node:assert/strict";
import { test } from "node:test";
import { stringify } from "yaml";
import {
  type Agent,
  dispatches,
  type Files,
  facts,
  play,
  questions,
  resultOf,
  type Script,
} from "../../test/rig/flow.ts";
import { fenced } from "../core/block.ts";
import { Plan } from "../core/plan.ts";
import { planReview } from "./plan-review.ts";
import { type PlanJob, planWrite } from "./plan-write.ts";

const path = "docs/plans/x-plan.md";
const job: PlanJob = {
  goal: "Add rate limiting",
  map: "A small library.",
  design: "# Design\n\nA bucket.",
  path,
  requirements: [{ id: "R1", text: "It must." }],
};
const task = (id: number, title: string) => ({ id, title, description: "Do it.", files: ["src/a.ts"], covers: ["R1"] });
const planOf = (...titles: string[]) =>
  `# Plan\n\n${fenced("superteam-tasks", stringify(titles.map((title, index) => task(index + 1, title))))}\n`;
const writes =
  (...texts: string[]): Agent =>
  ({ files, nth }) => {
    const text = texts[nth - 1] ?? texts.at(-1);
    if (text) files.set(path, text);
    return "I wrote the plan.";
  };
const documents = [path, "docs/plans/x-design.md"];
const write = (script: Script) => play(planWrite(job), { documents, ...script });

test("the plan is what stands in the file that the planner wrote", () => {
  const played = write({ agents: { plan: writes(planOf("One", "Two")) } });
  assert.deepEqual(
    resultOf(played).tasks.map(({ title }) => title),
    ["One", "Two"],
  );
  const [order] = dispatches(played);
  assert.deepEqual([order?.role, order?.access], ["planner", "write"]);
  for (const part of [path, "A small library.", "A bucket.", "Add rate limiting"])
    assert.ok(order?.prompt.includes(part));
  assert.deepEqual(facts(played), [
    {
      type: "plan.written",
      path,
      tasks: [
        { id: "1", title: "One" },
        { id: "2", title: "Two" },
      ],
    },
  ]);
});

test("a plan that is not written or cannot be used is asked for again, with all its problems", () => {
  const unusable = planOf("One").replace("R1", "R7");
  const played = write({ agents: { plan: writes("", unusable, planOf("One")) } });
  assert.equal(resultOf(played).tasks.length, 1);
  const [, second, third] = dispatches(played).map(({ prompt }) => prompt);
  assert.match(second ?? "", /`docs\/plans\/x-plan\.md` was not written\./);
  assert.match(third ?? "", /"covers" names R7[\s\S]*requirement R1 is covered by no task\./);
  assert.doesNotMatch(third ?? "", /was not written/);
});

test("after three plans that cannot be used the person is asked, and shown the plan", () => {
  const played = write({ agents: { plan: writes("# No tasks at all") } });
  assert.equal(dispatches(played).length, 3);
  assert.ok(played.end.how === "waiting");
  assert.equal(played.end.question.id, "plan.write.unparsable");
  assert.match(played.end.question.message, /Output preview: # No tasks at all/);
});

test("a file of an earlier run is not taken for the plan", () => {
  const played = write({ files: { [path]: planOf("Old") }, agents: { plan: writes("", planOf("New")) } });
  assert.deepEqual(
    resultOf(played).tasks.map(({ title }) => title),
    ["New"],
  );
  assert.match(dispatches(played)[1]?.prompt ?? "", /was not written: it is as it was before/);
});

test("whatever else the planner wrote is put back, and told", () => {
  const eager: Agent = (turn) => {
    turn.files.set("src/a.ts", "code already");
    return writes(planOf("One"))(turn);
  };
  const played = write({ files: { "src/a.ts": "old" }, agents: { plan: eager } });
  assert.equal(resultOf(played).tasks.length, 1);
  assert.equal(played.files.get("src/a.ts"), "old");
  assert.equal(played.files.get(path), planOf("One"));
  assert.match(
    JSON.stringify(facts(played)),
    /may only write the plan, but src\/a\.ts changed\. That was put back; it is kept at refs/,
  );
});

const plan = Plan.parse({ tasks: [task(1, "One"), task(2, "Two")] });
const review = (script: Script) =>
  play(planReview(job, plan, "docs/plans/x-design.md"), {
    documents,
    files: { [path]: planOf("One", "Two") },
    ...script,
  });

test("the person sees the tasks, approves, and design and plan become one commit", () => {
  const played = review({ answers: { "plan.approval": "approve" } });
  assert.deepEqual(resultOf(played), plan);
  const [question] = questions(played);
  assert.ok(question?.kind === "select");
  assert.equal(question.title, "Plan Approval");
  assert.match(question.message, /^Plan has 2 tasks:\n {2}1\. One\n {2}2\. Two\n/);
  assert.deepEqual(
    question.options.map(({ label }) => label),
    ["Approve", "Revise (provide feedback)", "Abort"],
  );
  const commits = played.requests.filter((request) => request.do === "commit");
  assert.deepEqual(
    commits.map(({ message, documents: paths }) => ({ message, paths })),
    [{ message: "workflow: design and plan — Add rate limiting", paths: ["docs/plans/x-design.md", path] }],
  );
});

test("a revision goes to the planner with the person's words, and is shown again", () => {
  const played = review({
    agents: { revise: writes(planOf("One", "Two", "Three")) },
    answers: { "plan.approval": ["revise", "approve"], "plan.feedback": "Split the second task." },
  });
  assert.deepEqual(
    resultOf(played).tasks.map(({ title }) => title),
    ["One", "Two", "Three"],
  );
  assert.match(dispatches(played)[0]?.prompt ?? "", /Split the second task\./);
  assert.match(questions(played).at(-1)?.message ?? "", /Plan has 3 tasks/);
});

test("a revision that leaves the plan as it was is not one", () => {
  const played = review({
    agents: { revise: writes("", planOf("One")) },
    answers: { "plan.approval": ["revise", "approve"], "plan.feedback": "Fewer tasks." },
  });
  assert.equal(resultOf(played).tasks.length, 1);
  assert.equal(dispatches(played).length, 2);
});

test("empty feedback sends nobody", () => {
  const played = review({ answers: { "plan.approval": ["revise", "approve"], "plan.feedback": " \n" } });
  assert.deepEqual(resultOf(played), plan);
  assert.equal(dispatches(played).length, 0);
});

test("abort ends the run before anything is committed", () => {
  const played = review({ answers: { "plan.approval": "abort" } });
  assert.ok(played.end.how === "failed" && played.end.failure.kind === "aborted");
  assert.ok(!played.requests.some((request) => request.do === "commit"));
});

test("documents are not committed when the configuration says so", () => {
  const played = review({ config: { documents: { commit: false } }, answers: { "plan.approval": "approve" } });
  assert.deepEqual(resultOf(played), plan);
  assert.ok(!played.requests.some((request) => request.do === "commit"));
});

test("a refused commit of documents is tried again, left, or ends the run, as the person says", () => {
  const refusing = (until: number) => (nth: number, _files: Files) => (nth < until ? ("refused" as const) : undefined);
  const approve = { "plan.approval": "approve" };
  const retried = review({ commit: refusing(2), answers: { ...approve, "plan.commit": "retry" } });
  assert.equal(retried.requests.filter((request) => request.do === "commit").length, 2);
  assert.deepEqual(resultOf(retried), plan);
  const left = review({ commit: refusing(9), answers: { ...approve, "plan.commit": "skip" } });
  assert.deepEqual(resultOf(left), plan);
  assert.match(JSON.stringify(facts(left)), /Not committed: docs\/plans\/x-design\.md/);
  const ended = review({ commit: refusing(9), answers: { ...approve, "plan.commit": "abort" } });
  assert.ok(ended.end.how === "failed" && ended.end.failure.kind === "aborted");
});
