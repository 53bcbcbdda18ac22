// E3 and S1 for whatever an agent may do: random edits between a snapshot and going back, or committing.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc, { times } from "../../rig/property.ts";
import type { MakeRepo } from "../repo.ts";
import { anyEdit, applyEdit, rulePaths, somePaths, someTexts } from "./edits.ts";
import { committed, order } from "./order.ts";

const edits = fc.array(anyEdit([...somePaths, ...rulePaths], someTexts), { maxLength: 10 });
const files = { a: "1", b: "1", "d/x": "1", "d/e/z": "1", ".gitignore": "*.log\n" };

export function propertyContract(make: MakeRepo): void {
  test("E3: whatever is done after a snapshot, restoring gives the anchor and every file of the person back", async (t) => {
    const property = fc.asyncProperty(edits, edits, async (before, after) => {
      const rig = await make(t, files);
      for (const each of before) await applyEdit(rig, each);
      await rig.write("keys.log", "ignored, or not, but the person's");
      const anchor = await rig.repo.snapshot("s");
      const then = await rig.files();
      for (const each of after) await applyEdit(rig, each);
      const outcome = await rig.repo.restore(anchor, "undo");

      assert.deepEqual(outcome.leftAlone, []);
      assert.deepEqual(await rig.repo.head(), { sha: anchor.sha, branch: anchor.branch });
      assert.equal(await rig.repo.tree(), anchor.tree);
      const now = await rig.files();
      assert.equal(now.get("keys.log"), then.get("keys.log"));
      for (const name of then.keys()) {
        const held = await rig.show(anchor.ref, name);
        if (held !== undefined) assert.equal(now.get(name), held, name);
      }
    });
    await fc.assert(property, { numRuns: times(6) });
  });

  test("whatever is done after a snapshot becomes at most one commit, and the files are as they were", async (t) => {
    const property = fc.asyncProperty(edits, async (after) => {
      const rig = await make(t, files);
      await rig.write("notes.txt", "the person's");
      const anchor = await rig.repo.snapshot("s");
      for (const each of after) await applyEdit(rig, each);
      await rig.repo.afterWriter({ given: anchor, ours: [] }, "w");
      const now = await rig.files();
      const outcome = await rig.repo.commit(order(anchor));
      const isNothing = outcome.status === "nothing";
      if (!isNothing) assert.equal(await rig.show(committed(outcome).sha, "notes.txt"), undefined);
      assert.deepEqual(await rig.files(), now);
      assert.equal((await rig.log()).length, isNothing ? 1 : 2);
      assert.deepEqual((await rig.repo.changes(await rig.repo.snapshot("after"))).files, []);
    });
    await fc.assert(property, { numRuns: times(4) });
  });
}
