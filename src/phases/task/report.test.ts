// What an implementer says at its end: done, blocked, with concerns, with findings it disputes. All of it reaches somebody.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agent, dispatches, facts, questions, resultOf } from "../../../test/rig/flow.ts";
import { commits, fixer, implementer, missing, names, open, resolved, reviewer, run } from "../../../test/rig/task.ts";
import { fenced } from "../../core/text/block.ts";

const saying =
  (agent: Agent, report: object): Agent =>
  (turn) =>
    `${agent(turn)}\n\n${fenced("superteam-json", JSON.stringify(report))}`;
const blocked: Agent = () =>
  fenced(
    "superteam-json",
    JSON.stringify({ status: "blocked", reason: "There is no Redis.", needs: "An address, or leave to use memory." }),
  );

test("A8: what it did and why, and its concerns, are in the commit, in the result and with the reviewers as a claim", () => {
  const report = { status: "done", summary: "Refuses the sixth call.", concerns: ["Buckets\nstay."] };
  const played = run({ agents: { implement: saying(implementer, report) } });
  assert.deepEqual(
    commits(played).map(({ message }) => message),
    ["workflow: task 2 — Limit\n\nRefuses the sixth call.\n\n- Concern: Buckets stay."],
  );
  assert.deepEqual(resultOf(played).concerns, report.concerns);
  const settled = facts(played).find((fact) => fact.type === "task.settled");
  assert.deepEqual(
    [settled?.said, settled?.concerns],
    ["Refuses the sixth call. Concern: Buckets stay.", report.concerns],
  );
  const [, spec] = dispatches(played);
  assert.match(spec?.prompt ?? "", /says \(a claim\)\n> Refuses the sixth call\.\n> Concern: Buckets\n> stay\./);
});

test("A8: a blocked implementer is put to the person with its reason, and gets their answer", () => {
  const played = run({
    agents: { implement: (turn) => (turn.nth === 1 ? blocked(turn) : implementer(turn)) },
    answers: { "execute.task.2.blocked": "retry", "execute.task.2.answer": "Use memory." },
  });
  const [question] = questions(played);
  assert.match(question?.message ?? "", /is blocked\. The implementer says: There is no Redis\.\nIt needs: An address/);
  assert.ok(question?.kind === "select" && question.recommended === undefined);
  assert.match(dispatches(played)[1]?.prompt ?? "", /You were blocked: There is no Redis\.[\s\S]*says\nUse memory\./);
  assert.deepEqual(names(played), ["implement", "implement", "spec-review", "quality-review"]);
  assert.equal(resultOf(played).status, "complete");
  const skipped = run({ agents: { implement: blocked }, answers: { "execute.task.2.blocked": "skip" } });
  assert.equal(resultOf(skipped).status, "skipped");
});

test("an empty answer to a blocked implementer goes back to the decision: no agent is paid to read nothing", () => {
  const played = run({
    agents: { implement: blocked },
    answers: { "execute.task.2.blocked": ["retry", "skip"], "execute.task.2.answer": " \n" },
  });
  assert.match(questions(played)[1]?.message ?? "", /What should it do\? \(Leave it empty to go back\.\)$/);
  assert.deepEqual(names(played), ["implement"]);
  assert.equal(resultOf(played).status, "skipped");
});

test("A8: why nothing was changed is shown where the person decides", () => {
  const played = run({ agents: { implement: () => "It is there already, in src/old.ts." } });
  assert.ok(played.end.how === "waiting");
  assert.match(
    played.end.question.message,
    /changed nothing\.\nThe implementer says: It is there already, in src\/old\.ts\./,
  );
});

test("A8: a finding that is disputed is answered by its reviewer, and shown so to the person", () => {
  const played = run({
    agents: {
      "spec-review": reviewer({ findings: [missing] }, { passed: false, resolutions: [open("F1")] }),
      fix: saying(fixer, { disputed: [{ id: "F1", why: "It is in src/http.ts." }] }),
    },
  });
  const [, again] = dispatches(played).filter(({ name }) => name === "spec-review");
  assert.match(again?.prompt ?? "", /## What the implementer disputes \(a claim\)\n- F1: It is in src\/http\.ts\./);
  assert.ok(played.end.how === "waiting");
  assert.match(
    played.end.question.message,
    /- F1 high .*\n {4}The implementer disputes this: It is in src\/http\.ts\./,
  );
});

test("A8: what a fix disputes, and the concerns of all writers, are in the commit, the result and what is told", () => {
  const played = run({
    agents: {
      implement: saying(implementer, { summary: "Limits calls.", concerns: ["Buckets stay."] }),
      "spec-review": reviewer({ findings: [missing] }, { passed: true, resolutions: [resolved("F1")] }),
      fix: saying(fixer, {
        disputed: [{ id: "F1", why: "It is in src/http.ts." }],
        concerns: ["Untested on Windows."],
      }),
    },
  });
  const disputed = `F1 (${missing.what.replace(/\.$/, "")}): It is in src/http.ts.`;
  const concerns = ["Buckets stay.", "Untested on Windows."];
  const [message = ""] = commits(played).map((commit) => commit.message.replaceAll(/\s+/g, " "));
  assert.ok(
    message.endsWith(`Limits calls. - Concern: ${concerns[0]} - Concern: ${concerns[1]} - Disputes ${disputed}`),
    message,
  );
  const told = facts(played).find((fact) => fact.type === "task.settled");
  for (const result of [resultOf(played), told])
    assert.deepEqual([result?.concerns, result?.disputed], [concerns, [disputed]]);
});

test("A8: an inconclusive review shows what it found that does not block", () => {
  const low = { ...missing, severity: "low", what: "A name." };
  const played = run({ agents: { "spec-review": reviewer({ passed: false, findings: [low] }) } });
  assert.ok(played.end.how === "waiting");
  assert.match(played.end.question.message, /inconclusive[\s\S]*does not block:\n {2}- F1 low .*: A name\./);
});

test("A6: a reviewer is told that the check passed for this tree", () => {
  const [, spec] = dispatches(run({ config: { validationCommand: "npm test" } }));
  assert.match(spec?.prompt ?? "", /## Evidence\n- `npm test` passes on this tree\./);
});
