// The tool `workflow` and the session of pi it is called in: its name beside another's, a run that goes on already, and
// what becomes of a call that is cut short.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { type TestContext, test } from "node:test";
import { withBundledParts } from "../../rig/bundled.ts";
import { exitOf, openCli, program, project } from "../../rig/cli/cli.ts";
import { goal } from "../../rig/cli/small-play.ts";
import { waitingRun } from "../../rig/cli/waiting.ts";
import { allowStart, answerAll, pending } from "../../rig/pi-host/answering.ts";
import { CallingModel } from "../../rig/pi-host/model.ts";
import { openPi, piProgram } from "../../rig/pi-host/session.ts";
import { type Desk, sharePi } from "../../rig/pi-host/shared.ts";

const waiting = waitingRun();

function openWaiting(context: TestContext, model: CallingModel): Promise<Desk> {
  return sharePi(context, model.play(), waiting(context.name));
}

/** Where a run gets by itself to a brainstormer that takes for ever. */
async function openSlow(context: TestContext, model: CallingModel): Promise<Desk> {
  const play = model.play((step) => (step === "brainstorm/questions" ? { latencyMs: 600_000 } : {}));
  const { cli, pi } = await sharePi(context, play);
  cli.beside("config/superteam/config.json", { mode: "standard", execution: { warmSpares: false } });
  cli.git("rm", "-q", ".superteam.json");
  cli.git("-c", "user.name=p", "-c", "user.email=p@example.org", "commit", "-q", "-m", "Ask for nothing");
  return { cli, pi };
}

const theirTool = `export default (pi) => pi.registerTool({
  name: "workflow", label: "theirs", description: "theirs", parameters: { type: "object", properties: {} },
  execute: async () => ({ content: [{ type: "text", text: "theirs" }], details: undefined }),
});\n`;

