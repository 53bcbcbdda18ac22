import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/rig/property.ts";
import { addNote, freshMemory, type GuardMemory, hearRun, judgeWriting, patience } from "./guard.ts";

const writing = (file: string, turn: number) => ({ file, text: "x", turn });
const red = { command: "npm test", failed: true, output: "# fail 1" };

test("source is held back until a test has failed", () => {
  const first = judgeWriting(freshMemory, writing("src/a.ts", 1));
  assert.deepEqual(first.note, { did: "held-back", file: "src/a.ts" });
  assert.match(first.reason ?? "", /^src\/a\.ts was not written/);
  const seen = hearRun(first.memory, red);
  assert.deepEqual(seen.note, { did: "saw-red" });
  assert.deepEqual(judgeWriting(seen.memory, writing("src/a.ts", 3)), { memory: seen.memory });
});

test("a test that passes does not open the way", () => {
  const { memory, note } = hearRun(freshMemory, { command: "npm test", failed: false, output: "# pass 3" });
  assert.deepEqual(note, { did: "saw-green" });
  assert.notEqual(judgeWriting(memory, writing("src/a.ts", 1)).reason, undefined);
});

test("a text that brings its own tests is not held back", () => {
  const text = "#[cfg(test)]\nmod tests {}";
  assert.deepEqual(judgeWriting(freshMemory, { file: "src/lib.rs", text, turn: 1 }), { memory: freshMemory });
});

test("the last time says that it is the last, and what is recorded", () => {
  let memory: GuardMemory = freshMemory;
  const reasons = [1, 2, 3].map((turn) => {
    const judged = judgeWriting(memory, writing("a.py", turn));
    memory = judged.memory;
    return judged.reason ?? "";
  });
  assert.deepEqual(
    reasons.map((reason) => reason.includes("will not be stopped again")),
    [false, false, true],
  );
  assert.deepEqual(judgeWriting(memory, writing("b.py", 4)), { memory, note: { did: "gave-way", file: "b.py" } });
});

test("what was held back in the last turn of patience stays so for all calls of that turn", () => {
  const memory = { sawRed: false, turns: [1, 2, 3] };
  assert.notEqual(judgeWriting(memory, writing("b.py", 3)).reason, undefined);
});

test("whatever an agent does, it is held up in three turns at most", () => {
  const turn = fc.array(fc.constantFrom("a.ts", "b.go", "README.md", "a.test.ts"), { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 12 }), (turns) => {
      let memory: GuardMemory = freshMemory;
      const heldUp = new Set<number>();
      for (const [index, files] of turns.entries()) {
        for (const file of files) {
          const judged = judgeWriting(memory, writing(file, index));
          memory = judged.memory;
          if (judged.reason !== undefined) heldUp.add(index);
        }
      }
      assert.ok(heldUp.size <= patience);
    }),
  );
});

test("what the guard did is added up: calls are counted, a file is named once", () => {
  const notes = [
    { did: "held-back", file: "a.ts" },
    { did: "held-back", file: "a.ts" },
    { did: "gave-way", file: "b.ts" },
    { did: "saw-red" },
  ] as const;
  const all = notes.reduce(addNote, addNote(undefined, { did: "saw-green" }));
  assert.deepEqual(all, { heldBack: 2, files: ["a.ts", "b.ts"], sawRed: true, sawGreen: true, gaveWay: true });
});
