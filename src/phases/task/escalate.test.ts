// What the person can decide about a task, and where each choice leads.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agent, dispatches, type Files, facts, questions, resultOf, type Script } from "../../../test/rig/flow.ts";
import {
  commits,
  fixer,
  implementer,
  missing,
  names,
  open,
  put,
  resolved,
  reviewer,
  run,
  statuses,
  stubborn,
  verdict,
} from "../../../test/rig/task.ts";
import { readAnswer } from "../../core/flow/question.ts";

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
  assert.match(
    again,
    /It was rolled back: the tree is as it was before the task\. What was wrong with it:\n- F1 high missing/,
  );
  assert.doesNotMatch(dispatches(played)[7]?.prompt ?? "", /Changes since your last review/);
  const settled = resultOf(played);
  assert.deepEqual([settled.status, settled.escalated, settled.rounds], ["complete", true, 2]);
});

test("however often a task was tried, a rollback goes back to the tree before it", () => {
  const played = run({
    ...stubborn,
    files: { "README.md": "before" },
    answers: { "execute.task.2.escalation": ["retry", "rollback", "retry", "rollback"] },
  });
  const taken = played.requests.flatMap((request) => (request.do === "undo-work" ? [request.work.start.tree] : []));
  assert.deepEqual(taken, ["tree-0", "tree-0"]);
  assert.equal(played.end.how, "waiting");
});

