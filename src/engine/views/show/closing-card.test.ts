import assert from "node:assert/strict";
import { test } from "node:test";
import { Pen, untilTask2, viewOf, wholeRun, withoutTask1 } from "../../../../test/rig/sample-journal.ts";
import { closingCard } from "./closing-card.ts";
import { footer } from "./status.ts";

test("U6: a finished run ends with a card: what came of it, what is open, what it cost, how to look and to undo", () => {
  assert.deepEqual(closingCard(viewOf(wholeRun().entries)), [
    "✓ Add rate limiting",
    "  2 tasks in 2 commits · 1 skipped · +42 −4 in 2 files",
    "  1 finding left for later · 1 problem accepted by you",
    "  $1.90 · 6m 00s · planning and review 33 %",
    "  Look: superteam report · git show 2aaaaaa",
    "  Undo: git revert --no-edit 2aaaaaa 1aaaaaa",
  ]);
  assert.deepEqual(closingCard(viewOf(new Pen().run("g").entries)), []);
});

test("T1: the card of a run in which nothing was checked has no check mark, and says so", () => {
  const view = viewOf(wholeRun().entries);
  view.config = { validationCommand: "", testCommand: "" };
  const [first, second] = closingCard(view);
  assert.equal(first, "🔸 Add rate limiting");
  assert.match(second ?? "", /· not checked$/);
});

test("the card of a run whose HEAD was moved to before a task names the task, and how to have it again", () => {
  const view = viewOf(withoutTask1().entries);
  const [first, ...more] = closingCard(view);
  assert.equal(first, "🔸 Add rate limiting");
  assert.deepEqual(more.slice(0, 4), [
    "  2 tasks in 1 commit · 1 skipped · +30 −4 in 1 file",
    "  1 finding left for later · 1 problem accepted by you",
    "  HEAD was moved: the history no longer has task 1",
    "  To get it back: git cherry-pick 1aaaaaa",
  ]);
});

test("U6: the status line has the limit beside what was spent", () => {
  const view = viewOf(new Pen().run("g").entries);
  view.limits = { warnUsd: 5, hard: { usd: 20, tokens: 1, dispatches: 1 } };
  assert.match(footer(view), /\| \$0\.00 \/ \$20$/);
  view.raised.usd = 22.5;
  assert.match(footer(view), /\| \$0\.00 \/ \$22\.50$/);
});

test("several tasks that the history has no longer are named together", () => {
  const pen = untilTask2();
  pen.fact("execute/task-2", { type: "task.settled", task: "2", status: "complete", commit: "2aaaaaa", rounds: 0 });
  const second = { sha: "2aaaaaa", task: "2", message: "Middleware", files: ["src/m.ts"] };
  pen.commit("execute/task-2/commit:task#1", second);
  const fix = { sha: "f1aaaaa", task: null, message: "fixes", files: ["src/f.ts"], since: "d0c5000" };
  pen.commit("finalize/commit:final-fix#1", fix).add({ type: "end", ending: { how: "finished", value: null } });
  assert.deepEqual(
    closingCard(viewOf(pen.entries)).filter((line) => /HEAD|back/.test(line)),
    ["  HEAD was moved: the history no longer has tasks 1, 2", "  To get it back: git cherry-pick 1aaaaaa 2aaaaaa"],
  );
});
