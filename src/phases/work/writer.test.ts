import assert from "node:assert/strict";
import { test } from "node:test";
import { play, resultOf } from "../../../test/rig/flow.ts";
import { type Flow, snapshot } from "../../core/flow/flow.ts";
import { rangeFrom, type WorkRange } from "./work-range.ts";
import { sendWriter } from "./writer.ts";

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
