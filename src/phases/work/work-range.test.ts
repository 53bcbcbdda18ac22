import assert from "node:assert/strict";
import { test } from "node:test";
import { play, resultOf } from "../../../test/rig/flow.ts";
import type { Flow } from "../../core/flow/flow.ts";
import type { Anchor } from "../../core/flow/repository.ts";
import { extendRange, rangeFrom, type WorkRange, type WriterSpan } from "./work-range.ts";

const at = (sha: string, branch = "main"): Anchor => ({ sha, branch, tree: `tree of ${sha}`, ref: sha, leftAlone: [] });
const first = at("first");

/** The range after these writers. */
function after(...writers: readonly WriterSpan[]): WorkRange {
  function* flow(): Flow<WorkRange> {
    const range = rangeFrom(first);
    for (const writer of writers) yield* extendRange(range, writer);
    return range;
  }
  return resultOf(play(flow(), {}));
}

const placeOf = ({ start, tip }: WorkRange) => [start.sha, tip];

test("work starts from what its first writer was given, and reaches to where the last one left HEAD", () => {
  const moved = after({ start: at("mine"), head: "mine" });
  assert.deepEqual([placeOf(moved), moved.hasCommits], [["mine", "mine"], false]);
  const committed = after({ start: at("mine"), head: "one" }, { start: at("one"), head: "two" });
  assert.deepEqual([placeOf(committed), committed.hasCommits], [["mine", "two"], true]);
});

test("commits that came between two writers are above the tip, also when the second commits on top of them", () => {
  assert.deepEqual(placeOf(after({ start: first, head: "one" }, { start: at("mine"), head: "mine" })), [
    "first",
    "one",
  ]);
  const tangled = after({ start: first, head: "first" }, { start: at("mine"), head: "two" });
  assert.deepEqual([placeOf(tangled), tangled.hasCommits], [["first", "first"], true]);
});

test("what may be an agent's, and another branch, are nothing to start from", () => {
  assert.deepEqual(placeOf(after({ start: at("half"), isMixed: true, head: "half" })), ["first", "first"]);
  assert.deepEqual(placeOf(after({ start: at("first", "other"), head: "first" })), ["first", "first"]);
});
