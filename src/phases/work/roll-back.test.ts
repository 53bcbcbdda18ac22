// Going back to where agents' work began, with commits of the person's in the way.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Flow, Step } from "../../core/flow/flow.ts";
import type { Anchor } from "../../core/flow/repository.ts";
import { rangeFrom, rollBack, undoCommits, type WorkRange } from "./work-range.ts";

const at = (sha: string, branch: string | null = "main"): Anchor => ({
  sha,
  branch,
  tree: `tree of ${sha}`,
  ref: sha,
  leftAlone: [],
});
const start = at("first");
/** Agents wrote, and left HEAD at `tip`. */
const worked = (tip: string, from = start): WorkRange => ({
  ...rangeFrom(from),
  tip,
  isBuiltOn: true,
  hasCommits: tip !== from.sha,
});
const names = { name: "back", question: "the.question" };

/** What the flow asks for while it is given these answers; the last request is the one left open, if any. */
function asked(flow: Flow<void>, ...answers: readonly unknown[]): readonly Step[] {
  const steps: Step[] = [];
  let turn = flow.next();
  for (const answer of answers) {
    if (turn.done) break;
    steps.push(turn.value);
    turn = flow.next(answer);
  }
  return turn.done ? steps : [...steps, turn.value];
}

const kinds = (steps: readonly Step[]): readonly string[] => steps.map((step) => step.do);
const messageIn = (step: Step | undefined): string => (step?.do === "ask" ? step.question.message : "");

test("work without commits is rolled back to where it began", () => {
  const range = worked("first");
  const steps = asked(rollBack(range, names), at("first"), {});
  assert.deepEqual(kinds(steps), ["snapshot", "restore"]);
  assert.deepEqual(steps[1], { do: "restore", name: "back", to: start });
  assert.deepEqual(range, rangeFrom(start));
});

test("before anybody wrote there is nothing to roll back", () => {
  assert.deepEqual(asked(rollBack(rangeFrom(start), names)), []);
});

test("commits of the person's stay, and just the files of the work go", () => {
  const range = worked("first");
  const changed = { files: [{ path: "a.ts", change: "modified" }], diff: "" };
  const steps = asked(rollBack(range, names), at("theirs"), changed, at("without"), {});
  assert.deepEqual(kinds(steps), ["snapshot", "changes", "anchor-without", "restore"]);
  const without = steps[2];
  assert.ok(without?.do === "anchor-without");
  assert.deepEqual(without.work, { start, files: ["a.ts"] });
  assert.deepEqual(steps[3], { do: "restore", name: "back", to: at("without") });
  assert.equal(range.start.sha, "without");
});

test("work that was carried in and not built on yet goes by its files", () => {
  const steps = asked(rollBack(rangeFrom(start, ["c.ts"]), names), at("first"), at("without"), {});
  assert.deepEqual(kinds(steps), ["snapshot", "anchor-without", "restore"]);
  assert.ok(steps[1]?.do === "anchor-without");
  assert.deepEqual(steps[1].work.files, ["c.ts"]);
});

test("commits of the person's on top of an agent's are for the person to part, and then it goes back", () => {
  const steps = asked(rollBack(worked("0123456789abcdef"), names), at("theirs"), "retry", at("0123456789abcdef"), {});
  assert.deepEqual(kinds(steps), ["snapshot", "ask", "snapshot", "restore"]);
  assert.ok(steps[1]?.do === "ask");
  assert.equal(steps[1].question.id, "the.question");
  assert.match(
    messageIn(steps[1]),
    /^main has commits that no agent [\s\S]*git reset --keep 0123456789\n[\s\S]*--soft 0123456789\n/,
  );
  assert.deepEqual(steps[3], { do: "restore", name: "back", to: start });
});

test("from another branch the person is told how to go back to the one where the work began", () => {
  const elsewhere = at("theirs", "other");
  const [, onBranch] = asked(rollBack(worked("first"), names), elsewhere);
  assert.match(messageIn(onBranch), /^The work started on main, and HEAD is on other now[\s\S]*git switch main\n/);
  const detached = worked("first", at("first", null));
  const [, onNone] = asked(rollBack(detached, names), elsewhere);
  assert.match(messageIn(onNone), /started on no branch \(first\)[\s\S]*git switch --detach first\n/);
});

test("commits of agents are undone and their files stay; where there are none nothing is done", () => {
  assert.deepEqual(kinds(asked(undoCommits(worked("first"), names), at("first"))), ["snapshot"]);
  const steps = asked(undoCommits(worked("tip"), names), at("tip"), {});
  assert.deepEqual(steps[1], { do: "restore", name: "back", to: { ...at("tip"), sha: "first", branch: "main" } });
  assert.equal(steps.length, 2);
});

test("an agent that left the branch is brought back to it, and that is told", () => {
  const steps = asked(undoCommits(worked("tip"), names), at("tip", "other"), {});
  assert.ok(steps[1]?.do === "restore");
  assert.equal(steps[1].to.branch, "main");
  assert.match(JSON.stringify(steps[2]), /started on main and HEAD was on other/);
});

test("commits of the person's make the state without the work the one to start from", () => {
  const range = worked("first");
  const changed = { files: [{ path: "a.ts", change: "modified" }], diff: "" };
  assert.deepEqual(kinds(asked(undoCommits(range, names), at("theirs"), changed, at("without"))), [
    "snapshot",
    "changes",
    "anchor-without",
  ]);
  assert.equal(range.start.sha, "without");
});
