import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/rig/property.ts";
import { textDiff } from "./text-diff.ts";

test("the same text has no diff", () => {
  assert.equal(textDiff("a\nb", "a\r\nb"), "");
});

test("what went and what came is shown with the lines around it", () => {
  const before = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
  const after = ["1", "2", "3", "4", "five", "6", "7", "8", "9", "10"];
  assert.equal(
    textDiff(before.join("\n"), after.join("\n"), 1),
    ["@@", " 4", "-5", "+five", " 6", "@@", " 9", "+10"].join("\n"),
  );
});

test("among lines in common, what went stands before what came", () => {
  assert.equal(textDiff("a\nkept\nb\nend", "c\nkept\nd\nstop"), "-a\n+c\n kept\n-b\n-end\n+d\n+stop");
  assert.equal(textDiff("a\nb", "x\na\nc"), "+x\n a\n-b\n+c", "the first line before is found again");
  assert.equal(textDiff("x\na\nc", "a\nb"), "-x\n a\n-c\n+b", "the first line after was there");
});

test("as much as can be is kept, and no line counts as both the beginning and the end", () => {
  const diff = (before: string, after: string) => textDiff(before.split("").join("\n"), after.split("").join("\n"), 9);
  const lines = (text: string) => text.match(/../g)?.join("\n");
  assert.equal(diff("pkmq", "krms"), lines("-p k+r m-q+s"));
  assert.equal(diff("aa", "aaa"), lines(" a a+a"));
  assert.equal(diff("aaa", "aa"), lines(" a a-a"));
  assert.equal(diff("xayb", "xczb"), lines(" x-a-y+c+z b"));
});

test("texts too long to compare are shown as replaced, whatever they have in common", () => {
  const many = (word: string) => Array.from({ length: 1500 }, (_, index) => `${word} ${index}`).join("\n");
  const around = (word: string) => `same\n${many(word)}\ncommon\n${many(word)}`;
  const lines = textDiff(around("old"), around("new")).split("\n");
  assert.equal(lines[0], " same");
  assert.deepEqual(
    lines.filter((line) => line.endsWith("common")),
    ["-common", "+common"],
  );
});

const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 }).map((lines) => lines.join("\n"));

test("with enough context both texts can be read out of their diff", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      const lines = textDiff(before, after, 100).split("\n");
      const side = (sign: string) =>
        lines.filter((line) => line.startsWith(" ") || line.startsWith(sign)).map((line) => line.slice(1));
      assert.equal(side("-").join("\n"), before);
      assert.equal(side("+").join("\n"), after);
    }),
  );
});
