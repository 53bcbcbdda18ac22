import assert from "node:assert/strict";
import { test } from "node:test";
import { Pen, wholeRun } from "../../../../test/rig/sample-journal.ts";
import type { Entry } from "../../../ports/journal.ts";
import { applyEntry } from "../fold/run-view.ts";
import { RunView } from "../fold/shape.ts";
import { EventLines } from "./event-lines.ts";
import { toEvents, warningEvent } from "./events.ts";

/** What a runner tells of these entries; after the fifth an agent is silent. */
function toldOf(entries: readonly Entry[]): readonly string[] {
  const [lines, view] = [new EventLines(), new RunView()];
  return entries.flatMap((entry) => {
    applyEntry(view, entry);
    const between = entry.seq === 5 ? [warningEvent(view, entry.at, "silent")] : [];
    return [...toEvents(entry, view), ...between].map((event) => lines.next(event));
  });
}

function readAll(kept: readonly string[], entries: readonly Entry[]): readonly string[] {
  const lines = new EventLines();
  const known = lines.kept(kept);
  lines.journaled(entries);
  return [...known, ...lines.made()];
}

test("U9: whatever tail of the events is lost, the journal gives it back with the same numbers", () => {
  const { entries } = wholeRun();
  const told = toldOf(entries);
  const silent = told.findIndex((line) => line.includes('"silent"'));
  assert.ok(silent > 0);
  for (let left = silent + 1; left <= told.length; left++)
    assert.deepEqual(readAll(told.slice(0, left), entries), told);
  const numbers = readAll([], entries).map((line) => JSON.parse(line).seq);
  assert.deepEqual(
    numbers,
    [...numbers.keys()].map((index) => index + 1),
  );
});

test("a follower is given each event once, whether its runner or the journal tells of it first", () => {
  const { entries } = new Pen().run("g").enter("plan", "phase");
  const told = toldOf(entries);
  const lines = new EventLines();
  assert.deepEqual(lines.kept(told.slice(0, 1)), told.slice(0, 1));
  lines.journaled(entries);
  assert.deepEqual(lines.made(), told.slice(1));
  assert.deepEqual(lines.kept(told), []);
});

test("a line that cannot be read is left out, and what it told is made from the journal", () => {
  const { entries } = new Pen().run("g").enter("plan", "phase");
  const told = toldOf(entries);
  assert.deepEqual(readAll([...told.slice(0, -1), '{"seq":'], entries), told);
});
