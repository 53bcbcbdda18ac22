import assert from "node:assert/strict";
import { test } from "node:test";
import { type RunLine, runLine, runTable } from "./runs.ts";

const finished: RunLine = {
  runId: "20260101-000000-abcd",
  goal: "Add search\nto the page",
  how: "finished",
  mode: "quick",
  startedAt: 0,
  activeMs: 61_000,
  costUsd: 1.5,
  dispatches: 7,
  tasks: 3,
  completed: 2,
};
const { completed: _, ...unknown } = { ...finished, how: "unfinished" as const, mode: null, tasks: 0 };

test("each run has a line, with how many of its tasks were completed where that is known", () => {
  const lines = runTable([finished, { ...unknown, runId: "20260102-000000-abcd" }]);
  assert.deepEqual(
    lines.map((line) => line.replaceAll(/ {2,}/g, "|")),
    [
      "run|end|mode|cost|time|tasks|goal",
      "20260101-000000-abcd|finished|quick|$1.50|1m 01s|2/3|Add search to the page",
      "20260102-000000-abcd|unfinished|$1.50|1m 01s|0|Add search to the page",
    ],
  );
});

test("numbers are aligned to the right, words to the left, and no line ends in blanks", () => {
  const lines = runTable([finished, { ...finished, costUsd: 12.5, goal: "x" }]);
  assert.deepEqual(
    lines.map((line) => / +(?:cost|\$[\d.]+)/.exec(line)?.[0]),
    ["     cost", "   $1.50", "  $12.50"],
  );
  assert.ok(lines.every((line) => line === line.trimEnd()));
});

test("a repository without a run says so", () => {
  assert.deepEqual(runTable([]), ["There are no runs in this repository yet."]);
});

test("the JSON of a run has no more than the history of runs has", () => {
  const more = { ...finished, journal: "secret" };
  assert.deepEqual(runLine(more), finished);
});
