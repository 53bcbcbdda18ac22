// The plan, as the person sees it and approves it.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Agent,
  dispatches,
  type Files,
  facts,
  play,
  questions,
  resultOf,
  type Script,
} from "../../../test/rig/flow.ts";
import { designPath, planJob, planOf, planPath, planText, writesPlan } from "../../../test/rig/plan.ts";
import { reviewer } from "../../../test/rig/task.ts";
import type { Request } from "../../core/flow/flow.ts";
import { reviewFlows } from "../work/review.ts";
import { planReview } from "./review.ts";

const path = planPath;
const documents = [path, designPath];
const written = planText([
  { id: 1, title: "One" },
  { id: 2, title: "Two" },
]);
const { plan } = written;
const passing = { "architect-review": reviewer({}), "plan-spec-review": reviewer({}) };
const review = (script: Script) =>
  play(planReview(planJob, written, designPath), {
    documents,
    files: { [path]: planOf("One", "Two") },
    flows: reviewFlows,
    ...script,
    agents: { ...passing, ...script.agents },
  });
const planners = (played: Pick<ReturnType<typeof review>, "requests">) =>
  dispatches(played).filter(({ role }) => role === "planner");

test("the person sees the tasks, approves, and design and plan become one commit", () => {
  const played = review({ answers: { "plan.approval": "approve" } });
  assert.deepEqual(resultOf(played).plan, plan);
  const [question] = questions(played);
  assert.ok(question?.kind === "select");
  assert.equal(question.title, "Plan Approval");
  assert.match(
    question.message,
    new RegExp(`The plan is in ${path}\\. What that file says when you approve is what gets built`),
  );
  assert.deepEqual(
    question.options.map(({ label }) => label),
    ["Approve", "Revise (provide feedback)", "Open in editor", "Read it all", "Abort"],
  );
  const shown = question.options.find(({ key }) => key === "read")?.shows;
  assert.equal(shown, written.text, "the whole plan, for a pager");
  const commits = played.requests.filter((request) => request.do === "commit");
  assert.deepEqual(
    commits.map(({ message, documents: paths }) => ({ message, paths })),
    [{ message: "workflow: design and plan — Add rate limiting", paths: [designPath, path] }],
  );
});

test("a revision goes to the planner with the person's words, and is shown again", () => {
  const played = review({
    config: { tdd: "off" },
    agents: { revise: writesPlan(planOf("One", "Two", "Three")) },
    answers: { "plan.approval": ["revise", "approve"], "plan.feedback": "Split the second task." },
  });
  assert.deepEqual(
    resultOf(played).plan.tasks.map(({ title }) => title),
    ["One", "Two", "Three"],
  );
  assert.match(planners(played)[0]?.prompt ?? "", /Split the second task\./);
  assert.doesNotMatch(planners(played)[0]?.prompt ?? "", /test first/);
  const looks = dispatches(played).filter(({ role }) => role === "architect");
  assert.equal(looks.length, 1, "the person has decided: nobody is paid to argue");
  assert.match(questions(played).at(-1)?.message ?? "", /Plan has 3 tasks/);
  assert.equal(questions(played).find(({ id }) => id === "plan.feedback")?.kind, "editor");
});

test("a revision that leaves the plan as it was is not one", () => {
  const played = review({
    agents: { revise: writesPlan("", planOf("One")) },
    answers: { "plan.approval": ["revise", "approve"], "plan.feedback": "Fewer tasks." },
  });
  assert.equal(resultOf(played).plan.tasks.length, 1);
  assert.equal(planners(played).length, 2);
});

test("empty feedback sends nobody", () => {
  const played = review({ answers: { "plan.approval": ["revise", "approve"], "plan.feedback": " \n" } });
  assert.deepEqual(resultOf(played).plan, plan);
  assert.equal(planners(played).length, 0);
});

test("a person's revision is checked by code before it is shown", () => {
  const uncovered = planOf("One").replace("R1", "R7");
  const played = review({
    agents: { revise: writesPlan(uncovered, planOf("One")) },
    answers: { "plan.approval": ["revise", "approve"], "plan.feedback": "Fewer tasks." },
  });
  assert.equal(resultOf(played).plan.tasks.length, 1);
  assert.match(planners(played)[1]?.prompt ?? "", /requirement R1 is covered by no task/);
});

/** Somebody at work on the file while the question about it is open. */
const edits =
  (...texts: (string | null)[]) =>
  (request: Request, files: Files): void => {
    if (request.do !== "ask" || request.question.id !== "plan.approval") return;
    const text = texts.shift();
    if (typeof text === "string") files.set(path, text);
    if (text === null) files.delete(path);
  };

