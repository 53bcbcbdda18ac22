import assert from "node:assert/strict";
import { test } from "node:test";
import { nearest } from "./nearest.ts";

const names = ["status", "costs", "log", "runs", "abort"];

test("a slip of the finger is close to what was meant", () => {
  for (const word of ["stauts", "statsu", "Status", "staus", "sttatus"])
    assert.equal(nearest(word, names), "status", word);
  assert.equal(nearest("logs", names), "log");
  assert.equal(nearest("cost", names), "costs");
});

test("another word is close to none", () => {
  for (const word of ["rename", "page", "search", "", "statistics"])
    assert.equal(nearest(word, names), undefined, word);
});

test("the closest one is meant", () => {
  assert.equal(nearest("runs", ["run", "runs", "rune"]), "runs");
});
