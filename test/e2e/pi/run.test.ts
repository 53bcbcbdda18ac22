// superteam inside the real pi, over RPC: whole runs by answering pi's dialogs, with a scripted model behind the agents.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Entry } from "../../../src/ports/journal.ts";
import { type Cli, openCli } from "../../rig/cli/cli.ts";
import { goal, smallPlay } from "../../rig/cli/small-play.ts";
import { answer, answerAll, pending, questionCount } from "../../rig/pi-host/answering.ts";
import { openPi, type PiSession, rested } from "../../rig/pi-host/session.ts";
import { sharePi } from "../../rig/pi-host/shared.ts";

/** Agents of superteam alone talk to the model: each prompt names its dispatch. */
function assertOnlyAgentsAsked(cli: Cli): void {
  assert.ok(cli.server.requests.length > 0);
  for (const { header, line } of cli.server.requests) assert.ok(header, line);
}

/** Nothing of a run that has ended is left on the screen: whatever was set last is nothing. */
function left(pi: PiSession): readonly string[] {
  const shown = new Map<string, unknown>();
  for (const { statusKey, statusText, widgetKey, widgetLines } of pi.records) {
    if (statusKey !== undefined) shown.set(`status ${statusKey}`, statusText);
    if (widgetKey !== undefined) shown.set(`widget ${widgetKey}`, widgetLines);
  }
  return [...shown].flatMap(([place, content]) => (content === undefined ? [] : [place]));
}

function dispatches(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap((entry) => (entry.type === "begin" && entry.request.do === "dispatch" ? [entry.key] : []));
}

/** A pi that comes first on the PATH, tells a good version and is of no other use. */
function brokenPi(cli: Cli): Readonly<Record<string, string>> {
  const folder = join(cli.folder, "bin");
  mkdirSync(folder);
  chmodSync(cli.beside("bin/pi", '#!/bin/sh\n[ "$1" = --version ] && echo 9.9.9\n'), 0o755);
  return { PATH: `${folder}:${cli.environment["PATH"]}` };
}

test("a whole run is done by answering pi's dialogs", async (context) => {
  const cli = await openCli(context);
  const pi = openPi(context, cli);
  await pi.type(`/workflow ${goal}`);
  const asked = await answerAll(pi, cli, questionCount);
  assert.equal(asked[0], "preflight.trust");
  await pi.told(/Complete! 1\/1 tasks/);
  await pi.until(({ statusKey, statusText }) => statusKey === "workflow" && statusText === undefined, "a clear status");
  await pi.end();

  assert.equal(pi.child.exitCode, 0, pi.stderr);
  assert.equal(cli.file("letter.txt"), "Dear reader,\n");
  assert.match(cli.git("log", "--format=%B"), /Superteam-Task/);
  assert.deepEqual(cli.traces(), [`run ${cli.run.split("/").at(-1)}`]);
  assertOnlyAgentsAsked(cli);
  assert.deepEqual(left(pi), []);
  const statuses = pi.records.flatMap(({ statusText }) => statusText ?? []);
  assert.ok(statuses.some((text) => /^⚡ Workflow: brainstorm \(questions 2\/3\) \| .*\$\d/.test(text)));
  const widgets = new Set(pi.records.flatMap(({ widgetKey }) => widgetKey ?? []));
  assert.deepEqual([...widgets].toSorted(), ["workflow-activity", "workflow-progress"]);
});

test("a run that cannot start is told as a warning with what to do, and leaves nothing on the screen", async (context) => {
  const { cli, pi } = await sharePi(context);
  writeFileSync(join(cli.root, "README.md"), "changed\n");
  await pi.type(`/workflow ${goal}`);
  const { notifyType } = await pi.told(
    /^The tree has uncommitted changes, .*\n {2}README\.md\nCommit or stash them first/,
  );
  assert.equal(notifyType, "warning");
  await pi.until(({ statusKey, statusText }) => statusKey === "workflow" && statusText === undefined, "a clear status");
  assert.deepEqual(left(pi), []);
  assert.deepEqual(cli.traces(), []);
});

test("Escape at every dialog suspends the run there, and /workflow shows that question again", async (context) => {
  const { cli, pi } = await sharePi(context);
  await pi.type(`/workflow ${goal}`);
  for (let count = 0; count < questionCount; count++) {
    const closed = await pi.dialog();
    const { id } = await pending(cli);
    const paid = dispatches(await cli.entries()).length;
    pi.close(closed);
    await rested(pi, count + 1);
    assert.ok(cli.file(".superteam-workflow.json")?.includes(id), `${id} waits in the snapshot`);
    await pi.type("/workflow");
    const again = await pi.dialog();
    assert.deepEqual([again.title, again.options], [closed.title, closed.options]);
    assert.equal(dispatches(await cli.entries()).length, paid, `${id}: nothing was paid for again`);
    await answer(pi, cli, again);
  }
  await pi.told(/Complete! 1\/1 tasks/);
  const paid = dispatches(await cli.entries());
  assert.equal(new Set(paid).size, paid.length);
  assert.equal(cli.file("letter.txt"), "Dear reader,\n");
});

test("an agent, of the very pi that asks, that fails is told as a warning with its words and the way on, and the person decides", async (context) => {
  const fault = { kind: "auth" } as const;
  let fails = true;
  const play = smallPlay((step) => (fails && step === "brainstorm/questions" ? { fault } : {}));
  const cli = await openCli(context, { pi: "real", play });
  const pi = openPi(context, cli, { environment: brokenPi(cli) });
  await pi.type(`/workflow ${goal}`);
  await answerAll(pi, cli, 2);
  const { message, notifyType } = await pi.told(/^Brainstormer agent failed/);
  assert.equal(notifyType, "warning");
  assert.match(
    message ?? "",
    /^Brainstormer agent failed \(.*\)\.\n {2}Error: .*invalid x-api-key.*(?:\n {2}Output: '.*')?$/,
  );
  await pi.told(/if you leave, use \/workflow to retry from this step$/);
  pi.close(await pi.dialog());
  await pi.told(/^The run is suspended\./);
  fails = false;
  await pi.type("/workflow");
  const again = await pi.dialog();
  const retry = again.options?.find((option) => option.startsWith("Retry")) ?? assert.fail(again.title);
  pi.answer(again, retry);
  assert.match((await pi.dialog()).title ?? "", /Question 1 of 3/);
});

test("whoever reads that a run is complete can start the next one at once", async (context) => {
  const { cli, pi } = await sharePi(context);
  await pi.type(`/workflow ${goal}`);
  await answerAll(pi, cli, questionCount);
  await pi.until(({ statusText = "" }) => statusText.startsWith("⚡ Complete!"), "the end in the status line");
  await pi.type("/workflow Write another letter");
  assert.match((await pi.dialog()).title ?? "", /^(?:Mode|How much process|Question)/i);
});
