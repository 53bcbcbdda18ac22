// What a person at a real terminal sees and can press while agents work.

import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { noScreen } from "../../rig/person/pane.ts";
import { personInTerminal, type TerminalRig } from "../../rig/person/remote-person.ts";

const never = new AbortController().signal;
const approval = { kind: "confirm" as const, id: "plan.approval", title: "Approve the plan?", message: "" };

async function open(t: TestContext, options: Parameters<typeof personInTerminal>[0] = {}): Promise<TerminalRig> {
  const rig = await personInTerminal(options);
  t.after(rig.close);
  return rig;
}

describe("the live area", { skip: noScreen() ?? false }, () => {
  test("stands below what is reported, and goes when it is cleared", async (t) => {
    const { person, pane } = await open(t);
    person.widget?.("tasks", ["✓ 1 Token bucket", "▸ 2 Middleware"]);
    person.status("run", "implementer edits src/limiter.ts");
    person.notify("task 1 is done", "info");
    person.notify("two\nlines", "warning");
    const screen = await pane.until((text) => text.includes("lines") && text.includes("implementer"));
    const lines = screen.split("\n").map((line) => line.replace(/^[⠀-⣿] /, "⠿ "));
    assert.deepEqual(lines, [
      "●  task 1 is done",
      "▲  two",
      "   lines",
      "",
      "✓ 1 Token bucket",
      "▸ 2 Middleware",
      "⠿ implementer edits src/limiter.ts",
    ]);
    person.widget?.("tasks", undefined);
    person.status("run", undefined);
    await pane.until((text) => text === "●  task 1 is done\n▲  two\n   lines");
    assert.equal(await pane.cursorIsVisible(), true);
  });

  test("moves by itself, and says how long nothing has changed", async (t) => {
    const { person, pane } = await open(t);
    person.status("run", "a long step");
    const before = await pane.until("a long step");
    await pane.until((screen) => screen.includes("a long step") && screen !== before);
    await pane.until(/a long step {2}\d+s/);
  });

  test("neither grows nor leaves anything behind after thousands of updates", async (t) => {
    const rig = await open(t);
    rig.person.notify("first", "info");
    await rig.tell({ call: "burst", count: 5_000 });
    await rig.pane.until("update 5000 of 5000");
    rig.person.notify("last", "info");
    await rig.pane.until("last");
    const lines = (await rig.pane.history()).trimEnd().split("\n");
    assert.equal(lines.length, 6, lines.join("\n"));
    await rig.tell({ call: "close" });
    await rig.pane.until((screen) => screen === "●  first\n●  last");
  });

  test("is cut to a narrow terminal, wide characters counted as such", async (t) => {
    const { person, pane } = await open(t, { columns: 30, rows: 10 });
    person.widget?.("tasks", ["日本語".repeat(20), "x".repeat(100)]);
    person.status("run", `${"👍".repeat(40)}`);
    const screen = await pane.until("👍");
    const lines = screen.split("\n");
    assert.equal(lines.length, 4, screen);
    assert.ok(lines.slice(1).every((line) => line.includes("…")));
  });

  test("is never taller than the terminal", async (t) => {
    const { person, pane } = await open(t, { rows: 10 });
    person.notify("above", "info");
    person.widget?.(
      "many",
      Array.from({ length: 50 }, (_, n) => `line ${n}`),
    );
    person.status("run", "tick 1");
    await pane.until("tick 1");
    person.status("run", "tick 2");
    const screen = await pane.until("tick 2");
    assert.match(screen, /^● {2}above\n\nline 0\n[\s\S]*\n…\n\S tick 2$/);
    assert.equal((await pane.history()).trimEnd().split("\n").length, screen.split("\n").length);
  });

  // The terminal breaks lines a moment before it tells the program, and a drawing in that moment can not be right.
  // So a trace may be left once, but not every time; and the area itself is always right in the end.
  test("survives a resize in both directions", async (t) => {
    const traces: string[] = [];
    for (let attempt = 1; attempt <= 5; attempt++) {
      const trace = await resizeBothWays(await open(t, { columns: 80, rows: 12 }));
      if (trace === undefined) return;
      traces.push(trace);
    }
    assert.fail(`each resize left a trace:\n${traces.join("\n---\n")}`);
  });

  test("makes room for a dialog and comes back", async (t) => {
    const { person, pane } = await open(t);
    person.status("run", "at work");
    await pane.until("at work");
    const answer = person.ask(approval, never);
    assert.doesNotMatch(await pane.until("◆"), /at work/);
    await pane.press("y");
    assert.equal(await answer, "yes");
    assert.match(await pane.until("at work"), /^\n◇ {2}Approve the plan\? {2}plan.approval\n└ {2}→ Yes\n\n\S at work/);
  });
});

