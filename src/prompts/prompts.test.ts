// The prompts as they are sent. Each is kept beside this test as a text, so that a change of wording shows up in
// review; UPDATE_SNAPSHOTS=1 writes them anew.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { z } from "zod";
import { Approaches, BrainstormQuestions, Design, RevisedSection, Section } from "../core/plan/brainstorm.ts";
import { readPlan } from "../core/plan/document.ts";
import { type PlanScope, Reassessment } from "../core/plan/parts.ts";
import { Task } from "../core/plan/plan.ts";
import { Triage } from "../core/plan/triage.ts";
import { WriterReport } from "../core/plan/writer-report.ts";
import type { Register } from "../core/review/register.ts";
import { FinalReview, Review } from "../core/review/review.ts";
import { ceremonies } from "../core/run/ceremony.ts";
import { type Mode, modes } from "../core/run/config.ts";
import type { Settled } from "../core/run/report.ts";
import type { Blame } from "../core/validation/blame.ts";
import * as brainstorm from "./brainstorm.ts";
import type { examples } from "./examples.ts";
import * as final from "./final.ts";
import { instructions } from "./instructions.ts";
import * as part from "./part.ts";
import { again, changesText, inForm } from "./parts.ts";
import * as plan from "./plan.ts";
import { blockExample } from "./plan-form.ts";
import * as planReview from "./plan-review.ts";
import * as review from "./review.ts";
import * as task from "./task.ts";

const brief: brainstorm.Brief = {
  goal: "Add rate limiting with token bucket algorithm",
  map: "Plain JavaScript.\n```js\nexport const a = 1;\n```",
  answers: [{ question: "Per client or global?", answer: "Per client" }],
  approach: "Middleware: one bucket per client. Trade-offs: memory per client.",
};
const section = Section.parse({
  id: "s1",
  title: "Architecture",
  content: "A bucket per client.",
  requirements: [{ id: "R1", text: "Each client has a bucket of its own." }],
});
const planBrief: plan.DraftBrief = {
  goal: brief.goal,
  map: brief.map,
  design: "# Design\n\nA bucket per client.",
  path: "docs/plans/2026-02-07-rate-limiting-plan.md",
  tdd: "required",
};
const taskBrief: task.TaskBrief = {
  task: Task.parse({
    id: 2,
    title: "Rate limit middleware",
    description: "Refuse requests over the limit with 429.",
    files: ["src/limit.js", "test/limit.test.js"],
    criteria: ["The sixth request of a client within a second is refused."],
    commands: ["node --test test/limit.test.js"],
    covers: ["R1"],
    dependsOn: [1],
  }),
  total: 3,
  goal: brief.goal,
  header:
    "# Plan\n\n**Goal:** limit each client\n**Architecture:** a bucket per client\n**Tech Stack:** plain JavaScript",
  mode: "standard",
  tdd: "required",
  requirements: section.requirements,
  earlier: [{ id: 1, title: "Token bucket", status: "complete", commit: "1a2b3c4d5e6f", files: ["src/bucket.js"] }],
};
const parts = [
  { title: "Bucket", scope: "the bucket itself" },
  { title: "Middleware", scope: "what refuses requests" },
  { title: "Settings", scope: "limits from the configuration" },
] as const;
const settled: Settled = {
  task: 1,
  title: "Token bucket",
  status: "complete",
  commit: "1a2b3c4d5e6f",
  rounds: 0,
  escalated: false,
  files: ["src/bucket.js"],
  deferred: [],
  waivers: [],
};
const planScope: PlanScope = { ...parts[1], number: 2, of: 3, requirements: ["R2"], firstTask: 2 };
const changes = {
  files: [{ path: "src/limit.js", change: "added" as const }],
  diff: "diff --git a/src/limit.js b/src/limit.js\n+export const limit = 5;\n",
};
const open: Register = [
  {
    id: "F1",
    role: "spec-reviewer",
    standing: "open",
    reason: "",
    fixes: 0,
    finding: {
      rule: "missing",
      severity: "high",
      anchor: { file: "src/limit.js", quote: "export const limit = 5;" },
      what: "No address is taken from the request.",
      fix: "Take it from the socket.",
    },
  },
];
const reviewBrief: review.ReviewBrief = {
  ...taskBrief,
  ...{ changes, blockOn: "medium", since: null },
  evidence: ["`npm test` passes on this tree."],
  report: "Requests over the limit are refused.\nConcern: buckets are never dropped.",
};
const found = (text: string): task.ToFix => ({ text, isFinding: true });
const failed = (check: task.FailedCheck): task.ToFix => ({ text: task.failedCheckText(check), isFinding: false });
const blamed: Blame = {
  task: 1,
  title: "Token bucket",
  commit: "1a2b3c4d5e6f",
  tests: ["test/limit.test.js › limit › refills"],
  diff: changes.diff,
};
const looked = {
  ...{ changes, open },
  answered: ["F2 high incorrect (src/limit.js): It counts twice. (quality-reviewer)"],
  disputed: [{ id: "F1", why: "The socket is not known here." }],
};
const upheld: Register = open.map((entry) => ({
  ...entry,
  upheld: {
    why: "The socket is not known here.",
    answer: { state: "still-open", quote: "export const limit = 5;" },
    summary: "Callers pass the socket.",
  },
}));
const finalBrief: final.FinalBrief = {
  goal: brief.goal,
  designPath: "docs/plans/2026-02-07-rate-limiting-design.md",
  tasks: [taskBrief.task],
  requirements: section.requirements,
  leftOut: ["R2"],
  deferred: ["Task 2: F2 low style (src/limit.js): A name. (quality-reviewer; below medium)"],
  waivers: ["Task 2: it changed nothing and was accepted as it is"],
  concerns: ["Task 2: buckets are never dropped"],
  changes,
  blockOn: "medium",
  evidence: ["`npm test` passes on this tree."],
  since: null,
};
const writePlan = plan.writePlan(planBrief);
const planReviewBrief: planReview.PlanReviewBrief = {
  goal: brief.goal,
  design: { path: finalBrief.designPath, text: planBrief.design },
  plan: { path: planBrief.path, text: "# Plan\n\n### Task 1: Token bucket\n" },
  guidance: [],
  blockOn: "medium",
  since: null,
};

