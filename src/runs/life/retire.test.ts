import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Pen, startedAt, viewOf, wholeRun } from "../../../test/rig/sample-journal.ts";
import { fileRuns } from "../../adapters/store/file-runs.ts";
import { PastRun } from "../../core/money/experience.ts";
import { pastRun, retire } from "./retire.ts";

test("the line of a run in the history has its cost, its share of ceremony and what each kind of dispatch cost", () => {
  const pen = new Pen();
  const forecast = {
    dispatches: 9,
    lowUsd: 1,
    expectedUsd: 1.5,
    highUsd: 3,
    lowMs: 1,
    highMs: 2,
    samples: 0,
    spentUsd: 0,
  };
  wholeRun(pen).fact("x", { type: "forecast", forecast });
  pen.fact("x", { type: "triaged", mode: "full", proposed: "full", reason: "r", breadth: "one", parts: [], rounds: 5 });
  const { entries } = pen;
  const line = pastRun(viewOf(entries), "finished");
  assert.deepEqual(PastRun.parse(JSON.parse(JSON.stringify(line))), line);
  const { mode, how, tasks, completed, rounds, dispatches, estimated } = line;
  assert.deepEqual(
    { mode, how, tasks, completed, rounds, dispatches, estimated },
    {
      mode: "full",
      how: "finished",
      tasks: 3,
      completed: 2,
      rounds: 1,
      dispatches: 8,
      estimated: true,
    },
  );
  assert.ok(Math.abs(line.costUsd - 1.9) < 1e-9 && Math.abs((line.ceremonyRatio ?? 0) - 0.62 / 1.9) < 1e-9);
  assert.equal(line.activeMs, 6 * 60_000);
  assert.deepEqual(line.forecast, forecast);
  const reviews = line.samples.find(({ role }) => role === "spec-reviewer");
  assert.equal(reviews?.model, "fake/opus");
  assert.deepEqual(
    reviews?.costsUsd.map((cost) => cost.toFixed(2)),
    ["0.20", "0.27"],
    "tries are one dispatch",
  );
});

test("a run that ends has one line in the history, with what it was and what it came to, and is active no longer", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "superteam-retire-"));
  t.after(() => rm(folder, { recursive: true }));
  const runs = fileRuns({ gitDir: folder, commonDir: folder });
  await runs.writeActive("20260207-135200-abcd");
  const { entries } = wholeRun();
  const ended: string[] = [];
  const removePlaces = async (runId: string) => void ended.push(runId);
  await retire({ runs, removePlaces }, viewOf(entries), "aborted");
  assert.deepEqual(ended, ["run-1"], "its places go with it");
  assert.equal(await runs.readActive(), undefined);
  const lines = readFileSync(join(folder, "superteam/history.jsonl"), "utf8").trimEnd().split("\n");
  assert.equal(lines.length, 1);
  const { samples, ceremonyRatio, costUsd, prices, ...line } = PastRun.parse(JSON.parse(lines[0] ?? ""));
  assert.deepEqual(line, {
    v: 1,
    runId: "run-1",
    goal: "Add rate limiting",
    how: "aborted",
    mode: null,
    startedAt,
    endedAt: startedAt + 66 * 60_000,
    activeMs: 6 * 60_000,
    estimated: true,
    dispatches: 8,
    tasks: 3,
    completed: 2,
    rounds: 1,
    forecast: null,
  });
  assert.equal(costUsd.toFixed(2), "1.90");
  assert.deepEqual(Object.keys(prices ?? {}), ["fake/opus"]);
  assert.equal(ceremonyRatio?.toFixed(2), "0.33");
  assert.deepEqual(
    samples.map(({ role }) => role),
    ["scout", "brainstormer", "implementer", "spec-reviewer"],
  );
});

test("a run with a model that has no price is marked, and one that spent nothing has no ratio", () => {
  const { entries } = new Pen().run("g").dispatch("a/dispatch:scout#1", "scout", 0);
  const line = pastRun(viewOf(entries), "aborted");
  assert.deepEqual([line.estimated, line.ceremonyRatio, line.mode], [true, null, null]);
});
