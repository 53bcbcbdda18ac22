// The plan, as the planner writes it and code reads it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agent, dispatches, facts, play, resultOf, type Script } from "../../../test/rig/flow.ts";
import { designPath, planDocument, planHeader, planJob, planOf, planPath, writesPlan } from "../../../test/rig/plan.ts";
import { fenced } from "../../core/text/block.ts";
import { planWrite } from "./write.ts";

const path = planPath;
const documents = [path, designPath];
const write = (script: Script) => play(planWrite(planJob), { documents, ...script });

test("the plan is what stands in the file that the planner wrote", () => {
  const played = write({ agents: { plan: writesPlan(planOf("One", "Two")) } });
  assert.deepEqual(
    resultOf(played).plan.tasks.map(({ title }) => title),
    ["One", "Two"],
  );
  const [order] = dispatches(played);
  assert.deepEqual([order?.role, order?.access], ["planner", "write"]);
  assert.deepEqual(order?.documents, [path], "it goes back to what it was when the planner is interrupted");
  for (const part of [path, "A small library.", "A bucket.", "Add rate limiting"])
    assert.ok(order?.prompt.includes(part));
  assert.deepEqual(facts(played), [
    {
      type: "plan.written",
      path,
      tasks: [
        { id: "1", title: "One", files: ["src/1.ts"], criteria: ["It does 1."] },
        { id: "2", title: "Two", files: ["src/2.ts"], criteria: ["It does 2."] },
      ].map((line) => ({ ...line, complexity: "medium", covers: ["R1"], dependsOn: [] })),
    },
  ]);
});

test("the planner is told whether tests come first, as the configuration says", () => {
  for (const tdd of ["required", "off"] as const) {
    const [order] = dispatches(write({ config: { tdd }, agents: { plan: writesPlan(planOf("One")) } }));
    assert.equal(/test first/.test(order?.prompt ?? ""), tdd === "required", tdd);
  }
});

test("a plan that is not written or cannot be used is asked for again, with all its problems", () => {
  const unusable = planOf("One").replace("R1", "R7").replace("**Tech Stack:**", "**Tools:**");
  const played = write({ agents: { plan: writesPlan("", unusable, planOf("One")) } });
  assert.equal(resultOf(played).plan.tasks.length, 1);
  const [, second, third] = dispatches(played).map(({ prompt }) => prompt);
  assert.match(second ?? "", /`docs\/plans\/x-plan\.md` was not written\./);
  assert.match(
    third ?? "",
    /the header of the plan has no "Tech Stack"\.[\s\S]*"covers" names R7[\s\S]*requirement R1 is covered by no task\./,
  );
  assert.doesNotMatch(third ?? "", /was not written/);
});

test("A3: a plan that cannot be used is kept and edited; one that was read with its texts quoted says so", () => {
  const broken = planOf("One").replace("files:", "files: [");
  const mended = planOf("One").replace("It does 1.", "`x` is: y");
  const seen: (string | undefined)[] = [];
  const plan: Agent = (turn) => {
    seen.push(turn.files.get(path));
    return writesPlan(broken, mended)(turn);
  };
  const played = write({ agents: { plan } });
  assert.deepEqual(seen, [undefined, broken]);
  assert.match(dispatches(played)[1]?.prompt ?? "", /The file is kept\. Fix all of these in it with your edit tool/);
  assert.deepEqual(resultOf(played).plan.tasks[0]?.criteria, ["`x` is: y"]);
  assert.match(JSON.stringify(facts(played)), /"The plan could not be used; the planner fixes it: [^"]*YAML/);
  assert.match(JSON.stringify(facts(played)), /read as they are written \(criteria, line \d+ of the block\)/);
});

test("a plan that its own code check refuses costs no reviewer", () => {
  const wrong = [
    planDocument([{ id: 1 }]).replace("src/1.ts", "../outside.ts"),
    planDocument([
      { id: 1, dependsOn: [2] },
      { id: 2, dependsOn: [1] },
    ]),
    planDocument([{ id: 1 }, { id: 2 }]).replace("### Task 2", "### Task 3"),
    planDocument([{ id: 2 }, { id: 5 }]),
  ];
  for (const text of wrong) {
    const played = write({ agents: { plan: writesPlan(text) } });
    assert.deepEqual([...new Set(dispatches(played).map(({ role }) => role))], ["planner"]);
    assert.equal(dispatches(played).length, 3);
  }
});

