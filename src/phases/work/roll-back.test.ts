// Taking agents' work back, with commits of the person's in the way.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Flow, Step } from "../../core/flow/flow.ts";
import type { Anchor } from "../../core/flow/repository.ts";
import { rangeFrom, rollBack, type WorkRange } from "./work-range.ts";

const at = (sha: string, branch: string | null = "main"): Anchor => ({
  sha,
  branch,
  tree: `tree of ${sha}`,
  ref: sha,
  leftAlone: [],
});
const start = at("first");
/** Agents wrote, and there may be a commit of it. */
const worked = (commit: string | null = null, from = start): WorkRange => ({
  ...rangeFrom(from),
  known: "left",
  ours: new Set(["a.ts"]),
  isBuiltOn: true,
  commit,
});
const names = { name: "back", step: "the" };
const now = { files: [], diff: "", tree: "left", leftAlone: [] };
const undone = { found: "left" };

/** What the flow asks for while it is given these answers; the last request is the one left open, if any. */
function asked(flow: Flow<unknown>, ...answers: readonly unknown[]): readonly Step[] {
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

test("work is taken back by its files", () => {
  const range = worked();
  const steps = asked(rollBack(range, names), at("first"), now, undone);
  assert.deepEqual(kinds(steps), ["head", "changes", "undo-work"]);
  assert.deepEqual(steps[2], { do: "undo-work", name: "back", work: { start, files: ["a.ts"] } });
  assert.deepEqual(range, rangeFrom(start));
});

test("a file that the person changes after the last look is named, and where their version is kept", () => {
  const moved = { found: "theirs", backupRef: "refs/x" };
  const back = (late: readonly string[], left: readonly string[]) =>
    asked(rollBack(worked(), names), at("first"), now, moved, late, left);
  const warning = back(["a.ts", "b.ts"], ["a.ts"]).at(-1);
  assert.ok(warning?.do === "record" && warning.fact.type === "warning");
  assert.match(warning.fact.text, /^You changed a\.ts while .* git show refs\/x:<file>$/);
  assert.equal(back(["b.ts"], ["b.ts"]).at(-1)?.do, "difference", "what is not of the work was not touched");
  const again = back(["a.ts"], []);
  assert.equal(again.at(-1)?.do, "difference", "an interrupted undo had put it back already");
});

test("before anybody wrote there is nothing to roll back; work that was carried in goes by its files", () => {
  assert.deepEqual(asked(rollBack(rangeFrom(start), names)), []);
  const steps = asked(
    rollBack(rangeFrom(start, { files: ["c.ts"] }), names),
    at("first"),
    { ...now, tree: start.tree },
    { found: start.tree },
  );
  assert.deepEqual(steps[2], { do: "undo-work", name: "back", work: { start, files: ["c.ts"] } });
});

test("commits of the person's stay where they are", () => {
  assert.deepEqual(kinds(asked(rollBack(worked(), names), at("theirs"), now, undone)), [
    "head",
    "changes",
    "undo-work",
  ]);
});

test("commits of the person's on top of ours are for the person to part, and then ours goes", () => {
  const commit = "0123456789abcdef";
  const steps = asked(rollBack(worked(commit), names), at("theirs"), "retry", at(commit), now, undone);
  assert.deepEqual(kinds(steps), ["head", "ask", "head", "changes", "undo-work"]);
  assert.ok(steps[1]?.do === "ask");
  assert.equal(steps[1].question.id, "the.head");
  assert.match(
    messageIn(steps[1]),
    /^main has commits that no agent [\s\S]*git reset --keep 0123456789\n[\s\S]*--soft 0123456789\nThen choose Retry\.$/,
  );
  assert.deepEqual(steps[4], { do: "undo-work", name: "back", work: { start, files: ["a.ts"], commit } });
});

test("E3b: a merge of the person's is no obstacle, unless our commit below it has to go or HEAD is elsewhere: then it is finished first", () => {
  const inProgress = "A merge is in progress. Finish it (git merge --continue), then try again.";
  const merging = { ...at("first"), inProgress };
  assert.deepEqual(kinds(asked(rollBack(worked(), names), merging, now, undone)), ["head", "changes", "undo-work"]);
  const onOurs = asked(rollBack(worked("first"), names), merging, "retry", at("first"), now, undone);
  assert.deepEqual(kinds(onOurs), ["head", "ask", "head", "changes", "undo-work"]);
  const elsewhere = asked(rollBack(worked(), names), { ...at("first", null), inProgress });
  for (const steps of [onOurs, elsewhere]) assert.equal(messageIn(steps[1]), inProgress);
});

test("from another branch the person is told how to go back to the one where the work began", () => {
  const elsewhere = at("theirs", "other");
  const [, onBranch] = asked(rollBack(worked(), names), elsewhere);
  assert.match(messageIn(onBranch), /^The work started on main, and HEAD is on other now[\s\S]*git switch main\n/);
  const [, onNone] = asked(rollBack(worked(null, at("first", null)), names), elsewhere);
  assert.match(messageIn(onNone), /started on no branch \(first\)[\s\S]*git switch --detach first\n/);
});
