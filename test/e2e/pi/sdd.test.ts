// /sdd inside the real pi, over RPC: single tasks of a plan that a person wrote, with a scripted model behind the agents.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Entry } from "../../../src/ports/journal.ts";
import type { Cli } from "../../rig/cli/cli.ts";
import {
  choose,
  listed,
  openDesk,
  planPath,
  planText,
  question,
  reported,
  sddPlay,
  told,
  trust,
  trustQuestion,
  writePlan,
} from "../../rig/pi-host/sdd.ts";
import { openPi, rested } from "../../rig/pi-host/session.ts";

const runsOf = (cli: Cli): readonly string[] => readdirSync(join(cli.root, ".git/superteam/runs"));

function dispatches(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap((entry) => (entry.type === "begin" && entry.request.do === "dispatch" ? [entry.key] : []));
}

test("a plan is loaded, its first task fixed and committed, and without a number the next follows", async (context) => {
  const { cli, pi } = await openDesk(context);
  const before = cli.git("status", "--porcelain");
  const loaded = [
    "Plan docs/my plan.md: 0 of 3 tasks done, $0.00 spent",
    "  ○ 1. A letter",
    "  ○ 2. An envelope — builds on 1",
    "  ○ 3. A stamp — builds on 2",
    "Next is task 1: /sdd run",
  ].join("\n");
  assert.equal(await told(pi, `/sdd load ${planPath}`), loaded);
  assert.equal(await told(pi, "/sdd status"), loaded);
  assert.deepEqual(cli.traces(), [], "nothing is begun");

  await pi.type("/sdd run 1");
  await trust(pi);
  await reported(pi, 1);
  assert.equal(cli.file("letter.txt"), "Dear reader, hello\n");
  assert.match(cli.git("log", "-1", "--format=%B"), /^workflow: task 1 — A letter\n[\s\S]*^Superteam-Task: 1$/m);
  assert.equal(cli.git("show", "--name-only", "--format=", "HEAD"), "letter.txt");
  const [, first = ""] = (await told(pi, "/sdd status")).split("\n");
  assert.match(first, new RegExp(`^ {2}✓ 1\\. A letter — done, ${cli.git("rev-parse", "--short=7", "HEAD")}, \\$\\d`));

  await pi.type("/sdd run");
  const report = await reported(pi, 2);
  assert.match(report, /## Documents\n- Plan: docs\/my plan\.md\n\n## Changed Files\n- envelope\.txt \+1 −0\n/);
  assert.match(
    await told(pi, "/sdd status"),
    /: 2 of 3 tasks done[\s\S]*\n {2}○ 3\. A stamp\nNext is task 3: \/sdd run$/,
  );
  assert.equal(cli.git("status", "--porcelain"), before, "nothing but the work is written, and that is committed");
  assert.equal(cli.file(planPath), planText());
  assert.equal(cli.active, undefined);
});

test("Escape in a dialog suspends the task's run, /workflow continues it, and nothing is paid twice", async (context) => {
  const { cli, pi } = await openDesk(context);
  await pi.type(`/sdd load "${planPath}"`);
  const typed = pi.type("/sdd run 3");
  choose(pi, await question(pi, /^Task 3 builds on task 2, which no run has completed\./), "Run it anyway");
  await typed;
  pi.close(await question(pi, trustQuestion));
  await rested(pi, 1);
  assert.equal((await listed(pi)).at(-1), "▸ 3. A stamp — active");
  await pi.type("/workflow");
  await trust(pi);
  await pi.told(/^Task 3 builds on task 2, which no run has completed\.$/);
  pi.close(await question(pi, /^Task Escalation\n\nTask "A stamp" changed nothing\./));
  await rested(pi, 2);
  const paid = dispatches(await cli.entries());
  assert.equal((await listed(pi)).at(-1), "▸ 3. A stamp — active, escalated");

  await pi.type("/workflow");
  choose(pi, await question(pi, /^Task Escalation/), "Skip");
  await reported(pi, 3);
  assert.deepEqual(dispatches(await cli.entries()), paid);
  assert.equal(runsOf(cli).length, 1);
  assert.deepEqual(await listed(pi), ["○ 1. A letter", "○ 2. An envelope — builds on 1", "– 3. A stamp — skipped"]);
});

test("when pi is killed in the middle of a task, /workflow continues with the plan as it was", async (context) => {
  let latencyMs = 600_000;
  const desk = await openDesk(
    context,
    sddPlay((step) => (step === "execute/task-1/spec-review" ? { latencyMs } : {})),
  );
  const { cli } = desk;
  await desk.pi.type(`/sdd load ${planPath}`);
  await desk.pi.type("/sdd run");
  await trust(desk.pi);
  await desk.pi.until(
    ({ statusText = "" }) => /task 1 — reviewing\.\.\. [2-9]s$/.test(statusText),
    "a reviewer at work",
  );
  desk.pi.child.kill("SIGKILL");
  latencyMs = 0;
  writePlan(cli, planText({ 1: "Another letter" }));

  const pi = openPi(context, cli);
  await pi.told(/^Run \S+: task 1 "A letter", spec review; .*interrupted: spec-reviewer\nContinue it: \/workflow\./);
  await pi.type("/workflow");
  await reported(pi, 1);
  assert.equal(cli.git("log", "-1", "--format=%s"), "workflow: task 1 — A letter");
  assert.equal(cli.file("letter.txt"), "Dear reader, hello\n");
  const implemented = dispatches(await cli.entries()).filter((key) => key.includes("implement"));
  assert.equal(implemented.length, 1, "what was done before is not done again");
  assert.equal((await listed(pi))[0], "○ 1. Another letter", "a task that was rewritten is another task");
});

test("a task counts as done as long as its commit is in what is checked out, by whatever name", async (context) => {
  const { cli, pi } = await openDesk(context);
  await pi.type(`/sdd load ${planPath}`);
  await pi.type("/sdd run 1");
  await trust(pi);
  await reported(pi, 1);
  const commit = ["-c", "user.name=p", "-c", "user.email=p@example.org", "commit", "-q"];
  const made = cli.git("rev-parse", "--short=7", "HEAD");
  assert.equal((await listed(pi))[0], `✓ 1. A letter — done, ${made}`);
  cli.git(...commit, "--amend", "--no-edit", "--reset-author", "--date=2020-01-01T00:00:00Z");
  cli.git(...commit, "--allow-empty", "-m", "mine");
  const amended = cli.git("rev-parse", "--short=7", "HEAD~1");
  assert.notEqual(amended, made);
  assert.equal((await listed(pi))[0], `✓ 1. A letter — done, ${amended}`);
  const typed = pi.type("/sdd run 1");
  const again = await question(pi, /^Task 1 is done already\.\n\nRun it again, on top of its commit\?$/);
  assert.deepEqual(again.options, ["Not now ★", "Run it anyway"], "Enter takes the first, and starts nothing");
  choose(pi, again, "Not now");
  await typed;
  assert.equal(runsOf(cli).length, 1);
  cli.git("reset", "-q", "--hard", "HEAD~2");
  assert.equal((await listed(pi))[0], `○ 1. A letter — open: its commit ${made} is not in the checked-out history`);
});

test("with a run active /sdd run asks first: No goes on with it, Yes ends it and starts the task", async (context) => {
  const { cli, pi } = await openDesk(context);
  await pi.type(`/sdd load ${planPath}`);
  await pi.type("/sdd run 1");
  pi.close(await question(pi, trustQuestion));
  await rested(pi, 1);
  const [old] = runsOf(cli);
  await pi.type("/sdd run");
  pi.answer(await question(pi, /^Active Workflow/), "No");
  pi.close(await question(pi, trustQuestion));
  await rested(pi, 2);
  assert.equal(cli.active, old);
  await pi.type("/sdd run");
  pi.answer(await question(pi, /^Active Workflow/), "Yes");
  await trust(pi);
  await reported(pi, 1);
  assert.equal(runsOf(cli).length, 2);
  assert.match((await listed(pi))[0] ?? "", /^✓ 1\. A letter — done/);
});
