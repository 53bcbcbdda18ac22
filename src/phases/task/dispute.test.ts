// A fixer that holds findings to be wrong, and therefore changes nothing: their reviewers answer that, then the person.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agent, dispatches, facts, questions, resultOf, type Script } from "../../../test/rig/flow.ts";
import { commits, fixer, missing, names, open, put, resolved, reviewer, run } from "../../../test/rig/task.ts";
import { fenced } from "../../core/text/block.ts";

const why = "Clients are told apart by address.";
const disputing =
  (...ids: readonly string[]): Agent =>
  () =>
    fenced("superteam-json", JSON.stringify({ disputed: ids.map((id) => ({ id, why })) }));
/** Long enough to be a proof wherever it stands. */
const line = "limit(clientOf(request), { each: 'address' });";
const implement: Agent = ({ files }) => put(files, line);
const kept = { passed: false, resolutions: [open("F1")] };
const withdrawn = { resolutions: [resolved("F1", line)] };
const withFix = (fix: Agent, spec: Agent, more: Script["agents"] = {}) => ({
  implement,
  fix,
  "spec-review": spec,
  ...more,
});
const prompts = (played: ReturnType<typeof run>, name: string) =>
  dispatches(played).flatMap((order) => (order.name === name ? [order.prompt] : []));

test("a disputed finding is put to its reviewer once more, who withdraws it by the rules of evidence", () => {
  const played = run({ agents: withFix(disputing("F1"), reviewer({ findings: [missing] }, withdrawn)) });
  assert.deepEqual(names(played), ["implement", "spec-review", "fix", "spec-review", "quality-review"]);
  const { status, rounds, escalated } = resultOf(played);
  assert.deepEqual([status, rounds, escalated], ["complete", 1, false]);
  assert.match(
    prompts(played, "spec-review")[1] ?? "",
    /## Changes since your last review\nNone\.\n\n## Your open findings\n- F1 high[\s\S]*disputes \(a claim\)\n- F1: Clients are told[\s\S]*say why in summary\./,
  );
});

test("R4: a finding that its reviewer keeps is the person's at once, with both sides, and no other fix is paid for", () => {
  const played = run({ agents: withFix(disputing("F1"), reviewer({ findings: [missing] }, kept)) });
  assert.deepEqual(names(played), ["implement", "spec-review", "fix", "spec-review"]);
  assert.ok(played.end.how === "waiting");
  assert.equal(played.end.question.id, "execute.task.2.escalation");
  assert.match(
    played.end.question.message,
    /after 2 attempts\.\nLast findings:\n {2}- F1 high .*\n {4}The implementer disputes this: Clients are told apart by address\.\n {4}Its reviewer keeps it: As said\. Quoted: limit\(1\);$/,
  );
});

