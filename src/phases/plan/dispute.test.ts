// A planner that holds findings to be wrong, and therefore leaves the plan as it is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agent, facts, questions, resultOf } from "../../../test/rig/flow.ts";
import { disputing, planPath, writesPlan } from "../../../test/rig/plan.ts";
import {
  agents,
  finding,
  mended,
  original,
  resolution,
  reviews,
  run,
  sent,
  stillOpen,
  waitingFor,
} from "../../../test/rig/plan-review.ts";
import { reviewer } from "../../../test/rig/task.ts";

const disputes =
  (...ids: readonly string[]): Agent =>
  () =>
    disputing(ids);
/** Long enough, and in the plan once. */
const proof = "### Task 2: Title 2\n\nDo 2.\n\n### Task 3: Title 3";
const found = reviewer({ findings: [finding(2)] }, { resolutions: [resolution("F1", "resolved", proof)] });
const kept = reviewer({ findings: [finding(2)] }, stillOpen("F1"));

test("a disputed finding about the plan is put to its reviewer alone, who may withdraw it with proof", () => {
  const played = run({ agents: agents(found, reviewer({}), disputes("F1")) });
  assert.equal(resultOf(played).text, original);
  assert.deepEqual(reviews(played), [
    "0 architect needs_revision 1",
    "0 spec-reviewer approved 0",
    "1 architect approved 0",
  ]);
  assert.equal(sent(played, "patch").length, 1);
  assert.equal(facts(played).filter(({ type }) => type === "warning").length, 0);
  const prompt = sent(played, "architect-review")[1]?.prompt ?? "";
  assert.match(
    prompt,
    /## Changes since your last review\nNone\.\n[\s\S]*## What the planner disputes \(a claim\)\n- F1: The design wants it so\.\n[\s\S]*say why in summary\./,
  );
});

test("R4: a finding about the plan that its reviewer keeps is the person's at once, with both sides", () => {
  const played = run({ agents: agents(kept, reviewer({}), disputes("F1")) });
  assert.equal(sent(played, "patch").length, 1);
  assert.equal(waitingFor(played), "plan.review");
  assert.match(
    questions(played)[0]?.message ?? "",
    /do not pass the plan\.\n- F1 high .*\n {2}The planner disputes this: The design wants it so\.\n {2}Its reviewer keeps it: As said\. Quoted: Do 2\.\nIn full: /,
  );
});

test("what the person then says reaches the planner with both sides, and a revision is reviewed by both", () => {
  const patch: Agent = (turn) => (turn.nth === 1 ? disputing(["F1"]) : writesPlan(mended(2))(turn));
  const architect = reviewer({ findings: [finding(2)] }, stillOpen("F1"), {
    resolutions: [resolution("F1", "resolved")],
  });
  const played = run({
    agents: agents(architect, reviewer({}), patch),
    answers: { "plan.review": "guidance", "plan.review.guidance": "Name the module in task 2." },
  });
  assert.match(
    sent(played, "patch")[1]?.prompt ?? "",
    /only for a new reason\.\n- F1 was disputed: The design wants it so\. Its reviewer keeps it: /,
  );
  assert.equal(resultOf(played).plan.tasks[1]?.description, "Mended 2.");
  assert.equal(sent(played, "plan-spec-review").length, 2);
});

test("a planner may say that the person's guidance leaves the plan as it is", () => {
  const architect = reviewer({ findings: [finding(2)] }, stillOpen("F1"), {
    resolutions: [resolution("F1", "resolved", proof)],
  });
  const played = run({
    agents: agents(architect, reviewer({}), disputes("F1")),
    answers: { "plan.review": "guidance", "plan.review.guidance": "F1 is wrong." },
  });
  assert.equal(resultOf(played).text, original);
  assert.match(sent(played, "architect-review")[2]?.prompt ?? "", /decided about the plan\n- F1 is wrong\./);
});

test("what is disputed beside a revision is shown to the reviewers", () => {
  const architect = reviewer(
    { findings: [finding(2), finding(3)] },
    { resolutions: [resolution("F1", "resolved"), resolution("F2", "resolved", proof)] },
  );
  const patch: Agent = (turn) => {
    writesPlan(mended(2))(turn);
    return disputing(["F2"]);
  };
  const played = run({ agents: agents(architect, reviewer({}), patch) });
  assert.match(sent(played, "architect-review")[1]?.prompt ?? "", /planner disputes \(a claim\)\n- F2: /);
  assert.equal(sent(played, "patch").length, 2, "what now stands in the plan is no proof for F2");
});

test("a plan that is left as it is, though something is neither changed nor disputed, is no revision", () => {
  const architect = reviewer({ findings: [finding(2), finding(3)] });
  const played = run({ agents: agents(architect, reviewer({}), disputes("F1")) });
  assert.equal(sent(played, "patch").length, 3);
  assert.match(questions(played)[0]?.message ?? "", /were refused:\n- `docs\/plans\/x-plan\.md` was not written/);
  assert.equal(played.files.get(planPath), original);
});

test("where nothing is open, a plan that is left as it is does not do what the person says", () => {
  const played = run({
    agents: agents(reviewer({ passed: false }), reviewer({}), () => "I left it."),
    answers: { "plan.review": ["guidance"], "plan.review.guidance": "Do task 2 properly." },
  });
  assert.equal(sent(played, "patch").length, 3);
  assert.equal(waitingFor(played), "plan.review");
  assert.match(questions(played).at(-1)?.message ?? "", /`docs\/plans\/x-plan\.md` was not written/);
});
