import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { found, pidIn, until } from "../../../test/rig/until.ts";
import { goneAt } from "./gone.ts";
import { birthOf, processTable } from "./table.ts";

const launcher = fileURLToPath(new URL("./launch.ts", import.meta.url));

let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "superteam-watchdog-"));
});
// The last watchdog may still be writing there.
after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

test("when superteam is killed its processes are gone soon, those that ignore SIGTERM too, and the time is noted", async () => {
  const child = join(folder, "child");
  const stray = join(folder, "stray");
  const script = `trap '' TERM; setsid sh -c 'trap "" TERM; echo $$ > ${stray}; exec sleep 300' & echo $$ > ${child}; while :; do sleep 1; done`;
  const host = hostOf(script, "");
  const pids = await Promise.all([pidIn(child), pidIn(stray)]);
  await pidIn(join(folder, "host"));
  host.kill("SIGKILL");
  await until(async () => (await goneAt(folder)) !== null);
  assert.deepEqual(await Promise.all(pids.map(birthOf)), ["", ""]);
});

test("the watchdog forgets what has ended, and ends what came after it", async () => {
  const [marker, second] = [join(folder, "third"), join(folder, "fourth")];
  const launchSecond = `
    await running.exit;
    await running.end();
    await launch({ command: "/bin/sh", args: ["-c", "echo $$ > ${second}; exec sleep 300"], cwd: "/", env: { PATH: process.env.PATH ?? "" } });
    setInterval(() => undefined, 1000);`;
  const host = hostOf(`echo $$ > ${marker}`, launchSecond);
  await pidIn(marker);
  const pid = await pidIn(second);
  const ended = await goneAt(folder);
  host.kill("SIGKILL");
  await until(async () => (await birthOf(pid)) === "");
  assert.equal(await goneAt(folder), ended);
});

test("the watchdog keeps no finished superteam alive, and goes with it", async () => {
  const host = hostOf(
    "exit 0",
    "await running.exit; await running.end(); await new Promise((go) => process.stdin.on('end', go).resume());",
  );
  const dogs = await watchdogsOf(host.pid ?? 0);
  host.stdin.end();
  const code = await new Promise((resolve) => host.on("exit", resolve));
  assert.equal(code, 0);
  await until(async () => (await Promise.all(dogs.map(birthOf))).every((birth) => birth === ""));
});

test("a watchdog that was killed is replaced, and knows what its predecessor knew", async () => {
  const child = join(folder, "second");
  const told = join(folder, "told");
  const tell = `process.stdin.on("data", () => process.getBuiltinModule("fs").writeFileSync(${JSON.stringify(told)}, "1"));`;
  const host = hostOf(`echo $$ > ${child}; exec sleep 300`, tell);
  const pid = await pidIn(child);
  const first = await watchdogsOf(host.pid ?? 0);
  for (const dog of first) process.kill(dog, "SIGKILL");
  await until(async () => (await watchdogsOf(host.pid ?? 0)).some((dog) => !first.includes(dog)));
  // Its process is there a moment before it is told anything; superteam does both in one turn.
  host.stdin.write("?");
  await pidIn(told);
  host.kill("SIGKILL");
  await until(async () => (await birthOf(pid)) === "");
});

/** A superteam process reduced to one launch, and what it does then. */
function hostOf(script: string, then: string) {
  const order = {
    command: "/bin/sh",
    args: ["-c", script],
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "" },
  };
  const code = `
    const { launch } = await import(${JSON.stringify(launcher)});
    const { running } = await launch(${JSON.stringify(order)});
    running.claim(${JSON.stringify(folder)});
    process.getBuiltinModule("fs").writeFileSync(${JSON.stringify(join(folder, "host"))}, String(process.pid));
    ${then}`;
  return spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["pipe", "ignore", "ignore"] });
}

async function watchdogsOf(pid: number): Promise<readonly number[]> {
  return found(async () => {
    const children = (await processTable()).filter((row) => row.parent === pid);
    const dogs: number[] = [];
    for (const row of children) {
      const line = await readFile(`/proc/${row.pid}/cmdline`, "utf8").catch(() => "");
      if (line.includes("superteam-watchdog")) dogs.push(row.pid);
    }
    return dogs.length > 0 ? dogs : undefined;
  }, `a watchdog of process ${pid}`);
}
