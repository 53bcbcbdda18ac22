import assert from "node:assert/strict";
import { test } from "node:test";
import { Config } from "../run/config.ts";
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

test("S3-24: a configuration that knows nothing of all this has the suite run for every task, with commands that are found", () => {
  const { validationCadence, validationInterval, testCommand, validationCommand, worktree } = Config.parse({});
  assert.deepEqual([validationCadence, validationInterval], ["every", 3]);
  assert.deepEqual([testCommand, validationCommand], [undefined, undefined]);
  assert.deepEqual(worktree, { copy: [], setup: "", copyLimitMb: 2000 });
});
