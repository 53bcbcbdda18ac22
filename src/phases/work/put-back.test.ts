import assert from "node:assert/strict";
import { test } from "node:test";
import { putBackTexts } from "./put-back.ts";

const nothing = { files: [], moved: false, commits: [], refs: [], settings: [], pushed: [], refsKept: [] };

test("a writer that kept to its work is not mentioned", () => {
  assert.deepEqual(putBackTexts("implementer", nothing), []);
});

test("what was staged beside the work is told, with where it is kept", () => {
  assert.deepEqual(putBackTexts("implementer", { ...nothing, staged: ["notes.txt"], refsKept: ["refs/x"] }), [
    "The implementer changed what is staged: notes.txt. It is staged as before. What it left is kept at refs/x.",
  ]);
});
