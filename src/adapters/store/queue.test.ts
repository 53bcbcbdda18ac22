import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { QueuedRun } from "../../core/flow/flow.ts";
import type { WaitingRun } from "../../ports/runs.ts";
import { type QueueFile, queueOf, type Taking } from "./queue.ts";

const base = { sha: "a".repeat(40), branch: "main" };
const wishes = { dryRun: false, skipBrainstorm: true };
const run = (name: string): QueuedRun => ({
  goal: `Do ${name}`,
  mode: "quick",
  branch: `superteam/${name}`,
  base,
  ...wishes,
});

function line(context: TestContext): { readonly queue: QueueFile; readonly path: string } {
  const folder = mkdtempSync(join(tmpdir(), "superteam-queue-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "deep/queue.json");
  return { queue: queueOf(path), path };
}

const goals = (runs: readonly WaitingRun[]): readonly string[] => runs.map(({ goal }) => goal);

/** A taker that starts whatever it is given, in these names. */
const starting = (names: { run: string; branch: string }, started: readonly string[] = []): Taking<string> => ({
  isStarted: (id) => Promise.resolve(started.includes(id)),
  start: async (waiting, claim) => {
    await claim(names);
    return waiting.goal;
  },
});

test("runs wait in order, and each is taken once", async (context) => {
  const { queue } = line(context);
  await queue.add([run("one"), run("two")], "r/queue:#1");
  assert.deepEqual(goals(await queue.list()), ["Do one", "Do two"]);
  const takings = [1, 2, 3].map(() => queue.take(starting({ run: "x", branch: "y" })));
  const taken = await Promise.all(takings);
  assert.deepEqual(taken.toSorted(), ["Do one", "Do two", undefined], "whoever comes first");
  assert.deepEqual(await queue.list(), []);
});

test("what was put in line is not put there again, even when all of it was taken meanwhile", async (context) => {
  const { queue } = line(context);
  await queue.add([run("one")], "r/queue:#1");
  await queue.add([run("one")], "r/queue:#1");
  assert.equal((await queue.list()).length, 1);
  await queue.take(starting({ run: "x", branch: "y" }));
  await queue.add([run("one")], "r/queue:#1");
  assert.deepEqual(await queue.list(), []);
});

test("a taker that ends before the run is started leaves it first in line, with the names it had chosen", async (context) => {
  const { queue } = line(context);
  await queue.add([run("one"), run("two")], "r/queue:#1");
  const taker: Taking<never> = {
    isStarted: () => Promise.resolve(false),
    start: async (_waiting, claim) => {
      await claim({ run: "id-1", branch: "superteam/one-2" });
      throw new Error("killed");
    },
  };
  await assert.rejects(queue.take(taker), /killed/);
  const [first] = await queue.list();
  assert.deepEqual({ ...run("one"), branch: "superteam/one-2", run: "id-1", mark: "r/queue:#1" }, first);
  assert.equal(await queue.take(starting({ run: "id-2", branch: "y" })), "Do one");
});

test("a run whose taker was killed after it had started it is not started again", async (context) => {
  const { queue, path } = line(context);
  await queue.add([run("one"), run("two")], "r/queue:#1");
  const file = JSON.parse(readFileSync(path, "utf8"));
  file.runs[0].run = "id-1";
  writeFileSync(path, JSON.stringify(file));
  assert.equal(await queue.take(starting({ run: "id-2", branch: "y" }, ["id-1"])), "Do two");
  assert.deepEqual(await queue.list(), []);
});

for (const [what, text] of [
  ["is cut off", '{"v":1,"runs":[{"goal":"Do'],
  ["is of another version", '{"v":2,"runs":[]}'],
  ["is somebody else's", "[1, 2]"],
  [
    "names a branch that git would take for an option",
    JSON.stringify({ v: 1, runs: [{ ...run("one"), mark: "m", branch: "--force" }] }),
  ],
] as const) {
  test(`a file that ${what} is told with its path and what to do, and left as it is`, async (context) => {
    const { queue, path } = line(context);
    await queue.add([], "r/queue:#1");
    writeFileSync(path, text);
    const tries = [
      () => queue.list(),
      () => queue.add([run("one")], "r/queue:#2"),
      () => queue.take(starting({ run: "x", branch: "y" })),
    ];
    for (const attempt of tries) {
      await assert.rejects(attempt, (error: Error) => {
        assert.equal(error.name, "StoreFailure");
        assert.ok(error.message.includes(path));
        assert.match(error.message, /left as it is[\s\S]*Mend it, or move it away/);
        return true;
      });
    }
    assert.equal(readFileSync(path, "utf8"), text);
  });
}
