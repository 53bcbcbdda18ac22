// What a person says on the command line before a run: how much process, how much money, and where to stop.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openCli } from "../../rig/cli/cli.ts";
import { goal } from "../../rig/cli/small-play.ts";

describe("a wish that makes no sense", { concurrency: 2 }, () => {
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [["--mode", "sloppy"], /--mode.*'sloppy' is invalid.*hotfix, quick, standard, full/],
    [
      ["--budget", "$5"],
      /--budget.*'\$5' is invalid.*number of dollars above 0, such as 5 or 2\.50, without a currency/,
    ],
    [["--budget", "0"], /--budget.*'0' is invalid/],
    [["--budget", "-3"], /--budget/],
    [["--budget", "1e3"], /--budget.*'1e3' is invalid/],
    [["--budget", "5 USD"], /--budget.*'5 USD' is invalid/],
    [["--budget", "1000000"], /--budget.*'1000000' is invalid/],
    [["--next"], /The next run in the queue has its own goal and mode/],
  ];
  for (const [flags, said] of wrong) {
    test(`${flags.join(" ")} is refused with exit code 4 and leaves nothing behind`, async (context) => {
      const cli = await openCli(context);
      const exit = await cli.go("run", goal, ...flags);
      assert.equal(exit.code, 4, exit.stderr);
      assert.match(exit.stderr.replaceAll("\n", " "), said);
      assert.deepEqual(cli.traces(), []);
    });
  }
});

test("the wishes of a run are in its first entry, so that a resume need not be told them", async (context) => {
  const cli = await openCli(context);
  const exit = await cli.go("run", goal, "--mode", "quick", "--skip-brainstorm", "--dry-run", "--budget", "2.50");
  assert.equal(exit.code, 2, exit.stderr);
  const [first] = await cli.entries();
  assert.ok(first?.type === "run");
  assert.deepEqual(Object(first.header.input).wishes, {
    mode: "quick",
    skipBrainstorm: true,
    dryRun: true,
    budgetUsd: 2.5,
    whole: false,
  });
  const { stdout } = await cli.go("status");
  assert.match(stdout, /^Mode: quick$/m);
  assert.match(stdout, /^Budget: \$\d\.\d\d left of \$2\.50/m, "known before there is a plan");
  await cli.go("resume", "--budget", "7");
  assert.match((await cli.go("status")).stdout, /^Budget: \$\d\.\d\d left of \$7\.00/m, "the one in force");
});
