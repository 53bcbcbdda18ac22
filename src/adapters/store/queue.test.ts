import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { QueuedRun } from "../../core/flow/flow.ts";
import { OutsideFailure } from "../../ports/failure.ts";
import type { RunQueue, StartWaiting } from "../../ports/runs.ts";
import { queueOf } from "./queue.ts";

const base = { sha: "a".repeat(40), branch: "main" };
const wishes = { dryRun: false, skipBrainstorm: true };
const run = (name: string): QueuedRun => ({
  goal: `Do ${name}`,
  mode: "quick",
  branch: `superteam/${name}`,
  base,
  ...wishes,
});

function line(context: TestContext): { readonly queue: RunQueue; readonly path: string } {
  const folder = mkdtempSync(join(tmpdir(), "superteam-queue-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "deep/queue.json");
  return { queue: queueOf(path, async () => false), path };
}

/** A taker that starts whatever it is given, in these names. */
const starting =
  (names: { run: string; branch: string }): StartWaiting<string> =>
  async (waiting, claim) => {
    await claim(names);
    return waiting.goal;
  };

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
      await assert.rejects(attempt, (error: unknown) => {
        assert.ok(error instanceof OutsideFailure);
        assert.ok(error.message.includes(path));
        assert.match(error.message, /was not changed[\s\S]*Fix it, or move it away/);
        return true;
      });
    }
    assert.equal(readFileSync(path, "utf8"), text);
  });
}
