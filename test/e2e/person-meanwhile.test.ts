// The person works in the same tree while a run waits: for an answer, for a quota, for more budget. What they commit stays
// a commit of theirs, whatever becomes of the run's own work; where the two cannot be told apart they are asked.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Script } from "../../src/adapters/agents/scripted/play.ts";
import { answer, review, writesPlan } from "../rig/pipeline/scripts.ts";
import { goal, plan, type Story, story, type Told, type Twist } from "../rig/pipeline/story.ts";

const crash: Script = { run: "echo half > half.txt", text: "", fail: { kind: "crashed", detail: "gone" } };
const finding = {
  rule: "missing",
  severity: "critical",
  anchor: { file: "letter.txt", quote: "Dear" },
  what: "No.",
} as const;
const objects = review({ findings: [finding] });
const fixed: Script = { run: "echo 'Dear reader, all signed' > letter.txt", text: "Fixed." };
const content = review({ resolutions: [{ id: "F1", state: "resolved", quote: "all signed" }] });

function commitMine(run: Story, path = "mine.txt"): string {
  run.write(path, "my own\n");
  run.git("add", path);
  run.git("commit", "-qm", "My own", "--", path);
  return run.git("rev-parse", "HEAD");
}

const subjects = (run: Story) => run.git("log", "--format=%s").split("\n");
const filesOf = (run: Story, commit: string) =>
  run.git("show", "--format=", "--name-only", commit).split("\n").toSorted();

/** The commit is on the branch as it was made, and its file is in the tree. */
function assertMine(run: Story, sha: string, path = "mine.txt"): void {
  run.git("merge-base", "--is-ancestor", sha, "HEAD");
  assert.equal(run.text(path), "my own\n");
  assert.doesNotMatch(run.git("status", "--porcelain"), new RegExp(path));
}

/** Does what the question says that keeps the person's commits apart. */
function partAsTold(run: Story, { waits }: Told): void {
  const advice = /git (branch mine) && git (reset --keep \w+)/.exec(waits?.message ?? "");
  for (const command of advice?.slice(1) ?? []) run.git(...command.split(" "));
}

/** Hours pass at a word. */
function clockOf(context: TestContext): (hours: number) => void {
  const real = Date.now;
  context.after(() => {
    Date.now = real;
  });
  return (hours) => {
    Date.now = () => real() + hours * 3_600_000 + 1000;
  };
}

const usedUp: Script = { text: "", fail: { kind: "rate-limited", detail: "429", retryAfterMs: 5 * 3_600_000 } };
const hotfix = { "triage.mode": ["hotfix"] };
const limit = (hardLimitUsd: number) => ({ costs: { hardLimitUsd, warnAtUsd: 100 } });

/** A hotfix whose implementer waits for its quota, and meanwhile the person commits and edits. */
async function waitForQuota(context: TestContext, twist: Twist) {
  const pass = clockOf(context);
  const run = story(context);
  const first = await run.live(twist);
  assert.deepEqual(first.end, { how: "suspended", why: "quota" });
  const mine = commitMine(run);
  run.write("README.md", "# edited by me\n");
  pass(5);
  return { run, mine, told: await run.live(twist) };
}

for (const move of ["retry", "rollback", "skip"]) {
  test(`an implementer that fails after a wait takes nothing of the person's along, nor does ${move}`, async (context) => {
    const answers = { ...hotfix, "execute.task.1.implement.failed": [move] };
    const scripts = { "execute/task-1/implement 1": usedUp, "execute/task-1/implement 2": crash };
    const { run, mine, told } = await waitForQuota(context, { answers, scripts });
    assert.equal(told.end.how, "finished");
    assertMine(run, mine);
    assert.equal(run.text("README.md"), "# edited by me\n");
    assert.equal(run.git("status", "--porcelain"), "M README.md\n?? notes.txt");
    assert.equal(run.text("half.txt"), null);
    const isSkipped = move === "skip";
    assert.equal(run.text("letter.txt"), isSkipped ? null : "Dear reader, signed\n");
    if (!isSkipped) assert.deepEqual(filesOf(run, "HEAD~1"), ["letter.txt"]);
  });
}

