// What the same one-line change costs in each mode, with real git and a real process per agent.

import assert from "node:assert/strict";
import { test } from "node:test";
import { modes } from "../../../src/core/run/config.ts";
import { paths, type Story, story } from "../../rig/pipeline/story.ts";
import { scouted } from "../../rig/triage.ts";

const sent: Readonly<Record<(typeof modes)[number], readonly string[]>> = {
  hotfix: ["scout", "implement", "spec-review"],
  quick: ["scout", "design", "plan", "implement", "spec-review", "quality-review"],
  standard: [
    ...["scout", "questions", "approaches", "design"],
    ...["plan", "architect-review", "plan-spec-review"],
    ...["implement", "spec-review", "quality-review", "final-review"],
  ],
  full: [
    ...["scout", "questions", "approaches", "design"],
    ...["plan", "architect-review", "plan-spec-review"],
    ...["implement", "spec-review", "quality-review", "security-review", "performance-review", "final-review"],
  ],
};

const documentsIn = (run: Story) =>
  Object.values(paths).filter((path) => run.git("ls-files", "--", path) !== "" && run.text(path) !== null);
const subjects = (run: Story) => run.git("log", "--reverse", "--format=%s").split("\n").slice(1);

for (const mode of modes) {
  test(`a change of one file in ${mode} mode costs ${sent[mode].length} dispatches`, async (context) => {
    const run = story(context);
    const told = await run.live({ answers: { "triage.mode": [mode] } });
    assert.equal(told.end.how, "finished");
    const names = told.dispatches.map(({ name }) => name);
    context.diagnostic(`${mode}: ${names.length} dispatches (${names.join(", ")})`);
    assert.deepEqual(names.toSorted(), sent[mode].toSorted());
    assert.deepEqual(told.warnings, []);
    const done = mode === "hotfix" ? "HEAD" : "HEAD~1";
    assert.equal(run.git("show", `${done}:letter.txt`), "Dear reader, signed");
    assert.equal(run.text("notes.txt"), "do not touch\n");
  });
}

test("modes differ: each has more dispatches than the one before it", () => {
  const counts = modes.map((mode) => sent[mode].length);
  assert.deepEqual(counts, [3, 6, 11, 13]);
});

test("a hotfix asks for its mode and for nothing else, and leaves one commit and no document", async (context) => {
  const run = story(context);
  const told = await run.live({ answers: { "triage.mode": ["hotfix"] } });
  const asked = told.entries.flatMap((entry) =>
    entry.type === "begin" && entry.request.do === "ask" ? [entry.request.question.id] : [],
  );
  assert.deepEqual(asked, ["triage.mode"]);
  assert.deepEqual(subjects(run), ["workflow: task 1 — Write a letter"]);
  assert.deepEqual(documentsIn(run), []);
  assert.equal(run.git("status", "--porcelain"), "?? notes.txt");
});

test("a hotfix commits its report where the configuration asks for it", async (context) => {
  const run = story(context, { config: { mode: "hotfix", documents: { commit: true } } });
  await run.live({});
  assert.deepEqual(subjects(run), [
    "workflow: task 1 — Write a letter",
    "workflow: progress and summary — Write a letter",
  ]);
  assert.deepEqual(documentsIn(run), [paths.progress, paths.summary]);
});

test("a hotfix is implemented and reviewed by the goal and what the scout saw", async (context) => {
  const scout = { text: scouted("The letters are plain text.", { mode: "hotfix", files: ["letter.txt"] }) };
  const told = await story(context).live({ scripts: { "brainstorm/scout": scout }, wishes: { mode: "hotfix" } });
  const [, implement, review] = told.dispatches;
  assert.match(
    implement?.prompt ?? "",
    /^## Goal\nWrite a letter\n[\s\S]*## Task 1: Write a letter\nDo what the goal says\. .*\n\n```\nThe letters are plain text\./,
  );
  assert.match(implement?.prompt ?? "", /Files:\n- letter\.txt\n\nCriteria:\n- C1: The defect that the goal describes/);
  assert.match(implement?.prompt ?? "", /R1: the goal/);
  assert.equal(implement?.difficulty, "easy");
  assert.match(review?.prompt ?? "", /R1: the goal[\s\S]*\+Dear reader, signed/);
  assert.match(review?.prompt ?? "", /Findings of high and above block\./);
});

test("a mode from the flag or the configuration is not asked for", async (context) => {
  const flagged = await story(context).live({ closed: ["triage.mode"], wishes: { mode: "hotfix" } });
  assert.deepEqual([flagged.end.how, flagged.dispatches.length], ["finished", 3]);
  const configured = await story(context, { config: { mode: "hotfix" } }).live({ closed: ["triage.mode"] });
  assert.deepEqual([configured.end.how, configured.dispatches.length], ["finished", 3]);
});

test("a design on one page is agreed to once, and revised like a section", async (context) => {
  const run = story(context);
  const revised = {
    type: "section",
    section: { id: "s1", title: "The letter", content: "Shorter.", requirements: [{ id: "R1", text: "A letter." }] },
  };
  const section = { text: `\`\`\`superteam-brainstorm\n${JSON.stringify(revised)}\n\`\`\`\n` };
  const told = await run.live({
    answers: {
      "triage.mode": ["quick"],
      "brainstorm.section.1": ["no", "yes"],
      "brainstorm.section.1.feedback": ["shorter"],
    },
    scripts: { "brainstorm/section-1": section },
  });
  assert.equal(told.end.how, "finished");
  assert.match(run.git("show", `HEAD:${paths.design}`), /Shorter\./);
});

test("without a brainstorm the goal is the design, in any mode", async (context) => {
  const run = story(context);
  const told = await run.live({ wishes: { skipBrainstorm: true, mode: "standard" } });
  assert.equal(told.end.how, "finished");
  assert.ok(told.dispatches.every(({ role }) => role !== "brainstormer"));
  assert.equal(
    run.git("show", `HEAD:${paths.design}`),
    "# Design: Write a letter\n\n## The goal\n\nWrite a letter\n\n- **R1** Write a letter",
  );
  assert.match(told.dispatches.find(({ name }) => name === "plan")?.prompt ?? "", /\*\*R1\*\* Write a letter/);
});
