import assert from "node:assert/strict";
import { test } from "node:test";
import { piToolCall, piTools } from "./tools.ts";

test("each capability brings its tools, in one order, and none brings none", () => {
  assert.deepEqual(piTools(["write", "read"]), ["read", "edit", "write"]);
  assert.deepEqual(piTools(["search", "run"]), ["grep", "find", "ls", "bash"]);
  assert.deepEqual(piTools([]), []);
});

test("a call is told in words that all backends share, whatever the model gave as arguments", () => {
  assert.deepEqual(piToolCall("bash", { command: "ls" }), { name: "bash", does: "run", command: "ls" });
  assert.deepEqual(piToolCall("powershell", { command: "ls" }), { name: "powershell", does: "run", command: "ls" });
  assert.deepEqual(piToolCall("read", { file_path: "a" }), { name: "read", does: "read", path: "a" });
  assert.deepEqual(piToolCall("grep", { pattern: 5 }), { name: "grep", does: "search" });
  assert.deepEqual(piToolCall("odd", null), { name: "odd", does: "other" });
});