test("an implementer that succeeds after a wait starts from what the person left, and commits its own work alone", async (context) => {
  const { run, mine, told } = await waitForQuota(context, {
    answers: hotfix,
    scripts: { "execute/task-1/implement 1": usedUp },
  });
  assert.equal(told.end.how, "finished");
  assertMine(run, mine);
  assert.deepEqual(filesOf(run, "HEAD~1"), ["letter.txt"]);
  assert.deepEqual(subjects(run).slice(1), ["workflow: task 1 — Write a letter", "My own", "Begin"]);
  assert.equal(run.git("status", "--porcelain"), "M README.md\n?? notes.txt");
  const seen = told.dispatches.find(({ name }) => name === "spec-review")?.prompt ?? "";
  assert.doesNotMatch(seen, /mine\.txt|edited by me/);
});

test("commits of an agent that waited for budget are melted, and the person's below them are not", async (context) => {
  const run = story(context);
  run.configure(limit(0.01));
  const commits: Script = {
    run: "echo 'Dear reader, signed' > letter.txt; git add letter.txt; git commit -qm agents",
    text: "Done.",
  };
  const twist: Twist = { answers: hotfix, scripts: { "execute/task-1/implement": commits } };
  assert.equal((await run.live(twist)).waits?.id, "budget.limit");
  const mine = commitMine(run);
  run.configure(limit(50));
  assert.equal((await run.live(twist)).end.how, "finished");
  assertMine(run, mine);
  assert.deepEqual(subjects(run).slice(1), ["workflow: task 1 — Write a letter", "My own", "Begin"]);
});

for (const crashes of [false, true]) {
  test(`a planner that ${crashes ? "fails and then " : ""}succeeds after a wait puts back what it wrote itself, and no more`, async (context) => {
    const pass = clockOf(context);
    const run = story(context);
    const writes = writesPlan(goal, plan);
    const astray: Script = { ...writes, run: `${writes.run}\necho astray > astray.txt` };
    const scripts = crashes
      ? { "plan-write/plan 1": usedUp, "plan-write/plan 2": crash, "plan-write/plan 3": astray }
      : { "plan-write/plan 1": usedUp, "plan-write/plan 2": astray };
    const answers = { "triage.mode": ["quick"], "plan.write.failed": ["retry"] };
    const twist: Twist = { answers, scripts, closed: ["configure.execution"] };
    await run.live(twist);
    const mine = commitMine(run);
    pass(5);
    const told = await run.live(twist);
    assert.equal(told.waits?.id, "configure.execution");
    assertMine(run, mine);
    assert.deepEqual([run.text("astray.txt"), run.text("half.txt")], [null, null]);
    const put = told.warnings.filter((text) => text.includes("may only write the plan"));
    assert.match(put.join("\n"), /but astray\.txt changed/);
  });
}

/** A task whose fix waits for its quota while the person commits, on top of the work or of the agent's own commit. */
async function waitBeforeFix(context: TestContext, more: Twist = {}) {
  const pass = clockOf(context);
  const run = story(context);
  const twist: Twist = {
    ...more,
    answers: { ...hotfix, ...more.answers },
    scripts: {
      "execute/task-1/spec-review 1": objects,
      "execute/task-1/spec-review": content,
      "execute/task-1/fix 1": usedUp,
      "execute/task-1/fix": fixed,
      ...more.scripts,
    },
  };
  assert.deepEqual((await run.live(twist)).end, { how: "suspended", why: "quota" });
  const mine = commitMine(run);
  pass(5);
  return { run, mine, told: await run.live(twist) };
}

