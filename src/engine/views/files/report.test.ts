import assert from "node:assert/strict";
import { test } from "node:test";
import {
  anchor,
  finished,
  Pen,
  untilQuestion,
  untilTask2,
  viewOf,
  wholeRun,
  withoutTask1,
} from "../../../../test/rig/sample-journal.ts";
import type { Answerer } from "../../../core/flow/question.ts";
import type { Verdict } from "../../../core/review/review.ts";
import { statusLines } from "../show/status.ts";
import { formatReport } from "./report.ts";

test("the report lists tasks with cost, commit, time and rounds, and what was waived and deferred", () => {
  assert.equal(
    formatReport(viewOf(wholeRun().entries)),
    `# Workflow Complete

Add rate limiting

## Tasks
✅ Token bucket (1aaaaaa, $0.48, 1m 00s, spec ✓, quality ✓)
✅ Middleware (2aaaaaa, $1.27, 1h 03m, 1 fix round, spec ✓, quality ✓)
⏭️ Configuration (skipped)

## Final Review
Passed.

## Decisions
- Which algorithm? Token bucket
- Per what? IP
- Approach: Middleware

## Waivers
- execute/task-3: skipped by you

## Deferred Findings
- Task 2: style: a long line

## Documents
- Design: docs/plans/2026-02-07-rate-design.md
- Plan: docs/plans/2026-02-07-rate-plan.md

## Changed Files
- src/m.ts +30 −4
- src/t1.ts +12 −0

+42 −4 in all, summed over the commits. The size of each: \`git show --stat --oneline 1aaaaaa 2aaaaaa\`

## Undo
- The last task: \`git revert --no-edit 2aaaaaa\`
- All of the work: \`git revert --no-edit 2aaaaaa 1aaaaaa\`
- With the documents: \`git revert --no-edit 2aaaaaa 1aaaaaa d0c5000\`

## Receipts
- Task 1: spec-reviewer: approved; quality-reviewer: approved
- Task 2: spec-reviewer: approved (fake/opus, $0.27, 1m 00s); quality-reviewer: approved

## Stats
- 2 completed
- 1 skipped
- Total cost: $1.90 (partly estimated)
- Outside implementation: 33 % of the cost
- Phases: brainstorm $0.15, execute $1.75
- Models: fake/opus 8 agent calls, $1.90
- Tokens: 800 in, 80 out
- Agent calls: 8 (scout 1, $0.10; brainstormer 1, $0.05; implementer 3, $1.28; spec-reviewer 3, $0.47)
- Elapsed: 1h 06m (6m 00s at work, in 2 sessions)
`,
  );
});

test("the report says which task's commit is not in the history any more, and how to have it again", () => {
  const report = formatReport(viewOf(withoutTask1().entries));
  assert.match(report, /⚠️ Token bucket .*\n {3}Its commit is no longer in the history.* git cherry-pick 1aaaaaa\n/);
  assert.match(report, /✅ Middleware/);
  assert.doesNotMatch(formatReport(viewOf(wholeRun().entries)), /no longer in the history/);
});

test("U5: the report says where each requirement is met and which test shows it, in the implementer's words", () => {
  const tasks = [
    { id: "1", title: "Bucket", covers: ["R1"] },
    { id: "2", title: "Middleware", covers: ["R2"] },
  ];
  const requirements = ["A burst is allowed.", "Over the limit is 429.", "It is documented."].map((text, index) => {
    return { id: `R${index + 1}`, text };
  });
  const pen = new Pen().run("g");
  pen.fact("brainstorm", { type: "brainstorm.sections", sections: [{ id: "s1", requirements }] });
  pen.fact("plan-write", { type: "plan.written", path: "p.md", tasks });
  const files = ["src/bucket.ts", "test/bucket.test.ts"];
  pen.commit("execute/task-1/commit:commit#1", { sha: "1aaaaaaaa", task: "1", message: "m", files, since: "0" });
  const settled = { type: "task.settled", status: "complete", rounds: 0 } as const;
  pen.fact("execute", { ...settled, task: "1", commit: "1aaaaaaaa", said: "Added a bucket that refills." });
  pen.fact("execute", { ...settled, task: "2", commit: null });
  const report = formatReport(viewOf(pen.entries));
  assert.match(report, /Bucket \(1aaaaaa\)\n {3}Added a bucket that refills\.\n/);
  assert.match(
    report,
    /## Requirements\n- R1 A burst is allowed\. — task 1 \(1aaaaaa\); shown by test\/bucket\.test\.ts\n- R2 Over the limit is 429\. — task 2; no test file is part of it\n- R3 It is documented\. — not met: no task that covers it is complete\n/,
  );
  assert.ok(report.indexOf("## Stats") > report.indexOf("## Undo"), "statistics come last");
});

