// The person works in the same tree while a run waits: for an answer, for a quota, for more budget. What they commit stays
// a commit of theirs, whatever becomes of the run's own work; where the two cannot be told apart they are asked.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Script } from "../../../src/adapters/agents/scripted/script.ts";
import { assertMine, clockOf, commitMine, crash, filesOf, subjects, usedUp } from "../../rig/pipeline/meanwhile.ts";
import { answer, review, writesPlan } from "../../rig/pipeline/scripts.ts";
import { goal, plan, plannedStories, story, type Twist } from "../../rig/pipeline/story.ts";
import * as small from "../../rig/small-run.ts";

const planned = plannedStories();

const finding = {
  rule: "missing",
  severity: "critical",
  anchor: { file: "letter.txt", quote: "Dear" },
  what: "No.",
} as const;
const objects = review({ findings: [finding] });
const fixed: Script = { run: "echo 'Dear reader, all signed' > letter.txt", text: "Fixed." };
const content = review({ resolutions: [{ id: "F1", state: "resolved", quote: "all signed" }] });

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
    if (!isSkipped) assert.deepEqual(filesOf(run, "HEAD"), ["letter.txt"]);
  });
}

for (const [check, asked] of [
  ["test -e README.md", undefined],
  ["grep -q edited README.md || test ! -e letter.txt", "execute.task.1.alone"],
] as const) {
  const what = asked === undefined ? "passes without that" : "needs that, and is theirs to decide";
  test(`E3b: a commit is checked without what the person edited meanwhile, and ${what}`, async (context) => {
    const run = story(context, { config: { validationCommand: check } });
    const pass = clockOf(context);
    const twist: Twist = { answers: hotfix, scripts: { "execute/task-1/implement 1": usedUp } };
    assert.deepEqual((await run.live(twist)).end, { how: "suspended", why: "quota" });
    run.write("README.md", "# edited by me\n");
    pass(5);
    const told = await run.live(twist);
    assert.deepEqual([told.waits?.id, filesOf(run, "HEAD")], [asked, ["letter.txt"]]);
    assert.match(told.warnings.join("\n"), /Left out of the commit of task 1, because you changed them: README\.md/);
    assert.equal(run.git("worktree", "list").split("\n").length, 1);
    if (asked === undefined) return;
    assert.match(told.waits?.message ?? "", /passed with your changes to README\.md and fails without them/);
    const accepted = await run.live({ ...twist, answers: { ...hotfix, [asked]: ["accept"] } });
    assert.equal(accepted.end.how, "finished");
    assert.equal(run.git("status", "--porcelain"), "M README.md\n?? notes.txt");
    assert.deepEqual(subjects(run), ["workflow: task 1 — Write a letter", "Begin"]);
  });
}

for (const move of ["rollback", "skip"]) {
  test(`E3b: a merge that the person begins at an escalation is in progress, with its conflict, after ${move}`, async (context) => {
    const run = story(context);
    const merge = (): string => {
      run.git("switch", "-qc", "side", "HEAD~0");
      run.write("README.md", "# side\n");
      run.git("commit", "-qm", "Side", "--", "README.md");
      run.git("switch", "-q", "main");
      run.write("README.md", "# main\n");
      run.git("commit", "-qm", "Main", "--", "README.md");
      assert.throws(() => run.git("merge", "-q", "side"));
      return run.git("ls-files", "-u");
    };
    const scripts = { "execute/task-1/spec-review": objects };
    const escalated = "execute.task.1.fix.failed";
    const first = await run.live({ answers: hotfix, scripts, closed: [escalated] });
    assert.equal(first.waits?.id, escalated);
    const conflict = merge();
    const told = await run.live({
      answers: { [escalated]: [move] },
      scripts: { "execute/task-1/spec-review": content },
      closed: ["execute.task.1.commit"],
    });
    assert.deepEqual(
      [run.git("rev-parse", "MERGE_HEAD"), run.git("ls-files", "-u")],
      [run.git("rev-parse", "side"), conflict],
    );
    assert.match(run.text("README.md") ?? "", /^<<<<<<< /);
    if (move === "skip") return assert.equal(run.text("letter.txt"), null);
    assert.match(told.waits?.message ?? "", /A merge is in progress.*git merge --abort/);
  });
}

