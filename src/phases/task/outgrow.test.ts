// A task that turns out to be more than its mode is for: the person is asked before any review, and nothing done is lost.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agent, facts, questions, resultOf, type Script } from "../../../test/rig/flow.ts";
import { missing, names, put, resolved, reviewer, run, runToEnd } from "../../../test/rig/task.ts";
import { fenced } from "../../core/text/block.ts";

const says =
  (block: string): Agent =>
  ({ files, nth }) => {
    put(files, `limit(${nth});`);
    return `Half of it is there.\n\n${fenced("superteam-json", block)}`;
  };
const grown = (mode: string): Agent => says(JSON.stringify({ bigger: { mode, reason: "Three modules need it." } }));
const bigger = (mode: string, answer: string, more: Script = {}): Script => ({
  ...more,
  agents: { implement: grown(mode), ...more.agents },
  answers: { "execute.task.2.bigger": [answer] },
});
const warnings = (played: ReturnType<typeof run>) =>
  facts(played).flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));

test("the person is asked with the new proposal before anybody reviews, and nothing is recommended", () => {
  const played = runToEnd({ agents: { implement: grown("standard") } }, { mode: "hotfix" });
  assert.ok(played.end.how === "waiting");
  const { question } = played.end;
  assert.equal(question.id, "execute.task.2.bigger");
  assert.match(question.message, /is more than hotfix mode is for\. .* proposes standard: Three modules need it\./);
  assert.ok(question.kind === "select");
  assert.equal(question.recommended, undefined);
  assert.deepEqual(
    question.options.map(({ key }) => key),
    ["keep", "switch", "abort"],
  );
  assert.deepEqual(names(played), ["implement"]);
});

test("to go on as it is keeps the mode, and is asked once", () => {
  const script = bigger("full", "keep", {
    agents: { "spec-review": reviewer({ findings: [missing] }, { resolutions: [resolved("F1")] }) },
  });
  const played = run(script, { mode: "hotfix" });
  assert.deepEqual(names(played), ["implement", "spec-review", "fix", "spec-review"]);
  assert.equal(resultOf(played).switchedTo, undefined);
});

test("to switch where there is a plan raises reviewers, rounds and severity for this task at once", () => {
  const nit = { ...missing, severity: "low" as const, rule: "style" as const };
  const never = (): Agent => reviewer({ findings: [nit] }, { passed: false, resolutions: [] });
  const script = bigger("full", "switch", {
    agents: { "spec-review": never(), "security-review": reviewer({}), "performance-review": reviewer({}) },
  });
  const played = runToEnd(script, { mode: "quick" });
  assert.ok(played.end.how === "waiting", "a nit blocks in full mode, and stays open");
  assert.equal(played.end.question.id, "execute.task.2.escalation");
  const content = bigger("full", "switch", {
    agents: { "security-review": reviewer({}), "performance-review": reviewer({}) },
  });
  const done = run(content, { mode: "quick" });
  assert.deepEqual(names(done), [
    "implement",
    "spec-review",
    "quality-review",
    "security-review",
    "performance-review",
  ]);
  assert.equal(resultOf(done).switchedTo, "full");
  assert.ok(facts(done).some((fact) => fact.type === "triaged" && fact.mode === "full"));
});

test("to switch where there is no plan ends the task without a review or a commit, and leaves its work in the tree", () => {
  const played = runToEnd(bigger("standard", "switch"), { mode: "hotfix" });
  const end = resultOf(played);
  assert.ok(end.status === "outgrown");
  assert.deepEqual([end.mode, end.files, end.start.tree], ["standard", ["src/limit.ts"], "tree-0"]);
  assert.equal(played.files.get("src/limit.ts"), "limit(1);");
  assert.deepEqual(names(played), ["implement"]);
  assert.ok(!played.requests.some((request) => request.do === "commit"));
  assert.ok(!facts(played).some((fact) => fact.type === "task.settled"));
});

test("the person's own untracked files are given back before the work is left", () => {
  const played = runToEnd(bigger("standard", "switch", { theirs: ["notes.txt"] }), { mode: "hotfix" });
  assert.equal(played.files.get("notes.txt"), "the person's");
});

test("to abort ends the run", () => {
  const played = runToEnd(bigger("standard", "abort"), { mode: "hotfix" });
  assert.ok(played.end.how === "failed");
  assert.equal(played.end.failure.step, "execute.task.2.bigger");
});

for (const [what, implement, warned] of [
  [
    "that cannot be read",
    says('{"bigger": '),
    /report cannot be read, so only its text is used: the superteam-json block is not JSON/,
  ],
  [
    "that names no mode",
    says('{"bigger": {"mode": "huge", "reason": "r"}}'),
    /report cannot be read, so only its text is used/,
  ],
  ["for no more than there is", grown("quick"), /asks for quick mode, which is not larger than standard/],
] as const) {
  test(`a proposal ${what} is a warning, and nothing is done again for it`, () => {
    const played = run({ agents: { implement } });
    assert.match(warnings(played)[0] ?? "", warned);
    assert.deepEqual(questions(played), []);
    assert.deepEqual(names(played), ["implement", "spec-review", "quality-review"]);
  });
}

test("a report without a proposal, or with an empty one, goes on without a word", () => {
  for (const block of ["{}", '{"bigger": null}']) {
    const played = run({ agents: { implement: says(block) } });
    assert.deepEqual([warnings(played).length, questions(played).length], [0, 0], block);
  }
});
