import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/rig/property.ts";
import { readJson } from "./loose-json.ts";

const value = (text: string): unknown => {
  const reading = readJson(text);
  return reading.ok ? reading.value : reading.problem;
};
const isRefused = (text: string): boolean => !readJson(text).ok;

test("what JSON.stringify writes is read as JSON.parse reads it", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (json, indent) => {
      const text = JSON.stringify(json, null, indent);
      assert.deepEqual(value(text), JSON.parse(text));
    }),
  );
});

for (const [slip, text, read] of [
  ["a comment of each kind", '{"a": 1, // one\n/* two */ "b": 2 # three\n}', { a: 1, b: 2 }],
  ["commas too many", '{"a": [1, 2,], }', { a: [1, 2] }],
  ["commas missing between lines", '{"a": 1\n"b": [\n{}\n{}\n]\n}', { a: 1, b: [{}, {}] }],
  ["single quotes", `{'a': 'it "is"', 'b': 'isn\\'t'}`, { a: 'it "is"', b: "isn't" }],
  ["typographic quotes", "{\u201ca\u201d: \u201cb\u201d}", { a: "b" }],
  ["bare keys and words", "{mode: full, passed: true, x-y: null}", { mode: "full", passed: true, "x-y": null }],
  ["Python's words", '{"a": True, "b": None, "c": False}', { a: true, b: null, c: false }],
  ["raw line breaks and tabs", '{"a": "one\n\ttwo"}', { a: "one\n\ttwo" }],
  ["backslashes that escape nothing", '{"a": "\\d+\\s\\."}', { a: "\\d+\\s\\." }],
  ["escapes", '{"a": "\\u00e9\\n\\"\\\\"}', { a: 'é\n"\\' }],
  ["a key twice with one value", '{"a": [1], "a": [ 1 ]}', { a: [1] }],
  ["a byte order mark", "\uFEFF{}", {}],
] as const) {
  test(`${slip}: read as what is meant`, () => assert.deepEqual(value(text), read));
}

for (const [slip, text] of [
  ["a key twice with different values", '{"a": 1, "a": 2}'],
  ["the same key in an escape", '{"p\\u0061ssed": false, "passed": true}'],
  ["a bare quote inside a text", '{"a": "the name "--x" is", "b": 1}'],
  ["a bare quote in a text of single quotes", "{'a': 'it's'}"],
  ["a text that is cut off", '{"a": "the job'],
  ["a list that is cut off", '{"a": [{"b": 1}'],
  ["an object that is cut off", '{"a": 1'],
  ["two values", '{"a": 1} {"a": 2}'],
  ["words behind the value", '{"a": 1} and so on'],
  ["a comma missing on one line", '{"a": 1 "b": 2}'],
  ["three dots", '{"a": [1, ...]}'],
  ["a sentence as a value", '{"a": yes, once it is fixed}'],
  ["nothing", "  "],
] as const) {
  test(`${slip}: refused`, () => assert.ok(isRefused(text), JSON.stringify(value(text))));
}

test("what is cut off, or says two things, is told from what only has the wrong form", () => {
  const isCut = (text: string) => {
    const reading = readJson(text);
    return !reading.ok && reading.isCut;
  };
  for (const text of ['{"a": 1', '{"a": "x', '{"a": [1,', '{"a":', '{"a": 1, "a": 2}', ""])
    assert.ok(isCut(text), text);
  for (const text of ['{"a": 1 2}', "{a b}", '{"a": "x" y}', "[1] and more"]) assert.ok(!isCut(text), text);
});

test("a problem names its place", () => {
  assert.match(`${value('{\n  "a": "x" y\n}')}`, /\(line 2, column 12\)/);
});

test("a key named __proto__ is a key, and a million brackets are a problem", () => {
  assert.deepEqual(Object.keys(value('{"__proto__": {"a": 1}}') as object), ["__proto__"]);
  assert.ok(isRefused("[".repeat(1_000_000)));
});
