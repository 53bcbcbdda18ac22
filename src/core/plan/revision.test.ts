import assert from "node:assert/strict";
import { test } from "node:test";
import { type DraftTask, planText } from "../../../test/rig/plan.ts";

import fc from "../../../test/rig/property.ts";
import { changedTasks, type Leave, overstepped } from "./revision.ts";

const three: readonly DraftTask[] = [{ id: 1 }, { id: 2, dependsOn: [1] }, { id: 3, dependsOn: [2] }];
const before = planText(three);
const only = (...tasks: number[]): Leave => ({ tasks, mayAdd: false });

test("a revision of the named task alone is taken, in the list, under its heading, or both", () => {
  const inList = planText([{ id: 1 }, { id: 2, dependsOn: [1], title: "Better" }, { id: 3, dependsOn: [2] }]);
  const underHeading = planText([
    { id: 1 },
    { id: 2, dependsOn: [1], description: "Other steps." },
    { id: 3, dependsOn: [2] },
  ]);
  for (const after of [inList, underHeading]) {
    assert.deepEqual(overstepped(before, after, only(2)), []);
    assert.deepEqual(overstepped(before, after, only(3)), ["task 2 was changed, but no finding names it."]);
    assert.deepEqual(changedTasks(before, after), [2]);
  }
});

test("a task that nobody named may not vanish; a named one may, and those that built on it let go of it", () => {
  const without = planText([{ id: 1 }, { id: 3, dependsOn: [] }]);
  assert.deepEqual(overstepped(before, without, only(2)), []);
  assert.deepEqual(overstepped(before, without, only(3)), ["task 2 is gone, but no finding names it."]);
});

test("a task that takes another's number is a change of that task", () => {
  const renumbered = planText([{ id: 1 }, { id: 2, title: "Title 3", files: ["src/3.ts"], description: "Do 3." }]);
  assert.deepEqual(overstepped(before, renumbered, only(2)), ["task 3 is gone, but no finding names it."]);
});

test("a new task needs a finding that asks for one, and a number nobody had", () => {
  const added = planText([{ id: 1 }, { id: 4 }, { id: 2, dependsOn: [1, 4] }, { id: 3, dependsOn: [2] }]);
  assert.deepEqual(overstepped(before, added, { tasks: [], mayAdd: true }), []);
  assert.deepEqual(overstepped(before, added, only()), ["task 4 is new, but no finding asks for a new task."]);
  const gap = planText([{ id: 1 }, { id: 4 }]);
  const filled = planText([{ id: 1 }, { id: 2 }, { id: 4 }]);
  assert.match(overstepped(gap, filled, { tasks: [], mayAdd: true })[0] ?? "", /the new task 2 needs an id above 4/);
});

test("tasks that nobody named keep their order; a named one may move", () => {
  const moved = planText([{ id: 2, dependsOn: [] }, { id: 1 }, { id: 3, dependsOn: [2] }]);
  const free = planText([{ id: 1 }, { id: 2 }, { id: 3, dependsOn: [2] }]);
  assert.deepEqual(overstepped(free, moved, only(2)), []);
  assert.deepEqual(overstepped(free, moved, only(3)), ["tasks that no finding names were put in another order."]);
});

test("the header may change, and white space at the ends of lines says nothing", () => {
  const text = before.text.replace("a bucket", "two buckets").replaceAll("\n", " \r\n");
  assert.deepEqual(overstepped(before, { ...before, text }, only()), []);
});

test("with leave for everything nothing is overstepped", () => {
  const other = planText([{ id: 9, title: "All new" }]);
  assert.deepEqual(overstepped(before, other, { tasks: "all", mayAdd: true }), []);
});

const fields = {
  title: (task: DraftTask) => ({ ...task, title: "Touched" }),
  description: (task: DraftTask) => ({ ...task, description: "Touched." }),
  files: (task: DraftTask) => ({ ...task, files: ["src/touched.ts"] }),
  criteria: (task: DraftTask) => ({ ...task, criteria: ["Touched."] }),
  commands: (task: DraftTask) => ({ ...task, commands: ["touch it"] }),
  covers: (task: DraftTask) => ({ ...task, covers: ["R9"] }),
  complexity: (task: DraftTask) => ({ ...task, complexity: "hard" as const }),
  tdd: (task: DraftTask) => ({ ...task, tdd: "none" as const }),
};
type Touch = keyof typeof fields | "removed";
const touches: readonly Touch[] = [
  "title",
  "description",
  "files",
  "criteria",
  "commands",
  "covers",
  "complexity",
  "tdd",
  "removed",
];

test("a revision that touches a task nobody named is always refused, whatever else it does", () => {
  const scenes = fc.integer({ min: 2, max: 6 }).chain((count) =>
    fc.record({
      count: fc.constant(count),
      named: fc.subarray(
        Array.from({ length: count }, (_, index) => index + 1),
        { maxLength: count - 1 },
      ),
      pick: fc.nat(),
      touch: fc.constantFrom(...touches),
      mayAdd: fc.boolean(),
    }),
  );
  fc.assert(
    fc.property(scenes, ({ count, named, pick, touch, mayAdd }) => {
      const drafts = Array.from({ length: count }, (_, index): DraftTask => ({ id: index + 1 }));
      const unnamed = drafts.map(({ id }) => id).filter((id) => !named.includes(id));
      const victim = unnamed[pick % unnamed.length] ?? 0;
      // What was asked for is done as well.
      const asked = drafts.map((draft) => (named.includes(draft.id) ? fields.description(draft) : draft));
      const after = touched(asked, victim, touch);
      const leave = { tasks: named, mayAdd };
      assert.deepEqual(overstepped(planText(drafts), planText(asked), leave), []);
      assert.ok(overstepped(planText(drafts), after, leave).some((why) => why.startsWith(`task ${victim} `)));
    }),
  );
});

function touched(drafts: readonly DraftTask[], victim: number, touch: Touch) {
  if (touch === "removed") return planText(drafts.filter(({ id }) => id !== victim));
  return planText(drafts.map((draft) => (draft.id === victim ? fields[touch](draft) : draft)));
}
