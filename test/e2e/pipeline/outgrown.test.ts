// A hotfix that turns out to be more: the work so far stays in the tree, gets a design and a plan, and is committed only
// as part of a task that was reviewed.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Script } from "../../../src/adapters/agents/scripted/script.ts";
import { answer, review, writesPlan } from "../../rig/pipeline/scripts.ts";
import { goal, plan, type Story, story, type Twist } from "../../rig/pipeline/story.ts";

const bigger = answer("superteam-json", { bigger: { mode: "quick", reason: "It needs a plan." } });
const begun: Script = { run: "echo begun > begun.txt; echo changed >> README.md", text: bigger };
const finished: Script = { run: "echo 'Dear reader, signed' > letter.txt", text: "Done." };
const grows: Twist = {
  scripts: { "execute/task-1/implement": begun, "execute#2/task-1/implement": finished },
  answers: { "triage.mode": ["hotfix"], "execute.task.1.bigger": ["switch"] },
};
const filesOf = (run: Story, commit: string) =>
  run.git("show", "--format=", "--name-only", commit).split("\n").toSorted();

test("the work so far is described to who designs and plans, and is part of the first task's review and commit", async (context) => {
  const run = story(context);
  const told = await run.live(grows);
  assert.equal(told.end.how, "finished");
  const names = told.dispatches.map(({ name }) => name);
  assert.deepEqual(names.slice(0, 5), ["scout", "implement", "design", "plan", "implement"]);
  const prompt = (name: string) => told.dispatches.findLast((dispatch) => dispatch.name === name)?.prompt ?? "";
  for (const name of ["design", "plan"])
    assert.match(prompt(name), /In the tree already[\s\S]*- README\.md\n- begun\.txt/, name);
  assert.match(prompt("implement"), /is now part of this task[\s\S]*- README\.md\n- begun\.txt/);
  for (const name of ["spec-review", "quality-review"])
    assert.match(prompt(name), /- begun\.txt \(added\)\n- letter\.txt \(added\)/, name);
  assert.deepEqual(filesOf(run, "HEAD~1"), ["README.md", "begun.txt", "letter.txt"]);
  assert.equal(run.text("notes.txt"), "do not touch\n");
  assert.equal(run.git("status", "--porcelain"), "?? notes.txt");
});

test("nothing of it is committed before it was reviewed: design and plan have a commit of their own", async (context) => {
  const run = story(context);
  const told = await run.live({ ...grows, closed: ["configure.execution"] });
  assert.equal(told.waits?.id, "configure.execution");
  assert.deepEqual(
    filesOf(run, "HEAD").map((path) => path.replace(/.*-/, "")),
    ["design.md", "plan.md"],
  );
  assert.equal(run.git("rev-list", "--count", "HEAD"), "2");
  assert.equal(run.text("begun.txt"), "begun\n");
});

test("commits that the agent made by itself are melted into the task's", async (context) => {
  const run = story(context);
  const commits = {
    ...begun,
    run: `${begun.run}; git rm -q .superteam.json; git add -A README.md begun.txt; git commit -qm mine`,
  };
  const told = await run.live({ ...grows, scripts: { ...grows.scripts, "execute/task-1/implement": commits } });
  assert.equal(told.end.how, "finished");
  assert.deepEqual(filesOf(run, "HEAD~1"), [".superteam.json", "README.md", "begun.txt", "letter.txt"]);
  assert.doesNotMatch(run.git("log", "--format=%s"), /^mine$/m);
});

test("an implementer that fails half-way loses its own work, never what was there before it", async (context) => {
  const run = story(context);
  const crash: Script = { run: "echo half > half.txt", text: "", fail: { kind: "auth", detail: "gone" } };
  const told = await run.live({ ...grows, scripts: { ...grows.scripts, "execute#2/task-1/implement 1": crash } });
  assert.equal(told.waits?.id, "execute.task.1.implement.failed");
  assert.equal(run.text("half.txt"), null);
  assert.equal(run.text("begun.txt"), "begun\n");
  assert.match(run.text("README.md") ?? "", /changed/);
});

test("to start the task over takes all of it back, and the person's own files stay", async (context) => {
  const run = story(context);
  const finding = {
    rule: "missing",
    severity: "critical",
    anchor: { file: "letter.txt", quote: "Dear" },
    what: "No.",
  } as const;
  const objects = review({ findings: [finding] });
  const told = await run.live({
    ...grows,
    scripts: {
      ...grows.scripts,
      "execute#2/task-1/implement 2": finished,
      "execute#2/task-1/spec-review": objects,
      "execute#2/task-1/fix": { run: "echo more >> letter.txt", text: "Fixed." },
    },
    answers: { ...grows.answers, "execute.task.1.escalation": ["rollback"] },
  });
  assert.equal(told.waits?.id, "execute.task.1.escalation");
  assert.equal(run.text("begun.txt"), null);
  assert.equal(run.text("README.md"), "# Letters\n");
  assert.equal(run.text("notes.txt"), "do not touch\n");
});

test("a run that is stopped after the switch goes on there, and repeats nothing", async (context) => {
  const run = story(context);
  await run.live({ ...grows, closed: ["brainstorm.section.1"] });
  const told = await run.live(grows);
  assert.equal(told.end.how, "finished");
  const names = told.dispatches.map(({ name }) => name);
  assert.equal(names.filter((name) => name === "design").length, 1);
  assert.deepEqual(filesOf(run, "HEAD~1"), ["README.md", "begun.txt", "letter.txt"]);
});

test("the larger mode counts from then on, for each task of the plan that follows", async (context) => {
  const run = story(context);
  const grown: Script = {
    ...finished,
    text: answer("superteam-json", { bigger: { mode: "full", reason: "Rights." } }),
  };
  const told = await run.live({
    answers: { "triage.mode": ["quick"], "execute.task.1.bigger": ["switch"] },
    scripts: { "execute/task-1/implement": grown, "plan-write/plan": writesPlan(goal, plan) },
  });
  assert.equal(told.end.how, "finished");
  const names = told.dispatches.map(({ name }) => name);
  assert.deepEqual(names.slice(-5, -3), ["spec-review", "quality-review"]);
  // Those who advise look at it side by side: either may be the first.
  assert.deepEqual(names.slice(-3, -1).toSorted(), ["performance-review", "security-review"]);
  assert.equal(names.at(-1), "final-review");
});