test("A8: what the implementer wants known is in the report, also what a long summary or a fix left out of it", () => {
  const pen = new Pen().run("g");
  pen.fact("plan-write", { type: "plan.written", path: "p.md", tasks: [{ id: "1", title: "Bucket" }] });
  const said = "Added a bucket. Concern: Buckets stay.";
  const claims = { concerns: ["Buckets\n`stay`.", "Clocks drift."], disputed: ["F2: The header is set elsewhere."] };
  const settled = { type: "task.settled", status: "complete", rounds: 1, task: "1", commit: "1aaaaaaaa" } as const;
  pen.fact("execute", { ...settled, said, ...claims });
  assert.match(
    formatReport(viewOf(pen.entries)),
    /\n {3}Added a bucket\. Concern: Buckets stay\.\n {3}Concern: Clocks drift\.\n {3}Disputes F2: The header is set elsewhere\.\n\n/,
  );
});

test("A8: what the writers of the final fixes and the documentation say is in the report", () => {
  const pen = new Pen().run("g");
  const claims = { concerns: ["It is slow."], disputed: ["F1 (They do not meet): They do."] };
  pen.fact("finalize", { type: "writer.said", work: "final fixes", said: "Joins both.", ...claims });
  pen.fact("finalize", { type: "writer.said", work: "documentation", said: "", concerns: ["Old."], disputed: [] });
  assert.match(
    formatReport(viewOf(pen.entries)),
    /## After the Tasks\n- final fixes:\n {2}Joins both\.\n {2}Concern: It is slow\.\n {2}Disputes F1 \(They do not meet\): They do\.\n- documentation:\n {2}Concern: Old\.\n/,
  );
});

test("the report says what the final review came to, and that there was none", () => {
  const section = (pen: Pen) => /## Final Review\n([^#]*)/.exec(formatReport(viewOf(pen.entries)))?.[1]?.trim();
  const reviewed = (verdict: Verdict, round: number, ...findings: readonly string[]) =>
    new Pen().run("g").fact("finalize", { type: "final.reviewed", role: "final-reviewer", round, verdict, findings });
  assert.equal(section(new Pen().run("g").fact("finalize", { type: "report", text: "done" })), "Not run.");
  assert.equal(section(new Pen().run("g")), undefined, "a run that is not at its end may still have one");
  assert.equal(section(reviewed("approved", 1)), "Passed after 1 fix round.");
  assert.equal(section(reviewed("needs_revision", 0, "F1 x", "F2 y")), "Not passed.\n- F1 x\n- F2 y");
  assert.equal(section(reviewed("inconclusive", 0)), "No clear verdict.");
  const summary = "Good overall implementation.\nTests cover edge cases.";
  const told = new Pen().run("g").fact("x", {
    type: "final.reviewed",
    role: "final-reviewer",
    round: 0,
    verdict: "approved",
    findings: [],
    summary,
  });
  assert.equal(section(told), "Passed. Good overall implementation. Tests cover edge cases.");
});

