// Turns are a matter of chance, but each that takes turns gets its share.

import assert from "node:assert/strict";
import { test } from "node:test";
import { turnOf } from "./rig/turns.ts";

// As few as there are of what takes turns.
const cases = Array.from({ length: 24 }, (_, index) => index);

for (const count of [2, 3, 4]) {
  test(`each of ${count} that take turns tries a fair share of the cases, and each case is tried once`, () => {
    const turns = Array.from({ length: count }, (_, place) => turnOf(place, count));
    const tried = cases.map(() => turns.flatMap((isTurn, place) => (isTurn() ? [place] : [])));
    assert.ok(tried.every(({ length }) => length === 1));
    const shares = turns.map((_, place) => tried.filter(([one]) => one === place).length);
    for (const share of shares) assert.ok(share >= 8 / count && share <= 40 / count, `${shares}`);
  });
}
