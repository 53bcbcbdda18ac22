import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/rig/property.ts";
import { keyGivenTwice } from "./json.ts";

test("a key that stands twice in one object with different values is found, at any depth", () => {
  for (const [json, key] of [
    ['{"passed": false, "passed": true}', "passed"],
    ['{"a": [{"b": {"c": 1}}, {"b": 2, "b": {"c": 1}}]}', "b"],
    ['{"findings": [1], "x": "}", "findings": []}', "findings"],
    ['{"p\\u0061ssed": false, "passed": true}', "passed"],
    ['{"a": "x", "a": null}', "a"],
  ] as const) {
    assert.equal(keyGivenTwice(json), key, json);
  }
});

test("the same value twice, or the same key in another object, loses nothing", () => {
  for (const json of [
    '{"a": [1, {"b": 2}], "a": [1,{"b":2}]}',
    '[{"a": 1}, {"a": 2}]',
    '{"a": {"a": 1}}',
    '"a"',
    "[]",
  ]) {
    assert.equal(keyGivenTwice(json), undefined, json);
  }
});

test("what JSON.stringify writes never has a key twice, however deep", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => assert.equal(keyGivenTwice(JSON.stringify(value)), undefined)));
  assert.equal(keyGivenTwice(`${"[".repeat(200_000)}${"]".repeat(200_000)}`), undefined);
});