describe("keys while agents work", { skip: noScreen() ?? false }, () => {
  test("Escape and Ctrl-C are heard, other keys are not", async (t) => {
    const rig = await open(t);
    await rig.tell({ call: "listen keys" });
    rig.person.status("run", "at work");
    await rig.pane.until("Esc pauses · Ctrl-C stops");
    await rig.pane.press("Up", "F5", "M-x", "a", "Enter");
    await rig.pane.press("Escape");
    await rig.heard("escape");
    await rig.pane.press("Escape");
    await rig.heard("escape");
    await rig.pane.press("C-c");
    await rig.heard("interrupt");
    assert.deepEqual(rig.unheeded(), []);
    assert.doesNotMatch(await rig.pane.screen(), /\^|a\n/, "nothing that was typed is on the screen");
  });

  test("belong to the dialog while one is open, and to the run again afterwards", async (t) => {
    const rig = await open(t);
    await rig.tell({ call: "listen keys" });
    const answer = rig.person.ask(approval, never);
    await rig.pane.until("◆");
    await rig.pane.press("Escape");
    assert.equal(await answer, undefined);
    assert.deepEqual(rig.unheeded(), []);
    await rig.pane.press("Escape");
    await rig.heard("escape");
  });

  test("need raw mode only while they are listened to", async (t) => {
    const rig = await open(t);
    assert.ok(isCooked(await rig.pane.modes()));
    await rig.tell({ call: "listen keys" });
    assert.ok(!isCooked(await rig.pane.modes()));
    await rig.tell({ call: "stop keys" });
    assert.ok(isCooked(await rig.pane.modes()));
  });

  test("the live area is gone after the program ended in the middle of its work", async (t) => {
    const rig = await open(t);
    rig.person.notify("stays", "info");
    rig.person.status("run", "at work");
    await rig.pane.until("at work");
    rig.end("exit");
    await rig.pane.until((screen) => screen === "●  stays\nended with 0");
    assert.equal(await rig.pane.cursorIsVisible(), true);
  });

  for (const how of ["exit", "throw"] as const) {
    test(`the terminal is as it was after the program ended by ${how}`, async (t) => {
      const rig = await open(t);
      await rig.tell({ call: "listen keys" });
      rig.person.status("run", "at work");
      void rig.person.ask(approval, never);
      await rig.pane.until("◆");
      rig.end(how);
      await rig.pane.until("ended with");
      assert.ok(isCooked(await rig.pane.modes()));
      assert.equal(await rig.pane.cursorIsVisible(), true);
    });
  }
});

/** The screen, if something was left on it. */
async function resizeBothWays({ person, pane }: TerminalRig): Promise<string | undefined> {
  for (let n = 1; n <= 20; n++) person.notify(`report ${n}`, "info");
  person.widget?.("tasks", ["x".repeat(70), "y".repeat(70)]);
  person.status("run", "z".repeat(60));
  await pane.until("zzz");
  await pane.resize(40, 12);
  const narrow = await pane.until(/\n\nx+…\ny+…\n\S z+…[ \ds]*$/);
  if (!/report 19\n● {2}report 20\n\nx+…\ny/.test(narrow)) return narrow;
  await pane.resize(80, 12);
  const wide = await pane.until(/\n\nx{70}\ny{70}\n\S z{60}[ \ds]*$/);
  return /report 19\n● {2}report 20\n\nx{70}\ny/.test(wide) ? undefined : wide;
}

function isCooked(modes: string): boolean {
  return ["icanon", "echo", "isig"].every((mode) => modes.split(/[\s;]+/).includes(mode));
}