for (const order of ["before", "after"] as const) {
  test(`another extension's tool of the same name, loaded ${order} ours, keeps it; ours is told with its own`, async (context) => {
    const model = new CallingModel();
    const cli = await openCli(context, { play: model.play() });
    const other = cli.beside("other.js", theirTool);
    const [first, second] = order === "before" ? [other, project] : [project, other];
    const pi = openPi(context, cli, { extension: first, args: ["-e", second] });
    const { message, notifyType } = await pi.told(/^The tool workflow is another extension's/);
    assert.equal(notifyType, "warning");
    assert.ok(message?.includes(`(${other})`), message);
    assert.match(message ?? "", /superteam's is called superteam_workflow in this session\.$/);
    assert.equal((await model.call(pi, "status")).text, "theirs");
    assert.match((await model.call(pi, "status", "superteam_workflow")).text, /^No run is active in this tree\./);
    // A new session has tools of its own; pi says twice that it starts.
    await pi.ask({ type: "new_session" });
    assert.match((await model.call(pi, "status", "superteam_workflow")).text, /^No run is active in this tree\./);
    assert.equal(pi.strayOutput, "");
  });
}

test("Escape in a call stops its agents and suspends the run, and /workflow continues it", async (context) => {
  const model = new CallingModel();
  const { cli, pi } = await openSlow(context, model);
  const outcome = await model.begin(pi, goal);
  await allowStart(pi, cli);
  await pi.until(({ statusText = "" }) => statusText.includes("Generating"), "the agent at work");
  await pi.ask({ type: "abort" });
  const { text } = await outcome();
  assert.match(text, /The run is suspended\.[\s\S]*Interrupted: brainstormer/);
  assert.equal(cli.file(".git/superteam/lock"), undefined);
  assert.ok(cli.active);
  await pi.type("/workflow");
  await pi.told(/interrupted: brainstormer/);
});

for (const how of ["/workflow stop", "superteam stop"]) {
  test(`a model is not told to go on with what the person has stopped: ${how}`, async (context) => {
    const model = new CallingModel();
    const { cli, pi } = await openSlow(context, model);
    const outcome = await model.begin(pi, goal);
    await allowStart(pi, cli);
    await pi.until(({ statusText = "" }) => statusText.includes("Generating"), "the agent at work");
    if (how === "superteam stop") await cli.go("stop");
    else await pi.type(how);
    const stopped = /: the run was stopped\. Continue it only when the person asks/;
    assert.match((await outcome()).text, stopped);
    assert.match((await model.call(pi, "status")).text, stopped, "nor whenever it looks again");
  });
}

test("a session that ends in the middle of a call leaves the run suspended", async (context) => {
  const model = new CallingModel();
  const { cli, pi } = await openSlow(context, model);
  await model.begin(pi, goal);
  await allowStart(pi, cli);
  await pi.until(({ statusText = "" }) => statusText.includes("Generating"), "the agent at work");
  await pi.end();
  assert.equal(pi.child.exitCode, 0, pi.stderr);
  assert.equal(cli.file(".git/superteam/lock"), undefined);
  assert.match((await cli.go("status")).stdout, /Suspended/);
});

test("a run that goes on by /workflow is looked at, not started twice, and answered by the same policy", async (context) => {
  const model = new CallingModel();
  const { cli, pi } = await openWaiting(context, model);
  await pi.type("/workflow");
  await pi.dialog();
  for (const input of ["status", undefined]) {
    const look = await model.call(pi, input);
    assert.equal(look.failed, false);
    assert.match(look.text, new RegExp(`It is running in process ${pi.child.pid}\\.`));
    assert.match(look.text, /Question brainstorm\.question\.1[\s\S]*To answer, call this tool again/);
  }
  const answered = await model.call(pi, "from the model");
  assert.match(answered.text, /^Answered brainstorm\.question\.1: from the model/);
  await answerAll(pi, cli, 3);
  const section = await pi.dialog();
  assert.match(section.title ?? "", /^Design Section/);
  await model.call(pi, "status");
  const refused = await model.call(pi, "yes");
  assert.equal(refused.failed, true);
  assert.match(refused.text, /brainstorm\.section\.1 is the person's decision/);
  assert.equal((await pending(cli)).id, "brainstorm.section.1");
});

test("a run of another process is looked at and answered there", async (context) => {
  const model = new CallingModel();
  const { cli, pi: first } = await openWaiting(context, model);
  await first.type("/workflow");
  await first.dialog();
  const second = openPi(context, cli);
  const look = await model.call(second);
  assert.match(look.text, new RegExp(`It is running in process ${first.child.pid}\\.`));
  assert.match((await model.call(second, "from next door")).text, /^Answered brainstorm\.question\.1: from next door/);
  assert.match((await first.dialog()).title ?? "", /Question 2 of 3/);
  assert.match((await cli.go("log")).stdout, /answered brainstorm\.question\.1: from next door \(by a model\)/);
});

test("superteam answer in the shell of a model is a model's answer, and no way around the policy", async (context) => {
  const model = new CallingModel();
  const { cli, pi } = await openWaiting(context, model);
  const say = (word: string): string => `"${process.execPath}" "${program}" answer ${word} --trust 2>&1`;
  const shaping = await model.callWith(pi, "bash", { command: say("one") });
  assert.match(shaping.text, /^A model of pi runs this command \(PI_SESSION_ID is set\)/);
  assert.match((await cli.go("log")).stdout, /answered brainstorm\.question\.1: one \(by a model\)/);
  for (const word of ["two", "three", "plain"]) await cli.go("answer", word);
  assert.equal((await pending(cli)).id, "brainstorm.section.1");
  const approving = await model.callWith(pi, "bash", { command: say("yes") });
  assert.match(approving.text, /brainstorm\.section\.1 is the person's decision: a model cannot answer it\./);
  assert.equal((await pending(cli)).id, "brainstorm.section.1");
  await cli.go("answer", "yes");
  assert.equal((await pending(cli)).id, "plan.approval");
});

test("in a pi that only prints the person is sent to a terminal", async (context) => {
  const model = new CallingModel();
  const cli = await openCli(context, { play: model.play() });
  model.prepare(goal);
  const args = [
    ...withBundledParts,
    piProgram,
    "-p",
    "--mode",
    "json",
    "--no-session",
    "-e",
    project,
    "Call it, please.",
  ];
  const child = spawn(process.execPath, args, {
    cwd: cli.root,
    env: cli.environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { code, stdout, stderr } = await exitOf(child);
  assert.equal(code, 0, stderr);
  const end = stdout.split("\n").find((line) => line.includes('"tool_execution_end"'));
  assert.match(end ?? stdout, /that they can do it with superteam answer in a terminal of their own/);
  assert.equal((await pending(cli)).id, "preflight.start");
  assert.equal(cli.file(".git/superteam/lock"), undefined);
});
