// What the tool `team` may not do by itself in the real pi: spend without a limit, count what nobody trusts, and disturb a
// run.

import assert from "node:assert/strict";
import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { readFileJournal } from "../../../src/adapters/journal/scan.ts";
import { settings } from "../../../src/adapters/settings/file.ts";
import { viewOf } from "../../../src/engine/views/fold/run-view.ts";
import { broughtBy } from "../../../src/hosts/wiring/workplace-at.ts";
import { roleNames } from "../../../src/pipelines/pipelines.ts";
import { openCli } from "../../rig/cli/cli.ts";
import { waitingRun } from "../../rig/cli/waiting.ts";
import { told } from "../../rig/pi-host/sdd.ts";
import { openPi } from "../../rig/pi-host/session.ts";
import { sharePi } from "../../rig/pi-host/shared.ts";
import { callTeam, endsOf, startCalls, teamPlay, textOf } from "../../rig/pi-host/team.ts";

test("tools that the repository gives a role count only if they were trusted before, and nobody is asked", async (context) => {
  const { cli, pi } = await sharePi(context, teamPlay());
  const agents = { architect: { tools: ["read", "run"] } };
  writeFileSync(join(cli.root, ".superteam.json"), JSON.stringify({ agents, validationCommand: "true" }));
  const call = { role: "architect", task: "bash echo mine > README.md" };
  const untrusted = textOf((await callTeam(pi, call))[0]);
  assert.match(
    untrusted,
    /Ignored, because you have not trusted it: \.superteam\.json\. Your own configuration and flags apply\./,
  );
  assert.match(untrusted, /## 1\. architect: answered .*\n\nProven/);
  assert.ok(!pi.records.some(({ method }) => method === "select"));

  const { hash } = await broughtBy(cli.root, settings({ root: cli.root, roles: roleNames, globalFile: "none" }));
  const trusted = [{ repository: join(realpathSync(cli.root), ".git"), hash, at: "2026-01-02T00:00:00Z", what: [] }];
  cli.beside("config/superteam/trust.json", { version: 1, trusted });
  await pi.ask({ type: "new_session" });
  pi.forget();
  const counts = textOf((await callTeam(pi, call))[0]);
  assert.doesNotMatch(counts, /Ignored/);
  assert.match(counts, /## 1\. architect: meddled/);
  assert.equal(cli.file("README.md"), "# Letters\n");
});

test("a call ends in words where the person would be asked about the money, and all calls have one limit", async (context) => {
  const dear = { usage: { output: 100_000 } };
  const cli = await openCli(context, {
    play: (turn) => ({ ...teamPlay()(turn), ...(turn.header === null ? {} : dear) }),
  });
  const costs = { warnAtUsd: 10, hardLimitUsd: 4 };
  cli.beside("config/superteam/config.json", { costs, execution: { warmSpares: false } });
  const reader = { role: "scout", task: "say x" };
  const [first, over, refused] = await callTeam(
    openPi(context, cli),
    reader,
    { chain: [reader, reader, reader] },
    reader,
  );
  assert.match(textOf(first), /1 of 1 answered, \$1\.50/);
  const text = textOf(over);
  assert.match(
    text,
    /2 of 3 answered[^\n]*\nIt was ended: it cannot continue without the person: Cost budget exceeded \(\$3\.\d\d of \$2\.\d\d\)/,
  );
  assert.match(text, /has to be raised in their configuration\.\n[\s\S]*## 3\. scout: not started$/);
  // Several runs may begin in the same second.
  const [, ended = ""] = /^Team run (\S+):/.exec(text) ?? [];
  const { entries } = await readFileJournal(join(dirname(cli.run), ended));
  assert.equal(viewOf(entries).ending?.how, "aborted");
  assert.equal(refused?.isError, true);
  assert.match(
    textOf(refused),
    /have spent \$4\.\d\d since this pi was started, and the limit is \$4\.00\. Nothing was started\./,
  );
});

test("a model without a price has one limit in tokens and in dispatches for all calls, too", async (context) => {
  const reader = { role: "scout", task: "say x" };
  for (const [costs, refusal] of [
    [
      { unpricedDispatches: 2 },
      /have spent 2 agent calls of models that report no cost .* the limit is 2 agent calls\./,
    ],
    [
      { unpricedTokens: 1_000 },
      /have spent [\d,]+ tokens of models .* limit is 1,000 tokens\. .* costs\.unpricedTokens in/,
    ],
  ] as const) {
    const cli = await openCli(context, {
      play: (turn) => ({ ...teamPlay()(turn), ...(turn.header === null ? {} : { usage: { input: 0, output: 600 } }) }),
    });
    const models = join(cli.folder, "pi/models.json");
    const free = '"cost": {"input":0,"output":0,"cacheRead":0,"cacheWrite":0}';
    writeFileSync(models, readFileSync(models, "utf8").replace(/"cost": \{[^}]*\}/, free));
    cli.beside("config/superteam/config.json", { costs, execution: { warmSpares: false } });
    const [first, second, refused] = await callTeam(openPi(context, cli), reader, { chain: [reader, reader] }, reader);
    assert.match(textOf(first), /1 of 1 answered, no price known/);
    assert.match(textOf(second), /1 of 2 answered[^\n]*\nIt was ended: [^\n]*Budget exceeded/);
    assert.equal(refused?.isError, true);
    assert.match(textOf(refused), refusal);
  }
});

const waiting = waitingRun();

test("while a run goes on nothing is started; while one is suspended only readers are", async (context) => {
  const { cli, pi } = await sharePi(context, teamPlay(), waiting("beside-team"));
  const { active } = cli;
  const reader = { role: "scout", task: "say x" };
  const [wrote, read] = await callTeam(pi, { chain: [reader, { role: "implementer", task: "write a.txt" }] }, reader);
  assert.equal(wrote?.isError, true);
  assert.match(
    textOf(wrote),
    /A run is suspended in this tree .* only roles that read .* and implementer writes\. Nothing was started\. The person can continue that run \(\/workflow\)/,
  );
  assert.match(textOf(read), /1 of 1 answered/);
  assert.equal(cli.active, active);

  await pi.ask({ type: "new_session" });
  pi.forget();
  await pi.type("/workflow");
  await pi.dialog();
  const [beside] = await callTeam(pi, reader);
  assert.equal(beside?.isError, true);
  assert.match(textOf(beside), /^A run is at work in this pi and must not be disturbed\. Nothing was started\./);
  const [nextDoor] = await callTeam(openPi(context, cli), reader);
  assert.equal(nextDoor?.isError, true);
  assert.match(
    textOf(nextDoor),
    new RegExp(`A run is at work in this tree \\(${active}, process ${pi.child.pid}\\) .* Nothing was started`),
  );
});

test("beside a suspended run a team at work is not taken for its runner, and can be stopped", async (context) => {
  const { cli, pi } = await sharePi(context, teamPlay(), waiting("team-at-work"));
  await startCalls(pi, [{ role: "scout", task: "wait 600000 never" }]);
  await pi.until((record) => JSON.stringify(record).includes("▸ 1. scout"), "the agent at work");
  const status = (await cli.go("status")).stdout;
  assert.match(status, /Suspended: superteam resume continues\./);
  assert.match(status, new RegExp(`A team is at work in this tree: process ${pi.child.pid}, run \\S+\\.`));
  const answered = await cli.go("answer", "one");
  assert.equal(answered.code, 5);
  assert.match(answered.stderr, new RegExp(`Another runner is at work in this tree: process ${pi.child.pid},`));
  assert.match(answered.stderr, /Wait for it, or: superteam stop/);
  const stopped = await cli.go("stop");
  assert.match(
    stopped.stdout + stopped.stderr,
    new RegExp(`^The team at work in this tree is stopped \\(process ${pi.child.pid},`),
  );
  await pi.until(({ type }) => type === "agent_end", "the end of the call");
  assert.match(
    textOf(endsOf(pi)[0]),
    /It was ended: it was stopped before its end\nGive this work to a team again only when the person asks for it\.\n/,
  );
  assert.ok(cli.active);
  const again = await cli.go("stop");
  assert.match(again.stdout + again.stderr, /is suspended already/);
});

test("/workflow says that a team is at work, asks nothing, and stops it when told to", async (context) => {
  const { cli, pi } = await sharePi(context, teamPlay(), waiting("team-and-workflow"));
  const { active } = cli;
  await startCalls(pi, [{ role: "scout", task: "wait 600000 never" }]);
  await pi.until((record) => JSON.stringify(record).includes("▸ 1. scout"), "the agent at work");
  for (const line of ["", " Build a house", " answer one", " abort"]) {
    const text = await told(pi, `/workflow${line}`);
    assert.match(text, /^The model has a team at work in this pi, .* stop it: Escape, or \/workflow stop\.$/, line);
  }
  assert.match(await told(pi, "/sdd run"), /^The model has a team at work in this pi/);
  assert.match(await told(pi, "/workflow status"), /\nA team is at work in this tree: process \d+, run \S+$/m);
  assert.deepEqual([endsOf(pi), cli.active], [[], active], "it is not disturbed");
  assert.equal(await told(pi, "/workflow stop"), "The team in this pi is stopped.");
  await pi.until(({ type }) => type === "agent_end", "the end of the call");
  assert.match(
    textOf(endsOf(pi)[0]),
    /It was ended: it was stopped before its end\nGive this work to a team again only when the person asks for it\.\n/,
  );
  assert.equal(cli.active, active);
  await pi.type("/workflow");
  assert.match((await pi.dialog()).title ?? "", /Question 1 of 3/);
});

test("without a run to go on with, /workflow asks for no goal while a team is at work", async (context) => {
  const { pi } = await sharePi(context, teamPlay());
  await startCalls(pi, [{ role: "scout", task: "wait 600000 never" }]);
  await pi.until((record) => JSON.stringify(record).includes("▸ 1. scout"), "the agent at work");
  assert.match(await told(pi, "/workflow"), /^The model has a team at work in this pi/);
  assert.ok(!pi.records.some(({ method }) => method === "input"));
});
