import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../../test/rig/until.ts";
import { runKeys } from "./keys.ts";

function listener() {
  const heard: string[] = [];
  const keys = runKeys({ onEscape: () => heard.push("escape"), onInterrupt: () => heard.push("interrupt") });
  return { heard, hear: (text: string) => keys.hear(text) };
}

test("Escape alone is heard once nothing follows it", async () => {
  const { heard, hear } = listener();
  hear("\x1b");
  assert.deepEqual(heard, []);
  await until(() => heard.length > 0);
  assert.deepEqual(heard, ["escape"]);
});

test("Escape pressed twice at once is heard twice", async () => {
  const { heard, hear } = listener();
  hear("\x1b\x1b");
  await until(() => heard.length > 1);
  assert.deepEqual(heard, ["escape", "escape"]);
});

test("keys that begin with the Escape byte are not Escape, also when they arrive in pieces", async () => {
  const { heard, hear } = listener();
  for (const text of ["\x1b[A", "\x1bOP", "\x1b[15~", "\x1bx", "\x1b[<0;10;5M", "\x1b", "[B", "\x1b[", "1;5C"])
    hear(text);
  hear("\x03");
  assert.deepEqual(heard, ["interrupt"]);
  hear("\x1b");
  await until(() => heard.length > 1);
  assert.deepEqual(heard, ["interrupt", "escape"]);
});

test("Ctrl-C is heard at once, wherever it stands", () => {
  const { heard, hear } = listener();
  hear("abc\x03");
  hear("\x1b\x03");
  assert.deepEqual(heard, ["interrupt", "escape", "interrupt"]);
});
