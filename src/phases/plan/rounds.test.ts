// Revisions of a plan: what they may touch, how many there are, and what the person decides.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agent, facts, questions, resultOf, type Script } from "../../../test/rig/flow.ts";
import { disputing, planDocument, planPath, writesPlan } from "../../../test/rig/plan.ts";
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
  tasks,
  waitingFor,
} from "../../../test/rig/plan-review.ts";
import fc, { times } from "../../../test/rig/property.ts";
import { reviewer, type Said, verdict } from "../../../test/rig/task.ts";
import type { Finding, Resolution } from "../../core/review/review.ts";

test("a revision that touches a task nobody named is refused, taken back, and asked for again", () => {
  const before: (string | undefined)[] = [];
  const patch: Agent = (turn) => {
    before.push(turn.files.get(planPath));
    return writesPlan(mended(1, 2), mended(2))(turn);
  };
  const played = run({
    agents: agents(
      reviewer({ findings: [finding(2)] }, { resolutions: [resolution("F1", "resolved")] }),
      reviewer({}),
      patch,
    ),
  });
  assert.equal(resultOf(played).plan.tasks[0]?.description, "Do 1.");
  assert.deepEqual(before, [original, original]);
  assert.match(sent(played, "patch")[1]?.prompt ?? "", /was rejected\n- task 1 was changed, but no finding names it\./);
  assert.match(JSON.stringify(facts(played)), /A revision of the plan was refused and undone: task 1 was changed/);
  assert.equal(facts(played).filter(({ type }) => type === "plan.written").length, 1);
});

test("a revision that cannot be read, or is none, is refused too; after three the person decides", () => {
  const played = run({
    agents: agents(reviewer({ findings: [finding(2)] }), reviewer({}), writesPlan("", "no plan", mended(2, 3))),
  });
  assert.equal(sent(played, "patch").length, 3);
  assert.equal(waitingFor(played), "plan.review");
  assert.equal(played.files.get(planPath), original);
  const question = questions(played).at(-1);
  assert.match(
    question?.message ?? "",
    /^The reviewers do not pass the plan\.\n- F1 high incorrect \(T2\)[\s\S]*were refused:\n- task 3 was changed, but no finding names it\.\nIn full: /,
  );
});

test("A1: a revision that cannot be read is kept for the planner to edit, and still compared with what was there before", () => {
  const before: (string | undefined)[] = [];
  const broken = mended(2).replace("files:", "files: [");
  const patch: Agent = (turn) => {
    before.push(turn.files.get(planPath));
    return writesPlan(broken, mended(1, 2), mended(2))(turn);
  };
  const played = run({
    agents: agents(
      reviewer({ findings: [finding(2)] }, { resolutions: [resolution("F1", "resolved")] }),
      reviewer({}),
      patch,
    ),
  });
  assert.equal(resultOf(played).plan.tasks[1]?.description, "Mended 2.");
  assert.deepEqual(before, [original, broken, original]);
  assert.match(JSON.stringify(facts(played)), /"The plan could not be used; the planner fixes it: [^"]*YAML/);
});

test("a new task is taken when one was found missing, and keeps the numbers of the others", () => {
  const withNew = planDocument([{ id: 4, title: "First of all" }, ...tasks]);
  const missing = finding(1, { rule: "missing", anchor: { requirement: "R1" } });
  const script = (found: Finding): Script => ({
    agents: agents(
      reviewer({ findings: [found] }, { resolutions: [resolution("F1", "resolved", "First of all")] }),
      reviewer({}),
      writesPlan(withNew),
    ),
  });
  assert.deepEqual(
    resultOf(run(script(missing))).plan.tasks.map(({ id }) => id),
    [4, 1, 2, 3],
  );
  assert.equal(waitingFor(run(script(finding(1)))), "plan.review");
});

/** Changes task 2 each time, and mends nothing. */
const retrying: Agent = ({ files, nth }) => {
  files.set(planPath, planDocument([{ id: 1 }, { id: 2, description: `Try ${nth}, Do 2.` }, { id: 3 }]));
  return "Tried.";
};

