import assert from "node:assert/strict";
import { test } from "node:test";
import { play, resultOf } from "../../../test/rig/flow.ts";
import { type Flow, snapshot } from "../../core/flow/flow.ts";
import type { Anchor } from "../../core/flow/repository.ts";
import { extendRange, rangeFrom, sendWriter, type WorkRange, type WriterSpan } from "./work-range.ts";

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

const order = { step: "test.step", name: "step", role: "implementer", prompt: "Write." } as const;

test("what a writer was given enters the range of the work, with what the person did before it began", () => {
  function* flow(): Flow<{ readonly range: WorkRange; readonly given: string }> {
    const range = rangeFrom(yield* snapshot("start"));
    const { given } = yield* sendWriter(order, range);
    return { range, given: given.tree };
  }
  const played = play(flow(), {
    files: { "a.ts": "old" },
    meanwhile: (request, files) => {
      if (request.do === "dispatch") files.set("b.ts", "the person's");
    },
    agents: { step: ({ files }) => `${files.set("a.ts", "new").size} files` },
  });
  const { range, given } = resultOf(played);
  assert.deepEqual([range.start.tree, range.isBuiltOn], [given, true]);
  assert.notEqual(given, "tree-0");
});

test("an outcome that does not say what its writer was given is a bug, never a guess", () => {
  const flow = sendWriter(order, null);
  flow.next();
  assert.throws(
    () => flow.next({ status: "finished", text: "Done.", touched: [], head: "head" }),
    /the outcome of step does not say what the writer was given/,
  );
});
