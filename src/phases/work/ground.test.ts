import assert from "node:assert/strict";
import { test } from "node:test";
import { play, resultOf } from "../../../test/rig/flow.ts";
import { noUsage } from "../../core/flow/dispatch.ts";
import type { Flow } from "../../core/flow/flow.ts";
import type { Anchor } from "../../core/flow/repository.ts";
import type { Finished } from "./consult.ts";
import { type Ground, groundAt, stand } from "./ground.ts";

const at = (sha: string, branch = "main"): Anchor => ({ sha, branch, tree: `tree of ${sha}`, ref: sha, leftAlone: [] });
const first = at("first");

function left(given: Partial<Finished>): Finished {
  const common = { model: null, usage: noUsage, durationMs: 1, commands: [], touched: [], restored: false };
  return { status: "finished", text: "", tree: "", head: "end", ...common, ...given };
}

/** What the ground is after these writers. */
function after(...writers: readonly Partial<Finished>[]): Ground {
  function* flow(): Flow<Ground> {
    const ground = groundAt(first);
    for (const writer of writers) yield* stand(ground, left(writer));
    return ground;
  }
  return resultOf(play(flow(), {}));
}

const placeOf = ({ start, tip }: Ground) => [start.sha, tip];

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

test("where the journal does not say what a writer was given, it is what was known before", () => {
  assert.deepEqual(placeOf(after({ head: "one" }, { head: "two" })), ["first", "two"]);
});
