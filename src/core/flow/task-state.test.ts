import assert from "node:assert/strict";
import { test } from "node:test";
import type { TaskStatus } from "./fact.ts";
import { moved } from "./task-state.ts";

const states: readonly TaskStatus[] = [
  "pending",
  "implementing",
  "reviewing",
  "fixing",
  "complete",
  "skipped",
  "escalated",
];
const ways = new Set([
  "pending implementing",
  "implementing reviewing",
  "implementing escalated",
  "implementing skipped",
  "reviewing fixing",
  "reviewing complete",
  "reviewing escalated",
  "fixing reviewing",
  "fixing escalated",
  "escalated implementing",
  "escalated fixing",
  "escalated reviewing",
  "escalated skipped",
  "escalated complete",
]);

test("a task moves along the agreed ways, and every other transition is refused", () => {
  for (const from of states) {
    for (const to of states) {
      if (ways.has(`${from} ${to}`)) assert.equal(moved(from, to), to);
      else assert.throws(() => moved(from, to), { message: `a task that is ${from} cannot become ${to}` });
    }
  }
});

test("a task that is settled stays so", () => {
  for (const settled of ["complete", "skipped"] as const) {
    for (const to of states) assert.throws(() => moved(settled, to));
  }
});