test("what is approved is what is on disk: a plan edited by hand before approval is the plan", () => {
  const played = review({ meanwhile: edits(planOf("Mine")), answers: { "plan.approval": "approve" } });
  assert.deepEqual(
    resultOf(played).plan.tasks.map(({ title }) => title),
    ["Mine"],
  );
  const told = facts(played).filter((fact) => fact.type === "plan.written");
  assert.deepEqual(told.at(-1)?.tasks, [
    {
      ...{ id: "1", title: "Mine", complexity: "medium", files: ["src/1.ts"], criteria: ["It does 1."] },
      ...{ covers: ["R1"], dependsOn: [] },
    },
  ]);
  assert.equal(planners(played).length, 0);
});

test("an edited plan that cannot be used is asked about again, with its problems beside the answers", () => {
  const broken = planOf("Mine").replace("R1", "R7");
  const played = review({
    meanwhile: edits(broken, planOf("Mine")),
    answers: { "plan.approval": ["approve", "approve"] },
  });
  assert.deepEqual(
    resultOf(played).plan.tasks.map(({ title }) => title),
    ["Mine"],
  );
  const [first, second] = questions(played);
  assert.equal(first?.recommended, "approve");
  assert.equal(second?.recommended, undefined, "nobody approves a broken plan by default");
  assert.match(
    second?.message ?? "",
    /is what gets built\.\n\ndocs\/plans\/x-plan\.md was edited and cannot be used:\n- "covers" names R7[^\n]*\n[^\n]*\nFix the file and approve again, or have the planner revise it\.$/,
  );
  assert.equal(played.requests.filter((request) => request.do === "commit").length, 1);
});

test("a plan that is gone when it is approved comes back as it was shown, and so does its design", () => {
  const played = review({
    files: { [path]: written.text },
    meanwhile: edits(null),
    answers: { "plan.approval": "approve" },
  });
  assert.deepEqual(resultOf(played).text, written.text);
  assert.deepEqual([played.files.get(path), played.files.get(designPath)], [written.text, planJob.design]);
  const warned = facts(played).flatMap((fact) => (fact.type === "warning" ? [fact.text] : []));
  assert.deepEqual(
    warned,
    [path, designPath].map((gone) => `${gone} was missing. It was restored from the journal.`),
  );
  assert.equal(planners(played).length, 0, "nobody is paid for it again");
});

test("a plan that is gone is there again before it is revised or reviewed", () => {
  const seen: (string | undefined)[] = [];
  const revise: Agent = (scene) => {
    seen.push(scene.files.get(path));
    return writesPlan(planOf("One"))(scene);
  };
  const answers = { "plan.approval": ["revise", "approve"], "plan.feedback": "Shorter." };
  review({ files: { [path]: written.text }, meanwhile: edits(null), agents: { revise }, answers });
  assert.deepEqual(seen, [written.text]);
  const unread = review({ files: {}, answers: { "plan.approval": "approve" } });
  assert.deepEqual([resultOf(unread).text, planners(unread).length], [written.text, 0]);
});

test("an edited plan that the person then has revised is asked about like any other", () => {
  const played = review({
    meanwhile: edits("broken"),
    agents: { revise: writesPlan(planOf("One")) },
    answers: { "plan.approval": ["approve", "revise", "approve"], "plan.feedback": "Write it again." },
  });
  assert.equal(resultOf(played).plan.tasks.length, 1);
  const last = questions(played).at(-1);
  assert.match(last?.message ?? "", /^Changed since you saw it last:[\s\S]*Plan has 1 task ·/);
  assert.equal(last?.recommended, "approve");
});

test("a plan that somebody broke before its review is mended by the planner first", () => {
  const played = review({
    files: { [path]: "gone" },
    agents: { revise: writesPlan(planOf("One", "Two")) },
    answers: { "plan.approval": "approve" },
  });
  assert.equal(resultOf(played).plan.tasks.length, 2);
  assert.deepEqual(
    dispatches(played).map(({ name }) => name),
    ["revise", "architect-review", "plan-spec-review"],
  );
});

test("abort ends the run before anything is committed", () => {
  const played = review({ answers: { "plan.approval": "abort" } });
  assert.ok(played.end.how === "failed" && played.end.failure.kind === "aborted");
  assert.equal(played.end.failure.detail, "the person did not want the plan");
  assert.ok(!played.requests.some((request) => request.do === "commit"));
});

