import assert from "node:assert/strict";
import { test } from "node:test";
import { PastRun } from "../../core/experience.ts";
import { Pen, viewOf, wholeRun } from "../../engine/views/sample-journal.test.ts";
import { pastRun } from "./retire.ts";

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
  pen.fact("x", { type: "triaged", mode: "full", proposed: "full", reason: "r", breadth: "one", parts: [] });
  const { entries } = pen;
  const line = pastRun({ view: viewOf(entries), entries, how: "finished" });
  assert.deepEqual(PastRun.parse(JSON.parse(JSON.stringify(line))), line);
  const { mode, how, tasks, rounds, dispatches, estimated } = line;
  assert.deepEqual(
    { mode, how, tasks, rounds, dispatches, estimated },
    {
      mode: "full",
      how: "finished",
      tasks: 3,
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

test("a run with a model that has no price is marked, and one that spent nothing has no ratio", () => {
  const { entries } = new Pen().run("g").dispatch("a/dispatch:scout#1", "scout", 0);
  const line = pastRun({ view: viewOf(entries), entries, how: "aborted" });
  assert.deepEqual([line.estimated, line.ceremonyRatio, line.mode], [true, null, null]);
});