test("commits that were made while a fix waited are not melted into the task's: the person is asked, and goes on", async (context) => {
  const { run, mine, told } = await waitBeforeFix(context);
  assert.equal(told.waits?.id, "execute.task.1.commit");
  assert.match(told.waits?.message ?? "", /commits that no agent of this task made[\s\S]*"My own"/);
  assertMine(run, mine);
  partAsTold(run, told);
  const next = await run.live({
    answers: { "execute.task.1.commit": ["retry"] },
    scripts: { "spec-reviewer": content },
  });
  assert.equal(next.end.how, "finished");
  assert.equal(run.git("rev-parse", "mine"), mine);
  assert.deepEqual(filesOf(run, "HEAD~1"), ["letter.txt"]);
});

test("a fix that fails after a wait, and the task skipped, leaves the person's commit alone", async (context) => {
  const { run, mine, told } = await waitBeforeFix(context, {
    answers: { "execute.task.1.fix.failed": ["skip"] },
    scripts: { "execute/task-1/fix": crash },
  });
  assert.equal(told.end.how, "finished");
  assertMine(run, mine);
  assert.deepEqual([run.text("letter.txt"), run.text("half.txt")], [null, null]);
  assert.equal(run.git("status", "--porcelain"), "?? notes.txt");
});

const commitsItself: Script = {
  run: "echo 'Dear reader, signed' > letter.txt; git add letter.txt; git commit -qm agents",
  text: "Done.",
};

test("a task cannot be skipped past the person's commit on top of the agent's own: they part them first", async (context) => {
  const { run, mine, told } = await waitBeforeFix(context, {
    answers: { "execute.task.1.fix.failed": ["skip"] },
    scripts: { "execute/task-1/implement": commitsItself, "execute/task-1/fix": crash },
  });
  assert.equal(told.waits?.id, "execute.task.1.head");
  assertMine(run, mine);
  partAsTold(run, told);
  const next = await run.live({ answers: { "execute.task.1.head": ["retry"] } });
  assert.equal(next.end.how, "finished");
  assert.equal(run.git("rev-parse", "mine"), mine);
  assert.doesNotMatch(run.git("log", "--format=%s"), /agents|My own/);
});

const bigger = answer("superteam-json", { bigger: { mode: "quick", reason: "It needs a plan." } });
const begun: Script = { run: "echo begun > begun.txt; echo changed >> README.md", text: bigger };
const finished: Script = { run: "echo 'Dear reader, signed' > letter.txt", text: "Done." };
const grows: Twist = {
  scripts: { "execute/task-1/implement": begun, "execute#2/task-1/implement": finished },
  answers: { ...hotfix, "execute.task.1.bigger": ["switch"] },
};
const grownBy = (script: Script): Twist => ({
  ...grows,
  scripts: { ...grows.scripts, "execute/task-1/implement": script },
});
const begunAndCommitted: Script = { ...begun, run: `${begun.run}; git add begun.txt README.md; git commit -qm agents` };

test("the switch to a larger mode takes the agent's own commits off the branch, and none of the person's with them", async (context) => {
  const run = story(context);
  const twist = grownBy(begunAndCommitted);
  assert.equal((await run.live({ ...twist, closed: ["execute.task.1.bigger"] })).waits?.id, "execute.task.1.bigger");
  const mine = commitMine(run);
  const told = await run.live(twist);
  assert.equal(told.waits?.id, "execute.task.1.head");
  assertMine(run, mine);
  partAsTold(run, told);
  const next = await run.live({ ...twist, answers: { ...twist.answers, "execute.task.1.head": ["retry"] } });
  assert.equal(next.end.how, "finished");
  assert.equal(run.git("rev-parse", "mine"), mine);
  assert.deepEqual(filesOf(run, "HEAD~1"), ["README.md", "begun.txt", "letter.txt"]);
  assert.doesNotMatch(run.git("log", "--format=%s"), /^agents$/m);
});