test("documents are not committed when the configuration says so", () => {
  const played = review({ config: { documents: { commit: false } }, answers: { "plan.approval": "approve" } });
  assert.deepEqual(resultOf(played).plan, plan);
  assert.ok(!played.requests.some((request) => request.do === "commit"));
});

test("a refused commit of documents is tried again, left, or ends the run, as the person says", () => {
  const refusing = (until: number) => (nth: number, _files: Files) => (nth < until ? ("refused" as const) : undefined);
  const approve = { "plan.approval": "approve" };
  const retried = review({ commit: refusing(2), answers: { ...approve, "plan.commit": "retry" } });
  assert.equal(retried.requests.filter((request) => request.do === "commit").length, 2);
  assert.deepEqual(resultOf(retried).plan, plan);
  const left = review({ commit: refusing(9), answers: { ...approve, "plan.commit": "skip" } });
  assert.deepEqual(resultOf(left).plan, plan);
  assert.match(JSON.stringify(facts(left)), /Not committed: docs\/plans\/x-design\.md/);
  const ended = review({ commit: refusing(9), answers: { ...approve, "plan.commit": "abort" } });
  assert.ok(ended.end.how === "failed" && ended.end.failure.kind === "aborted");
});

test("T1: what a hook adds to the commit of the documents is put to the person, and what it makes of these is not", () => {
  const adding = (path: string) => (_: number, files: Files) => {
    files.set(path, "by a hook");
    return undefined;
  };
  const approve = { "plan.approval": "approve" };
  const asked = review({ commit: adding("evil.js"), answers: approve });
  assert.ok(asked.end.how === "waiting" && asked.end.question.id === "plan.hook");
  assert.match(asked.end.question.message, /which nobody has reviewed: evil\.js\.\nLook at it: git show sha-1/);
  const told = review({ commit: adding("evil.js"), answers: { ...approve, "plan.hook": "continue" } });
  assert.deepEqual(resultOf(told).plan, plan);
  const ended = review({ commit: adding("evil.js"), answers: { ...approve, "plan.hook": "abort" } });
  assert.ok(ended.end.how === "failed" && ended.end.failure.kind === "aborted");
});

test("W4: a revision that fails three times brings the plan back as it was, with Approve", () => {
  const played = review({
    agents: { revise: writesPlan("no plan at all") },
    answers: { "plan.approval": ["revise", "approve"], "plan.feedback": "Split the second task." },
  });
  assert.equal(planners(played).length, 3);
  assert.deepEqual(resultOf(played).plan, plan);
  const [, again] = questions(played).filter(({ id }) => id === "plan.approval");
  assert.match(
    again?.message ?? "",
    /is what gets built\.\n\nThe planner's revision could not be used, so the plan is unchanged:\n- /,
  );
  assert.match(again?.message ?? "", /Plan has 2 tasks ·/);
  assert.deepEqual(
    questions(played).map(({ id }) => id),
    ["plan.approval", "plan.feedback", "plan.approval"],
    "nobody has to choose between Retry and Abort",
  );
});

test("W4: what comes back after a revision that fails is the plan as the person had edited it", () => {
  const edited = planOf("One, edited", "Two");
  const played = review({
    agents: { revise: writesPlan("no plan at all") },
    answers: { "plan.approval": ["revise", "approve"], "plan.feedback": "Split the second task." },
    meanwhile: (request, files) => {
      if (request.do === "ask" && request.question.id === "plan.feedback") files.set(path, edited);
    },
  });
  assert.equal(played.files.get(path), edited);
  assert.equal(resultOf(played).plan.tasks[0]?.title, "One, edited");
});

/** What the person reads at each approval. */
const approvals = (played: ReturnType<typeof review>): readonly string[] =>
  questions(played).flatMap(({ id, message }) => (id === "plan.approval" ? [message] : []));

test("U1: the plan is approved by what it says: files, criteria, requirements, order, reviews and cost of each task", () => {
  const [message = ""] = approvals(review({ answers: { "plan.approval": "approve" } }));
  assert.deepEqual(message.split("\n").slice(0, 11), [
    "Plan has 2 tasks · R1 covered · architect ✓ spec-reviewer ✓",
    "",
    "1. One                                medium  R1        ~$1.05",
    "     src/1.ts",
    "     - It does 1.",
    "2. Two                                medium  R1        ~$1.05",
    "     src/2.ts",
    "     - It does 2.",
    "",
    "Requirements:",
    "  R1  It must.                                                     task 1, 2",
  ]);
  assert.ok(message.split("\n").every((line) => line.length <= 76 || /^(Estimate|The plan)/.test(line)));
});

