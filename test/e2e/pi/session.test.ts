// A run and the session of pi it goes on in: what is told when a session starts, what becomes of the run when it ends,
// and the commands beside it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { goneAt } from "../../../src/adapters/process/gone.ts";
import { withBundledParts } from "../../rig/bundled.ts";
import { type Cli, exitOf, openCli, project } from "../../rig/cli/cli.ts";
import { goal, smallPlay } from "../../rig/cli/small-play.ts";
import { waitingRun } from "../../rig/cli/waiting.ts";
import { answer, pending } from "../../rig/pi-host/answering.ts";
import { openPi, type PiSession, piProgram, type Shown } from "../../rig/pi-host/session.ts";
import { sharePi } from "../../rig/pi-host/shared.ts";

const waiting = waitingRun();
const notices = (pi: PiSession): readonly string[] =>
  pi.records.flatMap(({ method, message }) => (method === "notify" ? [message ?? ""] : []));
const runsOf = (cli: Cli): readonly string[] => readdirSync(join(cli.root, ".git/superteam/runs")).sort();

test("a session announces the active run once, with a recap, and starts nothing by itself", async (context) => {
  const cli = waiting("announced");
  const before = (await cli.entries()).length;
  const pi = openPi(context, cli);
  const { message } = await pi.told(/^Run /);
  assert.match(message ?? "", /^Run \S+: brainstorm.*waiting for your answer to "Question 1 of 3"/);
  assert.match(message ?? "", /\nContinue it: \/workflow\. See more: \/workflow status\. End it: \/workflow abort\.$/);
  // pi binds a new session twice, and says each time that it starts.
  await pi.ask({ type: "new_session" });
  await pi.ask({ type: "get_state" });
  assert.equal(notices(pi).filter((text) => text.startsWith("Run ")).length, 2, "once per session");
  assert.equal((await cli.entries()).length, before);
});

test("without a run a session says nothing, and nothing is written where nothing is to be built", async (context) => {
  const cli = await openCli(context);
  const pi = openPi(context, cli);
  for (const reply of [(shown: Shown) => pi.close(shown), (shown: Shown) => pi.answer(shown, "  ")]) {
    const typed = pi.type("/superteam");
    const shown = await pi.dialog();
    assert.deepEqual([shown.title, shown.placeholder], ["Start Workflow", "Describe what you want to build..."]);
    reply(shown);
    await typed;
  }
  await pi.type("/workflow status");
  assert.deepEqual(notices(pi), ["No run is active in this tree. Start one: /workflow <what to build>"]);
  assert.deepEqual(cli.traces(), []);
});

test("when pi ends in the middle of an agent's work, the agent is stopped and the run goes on later", async (context) => {
  const play = smallPlay((step) => (step === "brainstorm/questions" ? { latencyMs: 600_000 } : {}));
  const cli = await openCli(context, { play });
  const pi = openPi(context, cli);
  await pi.type(`/workflow ${goal}`);
  await answer(pi, cli, await pi.dialog());
  await answer(pi, cli, await pi.dialog());
  await pi.until(({ statusText = "" }) => statusText.includes("Generating"), "the agent at work");
  await pi.type("/workflow status");
  await pi.told(/Running in process/);
  await pi.end();

  assert.equal(pi.child.exitCode, 0, pi.stderr);
  assert.equal(cli.file(".git/superteam/lock"), undefined);
  assert.ok(cli.active);
  const agents = readdirSync(join(cli.run, "dispatches"));
  assert.equal(agents.length, 2);
  for (const agent of agents) assert.notEqual(await goneAt(join(cli.run, "dispatches", agent)), null, agent);
  const status = await cli.go("status");
  assert.match(status.stdout, /Suspended/);
});

test("a new session suspends the run, and /workflow continues it there", async (context) => {
  const cli = waiting("replaced");
  const pi = openPi(context, cli);
  await pi.type("/workflow");
  const first = await pi.dialog();
  await pi.ask({ type: "new_session" });
  assert.equal(cli.file(".git/superteam/lock"), undefined);
  await pi.type("/workflow");
  const again = await pi.dialog();
  assert.equal(again.title, first.title);
  pi.answer(again, "one");
  assert.match((await pi.dialog()).title ?? "", /Question 2 of 3/);
});

