import assert from "node:assert/strict";
import { test } from "node:test";
import { typedWords } from "./typed-words.ts";

const labels: Readonly<Record<string, string>> = { yes: "Yes", no: "No, revise" };

function list() {
  return typedWords({
    key: (key) => ({ "1": "yes", "2": "no" })[key],
    word: (word) => (labels[word] === undefined ? undefined : { answer: word, label: labels[word] }),
    working: "1–2, ↑↓, Enter and Esc",
  });
}

/** What the list is left with, or the answer, after these reads of a terminal. */
function after(...reads: readonly string[]) {
  const typed = list();
  const heard = reads.map((keys) => typed.hear(keys)).at(-1);
  return { heard, note: typed.note() };
}

const onlyEnter = { heard: { forList: "\r" }, note: "" };

test("a word and Enter answer with what the word names, however the terminal cuts them up", () => {
  for (const reads of [["no\r"], ["n", "o", "\r"], ["no", "\r"], ["nope", "\x7f\x7f\r"], ["ye\x15no\r"]])
    assert.deepEqual(after(...reads).heard, { answer: "no" }, JSON.stringify(reads));
  assert.equal(after("n", "o").note, "Enter answers: No, revise");
});

test("no letter moves the list, and Enter after a word that names nothing takes nothing", () => {
  for (const key of "hjkl") assert.deepEqual(after(key).heard, { forList: "" });
  const { heard, note } = after("o", "k", "\r");
  assert.deepEqual(heard, { forList: "" });
  assert.equal(note, '"ok" is not an answer here: 1–2, ↑↓, Enter and Esc work.');
  assert.deepEqual(after("ok", "\r", "\r"), onlyEnter);
  assert.deepEqual(after("\r"), onlyEnter);
});

test("a number after a stray letter is a part of the word, until Enter clears it", () => {
  const typed = list();
  for (const key of ["x", "1"]) assert.deepEqual(typed.hear(key), { forList: "" });
  assert.equal(typed.note(), '"x1" is not an answer here. Enter clears it.');
  assert.deepEqual(typed.hear("\r"), { forList: "" });
  assert.equal(typed.note(), '"x1" is not an answer here: 1–2, ↑↓, Enter and Esc work.');
  assert.deepEqual(typed.hear("1"), { answer: "yes" });
});

test("a number answers at once, also after one that is none, but not in the middle of a word", () => {
  assert.deepEqual(after("2").heard, { answer: "no" });
  assert.deepEqual(after("7", "2\r").heard, { answer: "no" });
  assert.deepEqual(after("7", "\r").heard, { forList: "" });
  assert.deepEqual(after("option ", "2").heard, { forList: "" });
  assert.deepEqual(after("21").heard, { forList: "" });
});

test("what is pasted answers nothing, takes back what was typed, and leaves the keys as they are", () => {
  const typed = list();
  typed.hear("no");
  typed.refusePaste();
  assert.equal(typed.note(), "Pasted text is not an answer here: 1–2, ↑↓, Enter and Esc work.");
  assert.deepEqual(typed.hear("\r"), { forList: "\r" });
  assert.equal(typed.note(), "");
});

test("arrows and Escape are the list's, without the letters around them, and take back what was typed", () => {
  assert.deepEqual(after("ok", "\x1b[B").heard, { forList: "\x1b[B" });
  assert.deepEqual(after("k\x1b[Bj\r").heard, { forList: "\x1b[B\r" });
  assert.deepEqual(after("ok", "\x1b").heard, { forList: "\x1b" });
  assert.deepEqual(after("ok", "\x1b[B", "\r"), onlyEnter);
  assert.deepEqual(after("\x1bk").heard, { forList: "" });
});

test("a key without a meaning says which keys work", () => {
  assert.equal(after("\x1a").note, "That key does nothing here: 1–2, ↑↓, Enter and Esc work.");
});