test("where the agent has not committed, the person's commit stays below what the larger mode makes of the work", async (context) => {
  const run = story(context);
  await run.live({ ...grows, closed: ["execute.task.1.bigger"] });
  const mine = commitMine(run);
  const told = await run.live(grows);
  assert.equal(told.end.how, "finished");
  assertMine(run, mine);
  assert.deepEqual(filesOf(run, "HEAD~1"), ["README.md", "begun.txt", "letter.txt"]);
  const prompt = told.dispatches.findLast(({ name }) => name === "implement")?.prompt ?? "";
  assert.match(prompt, /is part of this task now[\s\S]*- README\.md\n- begun\.txt/);
  assert.doesNotMatch(prompt, /mine\.txt/);
});

for (const [what, then] of [
  ["", begun],
  [" and committed there", begunAndCommitted],
] as const) {
  test(`an agent that switched branches${what} before it asked for more is brought back, with its work`, async (context) => {
    const run = story(context);
    const told = await run.live(grownBy({ ...then, run: `git switch -q -c agent-branch; ${then.run}` }));
    assert.equal(told.end.how, "finished");
    assert.match(told.warnings.join("\n"), /started on main and HEAD was on agent-branch/);
    assert.equal(run.git("branch", "--show-current"), "main");
    assert.deepEqual(filesOf(run, "HEAD~1"), ["README.md", "begun.txt", "letter.txt"]);
    assert.doesNotMatch(run.git("log", "--format=%s"), /^agents$/m);
  });
}

for (const move of ["skip", "rollback"]) {
  test(`${move} of a task with work from a smaller mode takes back that work, and nothing the person has made since`, async (context) => {
    const run = story(context);
    await run.live({ ...grows, closed: ["brainstorm.section.1"] });
    const mine = commitMine(run);
    run.write("begun.txt", "my own\n");
    run.git("add", "begun.txt");
    run.git("commit", "-qm", "Begun is mine", "--", "begun.txt");
    run.write("draft.txt", "not committed yet\n");
    const told = await run.live({
      ...grows,
      scripts: { ...grows.scripts, "execute#2/task-1/implement 1": crash },
      answers: { ...grows.answers, "execute.task.1.implement.failed": [move] },
    });
    assert.equal(told.end.how, "finished");
    assertMine(run, mine);
    assertMine(run, mine, "begun.txt");
    assert.equal(run.text("README.md"), "# Letters\n");
    assert.equal(run.git("status", "--porcelain"), "?? draft.txt\n?? notes.txt");
    if (move === "rollback") assert.deepEqual(filesOf(run, "HEAD~1"), ["letter.txt"]);
  });
}

test("work from a smaller mode is held against what the person has made since, and is committed without it", async (context) => {
  const pass = clockOf(context);
  const run = story(context);
  const twist: Twist = { ...grows, scripts: { ...grows.scripts, "execute#2/task-1/implement 1": usedUp } };
  await run.live({ ...twist, closed: ["brainstorm.section.1"] });
  const first = commitMine(run);
  assert.deepEqual((await run.live(twist)).end, { how: "suspended", why: "quota" });
  const second = commitMine(run, "later.txt");
  run.write("draft.txt", "not committed yet\n");
  pass(5);
  const told = await run.live(twist);
  assert.equal(told.end.how, "finished");
  assertMine(run, first);
  assertMine(run, second, "later.txt");
  assert.deepEqual(filesOf(run, "HEAD~1"), ["README.md", "begun.txt", "letter.txt"]);
  assert.equal(run.git("status", "--porcelain"), "?? draft.txt\n?? notes.txt");
  const seen = told.dispatches.findLast(({ name }) => name === "spec-review")?.prompt ?? "";
  assert.match(seen, /begun\.txt/);
  assert.doesNotMatch(seen, /mine\.txt|later\.txt|draft\.txt/);
});