test("answer, log, stop and abort reach the run that goes on in the same pi", async (context) => {
  const { cli, pi } = await sharePi(context, smallPlay(), waiting("beside"));
  await pi.type("/workflow");
  await pi.dialog();
  await pi.type("/workflow answer from the keyboard");
  await pi.told(/^Answered brainstorm\.question\.1: from the keyboard$/);
  assert.match((await pi.dialog()).title ?? "", /Question 2 of 3/);
  await pi.type("/workflow log");
  await pi.told(/from the keyboard/);
  await pi.type("/workflow");
  await pi.told(/^A run is already at work in this pi\./);
  await pi.type("/workflow stop");
  await pi.told(/^The run is suspended\. Nothing is lost: \/workflow continues from here\.$/);
  assert.equal((await pending(cli)).id, "brainstorm.question.2");
  for (const answer of ["No ★", "Yes"]) {
    assert.ok(cli.active, "nothing is ended that was not agreed to");
    const typed = pi.type("/workflow abort");
    const sure = await pi.dialog();
    assert.match(
      sure.title ?? "",
      new RegExp(`^Abort Workflow\n\nEnd this run for good\\?[\\s\\S]*\n${goal}\nRun ${cli.active}: `),
    );
    assert.deepEqual(sure.options, ["No ★", "Yes"]);
    pi.answer(sure, answer);
    await typed;
  }
  await pi.told(/is ended\. Its journal is kept/);
  assert.equal(cli.active, undefined);
  assert.equal(cli.file(".superteam-workflow.json"), undefined);
});

test("with a run active a new goal asks first: Escape starts nothing, No goes on, Yes starts anew", async (context) => {
  const { cli, pi } = await sharePi(context, smallPlay(), waiting("instead"));
  const [old] = runsOf(cli);
  const ask = async (): Promise<Shown> => {
    await pi.type(`/workflow ${goal}`);
    const shown = await pi.dialog();
    assert.match(shown.title ?? "", /^Active Workflow\n\nA workflow is already in progress\. Start a new one\?/);
    assert.match(
      shown.title ?? "",
      new RegExp(`\\n\\n${goal}\\nRun ${old}: .*spent \\$`),
      "which run, and what it has cost",
    );
    assert.deepEqual(shown.options, ["No ★", "Yes"], "Enter takes the first, and ends nothing");
    return shown;
  };
  pi.close(await ask());
  await pi.told(
    /already in progress in this tree[\s\S]*Continue it: \/workflow\. See where it stands: \/workflow status/,
  );
  pi.answer(await ask(), "No ★");
  pi.close(await question(pi, /Question 1 of 3/));
  await pi.told(/^The run is suspended\./);
  assert.deepEqual(runsOf(cli), [old]);
  pi.answer(await ask(), "Yes");
  pi.close(await question(pi, /^(Trust|Mode)/));
  assert.equal(runsOf(cli).length, 2);
  assert.notEqual(cli.active, old);
});

test("a run that cannot be read keeps nobody from starting a new one", async (context) => {
  const { cli, pi } = await sharePi(context, smallPlay(), waiting("unreadable"));
  const [old] = runsOf(cli);
  writeFileSync(join(cli.run, "journal.jsonl"), "no journal\n");
  await pi.type(`/workflow ${goal}`);
  const shown = await question(pi, new RegExp(`^Active Workflow\\n[\\s\\S]*\\nRun ${old}\\n`));
  pi.answer(shown, "Yes");
  pi.close(await question(pi, /^(Trust|Mode)/));
  assert.notEqual(cli.active, old);
});

async function question(pi: PiSession, title: RegExp): Promise<Shown> {
  const shown = await pi.dialog();
  assert.match(shown.title ?? "", title);
  return shown;
}

test("another extension's /workflow is told at the start, with the names that work", async (context) => {
  const cli = await openCli(context);
  const other = cli.beside(
    "other.js",
    'export default (pi) => pi.registerCommand("workflow", { description: "theirs", handler: async () => {} });\n',
  );
  const pi = openPi(context, cli, { args: ["-e", other] });
  const { message, notifyType } = await pi.told(/^\/workflow is registered by another extension too/);
  assert.equal(notifyType, "warning");
  assert.ok(message?.includes(other), message);
  const [, ours = ""] = /superteam's is (\/workflow:\d) here\.$/.exec(message ?? "") ?? [];
  for (const name of [ours, "/superteam"]) await pi.type(`${name} status`);
  assert.equal(notices(pi).filter((text) => text.startsWith("No run is active")).length, 2);
});

