// One runner per working tree, with real processes that race for the lock, hold it and are killed.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { birthOf, psTable } from "../../../src/adapters/process/table.ts";
import { lockOwner, takeLock } from "../../../src/adapters/store/lock.ts";
import type { LeaseOwner } from "../../../src/ports/runs.ts";
import { start } from "../../rig/store/program.ts";
import { until } from "../../rig/until.ts";

const holder = "hold-lock.ts";
const stale = { pid: 1, birth: "of another process", host: hostname(), runId: "r", since: 1 };

test("a second runner is refused and told who holds the lock", async (t) => {
  const path = await lockPath(t);
  const first = await start(t, holder, path);
  assert.equal((await first.tell("take"))["taken"], true);
  const second = await takeLock(path, "20261115-093000-ab12", 1);
  assert.ok(!second.taken);
  assert.deepEqual(
    [second.owner.pid, second.owner.runId, second.owner.since, second.owner.host],
    [first.pid, `run-of-${first.pid}`, 1234, hostname()],
  );
  assert.match(
    second.message,
    new RegExp(`process ${first.pid}, run run-of-${first.pid}, since 1970-01-01 00:00 UTC.*superteam stop`),
  );
  assert.deepEqual(await lockOwner(path), second.owner);
});

test("a lock that was given back can be taken again, and leaves nothing behind", async (t) => {
  const path = await lockPath(t);
  const first = await start(t, holder, path);
  await first.tell("take");
  await first.tell("release");
  assert.equal(await lockOwner(path), undefined);
  const second = await takeLock(path, "r", 1);
  assert.ok(second.taken);
  await second.lease.release();
  await second.lease.release();
  assert.deepEqual(await readdir(dirname(path)), []);
});

test("the lock of a runner that was killed is taken over", async (t) => {
  const path = await lockPath(t);
  const first = await start(t, holder, path);
  await first.tell("take");
  await first.kill();
  assert.equal(await lockOwner(path), undefined);
  const second = await takeLock(path, "r", 1);
  assert.ok(second.taken);
  assert.equal((await lockOwner(path))?.pid, process.pid);
  assert.deepEqual(await readdir(dirname(path)), ["lock"]);
});

test("a runner that ended but was not reaped does not hold the lock", { skip: withoutProc() }, async (t) => {
  const path = await lockPath(t);
  const rig = join(import.meta.dirname, "../../rig/store", holder);
  // The shell starts the runner and then becomes a program that never looks after it.
  const script = '"$0" "$1" "$2" <&3 & exec sleep 600';
  const parent = spawn("sh", ["-c", script, process.execPath, rig, path], {
    stdio: ["ignore", "pipe", "inherit", "pipe"],
  });
  t.after(() => parent.kill("SIGKILL"));
  const [, output, , input] = parent.stdio;
  assert.ok(output && input && "write" in input);
  const [ready] = await once(output, "data");
  const pid = Number(JSON.parse(String(ready)).ready);
  input.write("take\n");
  await once(output, "data");
  assert.equal((await lockOwner(path))?.pid, pid);
  process.kill(pid, "SIGKILL");
  await until(async () => (await stateOf(pid)) === "Z");
  assert.equal(await lockOwner(path), undefined);
  assert.equal((await takeLock(path, "r", 1)).taken, true);
});

for (const [what, text] of [
  ["whose pid belongs to another process by now", JSON.stringify({ ...stale, pid: process.pid })],
  ["whose process is gone", JSON.stringify({ ...stale, pid: 2 ** 22 + 1 })],
  ["that is empty", ""],
  ["that names no owner", "[1]"],
  ["that names half an owner", JSON.stringify({ ...stale, host: 1 })],
  ["that was cut off", JSON.stringify(stale).slice(0, 20)],
] as const) {
  test(`a lock ${what} is taken over`, async (t) => {
    const path = await lockPath(t);
    await mkdir(dirname(path));
    await writeFile(path, text);
    assert.equal(await lockOwner(path), undefined);
    assert.equal((await takeLock(path, "r", 1)).taken, true);
  });
}

test("the lock of another machine is respected, and the message says how to be rid of it", async (t) => {
  const path = await lockPath(t);
  await mkdir(dirname(path));
  const text = JSON.stringify({ ...stale, host: "elsewhere" });
  await writeFile(path, text);
  const locking = await takeLock(path, "r", 1);
  assert.ok(!locking.taken);
  assert.match(locking.message, /process 1 on elsewhere, run r.*remove .*lock, then try again/s);
  assert.equal(await readFile(path, "utf8"), text);
});

