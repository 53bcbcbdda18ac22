// superteam run where a run is active already: it asks, and either goes on with that one or ends it and starts anew.

import assert from "node:assert/strict";
import { readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { readFileJournal } from "../../../src/adapters/journal/scan.ts";
import type { Cli } from "../../rig/cli/cli.ts";
import { goal } from "../../rig/cli/small-play.ts";
import { inTerminal } from "../../rig/cli/terminal.ts";
import { waitingRun } from "../../rig/cli/waiting.ts";
import { noScreen } from "../../rig/person/pane.ts";

const waiting = waitingRun();
const runsOf = (cli: Cli): readonly string[] => readdirSync(join(cli.root, ".git/superteam/runs")).sort();
const progressOf = (cli: Cli): readonly string[] =>
  readdirSync(join(cli.root, "docs/plans"))
    .filter((name) => name.endsWith("-progress.md"))
    .map((name) => join("docs/plans", name));

test("without a terminal nothing is started, and what can be done is told", async () => {
  const cli = waiting("nobody");
  for (const more of [[], ["--yes"]]) {
    const exit = await cli.go("run", "something else", ...more);
    assert.equal(exit.code, 2, exit.stderr);
    assert.match(exit.stderr, new RegExp(`already in progress in this tree \\(${cli.active}\\)`));
    assert.match(exit.stderr, /superteam resume.*superteam status.*superteam abort/);
  }
  assert.equal(runsOf(cli).length, 1);
  assert.equal(cli.file(".git/superteam/lock"), undefined);
});

test("abort says in the progress file that the run has ended", async () => {
  const cli = waiting("abort");
  const [path = ""] = progressOf(cli);
  assert.match(cli.file(path) ?? "", /\*\*Status:\*\* Brainstorming/);
  const exit = await cli.go("abort");
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(cli.file(path) ?? "", /\*\*Status:\*\* Aborted[\s\S]*Workflow aborted: ended by `superteam abort`\n$/);
});

test("abort makes no progress file where there is none, and ends a run whose file cannot be written", async () => {
  const gone = waiting("abort-gone");
  const [path = ""] = progressOf(gone);
  rmSync(join(gone.root, path));
  assert.equal((await gone.go("abort")).code, 0);
  assert.equal(gone.file(path), undefined);

  const blocked = waiting("abort-blocked");
  rmSync(join(blocked.root, path));
  symlinkSync(join(blocked.folder, "elsewhere.md"), join(blocked.root, path));
  const exit = await blocked.go("abort");
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(exit.stderr, /progress\.md" is refused[\s\S]*is ended/);
  assert.equal(blocked.active, undefined);
});

describe("at a terminal it asks whether to start a new one", { skip: noScreen() ?? false }, () => {
  test("No goes on with the run that is there", async (context) => {
    const cli = waiting("no");
    const pane = await inTerminal(context, cli, ["run", "something else"]);
    assert.match(await pane.asked("Start a new one?"), /Active Workflow/);
    await pane.press("n");
    await pane.asked("q1?");
    assert.deepEqual(runsOf(cli), [cli.active]);
    await pane.press("Escape");
    await pane.until("ended with 2");
  });

  test("an Escape that comes with the answer is not lost: it pauses the run", async (context) => {
    const cli = waiting("quick");
    const pane = await inTerminal(context, cli, ["run", "something else"]);
    await pane.asked("Start a new one?");
    await pane.press("n", "Escape");
    await pane.until("ended with 2");
    assert.equal(cli.active, runsOf(cli)[0]);
  });

  test("Yes ends the old run and starts the new one", async (context) => {
    const cli = waiting("yes");
    const old = cli.run;
    const [progress = ""] = progressOf(cli);
    const pane = await inTerminal(context, cli, ["run", goal]);
    await pane.asked("Start a new one?");
    await pane.press("y");
    await pane.asked("triage.mode");
    assert.equal(runsOf(cli).length, 2);
    const last = (await readFileJournal(old)).entries.at(-1);
    assert.deepEqual(last?.type === "end" && last.ending, {
      how: "aborted",
      detail: "the person started a new run instead",
    });
    assert.match(cli.file(progress) ?? "", /\*\*Status:\*\* Aborted/);
    assert.notEqual(join(cli.root, ".git/superteam/runs", cli.active ?? ""), old);
    await pane.press("Escape");
    await pane.until("ended with 2");
  });

  test("Escape leaves everything as it is, and Ctrl-C too", async (context) => {
    const cli = waiting("escape");
    const entries = (await cli.entries()).length;
    for (const [key, code] of [
      ["Escape", 2],
      ["C-c", 130],
    ] as const) {
      const pane = await inTerminal(context, cli, ["run", goal]);
      await pane.asked("Start a new one?");
      await pane.press(key);
      await pane.until(`ended with ${code}`);
    }
    assert.deepEqual(runsOf(cli), [cli.active]);
    assert.equal((await cli.entries()).length, entries);
  });
});