test("a second pi in the same tree is told who runs there, and its answer reaches that one", async (context) => {
  const cli = waiting("two");
  const first = openPi(context, cli);
  await first.type("/workflow");
  await first.dialog();
  const second = openPi(context, cli);
  await second.told(new RegExp(`It is running in process ${first.child.pid}\\. See more: /workflow status\\.$`));
  await second.type("/workflow");
  await second.told(new RegExp(`^Another runner is at work in this tree: process ${first.child.pid},`));
  await second.type("/workflow answer from next door");
  await second.told(/^Answered brainstorm\.question\.1: from next door$/);
  assert.match((await first.dialog()).title ?? "", /Question 2 of 3/);
});

/** A pi that prints what comes of one line, and ends. */
function printed(cli: Cli, line: string, ...more: readonly string[]): ReturnType<typeof exitOf> {
  const args = [...withBundledParts, piProgram, "-p", ...more, "--no-session", "-e", project, line];
  return exitOf(
    spawn(process.execPath, args, { cwd: cli.root, env: cli.environment, stdio: ["ignore", "pipe", "pipe"] }),
  );
}

test("a pi that only prints goes on to the first question and leaves the run waiting there", async (context) => {
  const cli = await openCli(context);
  const exit = await printed(cli, `/workflow ${goal}`);
  assert.equal(exit.code, 2, exit.stderr);
  assert.match(exit.stderr, /Ignored, because you have not trusted it[\s\S]*The run is suspended/);
  assert.equal((await pending(cli)).id, "triage.mode");
  assert.equal(cli.file(".git/superteam/lock"), undefined);
});

test("a pi that only prints has what it was asked for on stdout, and with --mode json as an entry there", async (context) => {
  const cli = await openCli(context);
  const started = await printed(cli, `/workflow ${goal}`);
  assert.equal(started.stdout, "");
  const { code, stdout, stderr } = await printed(cli, "/workflow status");
  assert.equal(code, 0, stderr);
  assert.match(stdout, new RegExp(`: ${goal}\\n[\\s\\S]*Waiting for you: Mode \\(triage\\.mode\\)`));
  assert.equal(stderr, "");
  const json = await printed(cli, "/workflow status", "--mode", "json");
  const records = json.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const said = records.find(({ type }) => type === "entry_appended")?.entry;
  assert.deepEqual([said?.customType, said?.data.text.split("\n")[0]], ["superteam", stdout.split("\n")[0]]);
  const refused = await printed(cli, "/workflow --budget much");
  assert.deepEqual([refused.code, refused.stdout], [4, ""]);
  assert.notEqual(refused.stderr, "");
});

test("a pi that only prints takes no answer by itself, not even a recommended one", async (context) => {
  const cli = await openCli(context);
  cli.git("rm", "-q", ".superteam.json");
  cli.git("-c", "user.name=p", "-c", "user.email=p@example.org", "commit", "-q", "-m", "Nothing to trust");
  const { stderr } = await printed(cli, `/workflow ${goal}`);
  const { id, recommended } = await pending(cli);
  assert.deepEqual([id, recommended], ["triage.mode", "standard"], stderr);
});

test("a pi that only prints says that there is nothing to go on with", async (context) => {
  const cli = await openCli(context);
  const { code, stderr } = await printed(cli, "/workflow");
  assert.equal(code, 4, stderr);
  assert.match(stderr, /^No run is active in this tree\. Start one: \/workflow <what to build>$/m);
  assert.deepEqual(cli.traces(), []);
});

test("a goal that begins with a command's word is a goal", async (context) => {
  const { cli, pi } = await sharePi(context);
  await pi.type("/workflow status page for visitors");
  await answer(pi, cli, await pi.dialog());
  const [first] = await cli.entries();
  assert.ok(first?.type === "run" && JSON.stringify(first.header.input).includes("status page for visitors"));
});
