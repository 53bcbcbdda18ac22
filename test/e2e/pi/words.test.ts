// What is typed after /workflow in the real pi, over RPC: the options of the command line, and the words that only look.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openCli } from "../../rig/cli/cli.ts";
import { goal } from "../../rig/cli/small-play.ts";
import { answerAll } from "../../rig/pi-host/answering.ts";
import { openPi } from "../../rig/pi-host/session.ts";
import { sharePi } from "../../rig/pi-host/shared.ts";
import { until } from "../../rig/until.ts";

test("options before the goal hold for the run as on the command line, and those of a resume for what goes on", async (context) => {
  const { cli, pi } = await sharePi(context);
  await pi.type(`/workflow --mode quick --budget 2.50 --skip-brainstorm ${goal}`);
  await answerAll(pi, cli, 1);
  pi.close(await pi.dialog());
  await pi.told(/^The run is suspended\./);
  const [first] = await cli.entries();
  assert.ok(first?.type === "run");
  const { goal: kept, wishes } = Object(first.header.input);
  assert.deepEqual([kept, wishes.mode, wishes.budgetUsd, wishes.skipBrainstorm], [goal, "quick", 2.5, true]);

  await pi.type("/workflow --budget 7");
  pi.close(await pi.dialog());
  await pi.type("/workflow status");
  await pi.told(/^Budget: \$\d\.\d\d left of \$7\.00/m);
});

test("what is no option is told with those there are, and nothing is started", async (context) => {
  const { cli, pi } = await sharePi(context);
  await pi.type(`/workflow --moed quick ${goal}`);
  const { notifyType } = await pi.told(/unknown option '--moed'[\s\S]*The options are: --mode <mode>/);
  assert.equal(notifyType, "warning");
  await pi.type("/workflow --next");
  await pi.told(/^No run is queued in this repository\. Start one: \/workflow <what to build>$/);
  assert.deepEqual(cli.traces(), []);
});

test("inside pi, too, a pi that is named goes before the one that runs superteam", async (context) => {
  const cli = await openCli(context);
  const pi = openPi(context, cli, { environment: { SUPERTEAM_PI: "/no/such/pi" } });
  await pi.type(`/workflow ${goal}`);
  await pi.told(/The configured pi, \/no\/such\/pi, is not a file that can be run/);
});

test("help tells what can be typed, and a slip starts no run of that name", async (context) => {
  const { cli, pi } = await sharePi(context);
  for (const words of ["help", "--help", "-h"]) {
    const before = pi.records.length;
    await pi.type(`/workflow ${words}`);
    const told = pi.records.slice(before).find(({ method }) => method === "notify");
    assert.match(told?.message ?? "", /^\/workflow <what to build> {3}starts a run[\s\S]*--mode hotfix\|quick/);
  }
  for (const [words, answer] of [
    ["stauts", /^There is no \/workflow stauts\. Did you mean \/workflow status\? Nothing was started\./],
    ["logs", /^There is no \/workflow logs\. Did you mean \/workflow log\?/],
    ["status --json", /^\/workflow status takes no other words\. Nothing was started\./],
    ["log --follow", /^\/workflow log takes the id of a run and no options\./],
    ["report 0d11", /^There is no run "0d11" in this repository\./],
    ["resume --budget 5 --moed x", /^unknown option '--moed'/],
    ["Add it --mode quick", /^Options come first: \/workflow --mode/],
  ] as const) {
    await pi.type(`/workflow ${words}`);
    assert.equal((await pi.told(answer)).notifyType, "warning");
  }
  assert.deepEqual(cli.traces(), []);
});

test("costs, runs and report tell of the active run, and without one that there is none", async (context) => {
  const { cli, pi } = await sharePi(context);
  await pi.type("/workflow costs");
  await pi.told(/^There are no runs in this repository yet\. Start one: \/workflow <what to build>$/);
  await pi.type(`/workflow ${goal}`);
  await answerAll(pi, cli, 2);
  pi.close(await pi.dialog());
  await pi.told(/^The run is suspended\./);
  await pi.type("/workflow costs");
  const { message = "" } = await pi.told(/^Run \S+: Write a letter\nSpent /);
  assert.match(message, /^phase +calls +tokens +cost$/m);
  assert.ok(Math.max(...message.split("\n").map((line) => line.length)) <= 80, message);
  // It is told a moment before the tree is free again.
  await until(() => cli.file(".git/superteam/lock") === undefined);
  await pi.type("/workflow runs");
  await pi.told(/^run +end +mode[\s\S]* suspended /);
  const id = cli.active?.slice(-4);
  await pi.type(`/workflow report ${id}`);
  await pi.told(/^# Workflow/);
  await pi.type(`/workflow log ${id}`);
  await pi.told(/ asked brainstorm\.question\.1: /);
});