test("a finding that is open after two revisions ends it early, and nothing is recommended", () => {
  const played = run({
    config: { review: { maxPlanReviewCycles: 10 } },
    agents: agents(reviewer({ findings: [finding(2)] }, stillOpen("F1")), reviewer({}), retrying),
  });
  assert.equal(sent(played, "patch").length, 2);
  const question = questions(played).at(-1);
  assert.ok(question?.kind === "select");
  assert.deepEqual([question.id, question.title, question.recommended], ["plan.review", "Plan Review", undefined]);
  assert.match(question.message, /^After 2 revisions the reviewers still do not pass the plan\.\n- F1 high/);
  assert.deepEqual(
    question.options.map(({ label }) => label),
    ["Approve as-is", "Provide guidance", "Abort"],
  );
});

const fresh: Agent = ({ nth }) => {
  const known = nth === 1 ? [] : [resolution(`F${nth - 1}`, "resolved", `Try ${nth - 1}, Do 2.`)];
  return verdict({ findings: [finding(2, { what: `New trouble ${nth}.` })], resolutions: known });
};

test("the rounds are bounded, however new each finding is", () => {
  for (const limit of [1, 3]) {
    const config = { review: { maxPlanReviewCycles: limit } };
    const played = run({ config, agents: agents(fresh, reviewer({}), retrying) });
    assert.equal(sent(played, "patch").length, limit);
    assert.equal(waitingFor(played), "plan.review");
  }
});

test("without a configuration the rounds are those of the mode", () => {
  for (const [mode, limit] of [
    ["standard", 3],
    ["full", 5],
  ] as const) {
    const played = run({ agents: agents(fresh, reviewer({}), retrying) }, mode);
    assert.deepEqual([sent(played, "patch").length, waitingFor(played)], [limit, "plan.review"], mode);
  }
});

test("a mode without a review of the plan has the person approve it all the same", () => {
  const played = run({ answers: { "plan.approval": [] } }, "quick");
  assert.deepEqual([reviews(played), waitingFor(played)], [[], "plan.approval"]);
});

const stuck: Script = {
  config: { review: { maxPlanReviewCycles: 1 } },
  agents: agents(
    reviewer({ findings: [finding(2)] }, stillOpen("F1"), { resolutions: [resolution("F1", "resolved", "Mended 1.")] }),
    reviewer({}),
    writesPlan(mended(2), mended(1, 2)),
  ),
};

test("a plan approved as it is has a waiver that names what was open", () => {
  const played = run({ ...stuck, answers: { "plan.review": "approve" } });
  assert.equal(resultOf(played).plan.tasks.length, 3);
  const waivers = facts(played).filter((fact) => fact.type === "waiver");
  assert.deepEqual(waivers, [
    {
      type: "waiver",
      step: "plan.review",
      what: "the plan was approved as it is, against its reviewers: F1 high incorrect (T2): This one is wrong (2).",
    },
  ]);
  assert.deepEqual(
    questions(played).map(({ id }) => id),
    ["plan.review", "plan.approval"],
  );
});

test("A6: a reviewer of the plan is told what a revision answers that another one found", () => {
  const played = run({
    agents: agents(
      reviewer({ findings: [finding(2)] }, { resolutions: [resolution("F1", "resolved")] }),
      reviewer({}),
      writesPlan(mended(2)),
    ),
  });
  const answers = /## What else these changes answer \(asked for, so not extra\)\n- F1 high .* \(architect\)\n/;
  assert.match(sent(played, "plan-spec-review")[1]?.prompt ?? "", answers);
  assert.doesNotMatch(sent(played, "architect-review")[1]?.prompt ?? "", answers);
});

