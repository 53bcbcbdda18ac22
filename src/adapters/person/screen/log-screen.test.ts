import assert from "node:assert/strict";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { logScreen } from "./log-screen.ts";

const hour = 3_600_000;

test("of many updates within the pause one line is printed", () => {
  const out = new PassThrough();
  const screen = logScreen(out, hour);
  for (let n = 1; n <= 1_000; n++) screen.status("run", `update ${n}`);
  screen.close();
  assert.equal(String(out.read()), "·  update 1\n");
});

test("the last update is printed when the pause is over", async () => {
  const out = new PassThrough();
  const screen = logScreen(out, 20);
  for (let n = 1; n <= 10; n++) screen.status("run", `update ${n}`);
  assert.equal(String(out.read()), "·  update 1\n");
  // The screen's own timer must not keep a process alive, so something else has to while this waits.
  const alive = setInterval(() => undefined, 1_000);
  await once(out, "readable");
  clearInterval(alive);
  assert.equal(String(out.read()), "·  update 10\n");
});

test("a status that has not changed is not printed again, and there are no widgets", () => {
  const out = new PassThrough();
  const screen = logScreen(out, 0);
  screen.status("run", "same");
  screen.status("run", "same");
  assert.equal(screen.widget, undefined);
  screen.status("run", undefined);
  screen.close();
  assert.equal(String(out.read()), "·  same\n");
});

test("nothing but plain text is written", () => {
  const out = new PassThrough();
  const screen = logScreen(out, 0);
  screen.status("a", "\x1b[31mred");
  screen.status("b", "two\nlines");
  screen.print(["printed"]);
  assert.equal(String(out.read()), "·  red\n·  red · two lines\nprinted\n");
});
