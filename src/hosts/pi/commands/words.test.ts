import assert from "node:assert/strict";
import { test } from "node:test";
import { readWords, usage } from "./words.ts";

test("what begins with no option is the goal, as it was typed", () => {
  assert.deepEqual(readWords("  Add  a\n\nlimit --verbose 5 "), { options: {}, goal: "Add  a\n\nlimit --verbose 5" });
  assert.deepEqual(readWords("- first\n- second"), { options: {}, goal: "- first\n- second" });
  assert.deepEqual(readWords(""), { options: {}, goal: "" });
});

test("U8: options come first, as the command line has them, and the goal keeps its lines", () => {
  assert.deepEqual(readWords("--mode quick --budget 2.50 --skip-brainstorm Add  a\nlimit"), {
    options: { mode: "quick", budget: 2.5, skipBrainstorm: true },
    goal: "Add  a\nlimit",
  });
  assert.deepEqual(readWords("--budget=7"), { options: { budget: 7 }, goal: "" });
  assert.deepEqual(readWords("--next"), { options: { next: true }, goal: "" });
  assert.deepEqual(readWords("--dry-run -- --budget is a word"), {
    options: { dryRun: true },
    goal: "--budget is a word",
  });
});

test("what is no option, or no value of one, is refused with those there are", () => {
  for (const [typed, told] of [
    ["--moed quick Add it", /unknown option '--moed'[\s\S]*The options are: --mode <mode>, --skip-brainstorm/],
    ["--mode sloppy Add it", /'sloppy' is invalid\. Allowed choices are hotfix/],
    ["--budget $5 Add it", /'\$5' is invalid.*number of dollars/],
    ["--mode", /argument missing/],
    ["--answers file.json Add it", /unknown option '--answers'/],
    ["Add it --mode quick", /Options come first: \/workflow --mode .*\nIf --mode is part of what to build, /],
    ["--trust Add it --budget=5", /Options come first: \/workflow --budget=5 /],
  ] as const) {
    assert.throws(() => readWords(typed), told);
  }
});

test("what can be typed fits on a narrow screen, and has every option there is", () => {
  for (const line of usage.split("\n")) assert.ok(line.length <= 78, line);
  assert.throws(
    () => readWords("--none"),
    ({ message }: Error) =>
      [...message.matchAll(/--[a-z-]+(?= |,|$)/g)].every(([flag]) => usage.includes(flag) || /none|backend/.test(flag)),
  );
});
