// The ways a task can be reviewed: side by side, with advisers, and in a single pass.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatches, facts, type Played, questions, resultOf, type Script } from "../../../test/rig/flow.ts";
import {
  commits,
  missing,
  names,
  open,
  resolved,
  reviewer,
  run,
  statuses,
  config as validated,
} from "../../../test/rig/task.ts";

const parallel: Script = { config: { review: { order: "parallel" } } };
const slow = {
  rule: "slow",
  severity: "high",
  anchor: { file: "src/limit.ts", quote: "limit(1);" },
  what: "It is slow.",
};
const unsafe = { ...slow, rule: "unsafe", severity: "critical", what: "Anybody can." };
const advised = (...optional: readonly string[]): Script => ({ config: { review: { optional } } });
const both = advised("security-reviewer", "performance-reviewer");
const reviewScopes = (played: Played<unknown>) => played.scopes.filter((scope) => scope.startsWith("step "));
const verdicts = (played: Played<unknown>) =>
  facts(played).flatMap((fact) => (fact.type === "review.finished" ? [`${fact.role} ${fact.verdict}`] : []));

test("side by side, both reviewers look at the same tree, each as a flow of its own", () => {
  const played = run(parallel);
  assert.equal(resultOf(played).status, "complete");
  assert.deepEqual(names(played), ["implement", "spec-review", "quality-review"]);
  assert.deepEqual(reviewScopes(played), ["step spec-review", "step quality-review"]);
});

