// What the command line sets for a run: how it goes from task to task, how reviews go, and what is to be built.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Config } from "../../../src/core/run/config.ts";
import { type Cli, openCli } from "../../rig/cli/cli.ts";
import { allAnswers, goal } from "../../rig/cli/small-play.ts";
import { inTerminal } from "../../rig/cli/terminal.ts";
import { waitingRun } from "../../rig/cli/waiting.ts";
import { noScreen } from "../../rig/person/pane.ts";

describe("a flag with a value that is none", { concurrency: 2 }, () => {
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [["--execution", "fast"], /--execution.*'fast' is invalid.*auto, checkpoint, batch/],
    [["--review", "none"], /--review.*'none' is invalid.*iterative, single-pass/],
    [["--batch-size", "0"], /--batch-size.*'0' is invalid.*whole number, 1 or more/],
    [["--batch-size", "2.5"], /--batch-size.*'2\.5' is invalid.*whole number, 1 or more/],
    [["--batch-size", "many"], /--batch-size.*'many' is invalid.*whole number, 1 or more/],
  ];
  for (const [flags, said] of wrong) {
    test(`${flags.join(" ")} is refused with the choices and exit code 4, and leaves nothing behind`, async (context) => {
      const cli = await openCli(context);
      for (const command of [["run", goal], ["resume"]]) {
        const exit = await cli.go(...command, ...flags);
        assert.equal(exit.code, 4, exit.stderr);
        assert.match(exit.stderr.replaceAll("\n", " "), said);
      }
      assert.deepEqual(cli.traces(), []);
    });
  }
});

/** What the run was given as its configuration last, and how often it asked. */
async function configs(cli: Cli): Promise<readonly Config[]> {
  const entries = await cli.entries();
  const keys = entries.flatMap((entry) => (entry.type === "begin" && entry.request.do === "config" ? [entry.key] : []));
  // The engine writes what the settings gave, and those are checked against the schema.
  return entries.flatMap((entry) =>
    entry.type === "settle" && keys.includes(entry.key) ? [entry.outcome as Config] : [],
  );
}

test("the flags of a run and of its resume lie over the configuration file", { timeout: 240_000 }, async (context) => {
  const cli = await openCli(context);
  cli.beside("config/superteam/config.json", {
    execution: { mode: "auto", warmSpares: false },
    review: { mode: "iterative" },
  });
  const [first = "", ...rest] = Object.keys(allAnswers);
  const early = cli.beside("early.json", { [first]: allAnswers[first] });
  const flags = ["--execution", "batch", "--batch-size", "2", "--review", "single-pass"];
  const suspended = await cli.go("run", goal, "--answers", early, ...flags);
  assert.equal(suspended.code, 2, suspended.stderr);
  const before = (await configs(cli)).length;
  const late = cli.beside("late.json", Object.fromEntries(rest.map((id) => [id, allAnswers[id]])));
  await cli.go("resume", "--answers", late, "--execution", "checkpoint", "--review", "single-pass");
  const seen = (await configs(cli)).slice(before);
  assert.ok(seen.length > 0, "the run must have read its configuration");
  for (const { execution, review } of seen) {
    assert.deepEqual([execution.mode, execution.batchSize, review.mode], ["checkpoint", undefined, "single-pass"]);
  }
});

describe("a run that is not told what to build", { skip: noScreen() ?? false }, () => {
  test("asks at a terminal, and starts with what it is told", async (context) => {
    const cli = await openCli(context);
    const pane = await inTerminal(context, cli, ["run", "--mode", "standard"]);
    assert.match(await pane.asked("Your answer"), /Start Workflow[\s\S]*What do you want to build\?/);
    await pane.type(goal);
    await pane.press("Enter");
    await pane.asked("Question 1 of 3");
    const [first] = await cli.entries();
    assert.deepEqual(first?.type === "run" && Object(first.header.input).goal, goal);
    await pane.press("Escape");
    await pane.until("ended with 2");
  });

  test("is refused before it asks where no run can start", async (context) => {
    const cli = await openCli(context);
    writeFileSync(join(cli.root, "README.md"), "mine");
    const pane = await inTerminal(context, cli, ["run"]);
    const screen = await pane.until("ended with 5");
    assert.match(screen, /The tree has uncommitted changes/);
    assert.doesNotMatch(screen, /Your answer/);
  });

  test("says how to end what is typed where stdin is the terminal", async (context) => {
    const cli = await openCli(context);
    const pane = await inTerminal(context, cli, ["run", "-"]);
    await pane.until("Type what to build, then Enter and Ctrl-D.");
    await pane.press("C-d");
    assert.match(await pane.until("ended with 4"), /stdin is empty/);
  });

  test("starts nothing when the question is closed", async (context) => {
    const cli = await openCli(context);
    const pane = await inTerminal(context, cli, ["run"]);
    await pane.asked("Your answer");
    await pane.press("Escape");
    await pane.until("ended with 4");
    assert.deepEqual(cli.traces(), []);
  });
});

describe("U12: a terminal that cannot show or ask everything", { skip: noScreen() ?? false }, () => {
  const waiting = waitingRun();

  test("with LANG=C a question, its answers and the status are in ASCII", async (context) => {
    const pane = await inTerminal(context, waiting("ascii"), ["resume"], { LC_ALL: "C" });
    const question = await pane.asked("Question 1 of 3");
    assert.doesNotMatch(question, /[^\0-\x7f]/);
    assert.match(question, /o {2}Question 1 of 3[\s\S]*\n\* {2}Your answer {2}Enter to answer, empty: /);
    await pane.press("Escape");
    await pane.until("ended with 2");
    assert.doesNotMatch(await pane.history(), /[^\0-\x7f]/);
  });

  test("with CI set nobody is asked, also at a terminal: the question waits with how to answer it", async (context) => {
    const pane = await inTerminal(context, waiting("ci"), ["resume"], { CI: "true" });
    const seen = await pane.until("ended with 2");
    assert.match(seen, /Question 1 of 3[\s\S]*superteam answer .*--id brainstorm\.question\.1/);
    assert.match(await pane.history(), /Nothing is asked in this terminal, because\s+the variable CI is set/);
  });
});

test("without a terminal nobody is asked what to build", async (context) => {
  const cli = await openCli(context);
  const exit = await cli.go("run");
  assert.equal(exit.code, 4);
  assert.match(exit.stderr, /^Nothing was started\. Say what to build: superteam run "<what to build>"/);
});
