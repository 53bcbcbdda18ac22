import assert from "node:assert/strict";
import { test } from "node:test";
import { findPlanted, plants } from "../simulation/planted.ts";

for (const plant of plants) {
  test(`the simulation finds a planted fault: ${plant.name}`, async () => {
    assert.notEqual(await findPlanted(plant, 200), undefined);
  });
}