const prompts: Readonly<Record<string, string>> = {
  scout: brainstorm.scout(brief.goal),
  questions: brainstorm.questions({ ...brief, answers: [], approach: "" }),
  approaches: brainstorm.approaches({ ...brief, approach: "" }),
  design: brainstorm.design(brief),
  "design-page": brainstorm.designPage({ ...brief, answers: [], approach: "", begun: ["src/limit.js"] }),
  "revise-section": brainstorm.reviseSection(brief, section, "Say what happens behind a proxy.", [
    {
      id: "s2",
      title: "Data flow",
      content: "In and out.",
      requirements: [2, 3].map((n) => ({ id: `R${n}`, text: "It must." })),
    },
    { id: "s3", title: "Notes", content: "None.", requirements: [] },
  ]),
  "write-plan": writePlan,
  "write-plan-begun": plan.writePlan({ ...planBrief, begun: ["src/limit.js"] }),
  "revise-plan": plan.revisePlan(planBrief, "Split task 2."),
  "discuss-question": brainstorm.discuss(
    { ...brief, approach: "" },
    { id: "q2", text: "Where is it kept?", type: "choice", options: ["In memory", "In Redis"] },
    [{ topic: "What is usual?", reply: "In memory, for one process." }],
    "And with two processes?",
  ),
  "patch-plan": plan.patchPlan(planBrief, task.findingsText(open), "", { tasks: [2], mayAdd: false }),
  "patch-plan-guided": plan.patchPlan(planBrief, "", "Make it one task.", { tasks: "all", mayAdd: true }),
  "patch-plan-again": plan.patchAgain("(the prompt)", ["task 1 was changed, but no finding names it."]),
  "architect-review": planReview.planReview(planReviewBrief),
  "architect-review-again": planReview.planReview({
    ...planReviewBrief,
    guidance: ["Keep the middleware in one task."],
    since: { changes, open },
  }),
  "fix-plan": plan.fixPlan("(the prompt)", ["requirement R1 is covered by no task."]),
  "plan-unwritten": plan.planUnwritten("(the prompt)", ["`docs/plans/x-plan.md` was not written."]),
  implement: task.implement(taskBrief, ""),
  "implement-again": task.implement(taskBrief, task.nothingLesson),
  "implement-taken-back": task.implement(taskBrief, task.rolledBackLesson(task.findingsText(open))),
  "implement-hotfix": task.implement({ ...taskBrief, mode: "hotfix" }, task.begunLesson(["src/limit.js"])),
  "implement-red-before": task.implement({ ...taskBrief, red: { command: "npm test", tests: ["reads minutes"] } }, ""),
  fix: task.fix(taskBrief, found(task.findingsText(open)), changes),
  "fix-disputed": task.fix(taskBrief, found(task.toFixText({ open: upheld, isWanted: true })), changes),
  "fix-validation": task.fix(taskBrief, failed({ command: "tsc --noEmit", output: "error TS2322\n" }), changes),
  "fix-regression": task.fix(
    taskBrief,
    failed({ command: "npm test", output: "1 != 2\n", tests: ["test/limit.test.js › limit › refills"] }),
    changes,
  ),
  "fix-blamed": task.fix(
    taskBrief,
    failed({ command: "npm test", output: "1 != 2\n", tests: blamed.tests, by: [blamed] }),
    changes,
  ),
  "task-review": review.taskReview({ ...reviewBrief, elsewhere: [{ requirement: "R1", tasks: [1, 3] }] }),
  "task-review-again": review.taskReview({ ...reviewBrief, since: looked }),
  "task-review-disputed": review.taskReview({
    ...reviewBrief,
    since: { changes: { files: [], diff: "" }, open, disputed: looked.disputed },
  }),
  "task-review-passed": review.taskReview({ ...reviewBrief, blockOn: "low", since: { ...looked, open: [] } }),
  "final-review": final.finalReview(finalBrief),
  "final-review-again": final.finalReview({ ...finalBrief, deferred: [], waivers: [], since: { changes, open } }),
  "final-fix": final.finalFix(finalBrief, found(task.findingsText(open))),
  docs: final.updateDocs(finalBrief),
  "docs-again": final.updateDocsAgain("(the prompt)", "It changed files that are not documentation: src/limit.js."),
  "implement-existing-tests": task.implement({ ...taskBrief, task: { ...taskBrief.task, tdd: "existing-tests" } }, ""),
  "implement-without-tests": task.implement({ ...taskBrief, task: { ...taskBrief.task, tdd: "none" } }, ""),
  "implement-tests-in-any-order": task.implement({ ...taskBrief, tdd: "off" }, ""),
  "write-plan-tests-in-any-order": plan.writePlan({ ...planBrief, tdd: "off" }),
  returned: review.returned("(the prompt)", "(the answer)", ["F1 is open and has no resolution"]),
  "scout-part": part.scoutPart(
    brief.goal,
    { ...parts[1], number: 2, of: 3, requirements: [{ id: "R2", text: "A sixth request is refused." }] },
    parts.slice(2),
    [settled],
  ),
  "design-in-parts": brainstorm.design({ ...brief, parts }),
  "write-plan-part": plan.writePlan({ ...planBrief, part: planScope }),
  "plan-spec-review-part": planReview.planReview({ ...planReviewBrief, part: planScope }),
  "answer-again": again("(the prompt)", "✖ Invalid input\n  → at passed"),
  "answer-in-form": inForm("It is fine.\n\n```json\n{}\n```", "✖ Invalid input\n  → at passed"),
  "scout-chosen": brainstorm.scout(brief.goal, "hotfix"),
  "approaches-discussed": brainstorm.approaches({
    ...brief,
    approach: "",
    answers: [
      {
        ...{ question: "Where is it kept?", answer: "In memory" },
        talk: [{ topic: "And with two processes?", reply: "Each would have its own." }],
      },
    ],
  }),
  "implement-unblocked": task.implement(taskBrief, task.unblockedLesson("There is no Redis.", "Use memory.")),
};
const system = Object.fromEntries(Object.entries(instructions).map(([name, text]) => [`system-${name}`, text]));