test("a lock that is another's by now is not given back by its former owner", async (t) => {
  const path = await lockPath(t);
  const first = await takeLock(path, "r", 1);
  assert.ok(first.taken);
  await rm(path);
  const second = await start(t, holder, path);
  await second.tell("take");
  await first.lease.release();
  assert.equal((await lockOwner(path))?.pid, second.pid);
});

test("of several who find a dead owner's lock at once exactly one gets it, time after time", async (t) => {
  const path = await lockPath(t);
  await mkdir(dirname(path));
  const runners = await Promise.all(Array.from({ length: 3 }, () => start(t, holder, path)));
  for (let round = 0; round < 40; round++) {
    await writeFile(path, JSON.stringify({ ...stale, nonce: round }));
    const answers = await Promise.all(runners.map((runner) => runner.tell("take")));
    const winners = runners.filter((_, index) => answers[index]?.["taken"] === true);
    assert.equal(winners.length, 1, `round ${round}: ${JSON.stringify(answers)}`);
    // The cast: every answer of the program to `take` names the owner.
    for (const { owner } of answers as unknown as readonly { owner: LeaseOwner }[])
      assert.equal(owner.pid, winners[0]?.pid);
    await winners[0]?.tell("release");
  }
  assert.deepEqual(await readdir(dirname(path)), []);
});

test("runners that come and go and leave dead locks behind are never inside together", async (t) => {
  const path = await lockPath(t);
  const runners = await Promise.all(Array.from({ length: 4 }, () => start(t, holder, path)));
  const answers = await Promise.all(runners.map((runner) => runner.tell("crowd")));
  assert.deepEqual(
    answers.map((answer) => answer["taken"]),
    [30, 30, 30, 30],
  );
  assert.ok(answers.some((answer) => Number(answer["refused"]) > 0));
});

test("a recoverer that died on the way, and one that died recovering from it, keep nobody from recovering", async (t) => {
  const path = await lockPath(t);
  await mkdir(dirname(path));
  const texts = ["owner", "first recoverer", "second recoverer"].map((nonce) => JSON.stringify({ ...stale, nonce }));
  const [lock = "", first = "", second = ""] = texts;
  await writeFile(path, lock);
  await writeFile(tokenFor(path, lock), first);
  await writeFile(tokenFor(path, first), second);
  assert.equal((await takeLock(path, "r", 1)).taken, true);
  assert.deepEqual(await readdir(dirname(path)), ["lock"]);
});

test("a recoverer that is at it already is waited for, not overtaken", async (t) => {
  const path = await lockPath(t);
  await mkdir(dirname(path));
  const text = JSON.stringify(stale);
  await writeFile(path, text);
  const birth = await birthOf(process.pid);
  await writeFile(tokenFor(path, text), JSON.stringify({ ...stale, pid: process.pid, birth }));
  const other = await start(t, holder, path);
  const taking = other.tell("take");
  // What the live recoverer does next: it gives up. The lock stays, and the one who waited recovers it.
  await rm(tokenFor(path, text));
  assert.equal((await taking)["taken"], true);
});

test("the birth of a process stays the same while it lives, and differs from any other's", async (t) => {
  const other = await start(t, holder, "unused");
  const birthFromPs = async (pid: number) => (await psTable()).find((row) => row.pid === pid)?.birth ?? "";
  for (const birth of [birthOf, birthFromPs]) {
    assert.equal(await birth(process.pid), await birth(process.pid));
    assert.ok((await birth(process.pid)) !== "");
    assert.equal(await birth(2 ** 22 + 1), "");
  }
  assert.notEqual(await birthOf(other.pid), await birthOf(process.pid));
  await other.kill();
  assert.equal(await birthOf(other.pid), "");
  assert.equal(await birthFromPs(other.pid), "");
});

function tokenFor(path: string, staleText: string): string {
  return `${path}.stale-${hash("sha256", staleText).slice(0, 16)}`;
}

async function lockPath(t: TestContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "superteam-lock-"));
  t.after(() => rm(root, { recursive: true }));
  return join(root, "superteam", "lock");
}

async function stateOf(pid: number): Promise<string | undefined> {
  return (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.[0];
}

function withoutProc(): string | false {
  return process.platform === "linux" ? false : "needs /proc to see that a process was not reaped";
}
