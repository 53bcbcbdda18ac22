// The demo's scenario, part by part, with the real pi and the product's own prompts: each answer is read by the
// schemas a run reads it with, and the work it leaves behind is real.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import {
  Approaches,
  BrainstormQuestions,
  Design,
  requirementsOf,
  revisionOf,
  type Section,
} from "../../src/core/plan/brainstorm.ts";
import { sectionText } from "../../src/core/plan/design-document.ts";
import { readPlan } from "../../src/core/plan/document.ts";
import { criterionId, type Plan, type Task, taskId } from "../../src/core/plan/plan.ts";
import { changedTasks, overstepped } from "../../src/core/plan/revision.ts";
import { type Diff, filesToRead } from "../../src/core/review/anchor.ts";
import { type Judgement, judge, openIn, type Register } from "../../src/core/review/register.ts";
import { Review } from "../../src/core/review/review.ts";
import { readAnswerBlock } from "../../src/core/text/answer.ts";
import { textDiff } from "../../src/core/text/text-diff.ts";
import { personsFile } from "../../src/demo/repository/files.ts";
import { clientFeedback, goal } from "../../src/demo/scenario/brainstorm-texts.ts";
import { demoPlay } from "../../src/demo/scenario/play.ts";
import * as brainstorm from "../../src/prompts/brainstorm.ts";
import { again } from "../../src/prompts/parts.ts";
import { patchPlan, writePlan } from "../../src/prompts/plan.ts";
import { planReview } from "../../src/prompts/plan-review.ts";
import { taskReview } from "../../src/prompts/review.ts";
import { findingsText, fix, implement } from "../../src/prompts/task.ts";
import { openStage, type Stage } from "../rig/model/stage.ts";
import { withoutCall } from "../rig/model/without.ts";

const designFile = "docs/plans/2026-01-01-add-rate-limiting-design.md";
const planFile = "docs/plans/2026-01-01-add-rate-limiting-plan.md";

