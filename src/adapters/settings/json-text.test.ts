import assert from "node:assert/strict";
import { test } from "node:test";
import fc, { times } from "../../../test/rig/property.ts";
import { readJson } from "./json-text.ts";

const mistakes: readonly (readonly [text: string, line: number, column: number, what: RegExp])[] = [
  ["", 1, 1, /ends where a value/],
  ['{\n  "model": x\n}', 2, 12, /a value is expected, not "x"/],
  ['{ "a": 1, }', 1, 11, /extra comma/],
  ["[1, 2,]", 1, 7, /extra comma/],
  ['{ "a": 1 "b": 2 }', 1, 10, /a comma or \} is expected before this text/],
  ['{ "a" 1 }', 1, 7, /a colon is expected, not "1"/],
  ["{ a: 1 }", 1, 3, /a key in "double quotes" or \} is expected, not "a"/],
  ['{\n  /* no */\n  "a": 1 }', 2, 3, /a comment begins with \/\/ and ends with its line/],
  ['{ // yes\n  "a": x }', 2, 8, /a value is expected, not "x"/],
  ['{ "a": "x', 1, 8, /no end/],
  ['{ "a": 1', 1, 9, /ends where a comma or \} is expected/],
  ["{} {}", 1, 4, /the end of the file is expected/],
  ["[01]", 1, 3, /a comma or \] is expected, not "1"/],
];

for (const [text, line, column, what] of mistakes) {
  test(`${JSON.stringify(text)} is wrong at line ${line}, column ${column}`, () => {
    const reading = readJson(text);
    assert.ok(!reading.ok);
    assert.deepEqual([reading.line, reading.column], [line, column]);
    assert.match(reading.what, what);
  });
}

test("comments are left out, but not from texts", () => {
  const text = '// first\n{ "a": "http://x // y", // then\n  "b": 1 // last\n}// end';
  assert.deepEqual(readJson(text), { ok: true, value: { a: "http://x // y", b: 1 } });
});

test("what is JSON is read as it is", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      assert.deepEqual(readJson(text), { ok: true, value: JSON.parse(text) });
    }),
  );
});

test("every text that is not JSON has a place inside it or at its end", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 2 }), (json, where, noise) => {
      const cut = where % (json.length + 1);
      const text = json.slice(0, cut) + noise + json.slice(cut + 1);
      const reading = readJson(text);
      if (reading.ok) return;
      const lines = text.split("\n");
      assert.ok(reading.line >= 1 && reading.line <= lines.length);
      assert.ok(reading.column >= 1 && reading.column <= (lines[reading.line - 1]?.length ?? 0) + 1);
      assert.notEqual(reading.what, "");
    }),
    { numRuns: times(300) },
  );
});
