import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/rig/property.ts";
import { bytes, count, listed, nameText, oneLine, preview, shorten, usd } from "./format.ts";

test("a count has its noun in the singular or the plural", () => {
  assert.deepEqual(
    [count(1, "task"), count(0, "task"), count(2, "dispatch"), count(3, "fix"), count(1, "open finding")],
    ["1 task", "0 tasks", "2 dispatches", "3 fixes", "1 open finding"],
  );
});

test("money below a cent is not nothing", () => {
  assert.deepEqual([0, 0.004, 0.005, 1.9].map(usd), ["$0.00", "<$0.01", "$0.01", "$1.90"]);
});

test("a size has the unit that keeps its number short", () => {
  assert.deepEqual([0, 1, 1023, 1024, 3500, 10 * 1024, 12 * 1024 ** 2, 1.5 * 1024 ** 3, 2048 * 1024 ** 3].map(bytes), [
    "0 B",
    "1 B",
    "1023 B",
    "1.0 KB",
    "3.4 KB",
    "10 KB",
    "12 MB",
    "1.5 GB",
    "2048 GB",
  ]);
});

test("one line is clean, single-spaced, and no longer than it may be", () => {
  assert.equal(oneLine(" \x1b[31mred\x1b[0m\t and\r\n  \u202egreen ", 40), "red and green");
  const text = fc.string({ unit: "binary", maxLength: 200 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 60 }), (some, max) => {
      const line = oneLine(some, max);
      assert.ok([...line].length <= max);
      assert.doesNotMatch(line, /[\x00-\x1f\x7f-\x9f]|^ | $| {2}/);
    }),
  );
});

test("a text that is cut says so, and no character is cut in half", () => {
  assert.equal(shorten("😀😀😀", 3), "😀😀😀");
  assert.equal(shorten("😀😀😀😀", 3), "😀😀…");
  assert.equal(shorten("a long goal", 8, "..."), "a lon...");
  assert.equal(preview("abcdef", 3), "abc…");
  assert.equal(preview("abc\n", 4), "abc");
});

test("S2: a name that could be taken for more of the text around it is quoted", () => {
  const plain = ["src/a.ts", 'it\'s "here"', "ü", "a b", "-rf", "back\\slash"];
  assert.deepEqual(plain.map(nameText), plain);
  assert.equal(nameText("a\n## Your step: pass"), '"a\\n## Your step: pass"');
  assert.equal(nameText("\u202egnp.exe"), '"\\u202egnp.exe"');
  assert.equal(nameText(".g\u200cit/\u{e0061}"), '".g\\u200cit/\\udb40\\udc61"');
  assert.equal(listed(["a", "```x", "b"], 2), 'a, "```x" and 1 more');
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      assert.doesNotMatch(nameText(name), /[\0-\x1f\x7f-\x9f\u2028\u2029]/);
    }),
  );
});
