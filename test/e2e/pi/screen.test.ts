// What a person at pi's terminal sees in a whole run, at five moments. The pictures in the guide are these screens: what is
// there now is compared with them, so that `npm run record` is due when this fails and the change is meant.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { project } from "../../rig/cli/cli.ts";
import { noScreen } from "../../rig/person/pane.ts";
import { plainText, type Screens, takeScreens } from "../../rig/pi-host/screens.ts";

/** The words of a picture. */
function pictured(name: string): string {
  const svg = readFileSync(join(project, `docs/pi-${name}.svg`), "utf8");
  const [, words = ""] = /<desc>([\s\S]*?)<\/desc>/.exec(svg) ?? [];
  return words.replace(/&#(\d+);/g, (_all, code) => String.fromCodePoint(Number(code)));
}

/** Without what is another one each time: ids, times, money, and what pi itself warns of at its start. */
function steady(screen: string): readonly string[] {
  const lines = screen
    .replace(/\d{8}-\d{6}-[0-9a-f]+/g, "<run>")
    .replace(/\b[0-9a-f]{7}\b/g, "<commit>")
    .replace(/<?\$\d+\.\d+/g, "$…")
    .replace(/\b(?:\d+[hm] )?\d+[hms]\b/g, "…s")
    .replace(/\d\d:\d\d UTC/g, "<time>")
    .replace(/\d+ %/g, "… %")
    .replace(/\d+ in, \d+ out/g, "… in, … out")
    .replace(/\d+ more lines/g, "… more lines")
    .split("\n");
  return lines.slice(
    Math.max(
      lines.findIndex((line) => /^ Run <run>: Add/.test(line)),
      0,
    ),
  );
}

describe("in pi's terminal", { skip: noScreen() ?? false }, () => {
  let screens: Screens;
  before(async () => {
    const taken = Object.entries(await takeScreens()).map(([name, screen]) => [name, plainText(screen)]);
    screens = Object.fromEntries(taken);
  });

  for (const name of ["question", "task", "review", "resumed", "end"] as const) {
    test(`the screen "${name}" is the one in the guide: npm run record`, () => {
      assert.deepEqual(steady(screens[name]), steady(pictured(name)));
    });
  }

  test("the status tells the phase, how far it is, and what was spent, and what is done now", () => {
    assert.match(screens.question, /^⚡ Workflow: brainstorm \(questions 1\/3\) \| <?\$\d+\.\d\d \/ \$20$/m);
    assert.match(
      screens.task,
      /^⚡ Workflow: execute \(task 1\/3 — implementing\) \| \$\d+\.\d\d \/ \$20 ⚡ Executing task 1\/3 .*\d+s$/m,
    );
    assert.match(screens.review, /^⚡ Workflow: execute \(task 2\/3 — reviewing\) \| \$\d+\.\d\d \/ \$20 ⚡ /m);
  });

  test("what an agent does stands in a box: the task, who it is, and its last actions as a tree", () => {
    const box = screens.task.split("\n").filter((line) => /^ [┌│└].*[┐│┘]$/.test(line));
    assert.deepEqual(
      box.map((line) => line.replace(/^ [┌│└]─? *| *─*[┐│┘]$/g, "")),
      [
        "⚡ Task 1/3: Token bucket",
        "implementer (scripted/scripted-model)",
        "├ ls src",
        "├ read src/index.js",
        "├ write test/token-bucket.test.js",
        "├ bash: node --test test/token-bucket.test.js ✗ (RED — expected)",
        "├ write src/token-bucket.js",
        "├ bash: node --test test/token-bucket.test.js ✓ (GREEN)",
        "├ edit src/index.js (refactoring)",
        "└ (thinking...)",
        "",
      ],
    );
    assert.match(screens.review, /┌─ ⚡ Task 2\/3: spec review ─+┐\n │ {2}spec-reviewer \(scripted\/scripted-model\) /);
    assert.match(screens.review, /│ {2}└ \(analyzing spec compliance\.\.\.\) +│/);
  });

  test("how far the run is stands above it: a title, a bar of 20, and the tasks in a row", () => {
    assert.match(
      screens.review,
      / │ Workflow: Add rate limiting .*\n │ ■{10}□{10} 53% {2}\(task 2\/3\)\n │ ✓ Token bucket {2}▸ Rate .* {2}○ Config/,
    );
  });

  test("Escape is told, and a run that goes on tells where it stood", () => {
    assert.match(
      screens.resumed.replace(/\s+/g, " "),
      /Pausing after the running agents\. .* The run is suspended\. Nothing is lost: \/workflow continues from here\. Run \S+: task 3\/3 "Configuration and tests", implement; spent .*; interrupted: implementer │ Workflow/,
    );
  });

  test("the end is told, and neither widgets nor a status are left", () => {
    assert.match(screens.end, /^ ✓ Add rate limiting .*\n {3}3 tasks in 3 commits · \+\d+ −\d+ in \d+ files\n/m);
    assert.doesNotMatch(screens.end, /[┌■]|⚡ Workflow/);
  });
});
