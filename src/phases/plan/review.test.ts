// The plan before its reviewers: who looks, and what happens to their findings.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatches, type FailedAgent, facts, questions, resultOf, type Script } from "../../../test/rig/flow.ts";
import { designPath, planJob, planPath, writesPlan } from "../../../test/rig/plan.ts";
import {
  agents,
  finding,
  mended,
  original,
  plan,
  resolution,
  reviews,
  run,
  sent,
  waitingFor,
} from "../../../test/rig/plan-review.ts";
import { reviewer } from "../../../test/rig/task.ts";
import type { Finding } from "../../core/review/review.ts";

const onePass = { review: { planMode: "single-pass" } };

test("architect and spec reviewer look at the plan side by side, with the design in hand", () => {
  const played = run();
  assert.deepEqual(resultOf(played).plan, plan);
  assert.deepEqual(played.scopes, ["step architect", "step spec-reviewer"]);
  assert.deepEqual(
    dispatches(played).map(({ name, role, access }) => [name, role, access]),
    [
      ["architect-review", "architect", "read"],
      ["plan-spec-review", "spec-reviewer", "read"],
    ],
  );
  for (const { prompt } of dispatches(played)) {
    for (const part of [planJob.design, original.trimEnd(), designPath, planPath]) assert.ok(prompt.includes(part));
  }
  assert.deepEqual(reviews(played), ["0 architect approved 0", "0 spec-reviewer approved 0"]);
});

