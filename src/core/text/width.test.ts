import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/rig/property.ts";
import { clean, oneLine } from "./format.ts";
import { truncate, widthOf, wrap, wrapWords } from "./width.ts";

const anyText = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: fc.constantFrom(" ", "-", "1", ".", "日", "a", "👍", "\n") }),
);

test("clean text holds no escape sequence, control character or direction override", () => {
  assert.equal(clean("\x1b[31mred\x1b[0m \x1b]0;title\x07a\tb\r\nc\rd\x00\x9b\u202e"), "red a    b\nc\nd");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => !/[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/.test(clean(text))),
  );
});

test("one line stays one line", () => {
  assert.equal(oneLine("a\n  b\r\nc"), "a b c");
});

test("wide, combined and emoji characters are counted by the columns they take", () => {
  assert.deepEqual(
    ["abc", "日本", "e\u0301", "👍", "👨‍👩‍👧", "🇩🇪", "✓", "한", "…"].map(widthOf),
    [3, 4, 1, 2, 2, 2, 1, 2, 1],
  );
});

test("truncated text fits and says that something was cut", () => {
  assert.equal(truncate("abcdef", 4), "abc…");
  assert.equal(truncate("日本語", 4), "日…");
  assert.equal(truncate("日本", 2), "…");
  assert.equal(truncate("fits", 4), "fits");
  fc.assert(
    fc.property(
      anyText,
      fc.integer({ min: 2, max: 40 }),
      (text, columns) => widthOf(truncate(oneLine(text), columns)) <= columns,
    ),
  );
});

test("where there is room for nothing else the ellipsis stands alone, and no blank before it", () => {
  assert.deepEqual(
    [0, 1, 2].map((columns) => truncate("abc", columns)),
    ["", "…", "a…"],
  );
  assert.equal(truncate("ab cdef", 4), "ab…");
  assert.equal(truncate("reviewing... 12s", 14), "reviewing…", "no second ellipsis");
});

test("text that fits is not cut", () => {
  fc.assert(fc.property(anyText, (text) => truncate(text, widthOf(text)) === text));
});

test("a word that is too long for a line can stay whole, on a line of its own", () => {
  const text = "  - kept at refs/superteam/kept/20261116 and more words";
  assert.deepEqual(wrapWords(text, 20), ["  - kept at", "    refs/superteam/kept/20261116", "    and more words"]);
  assert.deepEqual(wrapWords("refs/superteam/kept/20261116", 20), ["refs/superteam/kept/20261116"]);
  const command = "git restore --source=refs/superteam/kept/1 -- a.ts";
  assert.deepEqual(wrapWords(`Some of it is yours? To have it back: ${command}`, 30), [
    "Some of it is yours? To have",
    "it back:",
    command,
  ]);
  assert.deepEqual(wrapWords(`Go: ${command}`, 60), [`Go: ${command}`]);
  assert.deepEqual(wrapWords("To remove them: rm -- docs/a.md docs/b.md", 30), [
    "To remove them:",
    "rm -- docs/a.md docs/b.md",
  ]);
});

test("wrapped lines fit, and nothing but spaces is lost", () => {
  const letters = (text: string): string => text.replace(/\s/gu, "");
  fc.assert(
    fc.property(anyText, fc.integer({ min: 2, max: 40 }), (text, columns) => {
      const lines = wrap(clean(text), columns);
      assert.ok(lines.every((line) => widthOf(line) <= columns));
      assert.equal(letters(lines.join("")), letters(clean(text)));
    }),
  );
});

test("a list item's further lines stand under its text, and a word that fits is not broken", () => {
  assert.deepEqual(wrap("- one two three four\n\n10. alpha beta gamma", 12), [
    "- one two",
    "  three four",
    "",
    "10. alpha",
    "    beta",
    "    gamma",
  ]);
});

test("a margin that leaves no room for a wide character is given up", () => {
  assert.deepEqual(wrap(" 日日", 2), ["", "日", "日"]);
});

test("a margin is kept as long as it leaves half of the line", () => {
  assert.deepEqual(wrap("      abc def", 12), ["      abc", "      def"]);
  assert.deepEqual(wrap("       abc defg", 12), ["       abc", "defg"]);
  assert.deepEqual(wrap("1) abc def", 8), ["1) abc", "   def"]);
});

test("a line is broken before the word that no longer fits, and a word that just fits stays", () => {
  assert.deepEqual(wrap("abc def", 7), ["abc def"]);
  assert.deepEqual(wrap("abc def ghi", 7), ["abc def", "ghi"]);
  assert.deepEqual(wrap("abc def ghi", 6), ["abc", "def", "ghi"]);
  assert.deepEqual(wrap("a\n\nb  ", 0), ["a", "", "b"]);
});

test("a word longer than the line is broken at its end", () => {
  assert.deepEqual(wrap("- abcdefghij", 6), ["- abcd", "  efgh", "  ij"]);
});

test("a line that fits keeps its spaces", () => {
  assert.deepEqual(wrap("a    b", 10), ["a    b"]);
});
