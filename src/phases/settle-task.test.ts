import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  type Agent,
  dispatches,
  type Files,
  facts,
  type Played,
  play,
  questions,
  resultOf,
  type Script,
} from "../../test/rig/flow.ts";
import { fenced } from "../core/block.ts";
import type { Settled } from "../core/report.ts";
import type { Finding, Resolution } from "../core/review.ts";
import { settle } from "./settle-task.ts";
import { TaskInput } from "./task-job.ts";

const input = TaskInput.parse({
  task: {
    id: 2,
    title: "Limit",
    description: "Limit it.",
    files: ["src/limit.ts"],
    criteria: ["It limits."],
    covers: ["R1"],
  },
  total: 3,
  goal: "Add rate limiting",
  requirements: [{ id: "R1", text: "Each client is limited." }],
  earlier: [{ id: 1, title: "Bucket", status: "complete", files: ["src/bucket.ts"] }],
});

/** Writes a new version of the file each time. */
const implementer: Agent = ({ files, nth }) => put(files, `limit(${nth});`);
const fixer: Agent = ({ files, nth }) => put(files, `${files.get("src/limit.ts")}\nfixed(${nth});`);

function put(files: Files, text: string): string {
  files.set("src/limit.ts", text);
  return "Done.";
}

type Said = { passed?: boolean; findings?: unknown[]; resolutions?: Resolution[] };
const verdict = ({ passed, findings = [], resolutions = [] }: Said = {}) =>
  fenced(
    "superteam-json",
    JSON.stringify({ passed: passed ?? findings.length === 0, findings, resolutions, summary: "As said." }),
  );
/** Answers in order; the last answer is repeated. */
const reviewer =
  (...said: Said[]): Agent =>
  ({ nth }) =>
    verdict(said[nth - 1] ?? said.at(-1));
const missing: Finding = {
  rule: "missing",
  severity: "high",
  anchor: { requirement: "R1" },
  what: "No client is told apart.",
};
const resolved = (id: string, quote = "fixed(1);"): Resolution => ({ id, state: "resolved", quote });
const open = (id: string): Resolution => ({ id, state: "still-open", quote: "limit(1);" });

const agents = { implement: implementer, fix: fixer, "spec-review": reviewer({}), "quality-review": reviewer({}) };
const run = (script: Script = {}): Played<Settled> =>
  play(settle(input), { files: { "README.md": "hello" }, ...script, agents: { ...agents, ...script.agents } });
const names = (played: Played<unknown>) => dispatches(played).map(({ name }) => name);
const commits = (played: Played<unknown>) => played.requests.filter((request) => request.do === "commit");
const statuses = (played: Played<unknown>) =>
  facts(played).flatMap((fact) => (fact.type === "task.status" ? [fact.status] : []));

test("a task is implemented, reviewed for spec, then for quality, and becomes one commit", () => {
  const played = run();
  assert.deepEqual(resultOf(played), {
    task: 2,
    title: "Limit",
    status: "complete",
    commit: "sha-1",
    rounds: 0,
    escalated: false,
    files: ["src/limit.ts"],
    deferred: [],
    waivers: [],
  });
  assert.deepEqual(names(played), ["implement", "spec-review", "quality-review"]);
  assert.deepEqual(
    commits(played).map(({ message, task }) => [message, task]),
    [["workflow: task 2 — Limit", "2"]],
  );
  assert.deepEqual(statuses(played), ["implementing", "reviewing"]);
  assert.deepEqual(questions(played), []);
});

test("the implementer is told the whole task and what came before; reviewers get the diff", () => {
  const [implement, spec] = dispatches(run());
  for (const part of [
    "Limit it.",
    "C1: It limits.",
    "R1: Each client is limited.",
    "Task 1, Bucket: complete (src/bucket.ts)",
  ]) {
    assert.ok(implement?.prompt.includes(part), part);
  }
  assert.match(spec?.prompt ?? "", /- src\/limit\.ts \(added\)[\s\S]*\+limit\(1\);/);
});