test("what both found is mended in one revision, and both look again with their findings and the diff", () => {
  const played = run({
    agents: agents(
      reviewer({ findings: [finding(2)] }, { resolutions: [resolution("F1", "resolved", "Mended 2.")] }),
      reviewer({ findings: [finding(3)] }, { resolutions: [resolution("F2", "resolved", "Mended 3.")] }),
      writesPlan(mended(2, 3)),
    ),
  });
  assert.equal(resultOf(played).plan.tasks[1]?.description, "Mended 2.");
  const [patch, ...more] = sent(played, "patch");
  assert.equal(more.length, 0);
  assert.deepEqual([patch?.role, patch?.access], ["planner", "write"]);
  assert.match(patch?.prompt ?? "", /## What was found\n- F1 high incorrect \(T2\): .*\n- F2 high incorrect \(T3\): /);
  assert.match(patch?.prompt ?? "", /You may change tasks 2, 3 and the header; every other task stays as it is/);
  const [, again] = sent(played, "architect-review");
  assert.match(again?.prompt ?? "", /## Your open findings\n- F1 high/);
  assert.doesNotMatch(again?.prompt.split("## Your open findings")[1] ?? "", /F2 high/);
  assert.match(again?.prompt ?? "", /```diff\n[\s\S]*-.*Do 2\.\n\+.*Mended 2\./);
  assert.deepEqual(reviews(played), [
    "0 architect needs_revision 1",
    "0 spec-reviewer needs_revision 1",
    "1 architect approved 0",
    "1 spec-reviewer approved 0",
  ]);
});

test("findings are taken architect first, whoever ends first", () => {
  const script: Script = {
    agents: agents(reviewer({ findings: [finding(2)] }), reviewer({ findings: [finding(3)] }), () => "no"),
  };
  const [one, other] = [run(script), run({ ...script, lastFirst: true })];
  assert.notDeepEqual(dispatches(one)[0], dispatches(other)[0]);
  assert.deepEqual(facts(one), facts(other));
  assert.deepEqual(sent(one, "patch"), sent(other, "patch"));
});

test("the configuration may have them look one after the other; both look, and one revision follows", () => {
  const played = run({
    lastFirst: true,
    config: { review: { planOrder: "sequential" } },
    agents: agents(reviewer({ findings: [finding(2)] }, { resolutions: [resolution("F1", "resolved")] }), reviewer({})),
  });
  assert.deepEqual(
    dispatches(played).map(({ name }) => name),
    ["architect-review", "plan-spec-review", "patch", "architect-review", "plan-spec-review"],
  );
});

test("a reviewer that says passed beside a critical finding has not passed it", () => {
  const played = run({
    agents: agents(
      reviewer({ passed: true, findings: [finding(1, { severity: "critical" })] }),
      reviewer({}),
      () => "",
    ),
  });
  assert.equal(reviews(played)[0], "0 architect needs_revision 1");
});

test("a reviewer that says no and names nothing is asked once more, then the person is", () => {
  const played = run({ agents: agents(reviewer({ passed: false }), reviewer({})) });
  assert.equal(sent(played, "architect-review").length, 2);
  assert.equal(sent(played, "patch").length, 0);
  assert.equal(waitingFor(played), "plan.review");
  assert.match(
    questions(played).at(-1)?.message ?? "",
    /- architect says no, but gives no finding that blocks: As said\./,
  );
  assert.doesNotMatch(questions(played).at(-1)?.message ?? "", /spec-reviewer says no/);
  const waived = run({
    agents: agents(reviewer({ passed: false }), reviewer({})),
    answers: { "plan.review": "approve" },
  });
  assert.match(JSON.stringify(facts(waived)), /against its reviewers: As said\./);
});

test("a finding is anchored by a quote from plan or design, or by id; without one it goes back once, then is only kept", () => {
  const quotes: Finding[] = [
    finding(2, { anchor: { file: planPath, quote: "Do 2." } }),
    finding(2, { anchor: { file: designPath, quote: "A bucket." }, what: "Task 2 is not that." }),
    finding(2, { anchor: { requirement: "R1" } }),
  ];
  for (const found of quotes) {
    const played = run({ agents: agents(reviewer({ findings: [found] }), reviewer({}), () => "no") });
    assert.equal(reviews(played)[0], "0 architect needs_revision 1");
  }
  for (const anchor of [{ requirement: "T9" }, { file: planPath, quote: "not there" }]) {
    const invented = finding(2, { anchor, severity: "medium" });
    const played = run({
      agents: agents(reviewer({ passed: true, findings: [invented] }), reviewer({})),
    });
    assert.equal(resultOf(played).plan.tasks.length, 3);
    assert.match(
      sent(played, "architect-review")[1]?.prompt ?? "",
      /## Your last answer\n[\s\S]*This one is wrong[\s\S]*could not be used\n- the finding "This one is wrong/,
    );
    const kept = facts(played).find((fact) => fact.type === "findings.deferred");
    assert.equal(kept?.task, "plan");
    assert.match(kept?.findings.join() ?? "", /F1 medium incorrect .*\(no anchor: /);
  }
});

const nowhere = finding(2, { severity: "critical", anchor: { file: planPath, quote: "not there" } });

test("G8: a grave finding that cannot be anchored is shown to the person before the plan is approved", () => {
  for (const config of [{}, onePass]) {
    const claiming = agents(reviewer({ passed: true, findings: [nowhere] }), reviewer({}));
    const asked = run({ config, agents: claiming });
    assert.equal(waitingFor(asked), "plan.review");
    const { message } = questions(asked).at(-1) ?? { message: "" };
    assert.match(
      message,
      /without saying where in the plan or the design:\n- F1 critical .*\(architect; no anchor: its quote/,
    );
    assert.doesNotMatch(message, /do not pass the plan/);

    const waived = run({ config, agents: claiming, answers: { "plan.review": "approve" } });
    assert.match(resultOf(waived).remarks.waivers.join(), /against its reviewers: F1 critical/);
    assert.deepEqual(resultOf(waived).remarks.deferred, []);
  }
});

test("G8: guidance makes such a finding one that the planner revises by and the reviewer answers", () => {
  const answering = reviewer(
    { passed: true, findings: [nowhere] },
    { passed: true, findings: [nowhere] },
    { resolutions: [resolution("F1", "resolved")] },
  );
  const played = run({
    agents: agents(answering, reviewer({})),
    answers: { "plan.review": "guidance", "plan.review.guidance": "Mend task 2." },
  });
  assert.match(sent(played, "patch")[0]?.prompt ?? "", /## What was found\n- F1 critical/);
  assert.equal(resultOf(played).plan.tasks[1]?.description, "Mended 2.");
  assert.deepEqual(resultOf(played).remarks, { waivers: [], deferred: [] });
});

/** The architect's first finding is mended in task 2; then it has another one. */
const secondThoughts = (second: Finding): string => {
  const resolutions = [resolution("F1", "resolved")];
  const played = run({
    agents: agents(
      reviewer({ findings: [finding(2)] }, { passed: true, findings: [second], resolutions }),
      reviewer({}),
    ),
  });
  return reviews(played)[2] ?? "";
};

test("a new finding after a revision blocks in what was revised; elsewhere only when it is grave", () => {
  const medium = { severity: "medium", what: "Another thing." } as const;
  assert.equal(secondThoughts(finding(2, medium)), "1 architect needs_revision 1");
  assert.equal(secondThoughts(finding(3, medium)), "1 architect approved 0");
  assert.equal(secondThoughts(finding(3, { what: "Grave." })), "1 architect needs_revision 1");
  const design = { anchor: { file: designPath, quote: "A bucket." }, what: "Task 3 is not that." };
  assert.equal(secondThoughts(finding(3, design)), "1 architect needs_revision 1");
});

test("a revision is not proved by words of the design", () => {
  const claimed = { passed: true, resolutions: [resolution("F1", "resolved", "A bucket.")] };
  const played = run({
    config: { review: { maxPlanReviewCycles: 1 } },
    agents: agents(reviewer({ findings: [finding(2)] }, claimed), reviewer({})),
  });
  assert.equal(waitingFor(played), "plan.review");
});

test("a reviewer that fails is never taken for one that says no", () => {
  const crash = (): FailedAgent => ({ failed: "crashed", detail: "gone" });
  const played = run({ agents: agents(reviewer({}), crash) });
  assert.equal(waitingFor(played), "plan.review.spec-reviewer.failed");
  assert.deepEqual(reviews(played), []);
});

test("in a single pass the plan is looked at once: what was found is told, a waiver, and goes to the approval", () => {
  const found = reviewer({ findings: [finding(2), finding(3, { severity: "low", what: "A nit." })] });
  const played = run({ config: onePass, agents: agents(found, reviewer({})) });
  assert.deepEqual(
    dispatches(played).map(({ name }) => name),
    ["architect-review", "plan-spec-review"],
  );
  assert.deepEqual(
    questions(played).map(({ id }) => id),
    ["plan.approval"],
  );
  const said = "F1 high incorrect (T2): This one is wrong (2). (architect)";
  const told = facts(played).flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
  assert.deepEqual(told, [`The plan, let through by single-pass review: ${said}`]);
  const { remarks } = resultOf(played);
  assert.deepEqual(remarks.waivers, [`single-pass review let through: ${said}`]);
  assert.equal(remarks.deferred.length, 1);
  assert.ok(facts(played).some((fact) => fact.type === "waiver" && fact.step === "plan.review"));
});

test("in a single pass a critical finding, and a reviewer that cannot decide, still ask the person", () => {
  const critical = reviewer({ findings: [finding(1, { severity: "critical" }), finding(2)] });
  const asked = run({ config: onePass, agents: agents(critical, reviewer({})) });
  assert.equal(waitingFor(asked), "plan.review");
  assert.deepEqual(sent(asked, "patch"), [], "nothing is revised unasked");
  const waived = run({
    config: onePass,
    agents: agents(critical, reviewer({})),
    answers: { "plan.review": "approve" },
  });
  const [first, second, ...more] = resultOf(waived).remarks.waivers;
  assert.match(first ?? "", /approved as it is, against its reviewers: F1 critical/);
  assert.match(second ?? "", /let through: F2 high/);
  assert.deepEqual(more, []);
  assert.equal(
    waitingFor(run({ config: onePass, agents: agents(reviewer({ passed: false }), reviewer({})) })),
    "plan.review",
  );
});

test("unless the configuration says so a plan is reviewed until it passes", () => {
  const played = run({
    agents: agents(reviewer({ findings: [finding(2)] }, { resolutions: [resolution("F1", "resolved")] }), reviewer({})),
  });
  assert.equal(sent(played, "patch").length, 1);
  assert.deepEqual(resultOf(played).remarks, { waivers: [], deferred: [] });
});