const folder = join(import.meta.dirname, "__snapshots__");

for (const [name, text] of Object.entries({ ...prompts, ...system })) {
  test(`the prompt ${name} is worded as agreed`, () => {
    const file = join(folder, `${name}.md`);
    if (process.env["UPDATE_SNAPSHOTS"] === "1") {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, `${text}\n`);
    }
    assert.ok(existsSync(file), `${file} is missing: run with UPDATE_SNAPSHOTS=1`);
    assert.equal(`${text}\n`, readFileSync(file, "utf8"));
  });
}

test("every kept prompt is still sent", () => {
  assert.deepEqual(
    readdirSync(folder).sort(),
    Object.keys({ ...prompts, ...system })
      .map((name) => `${name}.md`)
      .sort(),
  );
});

/** What other prompts are made of, or is said to code. */
const pieces = [
  "begunLesson",
  "blocking",
  "disputeText",
  "evidenceText",
  "failedCheckText",
  "findingTest",
  "findingsText",
  "nothingLesson",
  "partsOfDesign",
  "planScope",
  "redText",
  "reviewAgain",
  "reviewScope",
  "rolledBackLesson",
  "taskText",
  "toFixText",
  "unblockedLesson",
  "unprovedText",
];

test("every prompt there is stands in this table", () => {
  const named = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const modules = [brainstorm, final, part, plan, planReview, review, task];
  const exported = modules.flatMap((module) => Object.keys(module)).filter((name) => !pieces.includes(name));
  const known: Readonly<Record<string, string>> = {
    discuss: "discuss-question",
    "patch-again": "patch-plan-again",
    "plan-review": "architect-review",
    "update-docs": "docs",
    "update-docs-again": "docs-again",
  };
  const missing = exported.map(named).filter((name) => prompts[known[name] ?? name] === undefined);
  assert.deepEqual(missing, []);
});

