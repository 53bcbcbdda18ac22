import assert from "node:assert/strict";
import { test } from "node:test";
import { newJournal, rig } from "../../../test/rig/world.ts";
import { gatherExperience } from "./experience.ts";
import { Tally } from "./tally.ts";

test("an estimate knows a limit that the person raised, and says nothing of one that they left", async () => {
  const { world } = rig(await newJournal());
  const left = new Tally();
  assert.equal("raisedUsd" in (await gatherExperience(world, left, [])), false);
  const raised = new Tally();
  Object.assign(raised.view.raised, { usd: 30 });
  assert.equal((await gatherExperience(world, raised, [])).raisedUsd, 30);
});

test("who writes is known with the model for each difficulty, and who reads with one", async () => {
  const { world } = rig(await newJournal());
  const resolve = async (_: string, { difficulty }: { readonly difficulty?: string }) => ({
    model: difficulty ?? "usual",
  });
  Object.assign(world.roles, { resolve });
  const roles = [
    { name: "implementer", access: "write" },
    { name: "scout", access: "read" },
  ] as const;
  const { models } = await gatherExperience(world, new Tally(), roles as never);
  assert.deepEqual(models, {
    implementer: "usual",
    "implementer/easy": "easy",
    "implementer/medium": "medium",
    "implementer/hard": "hard",
    scout: "usual",
  });
});