test("R2: a dispute closes nothing: without a proof the finding stays open, and the person reads that", () => {
  const spec = reviewer({ findings: [missing] }, { resolutions: [resolved("F1", "limit(")] });
  const played = run({ agents: withFix(disputing("F1"), spec) });
  assert.deepEqual(names(played), ["implement", "spec-review", "fix", "spec-review", "spec-review"]);
  assert.match(prompts(played, "spec-review")[2] ?? "", /F1 is called resolved, but its quote is not from a line/);
  assert.match(questions(played)[0]?.message ?? "", /withdraws it without valid proof: As said\. Quoted: limit\(/);
  const silent = run({ agents: withFix(disputing("F1"), reviewer({ findings: [missing] }, { passed: true })) });
  assert.match(questions(silent)[0]?.message ?? "", /Its reviewer does not answer that, and says: As said\./);
  assert.equal(commits(silent).length, 0);
});

test("only reviewers whose findings are disputed are asked, and each of them is", () => {
  const other = { ...missing, what: "It is slow." };
  const agents = withFix(disputing("F1", "F2"), reviewer({ findings: [missing] }, withdrawn), {
    "quality-review": reviewer({ findings: [other] }, { passed: false, resolutions: [open("F2")] }),
  });
  const both = run({ agents, config: { review: { order: "parallel" } } });
  const rounds = ["spec-review", "quality-review"];
  assert.deepEqual(names(both), ["implement", ...rounds, "fix", ...rounds]);
  assert.match(questions(both)[0]?.message ?? "", /failed quality review after 2 attempts/);
  assert.doesNotMatch(prompts(both, "spec-review")[1] ?? "", /that these changes answer/);

  const one = run({
    agents: withFix(disputing("F1"), reviewer({ findings: [missing] }, kept), { "quality-review": reviewer({}) }),
    config: { review: { order: "parallel" } },
  });
  assert.deepEqual(names(one), ["implement", ...rounds, "fix", "spec-review"]);
});

test("a finding that is neither fixed nor disputed is fixed as before", () => {
  const other = { ...missing, what: "It is slow." };
  const spec = reviewer(
    { findings: [missing, other] },
    { passed: false, resolutions: [open("F1"), open("F2")] },
    { resolutions: [resolved("F1", "fixed(2);"), resolved("F2", "fixed(2);")] },
  );
  const fix: Agent = (turn) => (turn.nth === 1 ? disputing("F1")(turn) : fixer(turn));
  const played = run({ agents: withFix(fix, spec) });
  assert.deepEqual(names(played).slice(0, 6), ["implement", "spec-review", "fix", "spec-review", "fix", "spec-review"]);
  assert.equal(resultOf(played).status, "complete");
  assert.match(
    prompts(played, "fix")[1] ?? "",
    /- F2 high [\s\S]*only for a new reason\.\n- F1 was disputed: Clients .*address\. Its reviewer keeps it: As said\./,
  );
});

test("where some is fixed and some disputed there is one more fix, and a dispute that was answered is not put again", () => {
  const other = { ...missing, what: "It is slow." };
  const spec = reviewer(
    { findings: [missing, other] },
    { passed: false, resolutions: [open("F1"), resolved("F2", "fixed(1);")] },
  );
  const fix: Agent = (turn) => {
    if (turn.nth === 1) fixer(turn);
    return disputing("F1")(turn);
  };
  const played = run({ agents: withFix(fix, spec) });
  assert.deepEqual(names(played), ["implement", "spec-review", "fix", "spec-review", "fix"]);
  assert.match(questions(played)[0]?.message ?? "", /disputes this: Clients [\s\S]*Its reviewer keeps it: /);
});

test("a person who wants it fixed all the same is heard by the next fixer, whose own dispute is answered again", () => {
  const played = run({
    agents: withFix(disputing("F1"), reviewer({ findings: [missing] }, kept)),
    answers: { "execute.task.2.escalation": ["retry"] },
  });
  assert.deepEqual(names(played).slice(4), ["fix", "spec-review"]);
  assert.equal(questions(played).length, 2);
  const [first, second] = prompts(played, "fix");
  assert.doesNotMatch(first ?? "", /was disputed/);
  assert.match(second ?? "", /The person has read both sides and wants these fixed\.\n- F1 was disputed: /);
});

test("in a single pass, too, a dispute is answered before the person is asked again", () => {
  const critical = { ...missing, severity: "critical" } as const;
  const played = run(
    {
      agents: withFix(disputing("F1"), reviewer({ findings: [critical] }, withdrawn)),
      answers: { "execute.task.2.escalation": ["retry"] },
    },
    { review: "single-pass" },
  );
  assert.equal(resultOf(played).status, "complete");
  assert.equal(facts(played).filter(({ type }) => type === "waiver").length, 0);
});

const both = { ...missing, what: "It is slow." };
const isOffered = (played: ReturnType<typeof run>) =>
  questions(played).some((asked) => asked.kind === "select" && asked.options.some(({ key }) => key === "accept"));

test("T1: the person may let disputed findings through, which is a waiver and commits that very tree", () => {
  const played = run({
    agents: withFix(disputing("F1"), reviewer({ findings: [missing] }, kept)),
    answers: { "execute.task.2.escalation": "accept" },
  });
  assert.deepEqual(names(played), ["implement", "spec-review", "fix", "spec-review", "quality-review"]);
  assert.equal(commits(played).length, 1);
  const { status, waivers } = resultOf(played);
  assert.equal(status, "complete");
  assert.deepEqual(waivers, ["the person let through: F1 high missing (R1): No client is told apart. (spec-reviewer)"]);
  assert.deepEqual(
    facts(played).flatMap((fact) => (fact.type === "waiver" ? [fact.what] : [])),
    waivers.map((what) => `task 2: ${what}`),
  );
});

test("what is open and not disputed is fixed before anything is committed", () => {
  const spec = reviewer({ findings: [missing, both] }, { passed: false, resolutions: [open("F1"), open("F2")] });
  const fix: Agent = (given) => (given.nth === 1 ? disputing("F1")(given) : put(given.files, `${line}\nfixed(1);`));
  const played = run({ agents: withFix(fix, spec), answers: { "execute.task.2.escalation": ["accept", "skip"] } });
  const [first, second] = questions(played);
  assert.match(first?.message ?? "", /F1 high[\s\S]*F2 high/);
  assert.match(second?.message ?? "", /Last findings:\n {2}- F2 high/);
  assert.equal(commits(played).length, 0);
});

test("nothing is let through that nobody disputes", () => {
  const stubborn = run({ agents: { implement, "spec-review": reviewer({ findings: [missing] }, kept) } });
  assert.equal(isOffered(stubborn), false);
  assert.equal(isOffered(run({ agents: withFix(disputing("F1"), reviewer({ findings: [missing] }, kept)) })), true);
});
