import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { PastRun } from "../../core/money/experience.ts";
import { historyOf } from "./history.ts";

function fileIn(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "superteam-history-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, "history.jsonl");
}

const run = (runId: string, costUsd = 1): PastRun => ({
  v: 1,
  runId,
  goal: "g",
  how: "finished",
  mode: "quick",
  startedAt: 1,
  endedAt: 2,
  activeMs: 1,
  costUsd,
  estimated: false,
  dispatches: 3,
  tasks: 1,
  rounds: 0,
  ceremonyRatio: 0.5,
  samples: [{ role: "scout", difficulty: null, model: "p/m", costsUsd: [0.1], ms: [5] }],
  forecast: null,
});

test("lines of another version, damaged ones and such that were never one are counted and passed over", async (t) => {
  const path = fileIn(t);
  const lines = [
    JSON.stringify({ runId: "old", goal: "g", how: "finished", costUsd: 3 }),
    JSON.stringify({ ...run("newer"), v: 2 }),
    JSON.stringify({ ...run("absurd"), costUsd: -5 }),
    '{"v":1,"runId":"cut',
    "null",
    "\u0000\u0000\u0000",
    JSON.stringify(run("good")),
  ];
  writeFileSync(path, `${lines.join("\n")}\n\n`);
  const { runs, skipped } = await historyOf(path).read();
  assert.deepEqual([runs.map(({ runId }) => runId), skipped], [["good"], 6]);
});

test("a line that was torn off takes no other with it", async (t) => {
  const path = fileIn(t);
  const history = historyOf(path);
  await history.add(run("a"));
  appendFileSync(path, '{"v":1,"runId":"to');
  await history.add(run("b"));
  const { runs, skipped } = await history.read();
  assert.deepEqual([runs.map(({ runId }) => runId), skipped], [["a", "b"], 1]);
  assert.ok(readFileSync(path, "utf8").endsWith("}\n"));
});