test("guidance goes to the planner with what is open, gives new rounds, and the reviewers hear of it", () => {
  const played = run({
    ...stuck,
    answers: { "plan.review": ["guidance", "guidance"], "plan.review.guidance": [" ", "Task 1 has to mend it."] },
  });
  assert.equal(resultOf(played).plan.tasks[0]?.description, "Mended 1.");
  assert.equal(sent(played, "patch").length, 2, "empty guidance sends nobody");
  const patch = sent(played, "patch").at(-1)?.prompt ?? "";
  assert.match(patch, /- F1 high[\s\S]*## What the person says\n```\nTask 1 has to mend it\.\n```/);
  assert.match(patch, /You may change tasks 1, 2 and the header/);
  for (const name of ["architect-review", "plan-spec-review"]) {
    const [first, , last] = sent(played, name).map(({ prompt }) => prompt);
    assert.doesNotMatch(first ?? "", /What the person has decided/);
    assert.match(last ?? "", /## What the person has decided about the plan\n- Task 1 has to mend it\./);
  }
});

test("A11: what the person decided earlier is kept for the planner's later revisions", () => {
  const other = (words: string) =>
    planDocument(tasks.map((task) => (task.id === 2 ? { ...task, description: words } : task)));
  const played = run({
    config: { review: { maxPlanReviewCycles: 1 } },
    agents: agents(
      reviewer({ findings: [finding(2)] }, stillOpen("F1")),
      reviewer({}),
      writesPlan(mended(2), other("Small 2."), other("Named 2.")),
    ),
    answers: {
      "plan.review": ["guidance", "guidance"],
      "plan.review.guidance": ["Task 2 stays small.", "Task 2 names the module."],
    },
  });
  const later = sent(played, "patch").at(-1)?.prompt ?? "";
  assert.match(later, /has decided about the plan\n- Task 2 stays small\.[\s\S]*says\n```\nTask 2 names the module\./);
});

test("after guidance what is open gets as many rounds as at first", () => {
  const played = run({
    config: { review: { maxPlanReviewCycles: 2 } },
    agents: agents(reviewer({ findings: [finding(2)] }, stillOpen("F1")), reviewer({}), retrying),
    answers: { "plan.review": ["guidance"], "plan.review.guidance": "Do task 2 properly." },
  });
  assert.equal(waitingFor(played), "plan.review");
  assert.equal(sent(played, "patch").length, 4);
  assert.deepEqual(
    sent(played, "patch").map(({ prompt }) => /What the person says/.test(prompt)),
    [false, false, true, false],
  );
});

test("guidance that names no task is about all of them", () => {
  const rewritten = planDocument([{ id: 1, title: "Only one", description: "Mended 1." }]);
  const played = run({
    ...stuck,
    agents: { ...stuck.agents, patch: writesPlan(mended(2), rewritten) },
    answers: { "plan.review": "guidance", "plan.review.guidance": "Make it one." },
  });
  assert.deepEqual(
    resultOf(played).plan.tasks.map(({ title }) => title),
    ["Only one"],
  );
});

test("abort ends the run, with nothing approved", () => {
  const { end, requests } = run({ ...stuck, answers: { "plan.review": "abort" } });
  assert.ok(end.how === "failed");
  assert.deepEqual([end.failure.kind, end.failure.step], ["aborted", "plan.review"]);
  assert.ok(!facts({ requests }).some(({ type }) => type === "plan.approved"));
});

test("what the person wrote into the plan while it was reviewed is kept", () => {
  const edited = planDocument([{ id: 1, description: "By hand." }, { id: 2 }, { id: 3 }]);
  const both = planDocument([{ id: 1, description: "By hand." }, { id: 2, description: "Mended 2." }, { id: 3 }]);
  const played = run({
    meanwhile: (request, files) => {
      if (request.do === "dispatch" && request.name === "plan-spec-review" && files.get(planPath) === original)
        files.set(planPath, edited);
    },
    agents: agents(
      reviewer({ findings: [finding(2)] }, { resolutions: [resolution("F1", "resolved")] }),
      reviewer({}),
      writesPlan(mended(2), both),
    ),
  });
  assert.deepEqual(
    resultOf(played).plan.tasks.map(({ description }) => description),
    ["By hand.", "Mended 2.", "Do 3."],
  );
  assert.match(sent(played, "architect-review")[1]?.prompt ?? "", /\+.*By hand\./);
});

test("a plan that the person edited is told again only where the edit changes its tasks", () => {
  const prose = original.replace("# Plan", "# The plan");
  const byHand = planDocument([{ id: 1, description: "By hand." }, { id: 2 }, { id: 3 }]);
  for (const [edited, times] of [
    [prose, 1],
    [byHand, 2],
  ] as const) {
    const played = run({
      meanwhile: (request, files) => {
        if (request.do === "dispatch" && request.name === "plan-spec-review" && files.get(planPath) === original)
          files.set(planPath, edited);
      },
      agents: agents(
        reviewer({ findings: [finding(2)] }, { resolutions: [resolution("F1", "resolved")] }),
        reviewer({}),
        writesPlan(edited.replace("Do 2.", "Mended 2.")),
      ),
    });
    assert.equal(resultOf(played).plan.tasks[1]?.description, "Mended 2.");
    assert.equal(facts(played).filter(({ type }) => type === "plan.written").length, times);
  }
});

test("a plan that the person made unreadable while it was reviewed goes to the planner, and that is told", () => {
  const played = run({
    meanwhile: (request, files) => {
      if (request.do === "dispatch" && request.name === "plan-spec-review" && files.get(planPath) === original)
        files.set(planPath, "# Plan\n\nNo tasks at all.\n");
    },
    agents: {
      ...agents(
        reviewer({ findings: [finding(2)] }, { resolutions: [resolution("F1", "resolved")] }),
        reviewer({}),
        writesPlan(mended(2)),
      ),
      revise: writesPlan(original),
    },
  });
  assert.match(JSON.stringify(facts(played)), /was edited and cannot be used; the planner fixes it: .*there is no/);
  assert.equal(sent(played, "revise").length, 1);
  assert.equal(resultOf(played).plan.tasks.length, tasks.length);
});

test("whatever reviewers and planner do, between two decisions of the person there are few revisions", () => {
  const ways = ["approve", "same", "new", "no", "silent"] as const;
  const patches = ["good", "wide", "none", "disputes"] as const;
  const turns = fc.record({
    architect: fc.array(fc.constantFrom(...ways), { minLength: 1, maxLength: 12 }),
    spec: fc.array(fc.constantFrom(...ways), { minLength: 1, maxLength: 12 }),
    patch: fc.array(fc.constantFrom(...patches), { minLength: 1, maxLength: 12 }),
    limit: fc.integer({ min: 1, max: 5 }),
  });
  fc.assert(
    fc.property(turns, ({ architect, spec, patch, limit }) => {
      const played = run({
        config: { review: { maxPlanReviewCycles: limit } },
        agents: agents(moody(architect), moody(spec), sloppy(patch)),
      });
      const revisions = facts(played).filter(({ type }) => type === "plan.written").length;
      assert.ok(revisions <= limit, `${revisions} revisions`);
      assert.ok(sent(played, "patch").length <= 3 * limit);
      assert.ok(["done", "plan.review"].includes(waitingFor(played)), waitingFor(played));
      // Done without the person means that nothing was open.
      if (played.end.how === "done")
        for (const role of ["architect", "spec-reviewer"])
          assert.match(reviews(played).findLast((line) => line.includes(` ${role} `)) ?? "", /approved 0$/);
    }),
    { numRuns: times(50) },
  );
});

function moody(ways: readonly string[]): Agent {
  return ({ prompt, nth }) => {
    const way = ways[(nth - 1) % ways.length];
    const open = [...prompt.matchAll(/^- (F\d+) /gm)].map(([, id = ""]) => id);
    const answer = (state: Resolution["state"]): Said["resolutions"] =>
      open.map((id) => resolution(id, state, "Do 1."));
    if (way === "approve") return verdict({ resolutions: answer("resolved") ?? [] });
    if (way === "same")
      return verdict({ passed: false, resolutions: answer("still-open") ?? [], findings: [finding(2)] });
    if (way === "new")
      return verdict({ findings: [finding(2, { what: `New ${nth}` })], resolutions: answer("resolved") ?? [] });
    return verdict({ passed: way === "silent" });
  };
}

function sloppy(ways: readonly string[]): Agent {
  return ({ files, nth, prompt }) => {
    const way = ways[(nth - 1) % ways.length];
    if (way === "none") return "Nothing.";
    if (way === "disputes") return disputing([...prompt.matchAll(/^- (F\d+) /gm)].map(([, id = ""]) => id));
    const wide = way === "wide" ? { description: `Wide ${nth}.` } : {};
    files.set(planPath, planDocument([{ id: 1, ...wide }, { id: 2, description: `Try ${nth}.` }, { id: 3 }]));
    return "Done.";
  };
}
