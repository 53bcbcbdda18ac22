// What everything that runs checks promises (ports/checks.ts): T3 and T4 rest on the exit code and the signal it tells.

import assert from "node:assert/strict";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { birthOf } from "../../src/adapters/process/table.ts";
import type { Checks } from "../../src/ports/checks.ts";
import { until } from "../rig/until.ts";

export interface ChecksUnderTest {
  readonly checks: Checks;
  /** The working tree that commands run in. */
  readonly root: string;
}

/** `timeoutMs`: how long a command may take; otherwise longer than any test. */
export type MakeChecks = (t: TestContext, timeoutMs?: number) => Promise<ChecksUnderTest>;

const never = new AbortController().signal;

export function checksContract(name: string, make: MakeChecks): void {
  describe(`checks: ${name}`, () => {
    outcomeContract(make);
    endingContract(make);
  });
}

function outcomeContract(make: MakeChecks): void {
  test("T3: a command tells its exit code and what it printed, on both streams", async (t) => {
    const { checks } = await make(t);
    const run = await checks.run("echo out; echo err >&2; exit 3", never);
    assert.deepEqual([run.exitCode, run.signal, run.timedOut], [3, null, false]);
    assert.deepEqual(run.output.trim().split("\n").sort(), ["err", "out"]);
    assert.ok(run.durationMs >= 0);
  });

  test("a command runs in the working tree", async (t) => {
    const { checks, root } = await make(t);
    assert.equal((await checks.run("echo here > made.txt", never)).exitCode, 0);
    assert.equal(await readFile(join(root, "made.txt"), "utf8"), "here\n");
  });

  test("T3: what a command runs from is known by name, and an installed program by its content", async (t) => {
    const { checks, root } = await make(t);
    const bin = join(root, "node_modules/.bin");
    await mkdir(bin, { recursive: true });
    await mkdir(join(root, "node_modules/tool"));
    await writeFile(join(root, "node_modules/tool/cli.mjs"), "1");
    await symlink("../tool/cli.mjs", join(bin, "tool"));
    await writeFile(
      join(root, "package.json"),
      JSON.stringify({ scripts: { test: "node scripts/check.mjs && tool" } }),
    );
    const first = await checks.files("npm test");
    assert.equal(first.command, "npm test");
    assert.ok(first.names.includes("scripts/check.mjs"));
    assert.deepEqual(Object.keys(first.programs), ["node_modules/.bin/tool"]);
    assert.deepEqual(await checks.files("npm test"), first);
    await writeFile(join(root, "node_modules/tool/cli.mjs"), "2");
    assert.notDeepEqual((await checks.files("npm test")).programs, first.programs);
  });

  test("T3: a command that does not exist fails with 127", async (t) => {
    const { checks } = await make(t);
    assert.equal((await checks.run("no-such-command-here", never)).exitCode, 127);
  });

  test("T4: a command that dies by a signal has no exit code", async (t) => {
    const { checks } = await make(t);
    const run = await checks.run("kill -9 $$", never);
    assert.deepEqual([run.exitCode, run.signal], [null, "SIGKILL"]);
  });

  test("of much output the end is kept, cut between characters", async (t) => {
    const { checks } = await make(t);
    const line = "é".repeat(40);
    const run = await checks.run(`i=0; while [ $i -lt 3000 ]; do echo "${line}"; i=$((i+1)); done; echo end`, never);
    assert.ok(Buffer.byteLength(run.output) < 66_000);
    assert.match(run.output, /^\[\.\.\. \d+ bytes left out\]\n/);
    assert.ok(run.output.endsWith("end\n"));
    assert.ok(!run.output.includes("\uFFFD"));
  });
}

function endingContract(make: MakeChecks): void {
  test("T3: a command that takes too long is ended, and so is what it started", async (t) => {
    const { checks, root } = await make(t, 400);
    const command = "sleep 300 & echo $! > late; setsid sleep 300 & echo $! >> late; wait";
    const run = await checks.run(command, never);
    assert.deepEqual([run.exitCode, run.timedOut], [null, true]);
    assert.deepEqual(await alive(join(root, "late")), []);
  });

  test("E8: aborting ends the whole tree of a command", async (t) => {
    const { checks, root } = await make(t);
    const abort = new AbortController();
    const running = checks.run("sleep 300 & echo $! > early; wait", abort.signal);
    await until(async () => (await readFile(join(root, "early"), "utf8").catch(() => "")) !== "");
    abort.abort();
    assert.equal((await running).timedOut, false);
    assert.deepEqual(await alive(join(root, "early")), []);
  });

  test("E8: what a command leaves in the background is ended with it", async (t) => {
    const { checks, root } = await make(t);
    const run = await checks.run("setsid sleep 300 > /dev/null 2>&1 & echo $! > left", never);
    assert.equal(run.exitCode, 0);
    assert.deepEqual(await alive(join(root, "left")), []);
  });
}

async function alive(file: string): Promise<readonly number[]> {
  const pids = (await readFile(file, "utf8")).trim().split("\n").map(Number);
  const births = await Promise.all(pids.map(birthOf));
  return pids.filter((_, index) => births[index] !== "");
}
