import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/rig/property.ts";
import { noUsage, soundUsage, tokensOf } from "./dispatch.ts";

const turn = { ...noUsage, input: 10, output: 2, costUsd: 0.1 };

test("usage that can be is left as it is", () => {
  assert.equal(soundUsage(turn, 5), turn);
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