test("M3: the forecast is part of the approval, and says so when it is mostly a guess", () => {
  const [first = ""] = approvals(review({ answers: { "plan.approval": "approve" } }));
  assert.match(
    first,
    /\nEstimate: \$2\.25 \(\$\d.\d\d–\$\d+\.\d\d\), \d+–\d+ min\. First run here: mostly a guess\.\nBudget: \$20\.00 of \$20\.00 left\.\n/,
  );
  const sample = (role: string, difficulty: "medium" | null) => ({
    ...{ role, difficulty, model: "p/m", costsUsd: [0.1, 0.1, 0.1], ms: [1, 1, 1] },
  });
  const own = [
    ...["spec-reviewer", "quality-reviewer", "final-reviewer"].map((role) => sample(role, null)),
    sample("implementer", "medium"),
  ];
  const known = { own, past: [], spentUsd: 1, models: {} };
  const [later = ""] = approvals(review({ experience: known, answers: { "plan.approval": "approve" } }));
  assert.match(later, /Based on 12 earlier agent calls\.\nBudget: \$19\.00 of \$20\.00 left\./);
});

test("a plan that does not fit into the budget says so, and is not approved by policy", () => {
  const poor = { own: [], past: [], spentUsd: 19.5, models: {} };
  const played = review({ experience: poor, answers: { "plan.approval": "approve" } });
  assert.match(approvals(played)[0] ?? "", /Budget: \$0\.50 of \$20\.00 left\. The estimate does not fit\./);
  assert.equal(questions(played)[0]?.recommended, undefined);
});

test("U1: after a revision the question begins with what changed", () => {
  const played = review({
    agents: { revise: writesPlan(planOf("One", "Two", "Three")) },
    answers: { "plan.approval": ["revise", "approve"], "plan.feedback": "Add a third." },
  });
  assert.match(
    approvals(played)[1] ?? "",
    /^Changed since you saw it last:\n- task 3 is new: Three\n\nPlan has 3 tasks/,
  );
  assert.match(approvals(played)[1] ?? "", /· changed since its review/);
  assert.match(approvals(played)[1] ?? "", / What changed since you saw it last is at the top\.$/);
});

test("the person may change the plan in their editor, and is shown what that changed", () => {
  const edited = planOf("One", "Two").replace("It does 2.", "It does more.");
  const played = review({ answers: { "plan.approval": ["edit", "approve"], "plan.edit": edited } });
  const [asked] = questions(played).filter(({ id }) => id === "plan.edit");
  assert.ok(asked?.kind === "editor");
  assert.equal(asked.prefill, planOf("One", "Two"));
  assert.match(
    approvals(played)[1] ?? "",
    /^Changed .*:\n- task 2: \+ criterion "It does more\."; − criterion "It does 2\."/,
  );
  assert.equal(played.files.get(path), edited);
  assert.equal(resultOf(played).text, edited);
  assert.equal(planners(played).length, 0);
});

test("a planner that fails at a revision leaves the way back to the plan, which is as it was", () => {
  const failing = () => ({ failed: "crashed" }) as const;
  const played = review({
    agents: { revise: failing },
    answers: {
      "plan.approval": ["revise", "approve"],
      "plan.feedback": "Split the second task.",
      "plan.revise.failed": ["retry", "leave"],
    },
  });
  assert.deepEqual(resultOf(played).plan, plan);
  const [failed] = questions(played).filter(({ id }) => id === "plan.revise.failed");
  assert.ok(failed?.kind === "select");
  assert.deepEqual(
    failed.options.map(({ label }) => label),
    ["Retry", "Leave the plan as it was", "Abort workflow"],
  );
});

test("an edit that leaves no usable plan is named with its problems, and an empty one changes nothing", () => {
  const broken = planOf("One").replace("R1", "R7");
  const played = review({
    answers: { "plan.approval": ["edit", "edit", "approve"], "plan.edit": [broken, planOf("One")] },
  });
  assert.match(approvals(played)[1] ?? "", /\n\ndocs\/plans\/x-plan\.md was edited and cannot be used:/);
  assert.equal(resultOf(played).plan.tasks.length, 1);
  const left = review({ answers: { "plan.approval": ["edit", "approve"], "plan.edit": " \n" } });
  assert.deepEqual(resultOf(left).plan, plan);
});
