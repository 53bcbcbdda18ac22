import assert from "node:assert/strict";
import { test } from "node:test";
import { order } from "../../contracts/repo/order.ts";
import { handsOn } from "./hands.ts";
import { instantRepo, makeClone } from "./open.ts";
import { type Clone, checkoutOf } from "./repository.ts";

const noon = Date.UTC(2026, 0, 1, 12);

function open(clone: Clone) {
  return { hands: handsOn(clone), repo: instantRepo(checkoutOf(clone, "run-1", [])) };
}

test("a repository is a value: what is done to one copy is not seen in another", () => {
  const one: Clone = makeClone({ a: "1" }, () => noon);
  const other: Clone = { ...one };
  const anchor = open(one).repo.snapshot("s");
  open(one).hands.write("a", "2");
  open(one).hands.checkout("work");
  assert.equal(open(one).repo.commit(order({ ...anchor, branch: "work" })).status, "committed");

  const { hands, repo } = open(other);
  assert.deepEqual([...hands.files()], [["a", "1"]]);
  assert.deepEqual([repo.head().branch, hands.log().length, repo.tree()], ["main", 1, anchor.tree]);
  one.repository = other.repository;
  assert.equal(open(one).hands.read("a"), "1");
});

test("equal files have the same hash in every repository, whatever the order and the time", () => {
  const one = open(makeClone({ a: "1", "b/c": "2" }, () => noon));
  const other = open(makeClone({ "b/c": "2", a: "1" }, () => 0));
  assert.equal(one.repo.tree(), other.repo.tree());
  for (const [path, text] of [
    ["a", "12"],
    ["a1", ""],
    ["c", "1"],
  ] as const) {
    const different = open(makeClone({ "b/c": "2", [path]: text }, () => noon));
    assert.notEqual(one.repo.tree(), different.repo.tree(), path);
  }
});

test("two sides on one path are named when the branch changes, and nothing is touched", () => {
  const clone = makeClone({ a: "1", b: "1", c: "1" }, () => noon);
  const { hands } = open(clone);
  hands.checkout("other");
  for (const path of ["a", "b", "new"]) hands.write(path, "theirs");
  hands.commit("theirs");
  hands.checkout("main");
  for (const path of ["b", "new"]) hands.write(path, "mine");
  const before = clone.repository;
  assert.throws(() => hands.checkout("other"), /in the way of other: b, new$/);
  assert.equal(clone.repository, before);
  for (const path of ["b", "new"]) hands.remove(path);
  hands.write("c", "mine");
  hands.checkout("other");
  assert.deepEqual(Object.fromEntries(hands.files()), { a: "theirs", b: "theirs", c: "mine", new: "theirs" });
});

test("E3: the clock that was handed in dates files, folders and commits", () => {
  let now = noon;
  const { hands, repo } = open(makeClone({ a: "1", "src/b": "1" }, () => now));
  const anchor = repo.snapshot("s");
  const isSeen = (goneAt: number): boolean => repo.personAtWork(anchor, goneAt) !== undefined;
  const edits = [
    () => hands.write("a", "2"),
    () => hands.remove("src/b"),
    () => hands.rename("a", "lib/a"),
    () => hands.commit("mine"),
  ];
  for (const edit of edits) {
    now += 3600_000;
    edit();
    assert.deepEqual([isSeen(now - 2001), isSeen(now)], [true, false], String(edit));
  }
});