test("what a review finds is fixed, and after the fix both reviews are done anew", () => {
  const played = run({
    agents: { "spec-review": reviewer({ findings: [missing] }, { resolutions: [resolved("F1")] }) },
  });
  assert.equal(resultOf(played).rounds, 1);
  assert.deepEqual(names(played), ["implement", "spec-review", "fix", "spec-review", "quality-review"]);
  const [, , fix, again] = dispatches(played);
  assert.match(fix?.prompt ?? "", /F1 high missing \(R1\): No client is told apart\./);
  assert.match(again?.prompt ?? "", /## Your open findings\n- F1 high missing/);
  assert.match(again?.prompt ?? "", /Since then\n- src\/limit\.ts \(modified\)[\s\S]*\+fixed\(1\);/);
  assert.deepEqual(statuses(played), ["implementing", "reviewing", "fixing", "reviewing"]);
});

test("a fix for quality voids the spec verdict too", () => {
  const played = run({
    agents: { "quality-review": reviewer({ findings: [missing] }, { resolutions: [resolved("F1")] }) },
  });
  assert.deepEqual(names(played), [
    "implement",
    "spec-review",
    "quality-review",
    "fix",
    "spec-review",
    "quality-review",
  ]);
});

test("a reviewer that passes beside a critical finding does not pass", () => {
  const played = run({
    agents: {
      "spec-review": reviewer(
        { passed: true, findings: [{ ...missing, severity: "CRITICAL" }] },
        { resolutions: [resolved("F1")] },
      ),
    },
  });
  assert.deepEqual(names(played).slice(0, 3), ["implement", "spec-review", "fix"]);
});

test("a finding that survives two fixes goes to the person, with the findings", () => {
  const played = run({
    agents: { "spec-review": reviewer({ findings: [missing] }, { passed: false, resolutions: [open("F1")] }) },
  });
  assert.deepEqual(names(played), ["implement", "spec-review", "fix", "spec-review", "fix", "spec-review"]);
  assert.ok(played.end.how === "waiting");
  const { question } = played.end;
  assert.equal(question.id, "execute.task.2.escalation");
  assert.equal(question.title, "Task Escalation");
  assert.equal(
    question.message,
    'Task "Limit" failed spec review after 3 attempts.\nLast findings:\n  - F1 high missing (R1): No client is told apart.',
  );
  assert.ok(question.kind === "select" && question.recommended === undefined);
  assert.deepEqual(
    question.options.map(({ key, label }) => [key, label]),
    [
      ["retry", "Retry"],
      ["rollback", "Rollback and retry"],
      ["skip", "Skip this task"],
      ["abort", "Abort workflow"],
    ],
  );
  assert.equal(statuses(played).at(-1), "escalated");
  assert.equal(commits(played).length, 0);
});

/** Finds something new, and worse, every time: only the limit of rounds ends it. */
const neverContent: Agent = ({ nth, files }) => {
  const quote = files.get("src/limit.ts")?.split("\n").at(-1) ?? "";
  const all = Array.from({ length: nth - 1 }, (_, index) => resolved(`F${index + 1}`, quote));
  return verdict({ findings: [{ ...missing, what: `Also ${nth}.` }], resolutions: all });
};

test("new findings every time end with the rounds, and then the person decides", () => {
  for (const limit of [1, 3]) {
    const played = run({ config: { review: { maxTaskReviewCycles: limit } }, agents: { "spec-review": neverContent } });
    assert.equal(names(played).filter((name) => name === "fix").length, limit);
    assert.equal(played.end.how, "waiting");
  }
});

const stubborn: Script = {
  agents: { "spec-review": reviewer({ findings: [missing] }, { passed: false, resolutions: [open("F1")] }) },
};

test("retry means another fix, not completion", () => {
  const played = run({ ...stubborn, answers: { "execute.task.2.escalation": ["retry"] } });
  assert.deepEqual(names(played).slice(6), ["fix", "spec-review", "fix", "spec-review"]);
  assert.equal(played.end.how, "waiting");
  assert.equal(commits(played).length, 0);
});

test("rollback takes the work back and implements the task anew, told what was wrong", () => {
  const seen: (string | undefined)[] = [];
  const played = run({
    answers: { "execute.task.2.escalation": ["rollback"] },
    agents: {
      implement: (turn) => {
        seen.push(turn.files.get("src/limit.ts"));
        return implementer(turn);
      },
      "spec-review": ({ nth }) =>
        verdict(nth === 1 ? { findings: [missing] } : nth < 4 ? { passed: false, resolutions: [open("F1")] } : {}),
    },
  });
  assert.deepEqual(seen, [undefined, undefined]);
  assert.deepEqual(names(played).slice(6), ["implement", "spec-review", "quality-review"]);
  const again = dispatches(played)[6]?.prompt ?? "";
  assert.match(again, /It was taken back: the tree is as it was before the task\.\n- F1 high missing/);
  assert.doesNotMatch(dispatches(played)[7]?.prompt ?? "", /You have reviewed this before/);
  const settled = resultOf(played);
  assert.deepEqual([settled.status, settled.escalated, settled.rounds], ["complete", true, 2]);
});

test("the same work after a rollback is judged anew", () => {
  const played = run({
    answers: { "execute.task.2.escalation": ["rollback"] },
    agents: {
      implement: ({ files }) => put(files, "limit(1);"),
      "spec-review": ({ nth }) =>
        verdict(nth === 1 ? { findings: [missing] } : nth < 4 ? { passed: false, resolutions: [open("F1")] } : {}),
      fix: ({ files, nth }) => put(files, nth === 2 ? "limit(1);" : "limit(2);"),
    },
  });
  assert.deepEqual(names(played).slice(-3), ["implement", "spec-review", "quality-review"]);
  assert.equal(resultOf(played).status, "complete");
});

test("skip takes the work back and leaves everything else alone", () => {
  const played = run({ ...stubborn, answers: { "execute.task.2.escalation": "skip" } });
  const settled = resultOf(played);
  assert.deepEqual([settled.status, settled.commit, settled.files], ["skipped", null, []]);
  assert.deepEqual([...played.files], [["README.md", "hello"]]);
  assert.equal(commits(played).length, 0);
});

test("abort ends the run", () => {
  const played = run({ ...stubborn, answers: { "execute.task.2.escalation": "abort" } });
  assert.deepEqual(played.end, {
    how: "failed",
    failure: { kind: "aborted", step: "execute.task.2.escalation", detail: "the person ended the run at task 2" },
  });
});

test("a task that changes nothing is not complete: the person is asked", () => {
  const idle = { implement: () => "Nothing to do." };
  const played = run({ agents: idle });
  assert.deepEqual(names(played), ["implement"]);
  assert.ok(played.end.how === "waiting" && played.end.question.kind === "select");
  assert.equal(played.end.question.id, "execute.task.2.nothing");
  assert.deepEqual(
    played.end.question.options.map(({ label }) => label),
    ["Retry", "Skip this task", "Accept as it is", "Abort workflow"],
  );
});

test("accepting a task that changed nothing is a waiver, recorded", () => {
  const played = run({ agents: { implement: () => "Nothing." }, answers: { "execute.task.2.nothing": "accept" } });
  const settled = resultOf(played);
  assert.deepEqual([settled.status, settled.commit, settled.waivers.length], ["complete", null, 1]);
  assert.ok(facts(played).some((fact) => fact.type === "waiver" && fact.step === "execute.task.2.nothing"));
});

test("retrying a task that changed nothing tells the implementer so", () => {
  const played = run({
    agents: { implement: ({ nth, files }) => (nth === 1 ? "Nothing." : put(files, "limit(1);")) },
    answers: { "execute.task.2.nothing": "retry" },
  });
  assert.equal(resultOf(played).status, "complete");
  assert.match(dispatches(played)[1]?.prompt ?? "", /You changed no file\./);
});

const config = { validationCommand: "check it" };

test("a failing validation is fixed before any review is paid for, and counts as a round", () => {
  const check = (files: Files) => ({ passed: files.get("src/limit.ts")?.includes("fixed") ?? false, output: "TS2322" });
  const played = run({ config, check });
  assert.deepEqual(names(played), ["implement", "fix", "spec-review", "quality-review"]);
  assert.match(dispatches(played)[1]?.prompt ?? "", /`check it` fails\. It printed, at its end:\n```\nTS2322\n```/);
  assert.equal(resultOf(played).rounds, 1);
});

test("a validation that keeps failing goes to the person, and no review is ever paid for", () => {
  const played = run({ config, check: () => ({ passed: false, output: "TS2322" }) });
  assert.deepEqual(names(played), ["implement", "fix", "fix", "fix"]);
  assert.ok(played.end.how === "waiting");
  assert.match(
    played.end.question.message,
    /^Task "Limit" failed validation after 4 attempts\.\nLast output of `check it`:\nTS2322/,
  );
});

const checks = (played: Played<unknown>) => played.requests.filter((request) => request.do === "check").length;

test("a validation that passed for this very tree is not run again", () => {
  const refuse = (nth: number) => (nth === 1 ? ("refused" as const) : undefined);
  const played = run({ config, commit: refuse, answers: { "execute.task.2.commit": "retry" } });
  assert.equal(resultOf(played).status, "complete");
  assert.equal(checks(played), 1);
});

test("a validation that rewrites the tree is run again on what it made, and the reviews stand", () => {
  const formatting = (files: Files) => {
    files.set("src/limit.ts", "limit( 1 );");
    return { passed: true, output: "" };
  };
  const played = run({ config, check: formatting });
  assert.equal(resultOf(played).status, "complete");
  assert.equal(checks(played), 2);
  assert.deepEqual(names(played), ["implement", "spec-review", "quality-review"]);
});

test("a reviewer that does not pass the work without a reason is asked once more, then the person decides", () => {
  const played = run({ agents: { "spec-review": reviewer({ passed: false }) } });
  assert.deepEqual(names(played), ["implement", "spec-review", "spec-review"]);
  assert.match(dispatches(played)[2]?.prompt ?? "", /you say passed: false, but no finding of medium or above stands/);
  assert.ok(played.end.how === "waiting");
  assert.equal(played.end.question.id, "execute.task.2.escalation");
  assert.match(played.end.question.message, /the spec review is inconclusive[\s\S]*It says: As said\./);
});

test("retrying an inconclusive review reviews again, and changes no code", () => {
  const played = run({
    agents: { "spec-review": reviewer({ passed: false }, { passed: false }, {}) },
    answers: { "execute.task.2.escalation": "retry" },
  });
  assert.deepEqual(names(played), ["implement", "spec-review", "spec-review", "spec-review", "quality-review"]);
  assert.equal(resultOf(played).status, "complete");
});

test("a finding that cannot be checked goes back once, and is then only recorded", () => {
  const invented = { ...missing, anchor: { file: "src/limit.ts", quote: "never written" } };
  const played = run({
    agents: { "spec-review": reviewer({ findings: [invented] }, { findings: [invented], passed: true }) },
  });
  assert.deepEqual(names(played), ["implement", "spec-review", "spec-review", "quality-review"]);
  assert.match(
    dispatches(played)[2]?.prompt ?? "",
    /"No client is told apart\." cannot be checked: its quote is not in src\/limit\.ts/,
  );
  const { status, deferred } = resultOf(played);
  assert.equal(status, "complete");
  assert.match(deferred.join(), /F1 high missing .*no anchor: its quote is not in src\/limit\.ts, verbatim/);
  assert.ok(facts(played).some((fact) => fact.type === "findings.deferred" && fact.task === "2"));
});

test("what could be checked stands when the rest goes back to the reviewer", () => {
  const unanchored = { ...missing, what: "Something else.", anchor: { requirement: "R9" } };
  const played = run({
    agents: {
      "spec-review": reviewer({ findings: [missing, unanchored] }, { passed: true }, { resolutions: [resolved("F1")] }),
    },
  });
  assert.deepEqual(names(played), ["implement", "spec-review", "spec-review", "fix", "spec-review", "quality-review"]);
});

test("nothing outside the tree is read, whatever a reviewer quotes", () => {
  const outside = ["../secret", "/etc/passwd", ".git/config"].map((file) => ({
    ...missing,
    anchor: { file, quote: "x" },
  }));
  const played = run({ agents: { "spec-review": reviewer({ findings: outside }, {}) } });
  assert.deepEqual(
    played.requests.filter((request) => request.do === "read"),
    [],
  );
  assert.equal(resultOf(played).status, "complete");
});

test("a quote is looked up in the file as it is now", () => {
  const quoting = { ...missing, anchor: { file: "src/limit.ts", quote: "limit(1);" } };
  const played = run({
    agents: { "spec-review": reviewer({ findings: [quoting] }, { resolutions: [resolved("F1")] }) },
  });
  assert.deepEqual(names(played), ["implement", "spec-review", "fix", "spec-review", "quality-review"]);
});

test("a fix that changed nothing is not reviewed again: the verdict for that tree is known", () => {
  const played = run({ ...stubborn, agents: { ...stubborn.agents, fix: () => "I disagree." } });
  assert.deepEqual(names(played), ["implement", "spec-review", "fix", "fix"]);
  assert.equal(played.end.how, "waiting");
});

test("nothing is committed that moved after its reviews: it is judged again", () => {
  let moved = false;
  const played = run({
    meanwhile: (request, files) => {
      if (moved || request.do !== "changes" || request.name !== "final") return;
      moved = true;
      files.set("src/limit.ts", "limit(1); // touched by hand");
    },
  });
  assert.deepEqual(names(played), ["implement", "spec-review", "quality-review", "spec-review", "quality-review"]);
  assert.equal(resultOf(played).status, "complete");
});

test("a tree that keeps moving goes to the person", () => {
  let count = 0;
  const played = run({
    meanwhile: (request, files) => {
      if (request.do === "changes" && request.name === "final") files.set("src/limit.ts", `limit(${++count});//`);
    },
  });
  assert.ok(played.end.how === "waiting");
  assert.match(played.end.question.message, /the tree changed while it was being judged/);
  assert.equal(commits(played).length, 0);
});

test("a refused commit is tried again without paying for reviews, skipped, or ends the run", () => {
  const refuse = (nth: number) => (nth === 1 ? ("refused" as const) : undefined);
  const retried = run({ commit: refuse, answers: { "execute.task.2.commit": "retry" } });
  assert.deepEqual(names(retried), ["implement", "spec-review", "quality-review"]);
  assert.equal(resultOf(retried).commit, "sha-1");
  const asked = questions(retried)[0];
  assert.match(asked?.message ?? "", /its commit was refused\.\nError: the hook says no/);
  assert.ok(asked?.kind === "select");
  assert.deepEqual(
    asked.options.map(({ key }) => key),
    ["retry", "skip", "abort"],
  );
  const skipped = run({ commit: refuse, answers: { "execute.task.2.commit": "skip" } });
  assert.equal(resultOf(skipped).status, "skipped");
  assert.equal(skipped.files.has("src/limit.ts"), false);
});

test("after a hook changed the commit the checks run again, and the stale reviews are told", () => {
  const formatting = (nth: number, files: Files) => {
    if (nth === 1) files.set("src/limit.ts", "limit(1)\n");
    return undefined;
  };
  const played = run({ config, commit: formatting });
  assert.equal(resultOf(played).status, "complete");
  assert.equal(played.requests.filter((request) => request.do === "check").length, 2);
  assert.match(JSON.stringify(facts(played)), /A commit hook changed task 2 after its reviews/);
  const broken = run({
    config,
    commit: formatting,
    check: (files) => ({ passed: files.get("src/limit.ts") !== "limit(1)\n", output: "broken" }),
  });
  assert.deepEqual(names(broken).slice(3), ["fix", "spec-review", "quality-review"]);
  assert.equal(commits(broken).length, 2);
});

test("an implementer that fails half-way is undone before it is tried again", () => {
  const seen: (string | undefined)[] = [];
  const played = run({
    answers: { "execute.task.2.implement.failed": "retry" },
    agents: {
      implement: ({ nth, files }) => {
        seen.push(files.get("src/half.ts"));
        files.set("src/half.ts", "half");
        return nth === 1 ? { failed: "rate-limited" } : put(files, "limit(1);");
      },
    },
  });
  assert.deepEqual(seen, [undefined, undefined]);
  assert.equal(resultOf(played).status, "complete");
});

const anySaid = fc.record({
  passed: fc.boolean(),
  findings: fc.array(
    fc.record({
      rule: fc.constantFrom("missing", "extra"),
      severity: fc.constantFrom("low", "medium", "high", "critical"),
      anchor: fc.constantFrom({ requirement: "R1" }, { requirement: "R9" }, { file: "src/limit.ts", quote: "limit" }),
      what: fc.constantFrom("a", "b", "c"),
    }),
    { maxLength: 2 },
  ),
  resolutions: fc.array(
    fc.record({
      id: fc.constantFrom("F1", "F2", "F3"),
      state: fc.constantFrom("resolved", "still-open"),
      quote: fc.constantFrom("limit", "invented"),
    }),
    { maxLength: 3 },
  ),
});

test("whatever agents and checks do, a task ends or asks within its rounds, and is complete only with evidence", () => {
  const scripts = fc.record({
    limit: fc.integer({ min: 1, max: 5 }),
    spec: fc.infiniteStream(anySaid),
    quality: fc.infiniteStream(anySaid),
    edits: fc.infiniteStream(fc.boolean()),
    checks: fc.infiniteStream(fc.boolean()),
  });
  fc.assert(
    fc.property(scripts, ({ limit, spec, quality, edits, checks }) => {
      const take = <T>(stream: Iterator<T>): T => stream.next().value;
      const fix: Agent = (turn) => (take(edits) ? fixer(turn) : "Nothing.");
      const played = run({
        config: { ...config, review: { maxTaskReviewCycles: limit } },
        check: () => ({ passed: take(checks), output: "" }),
        agents: { fix, "spec-review": () => verdict(take(spec)), "quality-review": () => verdict(take(quality)) },
      });
      const count = (name: string) => names(played).filter((known) => known === name).length;
      assert.ok(count("fix") <= limit);
      assert.ok(count("spec-review") + count("quality-review") <= 4 * (limit + 1));
      if (played.end.how === "waiting") assert.equal(commits(played).length, 0);
      else assertEvidence(played);
    }),
  );
});

/** The last verdicts approve, the last check passed, and no agent has written since. */
function assertEvidence(played: Played<Settled>): void {
  assert.equal(resultOf(played).status, "complete");
  const verdicts = facts(played).flatMap((fact) => (fact.type === "review.finished" ? [fact] : []));
  for (const role of ["spec-reviewer", "quality-reviewer"]) {
    assert.equal(verdicts.findLast((fact) => fact.role === role)?.verdict, "approved");
  }
  const written = played.requests.findLastIndex((request) => request.do === "dispatch" && request.access === "write");
  const checked = played.requests.findLastIndex((request) => request.do === "check");
  assert.ok(checked > written);
}
