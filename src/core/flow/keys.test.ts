import assert from "node:assert/strict";
import { test } from "node:test";
import {
  aboutRun,
  aboutScope,
  asideFact,
  asideQuestion,
  atEpoch,
  epochOf,
  flatKey,
  isFirst,
  isInside,
  isRequest,
  nameOf,
  namesIn,
  nthRequest,
  nthScope,
  parentOf,
  readAside,
  stepIn,
  withoutEpoch,
} from "./keys.ts";

test("a request goes by its name, or by what tells it from others of its kind", () => {
  assert.equal(nameOf({ do: "ask", question: { id: "q", kind: "confirm", title: "T", message: "" } }), "q");
  assert.equal(nameOf({ do: "read", path: "a.md" }), "a.md");
  assert.equal(nameOf({ do: "write", path: "b.md", text: "" }), "b.md");
  assert.equal(nameOf({ do: "record", fact: { type: "warning", text: "Careful." } }), "warning");
  assert.equal(nameOf({ do: "check", name: "tests", command: "npm test" }), "tests");
  assert.equal(nameOf({ do: "publish", document: "progress" }), "progress");
  assert.equal(nameOf({ do: "queue", runs: [] }), "");
  for (const kind of ["head", "config", "experience"] as const) assert.equal(nameOf({ do: kind }), "");
});

const fix = nthRequest(stepIn("execute/task-2", "fix", "dispatch"), 1);

test("a request's key has its scope, its kind, its name and its occurrence, and is taken apart again", () => {
  assert.equal(fix, "execute/task-2/dispatch:fix#1");
  assert.equal(parentOf(fix), "execute/task-2");
  assert.ok(isRequest(fix, "dispatch", "fix"));
  assert.ok(!isRequest(fix, "dispatch", "fi") && !isRequest(fix, "check", "fix"));
  assert.deepEqual(
    [isFirst(fix), isFirst(nthRequest("check:tests", 11)), isFirst("check:tests#2")],
    [true, false, false],
  );
});

test("the parent of a scope is a scope, and that of the first one the run", () => {
  assert.deepEqual(["execute/task-2/review", "execute/task-2", "execute", ":x"].map(parentOf), [
    "execute/task-2",
    "execute",
    "",
    "",
  ]);
});

test("a key can be part of a file's name: no slash, colon or number sign is left", () => {
  assert.equal(flatKey("execute/task-2@3/dispatch:fix#1"), "execute_task-2_3_dispatch_fix_1");
});

test("a request may be named by a path with any characters, at the root too", () => {
  for (const name of ["docs/plan.md", "a:b#2/c~ask:x#1", "line\nbreak"]) {
    const key = nthRequest(stepIn("plan", name, "read"), 3);
    assert.equal(parentOf(key), "plan");
    assert.ok(isRequest(key, "read", name), name);
    assert.ok(isRequest(nthRequest(stepIn("", name, "read"), 1), "read", name), name);
  }
});

test("a scope's path has its occurrence and its epoch, from the second on", () => {
  const path = atEpoch(nthScope(stepIn("execute", "task-2"), 2), 3);
  assert.equal(path, "execute/task-2#2@3");
  assert.equal(withoutEpoch(path), "execute/task-2#2");
  assert.deepEqual([epochOf(path), epochOf(withoutEpoch(path))], [3, 1]);
  assert.deepEqual(namesIn(`${path}/review`), ["execute", "task-2", "review"]);
  assert.equal(atEpoch(nthScope("execute", 1), 1), "execute");
  assert.throws(() => stepIn("execute", "a/b"), /cannot name a scope/);
});

test("what is inside a scope is so at its epoch alone", () => {
  assert.ok(isInside(fix, "execute/task-2") && isInside(fix, "execute") && isInside(fix, ""));
  assert.ok(!isInside(fix, "execute/task") && !isInside(fix, "execute/task-2@2"));
});

test("an aside says what it is about, its question and its mark; no request of a flow is one", () => {
  assert.deepEqual(readAside(asideQuestion(fix, "run.restore", 2)), { about: fix, id: "run.restore", mark: "2" });
  assert.deepEqual(readAside(asideQuestion(aboutScope("plan"), "run.diverged", 1)), {
    about: "plan#0",
    id: "run.diverged",
    mark: "1",
  });
  assert.deepEqual(readAside(asideQuestion(aboutRun, "budget.warn", "5-usd")), {
    about: "",
    id: "budget.warn",
    mark: "5-usd",
  });
  assert.deepEqual(readAside(asideFact("warning", "model x#2")), { about: "", id: "warning", mark: "model x#2" });
  for (const key of [fix, "ask:plan.approval#1", "read:a~ask:b#1"]) assert.equal(readAside(key), undefined, key);
});