test("deferred findings are listed with where they were found: the plan, a task, the final review", () => {
  const pen = untilTask2();
  for (const task of ["plan", "2", "final"])
    pen.fact("x", { type: "findings.deferred", task, findings: [`F1 of ${task}`] });
  assert.match(
    formatReport(viewOf(pen.entries)),
    /## Deferred Findings\n- Plan: F1 of plan\n- Task 2: F1 of 2\n- Final review: F1 of final\n/,
  );
});

test("U5: a deferred finding whose file a later commit changed is said to be fixed perhaps, and where to look", () => {
  const pen = new Pen().run("g");
  const findings = [
    "F1 low style (src/m.ts): a long line (quality-reviewer; below high)",
    "F2 low style (src/n.ts): x",
  ];
  pen.fact("execute/task-1", { type: "findings.deferred", task: "1", findings });
  pen.commit("execute/task-1/commit:task#1", { sha: "1aaaaaaaa", task: "1", message: "One", files: ["src/m.ts"] });
  const lines = (): string => formatReport(viewOf(pen.entries));
  assert.doesNotMatch(lines(), /may be fixed/, "the task's own commit came with it");
  pen.commit("finalize/commit:final-fix#1", { sha: "2aaaaaaaa", task: null, message: "Fix", files: ["src/m.ts"] });
  assert.match(
    lines(),
    /F1 low .*\(quality-reviewer; below high\) — src\/m\.ts was changed after that, in 2aaaaaa: it may be fixed\n/,
  );
  assert.match(lines(), /F2 low style \(src\/n\.ts\): x\n/);
  assert.match(lines(), /\n\nThe size of each: `git show --stat --oneline 1aaaaaa 2aaaaaa`\n/);
});