test('"continue" is another word for retry, wherever a task can be retried', () => {
  const asked = [
    ...questions(run(stubborn)),
    ...questions(run({ agents: { implement: () => "Nothing." } })),
    ...questions(run({ commit: () => "refused" })),
  ];
  assert.deepEqual(
    asked.map((question) => [question.id, readAnswer(question, "Continue")]),
    ["escalation", "nothing", "commit"].map((name) => [`execute.task.2.${name}`, { ok: true, answer: "retry" }]),
  );
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

test("a task whose commit would change nothing is not complete either", () => {
  const played = run({ commit: () => "nothing" });
  assert.ok(played.end.how === "waiting");
  assert.equal(played.end.question.id, "execute.task.2.nothing");
  assert.match(played.end.question.message, /changed nothing/);
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
  assert.match(dispatches(played)[1]?.prompt ?? "", /You changed no file, and the person asked for another attempt\./);
});

test("retrying an inconclusive review reviews again, and changes no code", () => {
  const played = run({
    agents: { "spec-review": reviewer({ passed: false }, { passed: false }, {}) },
    answers: { "execute.task.2.escalation": "retry" },
  });
  assert.deepEqual(names(played), ["implement", "spec-review", "spec-review", "spec-review", "quality-review"]);
  assert.equal(resultOf(played).status, "complete");
});

test("a tree that keeps moving goes to the person", () => {
  let count = 0;
  const played = run({
    meanwhile: (request, files) => {
      if (request.do === "commit") files.set("mine.txt", `${++count}`);
    },
  });
  assert.ok(played.end.how === "waiting");
  assert.match(played.end.question.message, /the tree changed while it was being checked/);
  assert.equal(played.files.get("mine.txt"), "2");
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

const broken: Readonly<Record<string, Script["agents"]>> = {
  "implement.failed": { implement: () => ({ failed: "crashed", detail: "killed" }) },
  "fix.failed": { ...stubborn.agents, fix: () => ({ failed: "stuck" }) },
  "spec-review.failed": { "spec-review": () => ({ failed: "timed-out" }) },
  "spec-review.unparsable": { "spec-review": () => "Looks good." },
  "quality-review.touched": {
    "quality-review": ({ files }) => {
      put(files, "mine");
      return verdict();
    },
  },
};

test("an agent that cannot be used is an escalation of its task, with the same choices", () => {
  for (const [name, agents = {}] of Object.entries(broken)) {
    for (const order of ["spec-first", "parallel"] as const) {
      const played = run({ agents, config: { review: { order } } });
      assert.ok(played.end.how === "waiting" && played.end.question.kind === "select", name);
      const { id, title, options, recommended } = played.end.question;
      assert.equal(id, `execute.task.2.${name}`);
      assert.match(title, name.endsWith("unparsable") ? /^Parse Error$/ : /^Agent Error: /);
      assert.deepEqual(
        options.map(({ label }) => label),
        ["Retry", "Rollback and retry", "Skip this task", "Abort workflow"],
      );
      assert.equal(recommended, undefined);
      assert.equal(statuses(played).at(-1), "escalated", name);
      assert.equal(commits(played).length, 0);
    }
  }
});

test("a task whose agent cannot be used can be skipped: the tree is as it was before it", () => {
  for (const [name, agents = {}] of Object.entries(broken)) {
    const played = run({ agents, answers: { [`execute.task.2.${name}`]: "skip" } });
    const { status, escalated, commit } = resultOf(played);
    assert.deepEqual([status, escalated, commit], ["skipped", true, null], name);
    assert.deepEqual([...played.files], [["README.md", "hello"]], name);
  }
});

test("a task whose agent cannot be used can be started over, or end the run with what went wrong", () => {
  const once: Agent = ({ nth, files }) => (nth === 1 ? { failed: "auth" } : put(files, `limit(${nth});`));
  const over = run({ agents: { implement: once }, answers: { "execute.task.2.implement.failed": "rollback" } });
  assert.match(dispatches(over)[1]?.prompt ?? "", /It was rolled back: the tree is as it was before the task\./);
  assert.deepEqual([resultOf(over).status, resultOf(over).escalated], ["complete", true]);
  const unread: Agent = ({ nth }) => (nth <= 3 ? "Fine!" : verdict());
  const anew = run({
    agents: { "spec-review": unread },
    answers: { "execute.task.2.spec-review.unparsable": "rollback" },
  });
  assert.deepEqual(names(anew).slice(4), ["implement", "spec-review", "quality-review"]);
  const ended = run({
    agents: broken["implement.failed"] ?? {},
    answers: { "execute.task.2.implement.failed": "abort" },
  });
  assert.deepEqual(ended.end, {
    how: "failed",
    failure: {
      kind: "aborted",
      step: "execute.task.2.implement.failed",
      detail: "the person ended the run after implementer failed (crashed): killed",
    },
  });
});

test("retrying an agent repeats its step and no other, and is no round", () => {
  const fix: Agent = (turn) => (turn.nth === 1 ? { failed: "auth" } : fixer(turn));
  const spec = reviewer({ findings: [missing] }, { resolutions: [resolved("F1", "fixed(2);")] });
  const mended = run({ agents: { "spec-review": spec, fix }, answers: { "execute.task.2.fix.failed": "retry" } });
  assert.deepEqual(names(mended), ["implement", "spec-review", "fix", "fix", "spec-review", "quality-review"]);
  assert.deepEqual([resultOf(mended).rounds, resultOf(mended).escalated], [1, true]);
  assert.deepEqual(statuses(mended), ["implementing", "reviewing", "fixing", "escalated", "fixing", "reviewing"]);
  const quality: Agent = ({ nth }) => (nth === 1 ? { failed: "auth" } : verdict());
  const seen = run({
    config: { review: { order: "parallel" } },
    agents: { "quality-review": quality },
    answers: { "execute.task.2.quality-review.failed": "retry" },
  });
  assert.deepEqual(
    names(seen),
    ["implement", "spec-review", "quality-review", "quality-review"],
    "the other verdict stands",
  );
  assert.equal(resultOf(seen).status, "complete");
});

test("an agent that cannot be used grants the work no further rounds", () => {
  const spec: Agent = (turn) => {
    if (turn.nth === 2) return { failed: "auth" };
    return stubborn.agents?.["spec-review"]?.(turn) ?? "";
  };
  const played = run({ agents: { "spec-review": spec }, answers: { "execute.task.2.spec-review.failed": "retry" } });
  assert.equal(names(played).filter((name) => name === "fix").length, 2);
  assert.ok(played.end.how === "waiting" && played.end.question.id === "execute.task.2.escalation");
});

test("what the person does to the tree before a retry stays, also when the agent fails again", () => {
  let asked = 0;
  const played = run({
    meanwhile: (request, files) => {
      if (request.do === "ask" && ++asked === 1) files.set("README.md", "edited");
    },
    agents: { implement: ({ nth, files }) => (nth < 3 ? { failed: "auth" } : put(files, "limit(1);")) },
    answers: { "execute.task.2.implement.failed": ["retry", "retry"] },
  });
  assert.equal(resultOf(played).status, "complete");
  assert.equal(played.files.get("README.md"), "edited");
});

/** A hook that never leaves a commit as it was judged. */
const stamping = (nth: number, files: Files) => {
  files.set("stamp.txt", `${nth}`);
  return undefined;
};

test("T1: what a hook puts into a commit again after it was judged is the person's to decide", () => {
  const asked = run({ commit: stamping });
  assert.equal(asked.end.how, "waiting");
  assert.ok(asked.end.how === "waiting" && asked.end.question.id === "execute.task.2.hook");
  assert.match(asked.end.question.message, /nobody has reviewed: stamp\.txt\.\nLook at it: git show sha-2/);

  const accepted = run({ commit: stamping, answers: { "execute.task.2.hook": "accept" } });
  assert.equal(commits(accepted).length, 2, "what the person has seen stays");
  const { status, commit, files, waivers } = resultOf(accepted);
  assert.deepEqual([status, commit, files], ["complete", "sha-2", ["src/limit.ts", "stamp.txt"]]);
  assert.deepEqual(waivers, ["its commit has what a hook put there and nobody reviewed: stamp.txt"]);
  assert.ok(facts(accepted).some((fact) => fact.type === "waiver" && fact.step === "execute.task.2.hook"));

  const mended = run({
    commit: (nth, files) => (nth > 2 ? undefined : stamping(nth, files)),
    answers: { "execute.task.2.hook": "retry" },
  });
  assert.deepEqual([resultOf(mended).status, resultOf(mended).waivers], ["complete", []]);
  const skipped = run({ commit: stamping, answers: { "execute.task.2.hook": "skip" } });
  assert.deepEqual([resultOf(skipped).status, skipped.files.has("stamp.txt")], ["skipped", false]);
});
