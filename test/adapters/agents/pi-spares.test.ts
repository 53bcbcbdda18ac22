// pi processes started ahead.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { processTable } from "../../../src/adapters/process/table.ts";
import type { AgentEvent } from "../../../src/ports/agents.ts";
import { withPi } from "../../rig/agents/pi.ts";
import { eventsOf, isAlive, never, verdictOf } from "../../rig/agents/rig.ts";
import { found, until } from "../../rig/until.ts";

const yes = () => ({ text: "Yes." });

// One after the other: a spare is found among this process's children.
suite("a warm spare", { timeout: 240_000 }, () => {
  test("serves exactly one dispatch, with that dispatch's prompt", async () => {
    await withPi(yes, {}, async ({ agents, order, server }) => {
      agents.prepare(order());
      agents.prepare(order());
      const spare = await spareOf(process.pid);
      assert.equal(server.requests.length, 0);
      const first = await eventsOf(agents.dispatch(order({ prompt: "Was it warm?" }), never));
      assert.equal(pidOf(first), spare);
      assert.equal(verdictOf(first).type, "finished");
      assert.equal(server.requests[0]?.prompt.trim(), "Was it warm?");
      const second = await eventsOf(agents.dispatch(order(), never));
      assert.notEqual(pidOf(second), spare);
      assert.equal(verdictOf(second).type, "finished");
    });
  });

  test("does not serve another role, model or tree, and leaves without asking a model", async () => {
    await withPi(yes, {}, async ({ agents, order, server }) => {
      agents.prepare(order());
      const spare = await spareOf(process.pid);
      const events = await eventsOf(agents.dispatch(order({ system: "You are someone else." }), never));
      assert.notEqual(pidOf(events), spare);
      assert.equal(await isAlive(spare), true);
      await agents.close();
      assert.equal(await isAlive(spare), false);
      assert.equal(server.requests.length, 1);
    });
  });

  test("that has died is not used", async () => {
    await withPi(yes, {}, async ({ agents, order }) => {
      agents.prepare(order());
      const spare = await spareOf(process.pid);
      process.kill(spare, "SIGKILL");
      await until(async () => !(await isAlive(spare)));
      const events = await eventsOf(agents.dispatch(order(), never));
      assert.equal(verdictOf(events).type, "finished");
    });
  });

  test("goes with a superteam that is killed, and its folder with the next", async () => {
    let host: ChildProcess | undefined;
    await withPi(yes, {}, async ({ host: setup, order, server }) => {
      const program = fileURLToPath(new URL("../../rig/agents/host.ts", import.meta.url));
      host = spawn(process.execPath, [program, JSON.stringify({ setup, order: order(), spare: true })]);
      const spare = await spareOf(host.pid ?? 0);
      assert.equal((await foldersOf(host.pid ?? 0)).length, 1);
      host.kill("SIGKILL");
      await until(async () => !(await isAlive(spare)));
      assert.equal(server.requests.length, 0);
    });
    await withPi(yes, {}, async ({ agents, order }) => agents.prepare(order()));
    assert.deepEqual(await foldersOf(host?.pid ?? 0), []);
    assert.deepEqual(await foldersOf(process.pid), []);
  });
});

async function foldersOf(pid: number): Promise<readonly string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith(`superteam-spare-${pid}-`));
}

function pidOf(events: readonly AgentEvent[]): number {
  const first = events[0];
  assert.equal(first?.type, "spawned");
  return first.process.pid;
}

/** Waits for the one child that is a pi. */
async function spareOf(parent: number): Promise<number> {
  return found(async () => {
    const children = (await processTable()).filter((row) => row.parent === parent);
    for (const { pid } of children) {
      const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
      if (line.includes("--append-system-prompt")) return pid;
    }
    return undefined;
  }, `a spare pi of process ${parent}`);
}