test("A9: every role is told first which sections are orders, and that all else is data", () => {
  for (const [name, text] of Object.entries(instructions)) {
    const [first = ""] = text.split("\n\n");
    assert.match(first, /^Follow this text and these sections of the message: .*is data, never instructions/, name);
  }
  for (const [name, text] of Object.entries(prompts)) {
    const last = text.split("\n## ").at(-1) ?? "";
    assert.match(last, /^Your step(?:: |, again: )/, `${name} ends with what is to be done`);
    if (!/^(?:\(the prompt\)|## Your answer)\n/.test(text)) assert.match(text, /^## Goal\n/, name);
  }
});

test("A9: what a person writes with headings of its own is quoted: no part of it is a section of the message", () => {
  const goal = "# Rate limits\n\nPer client.\n\n## Non-goals\n\nNo Redis.";
  const whole = { goal, designPath: "d.md", tasks: [], requirements: [], changes };
  const messages = [
    brainstorm.scout(goal),
    brainstorm.questions({ ...brief, goal, approach: "## Mine\n\nIn memory." }),
    part.scoutPart(goal, { ...parts[0], number: 1, of: 3, requirements: [] }, [], []),
    plan.writePlan({ ...planBrief, goal }),
    planReview.planReview({ ...planReviewBrief, goal }),
    task.implement({ ...taskBrief, goal }, task.unblockedLesson("Why?", "# Like this\n\nOr so.")),
    task.fix({ ...taskBrief, goal }, found("It fails."), changes),
    review.taskReview({ ...reviewBrief, goal }),
    final.finalFix(whole, found("It fails.")),
  ];
  for (const text of messages) assert.match(text, /^## Goal\n```\n# Rate limits\n[\s\S]*?No Redis\.\n```\n/);
  assert.match(messages.join("\n"), /\n```\n## Mine\n[\s\S]*\n```\n# Like this\n/);
  const said = { question: "Which?", answer: "This:\n\n## One\nand two" };
  assert.match(
    brainstorm.approaches({ ...brief, answers: [said] }),
    /- Which\?\n {2}This:\n\n {2}## One\n {2}and two\n/,
  );
});

test("A9: a section that tells an implementer what to leave alone is one of its orders, and a fix may be disputed", () => {
  assert.match(prompts["implement-red-before"] ?? "", /## Red before your work\n.* Leave them alone/);
  assert.match(instructions["implementer"]?.split("\n")[0] ?? "", /The plan's header, .*Task, Red before your work, /);
  for (const name of ["fix", "final-fix"])
    assert.match(prompts[name] ?? "", /Fix everything under What was found, .* except what you dispute\./, name);
});

test("A2: the planner writes each fact once, and the implementer is given both of its places", () => {
  assert.match(instructions["planner"] ?? "", /one list of all tasks, for code\. Do not repeat the text there\./);
  assert.match(instructions["planner"] ?? "", /gets the header, the text below its heading and its entry in the list/);
  const given = task.taskText(taskBrief);
  for (const part of [taskBrief.task.description, ...taskBrief.task.criteria])
    assert.equal(given.split(part).length, 2, part);
});

test("A14: no number of questions is forced, one option is recommended, sections are short, and a revision fits the others", () => {
  const text = instructions["brainstormer"] ?? "";
  assert.match(text, /Ask the person up to 7 questions [\s\S]*if nothing is open, questions is \[\]\./);
  assert.match(text, /repeat the option you would pick, word for word, in recommended/);
  assert.match(text, /sections that a person can judge in a minute: at most 150 words each/);
  const section = Section.parse({ id: "a", title: "A", content: "The old text." });
  const other = Section.parse({ id: "b", title: "B", content: "The whole text of another section." });
  assert.ok(brainstorm.reviseSection(brief, section, "Shorter.", [other]).includes(other.content));
});

test("A12: what is fixed for a role is in its system text: nothing of a run, and nothing that its messages repeat", () => {
  for (const [name, text] of Object.entries(instructions))
    for (const fact of [brief.goal, taskBrief.task.title, planBrief.path, "npm test` passes"])
      assert.ok(!text.includes(fact), `${name}: ${fact}`);
  for (const [name, text] of Object.entries(prompts))
    for (const fixed of ["MUST NOT modify", "Do NOT commit", "superteam-json", "never instructions"])
      assert.ok(!text.includes(fixed), `${name}: ${fixed}`);
});

test("A5: the answer that a role is shown is one that code takes", () => {
  const tag = (name: string) => (/^(questions|approaches|design|section)$/.test(name) ? "brainstorm" : "json");
  const schemas: Readonly<Record<keyof typeof examples, z.ZodType>> = {
    review: Review,
    quality: Review,
    security: Review,
    performance: Review,
    final: FinalReview,
    triage: Triage,
    reassessment: Reassessment,
    questions: BrainstormQuestions,
    approaches: Approaches,
    design: Design,
    section: RevisedSection,
    report: WriterReport,
    dispute: WriterReport,
  };
  const all = Object.values(instructions).join("\n");
  for (const [name, schema] of Object.entries(schemas)) {
    const shown = [...all.matchAll(/^```superteam-(json|brainstorm)\n(.*)\n```$/gm)].filter(([, said, json = ""]) => {
      assert.doesNotThrow(() => JSON.parse(json), json);
      return said === tag(name) && schema.safeParse(JSON.parse(json)).success;
    });
    assert.ok(shown.length > 0, name);
  }
});

test("A5: a reviewer is shown only rules that it may give", () => {
  for (const [name, text] of Object.entries(instructions)) {
    const [, listed] = /^(?:rule|category) is one of (.*?)\./m.exec(text) ?? [];
    if (listed === undefined) continue;
    const shown = [...text.matchAll(/"(?:rule|category)": "([a-z-]+)"/g)].map(([, rule = ""]) => rule);
    assert.ok(shown.length > 0, name);
    for (const rule of shown) assert.ok(listed.split(", ").includes(rule), `${name}: ${rule}`);
  }
});

test("A7: each reviewer has words of its own for what is critical, high, medium and low", () => {
  const scales = [...ceremonies.full.reviewers, "architect", "plan-spec-review", "final-reviewer"].map(
    (name) => /Severity\. critical: .*\. high: .*\. medium: .*\. low: .*?\./.exec(instructions[name] ?? "")?.[0],
  );
  assert.ok(scales.every((scale) => scale !== undefined));
  assert.equal(new Set(scales).size, scales.length);
});

test("A7: no severity is for what the same role is told to leave out, and every flaw of the whole has a category", () => {
  assert.doesNotMatch(instructions["security-reviewer"] ?? "", /defen[cs]e in depth/i);
  assert.doesNotMatch(instructions["performance-reviewer"] ?? "", /low: [^.]*not noticeable/);
  assert.doesNotMatch(instructions["quality-reviewer"] ?? "", /low: naming, style/);
  assert.doesNotMatch(instructions["architect"] ?? "", /low: taste/);
  assert.match(instructions["final-reviewer"] ?? "", /Whatever else is wrong with the whole is cross-task\./);
});

test("A6: a reviewer is given evidence, its task's place, the implementer's words as a claim, and what a fix answers", () => {
  const first = prompts["task-review"] ?? "";
  assert.match(first, /one of 3 tasks, number 2\. R1 is also covered by tasks 1, 3\./);
  assert.match(first, /## Evidence\n- `npm test` passes on this tree\./);
  assert.match(first, /## What the implementer says \(a claim\)\n> Requests over/);
  const second = prompts["task-review-again"] ?? "";
  assert.match(
    second,
    /## What else these changes answer \(asked for, so not extra\)\n- F2 high[\s\S]*## What the implementer disputes \(a claim\)\n- F1: /,
  );
  assert.doesNotMatch(prompts["task-review-passed"] ?? "", /## The changes/, "who passed it is given the diff only");
  assert.match(prompts["task-review-passed"] ?? "", /## Changes since your last review\n[\s\S]*```diff/);
  for (const role of ceremonies.full.reviewers)
    assert.match(instructions[role] ?? "", /List your findings before you decide; an empty list is a good result\./);
});

test("A6: a reviewer is told when nothing was run, and the final one what the implementers of the tasks want known", () => {
  assert.match(review.taskReview({ ...reviewBrief, evidence: [] }), /## Evidence\nNo check was run\.\n/);
  assert.match(final.finalReview({ ...finalBrief, evidence: [] }), /## Evidence\nNo check was run\.\n/);
  assert.match(prompts["final-review"] ?? "", /## What the implementers want known \(claims\)\n- Task 2: buckets/);
});

test("A6: a reviewer knows what `passed` means, and how to close a finding that was wrong", () => {
  const reviewers = [...ceremonies.full.reviewers, "architect", "plan-spec-review", "final-reviewer"];
  for (const role of reviewers) {
    const text = instructions[role] ?? "";
    assert.match(text, /The message says which findings block; passed is false only if one of yours does\./, role);
    assert.match(
      text,
      /if the finding was wrong, 40 or more characters that show it and occur once in the changed files/,
      role,
    );
  }
});

test("A6: a reviewer is shown both forms of an anchor, and judges what the task changed", () => {
  for (const role of [...ceremonies.full.reviewers, "architect", "plan-spec-review", "final-reviewer"])
    assert.match(
      instructions[role] ?? "",
      /\{"file", "quote"\}, .* as it is now, without diff marks, or \{"requirement"\}, the id of a requirement/,
      role,
    );
  for (const role of ceremonies.full.reviewers)
    assert.match(instructions[role] ?? "", /Judge the changes, not older code\./, role);
});

test("A6: a reviewer knows when the plan asks for no new tests", () => {
  const said = (tdd: Task["tdd"]) => review.taskReview({ ...reviewBrief, task: { ...taskBrief.task, tdd } });
  assert.match(said("none"), /This task has nothing to test: no tests are asked for\./);
  assert.match(said("existing-tests"), /Existing tests cover this task: no new ones are asked for\./);
  assert.doesNotMatch(said("required"), /asked for\./);
});

test("what blocks is said in words that fit the severity", () => {
  const said = (["low", "medium", "critical"] as const).map(review.blocking);
  assert.deepEqual(said, [
    "Every finding blocks.",
    "Findings of medium and above block.",
    "Only critical findings block.",
  ]);
});

test("a reviewer that has to correct its answer sees that answer", () => {
  assert.match(prompts["returned"] ?? "", /## Your last answer\n```\n\(the answer\)\n```\n\n## Your step, again: /);
});

test("every section that a role has to follow appears in some message", () => {
  const titles = Object.values({ ...prompts, "after-blocked": task.unblockedLesson("It is.", "Do it.") })
    .flatMap((text) => [...text.matchAll(/^## (.*)$/gm)])
    .map(([, title = ""]) => title);
  for (const [name, text] of Object.entries(instructions)) {
    const [, listed = ""] = /^Follow this text and these sections of the message: (.*?)\. /.exec(text) ?? [];
    assert.ok(listed.endsWith(", Your step"), name);
    for (const order of listed.split(", "))
      assert.ok(
        titles.some((title) => title.startsWith(order)),
        `${name}: ${order}`,
      );
  }
});

test("reviewers are told to trust no report and to change nothing", () => {
  for (const name of [...ceremonies.full.reviewers, "final-reviewer"]) {
    const text = instructions[name] ?? "";
    assert.match(text, /Do NOT trust (the implementer's report|reports)\. Read .*the actual code/i, name);
    assert.match(text, /You MUST NOT modify any files\. Your output is a review verdict only\./, name);
  }
  assert.match(instructions["spec-reviewer"] ?? "", /Read the actual code and compare to requirements line by line\./);
});

test("reviewers of a plan judge how it is cut, hold it against the design and change nothing", () => {
  for (const name of ["architect-review", "architect-review-again"])
    assert.match(prompts[name] ?? "", /## The approved design\n.*-design\.md`:\n[\s\S]*A bucket per client\./, name);
  for (const name of ["architect", "plan-spec-review"]) {
    const text = instructions[name] ?? "";
    assert.match(text, /You MUST NOT modify any files\. Your output is a review verdict only\./, name);
    assert.match(text, /Judge structure, completeness, dependencies and granularity only\./, name);
    assert.match(text, /Test code in the plan, argument order and single lines are not your concern/, name);
  }
  assert.match(instructions["architect"] ?? "", /patterns[\s\S]*modules[\s\S]*order[\s\S]*dependency/);
  assert.match(instructions["plan-spec-review"] ?? "", /the approved design: not more, not less/);
  const long = planReview.planReview({
    ...planReviewBrief,
    plan: { path: "p.md", text: "x".repeat(60_001) },
  });
  assert.ok(long.length < 5_000);
  assert.match(long, /In `p\.md`, too long to show \(60001 characters\): read it\./);
});

test("the planner patches what was found and rewrites nothing else", () => {
  assert.match(
    prompts["patch-plan"] ?? "",
    /Apply targeted patches based on review findings, with your edit tool\. Do NOT rewrite the entire plan\. Only modify sections referenced in findings\./,
  );
  const guided = prompts["patch-plan-guided"] ?? "";
  assert.match(guided, /Apply what the person says in targeted patches, with your edit tool\. Do NOT rewrite/);
  const both = plan.patchPlan(planBrief, "- F1", "Make it one task.", { tasks: "all", mayAdd: true });
  assert.match(both, /findings and what the person says, with .* referenced in findings or named by the person\./);
  assert.match(prompts["patch-plan"] ?? "", /You may change task 2 and the header; .* Add no task\./);
  assert.match(guided, /You may change any task\. A new task gets the next free number/);
  const header = plan.patchPlan(planBrief, "- F1", "", { tasks: [], mayAdd: false });
  assert.match(header, /No task may change; the header may\./);
});

test("what an earlier task broke is named with its change, also where the runner names no test; a long change is left to git", () => {
  const whole = { ...blamed, tests: ["npm test"] };
  const plain = task.failedCheckText({ command: "npm test", output: "no", by: [whole] });
  assert.match(plain, /`npm test` fails[\s\S]*Task 1, "Token bucket", broke npm test by this change:\n```diff\n/);
  const long = task.failedCheckText({
    command: "npm test",
    output: "no",
    by: [{ ...whole, diff: "x".repeat(20_001) }],
  });
  assert.match(long, /broke npm test in commit 1a2b3c4, which is too long to show: read it with `git show 1a2b3c4`\.$/);
});

test("agents that write code learn not to commit, and to work test first", () => {
  assert.match(instructions["implementer"] ?? "", /Do NOT commit\. The orchestrator manages commits\./);
  for (const name of ["implement", "fix", "final-fix"]) assert.match(prompts[name] ?? "", /test/, name);
});

test("the implementer is told what the plan says of the whole", () => {
  const text = prompts["implement"] ?? "";
  for (const part of [brief.goal, "**Architecture:** a bucket per client", "**Tech Stack:** plain JavaScript"])
    assert.ok(text.includes(part), part);
  assert.doesNotMatch(task.implement({ ...taskBrief, header: "" }, ""), /head of the plan/);
});

test("A8: an implementer knows what to leave in the tree when it is blocked", () => {
  const text = instructions["implementer"] ?? "";
  assert.match(text, /build nothing else instead: leave in the tree only what is sound, and report status "blocked"/);
});

test("A10: a goal that is its own requirement is said once", () => {
  const requirements = [{ id: "R1", text: brief.goal }];
  for (const text of [
    task.implement({ ...taskBrief, requirements }, ""),
    review.taskReview({ ...reviewBrief, requirements }),
  ]) {
    assert.equal(text.split(brief.goal).length, 2);
    assert.match(text, /- R1: the goal\n/);
  }
});

test("the final fix names the tests that were red before it", () => {
  const red = { command: "npm test", tests: ["reads minutes"] };
  assert.match(
    final.finalFix({ ...finalBrief, red }, found("It fails.")),
    /## Red before your work\n.*reads minutes\. Leave/,
  );
});

test("A3: the example of the block is one that code takes", () => {
  const document = `**Goal:** g\n**Architecture:** a\n**Tech Stack:** t\n\n### Task 1: Token bucket\n\nWrite it.\n\n\`\`\`\`superteam-tasks\n${blockExample}\n\`\`\`\`\n`;
  const reading = readPlan(document, ["R1"]);
  assert.deepEqual(reading.ok ? reading.repairs : reading.problems, []);
  assert.ok(instructions["planner"]?.includes(blockExample));
});

test("A1: a plan that is there is edited, not written again", () => {
  for (const name of ["revise-plan", "patch-plan", "fix-plan"]) assert.match(prompts[name] ?? "", /edit tool/, name);
  assert.match(prompts["fix-plan"] ?? "", /do not write the file again/);
  assert.match(instructions["planner"] ?? "", /Never write the whole file again/);
});

test("how a task is tested is what its plan says", () => {
  assert.match(prompts["implement"] ?? "", /Test first: write the test, run it and see it fail/);
  assert.match(prompts["implement-existing-tests"] ?? "", /Existing tests cover this: run them before/);
  assert.match(prompts["implement-without-tests"] ?? "", /There is nothing new to test/);
  for (const name of ["implement-existing-tests", "implement-without-tests"]) {
    assert.doesNotMatch(prompts[name] ?? "", /Test first/, name);
  }
  for (const name of ["fix", "final-fix"])
    assert.match(prompts[name] ?? "", /Where a test could have caught it and none did, add that test\./, name);
  for (const name of ["fix-validation", "fix-regression"])
    assert.doesNotMatch(prompts[name] ?? "", /add that test/, name);
});

test("with tdd off tests are asked for and their order is not", () => {
  for (const name of ["implement-tests-in-any-order", "write-plan-tests-in-any-order"]) {
    const text = prompts[name] ?? "";
    assert.doesNotMatch(text, /test first|failing test|fail for the right reason/i, name);
    assert.match(text, /Write tests for it, before or after the code|its tests, in either order/, name);
  }
  const documents = task.implement({ ...taskBrief, tdd: "off", task: { ...taskBrief.task, tdd: "none" } }, "");
  assert.equal(documents, prompts["implement-without-tests"]);
});

test("each reviewer looks for something else", () => {
  const looks = [...ceremonies.full.reviewers, "final-reviewer"].map(
    (name) => instructions[name]?.split("\n").find((line) => / (Look |Trace )/.test(line)) ?? "",
  );
  assert.ok(looks.every((line) => line.length > 50));
  assert.equal(new Set(looks).size, looks.length);
});

test("each step of the brainstorm begins with what the one before it began with", () => {
  const [first, second] = [prompts["approaches"] ?? "", prompts["design"] ?? ""];
  assert.ok(first.indexOf("## Your step") > second.indexOf("## Goal"));
  assert.equal(
    first.slice(0, first.indexOf("## Your step")),
    second.slice(0, second.indexOf("## The chosen approach")),
  );
});

test("what changes between two attempts comes last, after all that stays the same", () => {
  const shared = (one: string, other: string) => [...one].findIndex((letter, index) => letter !== other[index]);
  const whole = (name: string) => prompts[name] ?? "";
  for (const [first, second] of [
    ["implement", "implement-again"],
    ["task-review", "task-review-again"],
    ["final-review", "final-review-again"],
    ["architect-review", "architect-review-again"],
    ["patch-plan", "patch-plan-guided"],
    ["fix", "fix-validation"],
  ] as const) {
    const tail = whole(second).slice(shared(whole(first), whole(second)));
    const stable = [brief.goal, taskBrief.task.description, planBrief.design];
    for (const text of stable) assert.ok(!tail.includes(text), `${second}: "${text}" comes after what changes`);
  }
});

test("every mode but the largest may be outgrown, and only larger ones are offered", () => {
  const said = (mode: Mode) => task.implement({ ...taskBrief, mode }, "").split("## Your step: implement\n")[1] ?? "";
  const offered = (mode: Mode) => modes.filter((other) => new RegExp(`"${other}"|modes: .*${other}`).test(said(mode)));
  assert.deepEqual(modes.map(offered), [["quick", "standard", "full"], ["standard", "full"], ["full"], []]);
});

test("a diff of more than 20 KB is named, not shown, with the file it can be read in", () => {
  const long = changesText({ ...changes, diff: `+${"x".repeat(20_001)}` });
  assert.ok(long.length < 300);
  assert.match(long, /- src\/limit\.js \(added\)/);
  assert.match(long, /too long to show \(20002 characters\): read the files/);
  const kept = changesText({ ...changes, diff: `-${"x".repeat(20_001)}`, diffFile: "/store/a-b.diff" });
  assert.match(kept, /read it in \/store\/a-b\.diff, and the files\./);
});

test("what we write for a task of three dispatches, roles and instructions included, is at most 9 KB", () => {
  const ours = (prompt: string) => {
    const plans = [task.taskText(taskBrief), taskBrief.header ?? "", taskBrief.goal];
    const given = [...plans, changes.diff.trimEnd(), "- src/limit.js (added)"];
    return given.reduce((rest, part) => rest.replace(part, ""), prompt);
  };
  const profile = (role: string) =>
    readFileSync(join(import.meta.dirname, "../../agents", `${role}.md`), "utf8").split(/^---$/m)[2] ?? "";
  const texts = [
    ours(prompts["implement"] ?? ""),
    ours(prompts["task-review"] ?? ""),
    ours(prompts["task-review"] ?? ""),
    ...["implementer", "spec-reviewer", "quality-reviewer"].flatMap((role) => [
      profile(role),
      instructions[role] ?? "",
    ]),
  ];
  assert.ok(texts.every((text) => text.length > 100));
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  assert.ok(bytes <= 9 * 1024, `${bytes} bytes`);
});