test("a last commit that is no task's is not called one when it is told how to undo it", () => {
  const fix = { sha: "f1aaaaaa", task: null, message: "workflow: final fixes", files: ["src/f.ts"] };
  const text = formatReport(viewOf(untilTask2().commit("finalize/commit:final-fix#1", fix).entries));
  assert.match(text, /- The last commit: `git revert --no-edit f1aaaaa`\n- All of the work: `.* f1aaaaa 1aaaaaa`/);
  assert.match(text, /## Changed Files\n- src\/f\.ts\n/);
});

test("work without documents has one line for all of it", () => {
  const pen = new Pen().run("g").commit("a/commit:c#1", { sha: "1aaaaaa", task: "1", message: "m", files: ["a.ts"] });
  assert.match(formatReport(viewOf(pen.entries)), /## Undo\n- All of the work: `git revert --no-edit 1aaaaaa`\n\n/);
});

test("a commit of documents leaves the work where it is, and so does one that was not made", () => {
  const before = { ...anchor, sha: "d0c5000" };
  const again = { do: "commit", name: "commit", message: "m", since: before, task: "1" } as const;
  const ways: readonly ((pen: Pen) => Pen)[] = [
    (pen) => pen.commit("b/commit:documents#1", { sha: "d0c5111", message: "m", files: ["a.md"], since: before.sha }),
    (pen) => pen.begin("a/commit:commit#2", again).settle("a/commit:commit#2", { status: "refused", detail: "a hook" }),
    (pen) => pen.begin("a/commit:commit#2", again).settle("a/commit:commit#2", { status: "moved" }),
  ];
  for (const way of ways)
    assert.match(
      formatReport(viewOf(way(untilTask2()).entries)),
      /- All of the work: `git revert --no-edit 1aaaaaa`\n/,
    );
});

/** A task whose commit a hook changed, so that it no longer passed. */
function changedByHook(): Pen {
  const scope = "execute/task-2";
  const message = "workflow: task 2";
  return untilTask2().commit(`${scope}/commit:commit#1`, { sha: "2aaaaaa", task: "2", message, files: ["src/old.ts"] });
}

test("a commit that a later one of the same task has melted in is named nowhere", () => {
  const pen = changedByHook();
  assert.match(formatReport(viewOf(pen.entries)), /All of the work: `git revert --no-edit 2aaaaaa 1aaaaaa`/);
  const again = { sha: "2bbbbbb", task: "2", message: "workflow: task 2", files: ["src/m.ts"], since: "1aaaaaa" };
  const text = formatReport(viewOf(pen.commit("execute/task-2/commit:commit#2", again).entries));
  assert.match(text, /All of the work: `git revert --no-edit 2bbbbbb 1aaaaaa`/);
  assert.doesNotMatch(text, /2aaaaaa|src\/old\.ts/);
  const fix = { task: null, message: "workflow: final fixes", files: ["src/f.ts"], since: "2bbbbbb" };
  pen.commit("finalize/commit:final-fix#1", { ...fix, sha: "f1aaaaa" });
  pen.commit("finalize/commit:final-fix#2", { ...fix, sha: "f2aaaaa" });
  assert.match(formatReport(viewOf(pen.entries)), /All of the work: `git revert --no-edit f2aaaaa 2bbbbbb 1aaaaaa`/);
});

test("a commit that was taken back is named nowhere, whether the task was skipped, undone or left with nothing", () => {
  const before = { ...anchor, sha: "1aaaaaa" };
  const restored = { restored: ["src/old.ts"], backupRef: "refs/superteam/x", moved: true, leftAlone: [] };
  const commit = { do: "commit", name: "commit", message: "m", since: before, task: "2" } as const;
  const ways: readonly ((pen: Pen) => Pen)[] = [
    (pen) =>
      pen.begin("a/restore:skip#1", { do: "restore", name: "skip", to: before }).settle("a/restore:skip#1", restored),
    (pen) => pen.begin("a/commit:commit#2", commit).settle("a/commit:commit#2", { status: "nothing" }),
    (pen) => pen.add({ type: "restart", scope: "execute/task-2", epoch: 2, by: "person" }),
  ];
  for (const way of ways) {
    const text = formatReport(viewOf(way(changedByHook()).entries));
    assert.match(text, /- All of the work: `git revert --no-edit 1aaaaaa`\n- With the documents: `.* 1aaaaaa d0c5000`/);
    assert.doesNotMatch(text, /2aaaaaa|src\/old\.ts|- The last/);
  }
});

test("the report of a run that failed says where and why, and does not call it complete", () => {
  const failure = { kind: "impossible", step: "plan-write", detail: "the plan has no tasks" } as const;
  const pen = untilQuestion().add({ type: "end", ending: { how: "failed", failure } });
  const text = formatReport(viewOf(pen.entries));
  assert.match(text, /^# Workflow Failed\n/);
  assert.match(text, /It ended in plan-write: the plan has no tasks/);
});

test("the report names what a model, a policy or a file decided, and not what the person answered again", () => {
  const pen = untilQuestion();
  const asked = pen.entries.findLast((entry) => entry.type === "begin");
  assert.ok(asked?.type === "begin" && asked.request.do === "ask");
  const { id } = asked.request.question;
  const settle = (seq: number, by: Answerer) =>
    ({ seq, at: 0, type: "settle", key: asked.key, outcome: "x", ...(by === "person" ? {} : { by }) }) as const;
  const section = (entries: Parameters<typeof viewOf>[0]) =>
    /## Decided for You\n(.*)/.exec(formatReport(viewOf(entries)))?.[1];
  const next = pen.entries.length + 1;
  const by = (who: Answerer) => [...pen.entries, settle(next, who)];
  assert.equal(section(by("model")), `- by a model: ${id}`);
  assert.match(section(by("policy")) ?? "", new RegExp(`^- automatically, .*: ${id}$`));
  assert.equal(section(by("file")), `- from the answers file: ${id}`);
  assert.equal(section([...by("model"), { ...asked, seq: next + 1 }, settle(next + 2, "person")]), undefined);
});

test("the report says of an escalated task whose word let it pass, which is no word about its size or its commits", () => {
  const said = (
    answers: readonly (readonly [id: string, by: Answerer])[],
    status: "complete" | "skipped" = "complete",
  ) => {
    const pen = untilTask2();
    for (const [id, by] of answers) {
      const key = `execute/task-2/ask:${id}#1`;
      pen.asks(key, { id, kind: "input", title: "", message: "" });
      pen.add({ type: "settle", key, outcome: "x", ...(by === "person" ? {} : { by }) });
    }
    pen.fact("execute/task-2", { type: "task.status", task: "2", status: "escalated", round: 1 });
    if (status === "skipped")
      pen.fact("execute/task-2", { type: "task.settled", task: "2", status, commit: null, rounds: 1 });
    return /^.* Middleware .*$/m.exec(formatReport(viewOf(pen.entries)))?.[0] ?? "";
  };
  const word = "execute.task.2.findings";
  assert.match(said([[word, "person"]]), /^⚠️ Middleware \(escalated, .*, 1 fix round, .*you decided\)$/);
  assert.match(said([[word, "file"]], "skipped"), /^⏭️ Middleware \(skipped, .*decided from the answers file\)$/);
  assert.match(
    said([
      [word, "model"],
      ["execute.task.2.bigger", "file"],
      ["execute.task.2.head", "file"],
    ]),
    /decided by a model/,
  );
  assert.match(said([["execute.task.1.findings", "model"]]), /you decided/);
});

test("a run that a model or a program started says so", () => {
  const report = (startedBy: Answerer) => formatReport(Object.assign(viewOf(untilTask2().entries), { startedBy }));
  assert.match(report("model"), /## Decided for You\n- by a model: the start of this run\n/);
  assert.doesNotMatch(report("person"), /## Decided for You/);
});

test("U6: a run that was ended before anything was paid for shows no zeros", () => {
  const failed = { ...finished(0, ""), status: "failed", kind: "wrong-model", detail: "no such model", output: "" };
  const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, costUsd: 0, estimated: false };
  const pen = new Pen()
    .run("g")
    .enter("brainstorm", "phase")
    .dispatchBegins("brainstorm/dispatch:scout#1", "scout")
    .settle("brainstorm/dispatch:scout#1", { ...failed, usage: free })
    .add({ type: "end", ending: { how: "aborted", detail: "ended by `superteam abort`" } });
  const view = viewOf(pen.entries);
  const report = formatReport(view);
  assert.match(report, /\n\nEnded by `superteam abort`\.\n\n/);
  assert.match(
    report,
    /## Stats\n- Total cost: \$0\.00\n- Models: fake\/opus 1 agent call\n- Agent calls: 1 \(scout 1\)\n- Elapsed: /,
  );
  assert.ok(!statusLines(view, { now: view.lastAt, isAlive: false }).some((line) => line.startsWith("Phases:")));
});

test("a run that was ended says by what, and one that is under way how far it has come", () => {
  const aborted = untilTask2().add({ type: "end", ending: { how: "aborted", detail: "by you" } });
  assert.match(formatReport(viewOf(aborted.entries)), /^# Workflow Aborted\n[\s\S]*\nBy you\.\n/);
  assert.match(formatReport(viewOf(untilTask2().entries)), /^# Workflow Not Finished\n[\s\S]*\nWhere it stands: /);
  const split = new Pen().run("g").fact("x", { type: "report", text: "Split in two." });
  assert.match(formatReport(viewOf(split.entries)), /\ng\n\nSplit in two\.\n/);
});

test("of very many changed files the first are named, and the rest is counted", () => {
  const files = (count: number) => Array.from({ length: count }, (_, index) => `src/${1000 + index}.ts`);
  const report = (count: number) =>
    formatReport(
      viewOf(untilTask2().commit("c#1", { sha: "f1", task: null, message: "m", files: files(count) }).entries),
    );
  assert.match(report(202), /- src\/1199\.ts\n- and 3 more\n/);
  assert.match(report(199), /- src\/1198\.ts\n- src\/t1\.ts\n\n/);
});
