import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { birthOf } from "../process/table.ts";
import { shellChecks } from "./shell.ts";

const never = new AbortController().signal;
let cwd = "";
before(async () => {
  cwd = await mkdtemp(join(tmpdir(), "superteam-checks-"));
});
after(() => rm(cwd, { recursive: true, force: true }));

test("a command tells its exit code and what it printed, on both streams", async () => {
  const run = await checks().run("echo out; echo err >&2; exit 3", never);
  assert.deepEqual([run.exitCode, run.signal, run.timedOut], [3, null, false]);
  assert.deepEqual(run.output.trim().split("\n").sort(), ["err", "out"]);
});

test("a command that does not exist fails with 127", async () => {
  const run = await checks().run("no-such-command-here", never);
  assert.equal(run.exitCode, 127);
});

test("a tree that does not exist is a failure with a reason", async () => {
  const run = await shellChecks({ cwd: join(cwd, "none"), environment: [] }).run("true", never);
  assert.equal(run.exitCode, null);
  assert.match(run.output, /could not be started/);
});

test("a command that dies by a signal has no exit code", async () => {
  const run = await checks().run("kill -9 $$", never);
  assert.deepEqual([run.exitCode, run.signal], [null, "SIGKILL"]);
});

test("a command that takes too long is ended, and so is what it started", async () => {
  const run = await checks(400).run("sleep 300 & echo $! > late; setsid sleep 300 & echo $! >> late; wait", never);
  assert.deepEqual([run.exitCode, run.timedOut], [null, true]);
  assert.deepEqual(await alive("late"), []);
});

test("aborting ends the whole tree of a command", async () => {
  const abort = new AbortController();
  const running = checks().run("sleep 300 & echo $! > early; wait", abort.signal);
  while ((await readFile(join(cwd, "early"), "utf8").catch(() => "")) === "") await pause(10);
  abort.abort();
  assert.equal((await running).timedOut, false);
  assert.deepEqual(await alive("early"), []);
});

test("what a command leaves in the background is ended with it", async () => {
  const run = await checks().run("setsid sleep 300 > /dev/null 2>&1 & echo $! > left", never);
  assert.equal(run.exitCode, 0);
  assert.deepEqual(await alive("left"), []);
});

test("of much output the end is kept, cut between characters", async () => {
  const run = await checks().run(
    `i=0; while [ $i -lt 3000 ]; do echo "${"é".repeat(40)}"; i=$((i+1)); done; echo end`,
    never,
  );
  assert.ok(Buffer.byteLength(run.output) < 66_000);
  assert.match(run.output, /^\[\.\.\. \d+ bytes left out\]\n/);
  assert.ok(run.output.endsWith("end\n"));
  assert.ok(!run.output.includes("\uFFFD"));
});

function checks(timeoutMs?: number) {
  return shellChecks({ cwd, environment: [], ...(timeoutMs === undefined ? {} : { timeoutMs }) });
}

async function alive(file: string): Promise<readonly number[]> {
  const pids = (await readFile(join(cwd, file), "utf8")).trim().split("\n").map(Number);
  const births = await Promise.all(pids.map(birthOf));
  return pids.filter((_, index) => births[index] !== "");
}
