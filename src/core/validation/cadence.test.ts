import assert from "node:assert/strict";
import { test } from "node:test";
import { cadences, isSuiteDue } from "./cadence.ts";

test("S3-20, S3-21, S3-35: the suite runs after every task, after every few, or when somebody asks", () => {
  const due = (validationCadence: (typeof cadences)[number]) =>
    [0, 1, 2, 3].map((pending) => isSuiteDue({ validationCadence, validationInterval: 3 }, pending));
  assert.deepEqual(cadences.map(due), [
    [true, true, true, true],
    [false, false, true, true],
    [false, false, false, false],
  ]);
});
