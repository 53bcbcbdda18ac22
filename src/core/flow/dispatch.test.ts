import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/rig/property.ts";
import { addUsage, noUsage, soundUsage, tokensIn, tokensOf } from "./dispatch.ts";

const turn = { ...noUsage, input: 10, output: 2, costUsd: 0.1 };

test("usage that can be is left as it is", () => {
  assert.equal(soundUsage(turn, 5), turn);
});

test("tokens of a text are estimated at four characters each, the last one whole", () => {
  assert.deepEqual([0, 1, 4, 5, 400].map(tokensIn), [0, 1, 1, 2, 100]);
});

test("usage adds up part by part, and is an estimate when one of the two is", () => {
  const one = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, costUsd: 0.5, estimated: false };
  const other = { input: 10, output: 20, cacheRead: 30, cacheWrite: 40, costUsd: 1, estimated: true };
  const sum = { input: 11, output: 22, cacheRead: 33, cacheWrite: 44, costUsd: 1.5, estimated: true };
  assert.deepEqual(addUsage(one, other), sum);
  assert.equal(addUsage(one, one).estimated, false);
  assert.equal(tokensOf(other), 100);
});

test("usage that cannot be is replaced, part by part, and marked as an estimate", () => {
  assert.deepEqual(soundUsage({ ...turn, input: -1 }, 5), { ...turn, input: 0, estimated: true });
  assert.deepEqual(soundUsage({ ...turn, costUsd: Number.NaN }, 5), { ...turn, costUsd: 5, estimated: true });
  assert.deepEqual(soundUsage({ ...turn, costUsd: 30_000 }, 5), { ...turn, costUsd: 5, estimated: true });
  assert.deepEqual(soundUsage({ ...turn, costUsd: -1 }, 5), { ...turn, costUsd: 5, estimated: true });
});

test("whatever is reported, what is entered can be added up", () => {
  const figure = fc.double();
  const reported = fc.record({ input: figure, output: figure, cacheRead: figure, cacheWrite: figure, costUsd: figure });
  fc.assert(
    fc.property(reported, (numbers) => {
      const sound = soundUsage({ ...numbers, estimated: false }, 0.5);
      assert.ok(tokensOf(sound) >= 0 && Number.isFinite(tokensOf(sound)));
      assert.ok(sound.costUsd >= 0 && sound.costUsd <= 1_000);
    }),
  );
});