suite("the demo's scenario, played by the real pi", () => {
  let stage: Stage;
  let brief: brainstorm.Brief = { goal, map: "", answers: [], approach: "" };
  let sections: readonly Section[] = [];
  let plan: Plan;

  before(async () => {
    stage = await openStage(demoPlay({ latencyMs: 0 }));
  });
  after(() => stage.close());

  const brainstormer = (name: string, attempt: number, prompt: string) =>
    stage.act({ role: "brainstormer", step: `brainstorm/${name}`, attempt, prompt });

  test("the scout reports what its tools showed", async () => {
    const prompt = brainstorm.scout(goal);
    const map = await stage.act({ role: "scout", step: "brainstorm/scout", attempt: 1, prompt });
    assert.match(map, /tollgate/);
    assert.match(map, /pipeline\.js/);
    assert.match(map, /failing: reads minutes/);
    brief = { ...brief, map };
  });

  test("the questions do not parse at first, and do once the problem was sent back", async () => {
    const prompt = brainstorm.questions(brief);
    const first = readAnswerBlock(
      await brainstormer("questions", 1, prompt),
      "superteam-brainstorm",
      BrainstormQuestions,
    );
    assert.ok(!first.ok);
    const text = await brainstormer("questions", 2, again(prompt, first.problem));
    const second = readAnswerBlock(text, "superteam-brainstorm", BrainstormQuestions);
    assert.ok(second.ok, JSON.stringify(second));
    const answers = second.value.questions.map((question) => ({
      question: question.text,
      answer: "Whatever is usual.",
    }));
    brief = { ...brief, answers };
  });

  test("the approaches fit their schema", async () => {
    const text = await brainstormer("approaches", 1, brainstorm.approaches(brief));
    const answer = readAnswerBlock(text, "superteam-brainstorm", Approaches);
    assert.ok(answer.ok, JSON.stringify(answer));
    brief = { ...brief, approach: answer.value.approaches[0]?.title ?? "" };
  });

  test("the design fits its schema, and a rejected section is revised as the person wants", async () => {
    const text = await brainstormer("design", 1, brainstorm.design(brief));
    const answer = readAnswerBlock(text, "superteam-brainstorm", Design);
    assert.ok(answer.ok, JSON.stringify(answer));
    const [first, second, ...rest] = answer.value.sections;
    assert.ok(first && second);
    const prompt = brainstorm.reviseSection(brief, second, clientFeedback, [first, ...rest]);
    const again = await brainstormer("section-2", 1, prompt);
    const revised = readAnswerBlock(again, "superteam-brainstorm", revisionOf(second, answer.value.sections));
    assert.ok(revised.ok, JSON.stringify(revised));
    assert.doesNotMatch(second.content, /x-forwarded-for/);
    assert.match(revised.value.section.content, /x-forwarded-for/);
    sections = [first, revised.value.section, ...rest];
  });

  test("the plan is a file that covers every requirement", async () => {
    const design = sections.map((section) => `## ${section.title}\n${section.content}`).join("\n\n");
    const prompt = writePlan({ goal, map: brief.map, design, path: planFile, tdd: "required" });
    await stage.act({ role: "planner", step: "plan-write/plan", attempt: 1, prompt });
    const ids = requirementsOf(sections).map((requirement) => requirement.id);
    const reading = readPlan((await stage.text(planFile)) ?? "", ids);
    assert.ok(reading.ok, JSON.stringify(reading));
    assert.deepEqual(
      reading.plan.tasks.map((task) => task.title),
      ["Token bucket", "Rate limiting middleware", "Configuration and tests"],
    );
    plan = reading.plan;
  });

  /** One look of a reviewer at the plan and the design, both in files that it reads. */
  async function looked(role: "architect" | "spec-reviewer", register: Register, fix: Diff | null): Promise<Judgement> {
    const design = sections.map(sectionText).join("\n\n");
    await writeFile(join(stage.folder, designFile), design);
    const text = (await stage.text(planFile)) ?? "";
    const since = fix && { changes: fix, open: openIn(register, role) };
    const quoted = { design: { path: designFile, text: design }, plan: { path: planFile, text } };
    const brief = { goal, ...quoted, guidance: [], blockOn: "medium", since };
    const name = role === "architect" ? "architect-review" : "plan-spec-review";
    const prompt = planReview(brief);
    const said = await stage.act({ role, step: `plan-review/${role}/${name}`, attempt: 1, prompt });
    const answer = readAnswerBlock(said, "superteam-json", Review);
    assert.ok(answer.ok, JSON.stringify(answer));
    const ids = [...requirementsOf(sections).map(({ id }) => id), ...plan.tasks.map(({ id }) => taskId(id))];
    const task = { files: [{ path: planFile, change: "added" as const }], diff: "" };
    return judge(register, answer.value, { role, blockOn: "medium", ids, texts: { [planFile]: text }, task, fix });
  }

  test("the architect finds a dependency that is not declared, the planner patches it in, and it is resolved", async () => {
    const spec = await looked("spec-reviewer", [], null);
    assert.equal(spec.verdict, "approved", JSON.stringify(spec));
    const first = await looked("architect", [], null);
    assert.equal(first.verdict, "needs_revision");
    assert.deepEqual(first.complaints, []);
    const open = openIn(first.register);
    assert.match(open.map(({ finding }) => finding.what).join(), /^Task 3 .* does not depend on it\.$/);

    const before = (await stage.text(planFile)) ?? "";
    const job = { goal, map: brief.map, design: sections.map(sectionText).join("\n\n"), path: planFile };
    const leave = { tasks: [2, 3], mayAdd: false };
    const prompt = patchPlan(job, findingsText(open), "", leave);
    const report = await stage.act({ role: "planner", step: "plan-review/patch", attempt: 1, prompt });
    assert.match(report, /^F1: task 3/);
    const after = (await stage.text(planFile)) ?? "";
    const reading = readPlan(
      after,
      requirementsOf(sections).map(({ id }) => id),
    );
    assert.ok(reading.ok, JSON.stringify(reading));
    assert.deepEqual(overstepped({ text: before, plan }, { text: after, plan: reading.plan }, leave), []);
    assert.deepEqual(changedTasks({ text: before, plan }, { text: after, plan: reading.plan }), [3]);
    plan = reading.plan;

    const fix: Diff = { files: [{ path: planFile, change: "modified" }], diff: textDiff(before, after) };
    const second = await looked("architect", first.register, fix);
    assert.equal(second.verdict, "approved", JSON.stringify(second));
  });

  const taskOf = (id: number): Task => {
    const task = plan.tasks.find((candidate) => candidate.id === id);
    assert.ok(task);
    return task;
  };
  const briefOf = (task: Task) => {
    const requirements = requirementsOf(sections).filter(({ id }) => task.covers.includes(id));
    const settings = { mode: "standard", tdd: "required" } as const;
    return { task, total: plan.tasks.length, goal, ...settings, requirements, earlier: [] };
  };

  interface Look {
    readonly kind: "spec" | "quality";
    readonly attempt: number;
    readonly anchor: string;
    readonly register: Register;
    readonly fix: Diff | null;
  }

  /** One review, judged as a run would judge it. */
  async function reviewed(task: Task, { kind, attempt, anchor, register, fix }: Look): Promise<Judgement> {
    const changes = await stage.changes(anchor);
    const role = `${kind}-reviewer` as const;
    const since = fix ? { changes: fix, open: openIn(register, role) } : null;
    const brief = { ...briefOf(task), changes, blockOn: "medium", evidence: [], report: "", since };
    const prompt = taskReview(brief);
    const text = await stage.act({ role, step: `execute/task-${task.id}/${kind}-review`, attempt, prompt });
    const answer = readAnswerBlock(text, "superteam-json", Review);
    assert.ok(answer.ok, JSON.stringify(answer));
    const texts: Record<string, string | null> = {};
    for (const path of filesToRead(answer.value, { task: changes })) texts[path] = await stage.text(path);
    const ids = [...task.criteria.map((_, index) => criterionId(index)), ...task.covers];
    return judge(register, answer.value, { role, blockOn: "medium", ids, texts, task: changes, fix });
  }

  async function implemented(task: Task): Promise<string> {
    const anchor = await stage.mark();
    const step = `execute/task-${task.id}/implement`;
    const text = await stage.act({ role: "implementer", step, attempt: 1, prompt: implement(briefOf(task), "") });
    assert.doesNotMatch(text, /I stopped/);
    return anchor;
  }

  async function settled(id: number): Promise<void> {
    const task = taskOf(id);
    const anchor = await implemented(task);
    for (const kind of ["spec", "quality"] as const) {
      const judgement = await reviewed(task, { kind, attempt: 1, anchor, register: [], fix: null });
      assert.equal(judgement.verdict, "approved", JSON.stringify(judgement));
      assert.deepEqual(judgement.complaints, []);
    }
  }

  test("task 1 is built, test first, and approved at the first look", () => settled(1));

  test("the review of task 2 finds the missing IP extraction, one fix adds it, and the finding is resolved", async () => {
    const task = taskOf(2);
    const anchor = await implemented(task);
    const first = await reviewed(task, { kind: "spec", attempt: 1, anchor, register: [], fix: null });
    assert.equal(first.verdict, "needs_revision");
    assert.deepEqual(first.complaints, []);
    assert.match(openIn(first.register)[0]?.finding.what ?? "", /IP address/);

    const before = await stage.mark();
    const found = { text: findingsText(openIn(first.register)), isFinding: true };
    const prompt = fix(briefOf(task), found, await stage.changes(anchor));
    const report = await stage.act({ role: "implementer", step: "execute/task-2/fix", attempt: 1, prompt });
    assert.match(report, /^F1: /);

    const change = await stage.changes(before);
    const look: Look = { kind: "spec", attempt: 2, anchor, register: first.register, fix: change };
    const second = await reviewed(task, look);
    assert.equal(second.verdict, "approved", JSON.stringify(second));
    assert.deepEqual(second.complaints, []);
    const quality = await reviewed(task, { kind: "quality", attempt: 1, anchor, register: second.register, fix: null });
    assert.equal(quality.verdict, "approved", JSON.stringify(quality));
  });

  test("task 3 is built and approved, and then every test of the repository passes", async () => {
    await settled(3);
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const tests = spawnSync(process.execPath, ["--test"], { cwd: stage.folder, encoding: "utf8", env });
    assert.equal(tests.status, 0, tests.stdout);
    const check = spawnSync("npm", ["run", "check"], { cwd: stage.folder, encoding: "utf8" });
    assert.equal(check.status, 0, check.stderr);
    assert.equal(await stage.text(personsFile.path), personsFile.text);
  });

  test("no part of it does without any of its tool calls", () => {
    const play = demoPlay({ latencyMs: 0 });
    const turns = stage.played.filter(({ turn }) => turn.results.length > 0);
    for (const { turn } of turns) {
      for (const index of turn.results.keys()) {
        const results = turn.results.map((result, place) => (place === index ? idle : result));
        const history = [...turn.history.slice(0, -1), { text: "", calls: [], ...turn.history.at(-1), results }];
        const { text, tools } = play({ ...turn, results, history });
        const call = `${turn.header?.step}, turn ${turn.turn}, call ${index + 1}`;
        assert.equal(tools, undefined, call);
        assert.match(text ?? "", /^I stopped, because /, call);
      }
    }
    assert.ok(turns.length > 30, `${turns.length} turns with tool results`);
  });
});

test("an implementer whose code was not written notices, and says so", async () => {
  const place = { step: "execute/task-1/implement", turn: 3, call: 0 };
  const stage = await openStage(withoutCall(demoPlay({ latencyMs: 0 }), place));
  try {
    const text = await stage.act({ role: "implementer", step: place.step, attempt: 1, prompt: "Do it." });
    assert.match(text, /^I stopped, because src\/token-bucket\.js was not written/);
    assert.equal(await stage.text("src/token-bucket.js"), null);
  } finally {
    await stage.close();
  }
});

/** What a call that does nothing gives. */
const idle = { name: "bash", text: "(no output)", failed: false };