test("an implementer that succeeds after a wait starts from what the person left, and commits its own work alone", async (context) => {
  const { run, mine, told } = await waitForQuota(context, {
    answers: hotfix,
    scripts: { "execute/task-1/implement 1": usedUp },
  });
  assert.equal(told.end.how, "finished");
  assertMine(run, mine);
  assert.deepEqual(filesOf(run, "HEAD"), ["letter.txt"]);
  assert.deepEqual(subjects(run), ["workflow: task 1 — Write a letter", "My own", "Begin"]);
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
  assert.deepEqual(subjects(run), ["workflow: task 1 — Write a letter", "My own", "Begin"]);
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

test("commits that were made while a fix waited stay the person's, below the task's", async (context) => {
  const { run, mine, told } = await waitBeforeFix(context);
  assert.equal(told.end.how, "finished");
  assertMine(run, mine);
  assert.deepEqual(subjects(run), ["workflow: task 1 — Write a letter", "My own", "Begin"]);
  assert.deepEqual(filesOf(run, "HEAD"), ["letter.txt"]);
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

test("a task is skipped below the person's commit, also when its agent had committed: that was undone at once", async (context) => {
  const { run, mine, told } = await waitBeforeFix(context, {
    answers: { "execute.task.1.fix.failed": ["skip"] },
    scripts: { "execute/task-1/implement": commitsItself, "execute/task-1/fix": crash },
  });
  assert.equal(told.end.how, "finished");
  assert.match(told.warnings.join("\n"), /made 1 commit \("agents"\)\. The branch was moved back/);
  assertMine(run, mine);
  assert.doesNotMatch(run.git("log", "--format=%s"), /agents/);
  assert.equal(run.text("letter.txt"), null);
});

test("F1, F2, F3: what the person writes, edits and stages while a question waits stays theirs, to the byte", async (context) => {
  const run = story(context);
  const scripts = { "execute/task-1/spec-review": objects, "execute/task-1/fix": fixed };
  const asks = "execute.task.1.escalation";
  const first = await run.live({ answers: hotfix, scripts });
  assert.equal(first.waits?.id, asks);
  run.write(".env.local", "KEY=1\n");
  run.write("README.md", "# staged by me\n");
  run.git("add", "README.md");
  run.write("README.md", "# edited by me\n");
  const proved = review({ resolutions: [{ id: "F1", state: "resolved", quote: "signed at last" }] });
  const signs: Script = { run: "echo 'Dear reader, signed at last' > letter.txt", text: "Fixed." };
  const again = { "spec-reviewer": proved, "execute/task-1/fix": signs };
  const told = await run.live({ answers: { [asks]: ["retry"] }, scripts: again });
  assert.equal(told.end.how, "finished", JSON.stringify(told.waits));
  assert.deepEqual(filesOf(run, "HEAD"), ["letter.txt"]);
  assert.deepEqual([run.text(".env.local"), run.text("README.md")], ["KEY=1\n", "# edited by me\n"]);
  assert.equal(run.git("show", ":README.md"), "# staged by me");
  const left = told.warnings.filter((text) => text.includes("Left out of the commit"));
  assert.match(
    left.join("\n"),
    /changed them: \.env\.local\.\n.*changed them: README\.md\. Reviewers saw your version, which is not committed\.$/,
  );
});

const final = { category: "extra", severity: "high", anchor: { requirement: "R1" }, what: "Too long." };
const saysNo = answer("superteam-json", { passed: false, findings: [final], resolutions: [], summary: "No." });
const resolution = { id: "F1", state: "resolved", quote: "Dear, signed" };
const saysYes = answer("superteam-json", { passed: true, findings: [], resolutions: [resolution], summary: "Yes." });

test("what the person commits while a final fix or the documentation waits is neither melted nor taken back", async (context) => {
  const pass = clockOf(context);
  const run = planned(context);
  const twist: Twist = {
    scripts: {
      "finalize/final-review 1": { text: saysNo },
      "finalize/final-review 2": { text: saysYes },
      "finalize/final-fix 1": usedUp,
      "finalize/final-fix 2": { run: "echo 'Dear, signed' > letter.txt", text: "Fixed." },
      "finalize/docs 1": usedUp,
      "finalize/docs 2": { run: "echo none > code.ts", text: "Written." },
      "finalize/docs 3": { run: "echo 'It has a letter.' > README.md", text: "Written." },
    },
    answers: { "finalize.fix": ["fix"], "finalize.docs": ["yes"] },
  };
  await run.live(twist);
  const first = commitMine(run);
  pass(5);
  assert.deepEqual((await run.live(twist)).end, { how: "suspended", why: "quota" });
  const second = commitMine(run, "later.txt");
  pass(10);
  assert.equal((await run.live(twist)).end.how, "finished");
  assertMine(run, first);
  assertMine(run, second, "later.txt");
  const made = ["workflow: documentation", "My own", "workflow: final fixes", "My own"];
  assert.deepEqual(subjects(run).slice(1, 5), made);
  assert.deepEqual(filesOf(run, "HEAD~1"), ["README.md"]);
  assert.deepEqual(filesOf(run, "HEAD~3"), ["letter.txt"]);
});

test("a final fix that fails after a wait and is gone without leaves the person's commit alone", async (context) => {
  const pass = clockOf(context);
  const run = planned(context);
  const twist: Twist = {
    scripts: {
      "finalize/final-review": { text: saysNo },
      "finalize/final-fix 1": usedUp,
      "finalize/final-fix 2": crash,
    },
    answers: { "finalize.fix": ["fix"], "finalize.final-fix.failed": ["accept"] },
  };
  await run.live(twist);
  const mine = commitMine(run);
  pass(5);
  assert.equal((await run.live(twist)).end.how, "finished");
  assertMine(run, mine);
  assert.equal(run.text("half.txt"), null);
});

test("a task whose file is there and the person's says whose it is, and what it says to do works", async (context) => {
  for (const advice of ["mv letter.txt mine.txt", "git add letter.txt && git commit -qm Mine"]) {
    const run = planned(context);
    run.write("letter.txt", "mine\n");
    const stuck = await run.live();
    assert.equal(stuck.waits?.id, "execute.task.1.nothing");
    assert.match(
      stuck.waits.message,
      /changed letter\.txt, which is yours, so it was restored\. .* commit it or move it away, then choose Retry\./,
    );
    assert.equal(run.text("letter.txt"), "mine\n");
    execFileSync("sh", ["-c", advice], { cwd: run.root });
    const told = await run.live({ answers: { "execute.task.1.nothing": ["retry"] } });
    assert.equal(told.end.how, "finished", `${advice}: ${JSON.stringify(told.waits)}`);
    assert.equal(run.text("letter.txt"), "Dear reader, signed\n");
  }
});

test("a task that begins on another branch than the one before it says so, before anybody is paid for it", async (context) => {
  const root = mkdtempSync(join(tmpdir(), "superteam-branches-"));
  context.after(() => rmSync(root, { recursive: true, force: true }));
  small.makeRepository(root);
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  git("branch", "other");
  const answers = { ...small.answers, "configure.execution": ["checkpoint"] };
  const waiting = await small.goOn({ root, answers });
  assert.equal(waiting.end.how, "suspended");
  git("checkout", "-q", "other");
  const { end, entries } = await small.goOn({ root, answers: { ...answers, "execute.checkpoint": ["continue"] } });
  assert.equal(end.how, "finished");
  const begun = entries.flatMap((entry) => (entry.type === "begin" ? [entry] : []));
  const told = begun.filter(
    ({ request }) =>
      request.do === "record" && request.fact.type === "warning" && /^HEAD is on /.test(request.fact.text),
  );
  assert.equal(told.length, 1);
  const [warning] = told;
  assert.match(JSON.stringify(warning), /HEAD is on other and was on main: task 2 is committed where HEAD is now/);
  const implementing = begun.findLast(({ key }) => key.startsWith("execute/task-2/dispatch:implement"));
  assert.ok(warning && implementing && warning.seq < implementing.seq);
});
