// /sdd and the plans it is given: what is refused, what is asked, and what is left alone.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openCli } from "../../rig/cli/cli.ts";
import {
  listed,
  openDesk,
  planPath,
  planText,
  question,
  reported,
  sddPlay,
  told,
  trust,
  writePlan,
} from "../../rig/pi-host/sdd.ts";
import { openPi } from "../../rig/pi-host/session.ts";

const usage = /^\/sdd load <plan> .*\n\/sdd run \[task\] .*\n\/sdd status /;

test("what cannot be loaded is told with what to do, and is not remembered", async (context) => {
  const { cli, pi } = await openDesk(context);
  writeFileSync(join(cli.root, "bad.md"), "# Plan\n\n### Task 1: it\n");
  execFileSync("mkfifo", [join(cli.root, "pipe.md")]);
  cli.beside("outside.md", planText());
  const noPlan = "No plan is loaded in this tree. Load one: /sdd load <plan>";
  for (const line of ["/sdd run", "/sdd status"]) assert.equal(await told(pi, line), noPlan);
  for (const line of ["/sdd", "/sdd load", "/sdd start"]) assert.match(await told(pi, line), usage);
  const refused = [
    ["nowhere.md", /^There is no nowhere\.md in this tree\. Load the plan from where it is: \/sdd load <plan>$/],
    [
      "../outside.md",
      /^\.\.\/outside\.md is outside this working tree .* Copy the plan into the tree, then load the copy\.$/,
    ],
    [".git/config", /^\.git\/config is not a file that can be read\./],
    ["docs", /^docs could not be read/],
    ["pipe.md", /^pipe\.md could not be read \(it is a pipe or a device, and no file\)/],
    [
      "bad.md",
      /^bad\.md cannot be used as a plan:[\s\S]*\n- there is no ```superteam-tasks [\s\S]*\nA plan begins with its \*\*Goal/,
    ],
  ] as const;
  for (const [path, text] of refused) assert.match(await told(pi, `/sdd load ${path}`), text);
  assert.equal(await told(pi, "/sdd run"), noPlan);
  assert.deepEqual(cli.traces(), []);
});

test("a task that is not there, or whose plan has been broken since, is not begun", async (context) => {
  const { cli, pi } = await openDesk(context);
  await pi.type(`/sdd load ${planPath}`);
  assert.equal(await told(pi, "/sdd run 9"), 'docs/my plan.md has no task "9". It has: 1, 2, 3.');
  assert.match(await told(pi, "/sdd run it"), /has no task "it"/);
  const typed = pi.type("/sdd run 3");
  pi.close(await question(pi, /^Task 3 builds on task 2, which no run has completed\./));
  await typed;
  writePlan(cli, "# Nothing");
  assert.match(await told(pi, "/sdd run"), /^docs\/my plan\.md cannot be used as a plan:/);
  assert.deepEqual(cli.traces(), []);
});

test("a plan that is tracked and changed is no reason to refuse, and stays out of the commit", async (context) => {
  const { cli, pi } = await openDesk(context);
  cli.git("add", planPath);
  cli.git("-c", "user.name=p", "-c", "user.email=p@example.org", "commit", "-q", "-m", "a plan");
  writePlan(cli, `${planText()}\nA note.\n`);
  await pi.type(`/sdd load ${join(cli.root, planPath)}`);
  await pi.type("/sdd run #1");
  await trust(pi);
  await reported(pi, 1);
  assert.equal(cli.git("show", "--name-only", "--format=", "HEAD"), "letter.txt");
  assert.match(cli.git("status", "--porcelain"), /^M "docs\/my plan\.md"/);
  assert.match((await listed(pi))[0] ?? "", /^✓ 1\. A letter/);
});

test("another extension's /sdd is told at the start, with the name that works", async (context) => {
  const cli = await openCli(context, { play: sddPlay() });
  const other = cli.beside(
    "other.js",
    'export default (pi) => pi.registerCommand("sdd", { description: "theirs", handler: async () => {} });\n',
  );
  const pi = openPi(context, cli, { args: ["-e", other] });
  const { message = "" } = await pi.told(/^\/sdd is registered by another extension too/);
  const [, ours = ""] = /superteam's is (\/sdd:\d) here\.$/.exec(message) ?? [];
  assert.match(await told(pi, ours), usage);
});
