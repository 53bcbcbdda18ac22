import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { plainOrder } from "../../../test/rig/agents/rig.ts";
import type { AgentOrder } from "../../ports/agents.ts";
import type { Exit, Running } from "../process/launch.ts";
import { birthOf } from "../process/table.ts";
import { sparesOf } from "./spares.ts";

test("nothing of a spare is kept once it has served, however long it could have waited", async () => {
  const { start, endAll } = await processes();
  const spares = sparesOf(start, { count: 1, idleMs: 3_600_000 });
  const before = liveBytes();
  for (let count = 1; count <= 50; count++) {
    const order = orderWith(`${count} You test. `.repeat(20_000));
    spares.prepare(order);
    assert.notEqual(await spares.take(order), undefined);
    endAll();
  }
  assert.ok(liveBytes() - before < 5_000_000);
  await spares.close();
});

test("processes of one setup share a folder, which goes with the last of them", async () => {
  const { start, endAll, folders } = await processes();
  const spares = sparesOf(start, { count: 2, idleMs: 1000 });
  for (const system of ["You test.", "You test.", "You review."]) {
    spares.prepare(orderWith(system));
    assert.notEqual(await spares.take(orderWith(system)), undefined);
  }
  const [first = "", second, third = ""] = folders;
  assert.equal(first, second);
  assert.notEqual(first, third);
  assert.ok(existsSync(first) && existsSync(third));
  endAll();
  await spares.close();
  assert.equal(existsSync(dirname(first)), false);
});

test("a folder that somebody cleaned up is made again", async () => {
  const { start, endAll, folders } = await processes();
  const spares = sparesOf(start, { count: 2, idleMs: 1000 });
  spares.prepare(orderWith("You test."));
  rmSync(dirname(folders[0] ?? ""), { recursive: true });
  spares.prepare(orderWith("You review."));
  assert.ok(existsSync(folders[1] ?? ""));
  endAll();
  await spares.close();
});

function orderWith(system: string): AgentOrder {
  return { ...plainOrder, id: "1-spare", backend: "none", cwd: "/", folder: "/", system };
}

/** Whatever is started seems to be this very process, which is alive. */
async function processes() {
  const mark = { pid: process.pid, birth: await birthOf(process.pid), tag: "none" };
  const ends: ((exit: Exit) => void)[] = [];
  const folders: string[] = [];
  const start = async (_: AgentOrder, folder: string): Promise<Running> => {
    folders.push(folder);
    const { promise: exit, resolve } = Promise.withResolvers<Exit>();
    ends.push(resolve);
    const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
    const rest = { unwatched: undefined, claim: () => undefined, strays: async () => [], end: async () => [] };
    return { mark, ...streams, exit, ...rest };
  };
  const endAll = (): void => {
    for (const end of ends.splice(0)) end({ how: "exited", code: 0 });
  };
  return { start, endAll, folders };
}

/** Of what is still referred to. */
function liveBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}