test("side by side, what both find is mended by one fix, under ids that differ, and both look again", () => {
  const played = run({
    ...parallel,
    agents: {
      "spec-review": reviewer({ findings: [missing] }, { resolutions: [resolved("F1")] }),
      "quality-review": reviewer({ findings: [slow] }, { resolutions: [resolved("F2")] }),
    },
  });
  assert.equal(resultOf(played).rounds, 1);
  assert.deepEqual(names(played), [
    "implement",
    "spec-review",
    "quality-review",
    "fix",
    "spec-review",
    "quality-review",
  ]);
  const [, , , fix, spec, quality] = dispatches(played).map(({ prompt }) => prompt);
  assert.match(fix ?? "", /- F1 high missing[\s\S]*- F2 high slow/);
  assert.match(spec ?? "", /## Your open findings\n- F1 high missing/);
  assert.match(spec ?? "", /## What else these changes answer [^\n]*\n- F2 high slow/, "A6");
  assert.doesNotMatch(spec?.split("## Your open findings")[1] ?? "", /- F2 /);
  assert.match(quality ?? "", /## Your open findings\n- F2 high slow/);
});

test("side by side, a verdict that is older than a fix is void, whoever asked for the fix", () => {
  const played = run({
    ...parallel,
    agents: { "quality-review": reviewer({ findings: [missing] }, { resolutions: [resolved("F1")] }) },
  });
  assert.deepEqual(names(played).slice(3), ["fix", "spec-review", "quality-review"]);
  assert.deepEqual(verdicts(played), [
    "spec-reviewer approved",
    "quality-reviewer needs_revision",
    "spec-reviewer approved",
    "quality-reviewer approved",
  ]);
});

test("side by side, the person is told who still objects", () => {
  const played = run({
    ...parallel,
    agents: {
      "spec-review": reviewer({ findings: [missing] }, { passed: false, resolutions: [open("F1")] }),
      "quality-review": reviewer({ findings: [slow] }, { passed: false, resolutions: [open("F2")] }),
    },
  });
  assert.ok(played.end.how === "waiting");
  assert.match(
    played.end.question.message,
    /^Task "Limit" failed spec review and quality review after 3 attempts\.\nLast findings:\n {2}- F1 .*\n {2}- F2 /,
  );
});

test("advisers look side by side, once spec and quality have passed, each with a prompt of its own", () => {
  const played = run({
    ...both,
    agents: { "security-review": reviewer({}), "performance-review": reviewer({}) },
  });
  assert.equal(resultOf(played).status, "complete");
  assert.deepEqual(names(played), [
    "implement",
    "spec-review",
    "quality-review",
    "security-review",
    "performance-review",
  ]);
  assert.deepEqual(reviewScopes(played), ["step security-review", "step performance-review"]);
  const [, , , security, performance] = dispatches(played);
  assert.deepEqual([security?.role, performance?.role], ["security-reviewer", "performance-reviewer"]);
  assert.match(security?.prompt ?? "", /Only critical findings block\./);
});

test("what an adviser finds is recorded and does not block, unless it is critical", () => {
  const played = run({
    ...both,
    agents: { "security-review": reviewer({}), "performance-review": reviewer({ passed: false, findings: [slow] }) },
  });
  const { status, rounds, deferred, waivers } = resultOf(played);
  assert.deepEqual([status, rounds, waivers], ["complete", 0, []]);
  assert.deepEqual(deferred, ["F1 high slow (src/limit.ts): It is slow. (performance-reviewer; below critical)"]);
  assert.deepEqual(verdicts(played).at(-1), "performance-reviewer approved");
  assert.deepEqual(questions(played), []);
});

test("a critical finding of an adviser goes to the person at once; retry has it fixed and all look again", () => {
  const script: Script = {
    ...advised("security-reviewer"),
    agents: { "security-review": reviewer({ findings: [unsafe] }, { resolutions: [resolved("F1")] }) },
  };
  const waiting = run(script);
  assert.deepEqual(names(waiting), ["implement", "spec-review", "quality-review", "security-review"]);
  assert.ok(waiting.end.how === "waiting");
  assert.equal(waiting.end.question.id, "execute.task.2.escalation");
  assert.match(
    waiting.end.question.message,
    /failed security review after 1 attempt\.\nLast findings:\n {2}- F1 critical/,
  );
  assert.equal(commits(waiting).length, 0);
  const retried = run({ ...script, answers: { "execute.task.2.escalation": ["retry"] } });
  assert.deepEqual(names(retried).slice(4), ["fix", "spec-review", "quality-review", "security-review"]);
  assert.match(dispatches(retried)[4]?.prompt ?? "", /F1 critical unsafe/);
  assert.equal(resultOf(retried).status, "complete");
  assert.deepEqual(statuses(retried), ["implementing", "reviewing", "escalated", "fixing", "reviewing"]);
});

test("advisers are not paid for while spec or quality object", () => {
  const played = run({
    ...both,
    agents: { "quality-review": reviewer({ findings: [missing] }, { passed: false, resolutions: [open("F1")] }) },
  });
  assert.equal(played.end.how, "waiting");
  assert.ok(!names(played).includes("security-review"));
});

test("an adviser that says no without any reason is asked once more, then the person decides", () => {
  const played = run({ ...advised("security-reviewer"), agents: { "security-review": reviewer({ passed: false }) } });
  assert.deepEqual(names(played).slice(3), ["security-review", "security-review"]);
  assert.ok(played.end.how === "waiting");
  assert.match(played.end.question.message, /the security review is inconclusive/);
});

test("a single pass is one round: findings are told with their review and as a waiver, and nothing is fixed", () => {
  const played = run(
    {
      agents: {
        "spec-review": reviewer({ findings: [missing] }),
        "quality-review": reviewer({ findings: [slow, { ...slow, rule: "style", severity: "low", what: "A name." }] }),
      },
    },
    { review: "single-pass" },
  );
  const { status, rounds, deferred, waivers, escalated } = resultOf(played);
  assert.deepEqual([status, rounds, escalated], ["complete", 0, false]);
  assert.deepEqual(names(played), ["implement", "spec-review", "quality-review"]);
  assert.deepEqual(questions(played), []);
  assert.deepEqual(waivers, [
    "single-pass review let through: F1 high missing (R1): No client is told apart. (spec-reviewer); F2 high slow (src/limit.ts): It is slow. (quality-reviewer)",
  ]);
  assert.deepEqual(deferred, ["F3 low style (src/limit.ts): A name. (quality-reviewer; below medium)"]);
  assert.deepEqual(verdicts(played), ["spec-reviewer needs_revision", "quality-reviewer needs_revision"]);
  const told = facts(played).filter(({ type }) => type === "warning" || type === "waiver");
  assert.deepEqual(told, [{ type: "waiver", step: "execute.task.2.review", what: `task 2: ${waivers[0]}` }]);
});

test("a single pass without findings waives nothing", () => {
  const played = run({}, { review: "single-pass" });
  assert.deepEqual(resultOf(played).waivers, []);
  assert.ok(!facts(played).some(({ type }) => type === "waiver" || type === "warning"));
});

test("in a single pass a critical finding asks, and the next reviewer is not paid for meanwhile", () => {
  const script: Script = {
    agents: {
      "spec-review": reviewer({ findings: [unsafe, missing] }, { resolutions: [resolved("F1")], findings: [missing] }),
    },
  };
  const waiting = run(script, { review: "single-pass" });
  assert.deepEqual(names(waiting), ["implement", "spec-review"]);
  assert.ok(waiting.end.how === "waiting");
  assert.match(waiting.end.question.message, /Last findings:\n {2}- F1 critical unsafe .*$/);
  assert.doesNotMatch(waiting.end.question.message, /F2/);
  const retried = run({ ...script, answers: { "execute.task.2.escalation": ["retry"] } }, { review: "single-pass" });
  assert.deepEqual(names(retried).slice(2), ["fix", "spec-review", "quality-review"]);
  assert.equal(resultOf(retried).status, "complete");
  assert.deepEqual(resultOf(retried).waivers, [
    "single-pass review let through: F2 high missing (R1): No client is told apart. (spec-reviewer)",
  ]);
});

test("in a single pass an inconclusive review still goes to the person", () => {
  const played = run({ agents: { "spec-review": reviewer({ passed: false }) } }, { review: "single-pass" });
  assert.ok(played.end.how === "waiting");
  assert.match(played.end.question.message, /the spec review is inconclusive/);
});

test("a single pass waives no check: what fails is fixed first", () => {
  const played = run(
    {
      config: validated,
      check: (files) => ({ passed: files.get("src/limit.ts")?.includes("fixed") ?? false, output: "TS2322" }),
    },
    { review: "single-pass" },
  );
  assert.deepEqual(names(played), ["implement", "fix", "spec-review", "quality-review"]);
  assert.equal(resultOf(played).status, "complete");
});

test("a single pass side by side lets both through", () => {
  const played = run(
    {
      ...parallel,
      agents: { "spec-review": reviewer({ findings: [missing] }), "quality-review": reviewer({ findings: [slow] }) },
    },
    { review: "single-pass" },
  );
  assert.deepEqual(names(played), ["implement", "spec-review", "quality-review"]);
  assert.match(resultOf(played).waivers.join(), /F1 high missing.*F2 high slow/);
});

test("an adviser's word on another tree than the one that is committed does not count", () => {
  let looked = 0;
  const played = run({
    ...advised("security-reviewer"),
    agents: { "security-review": reviewer({}) },
    meanwhile: (request, files) => {
      if (request.do === "dispatch" && request.name === "security-review" && ++looked === 1) files.set("src/b.ts", "b");
      if (looked === 1 && request.do === "changes") files.delete("src/b.ts");
    },
  });
  assert.deepEqual(names(played).slice(3), ["security-review", "security-review"]);
  assert.equal(resultOf(played).status, "complete");
});

test("what was let through is no waiver when the work is taken back", () => {
  const script: Script = {
    agents: {
      "spec-review": reviewer({ findings: [missing, { ...missing, rule: "style", severity: "low" }] }),
      "quality-review": reviewer({ findings: [unsafe] }),
    },
    answers: { "execute.task.2.escalation": "skip" },
  };
  const { status, waivers, deferred } = resultOf(run(script, { review: "single-pass" }));
  assert.deepEqual([status, waivers, deferred], ["skipped", [], []]);
});