test("after three plans that cannot be used the person is asked, with all the problems and the plan", () => {
  const played = write({ agents: { plan: writesPlan(`${planHeader}\nNo tasks at all.\n`) } });
  assert.equal(dispatches(played).length, 3);
  assert.ok(played.end.how === "waiting");
  const { question } = played.end;
  assert.deepEqual([question.id, question.title], ["plan.write.unparsable", "Plan Error"]);
  assert.match(question.message, /\nRetry to have it fixed\.$/);
  const { end } = write({
    agents: { plan: writesPlan(`${planHeader}\nNo tasks at all.\n`) },
    answers: { "plan.write.unparsable": "abort" },
  });
  assert.ok(end.how === "failed" && end.failure.kind === "aborted");
  assert.match(end.failure.detail, /^the person ended the run after the plan in .* could not be used: there is no ```/);
  assert.match(
    question.message,
    /^The plan in docs\/plans\/x-plan\.md cannot be used, 3 times in a row\.\nThe plan:\n# Plan\n[\s\S]*No tasks at all\.\n\nProblems:\n- there is no ```superteam-tasks/,
  );
  assert.ok(question.kind === "select" && question.recommended === undefined);
  assert.deepEqual(
    question.options.map(({ label }) => label),
    ["Retry", "Abort"],
  );
});

test("an empty list of tasks is asked for again, then the person retries or ends the run", () => {
  const empty = `${planHeader}\n${fenced("superteam-tasks", "[]")}\n`;
  const agents = { plan: writesPlan(empty, empty, empty, planOf("One")) };
  const retried = write({ agents, answers: { "plan.write.unparsable": "retry" } });
  assert.equal(resultOf(retried).plan.tasks.length, 1);
  const ended = write({ agents, answers: { "plan.write.unparsable": "abort" } });
  assert.ok(ended.end.how === "failed");
  assert.deepEqual([ended.end.failure.kind, ended.end.failure.step], ["aborted", "plan.write"]);
});

test("a planner that writes no file is shown in its own words", () => {
  const played = write({ agents: { plan: () => "I may not write here." } });
  assert.equal(dispatches(played).length, 3);
  assert.ok(played.end.how === "waiting");
  assert.equal(played.end.question.title, "Plan Not Written");
  assert.match(
    played.end.question.message,
    /did not write docs\/plans\/x-plan\.md, 3 times in a row\.\nIt said: I may not write here\.\nRetry to send it again\.$/,
  );
  assert.equal(facts(played).filter(({ type }) => type === "plan.written").length, 0);
  const silent = write({ agents: { plan: () => " " } });
  assert.match(silent.end.how === "waiting" ? silent.end.question.message : "", /\nIt said: nothing\n/);
  const { end } = write({ agents: { plan: () => "No." }, answers: { "plan.write.unparsable": "abort" } });
  assert.ok(end.how === "failed" && end.failure.kind === "aborted");
  assert.equal(end.failure.detail, `the person ended the run after the planner did not write ${path}`);
});

test("a planner that fails is an agent's failure, not a plan's", () => {
  const played = write({
    agents: { plan: () => ({ failed: "crashed", detail: "out of memory", output: "half a plan" }) },
  });
  assert.ok(played.end.how === "waiting");
  assert.equal(played.end.question.id, "plan.write.failed");
  assert.match(played.end.question.message, /Error: out of memory\nOutput preview: half a plan/);
});

test("a file of an earlier run is not taken for the plan", () => {
  const played = write({ files: { [path]: planOf("Old") }, agents: { plan: writesPlan("", planOf("New")) } });
  assert.deepEqual(
    resultOf(played).plan.tasks.map(({ title }) => title),
    ["New"],
  );
  assert.match(dispatches(played)[1]?.prompt ?? "", /was not written: it has not changed/);
});

test("whatever else the planner wrote is put back, and told", () => {
  const eager: Agent = (turn) => {
    turn.files.set("src/a.ts", "code already");
    return writesPlan(planOf("One"))(turn);
  };
  const played = write({ files: { "src/a.ts": "old" }, agents: { plan: eager } });
  assert.equal(resultOf(played).plan.tasks.length, 1);
  assert.equal(played.files.get("src/a.ts"), "old");
  assert.equal(played.files.get(path), planOf("One"));
  assert.match(
    JSON.stringify(facts(played)),
    /may only write the plan, but src\/a\.ts changed\. That was undone; the changes are kept at refs/,
  );
});
