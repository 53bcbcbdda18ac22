// When the index was written says whether the person staged something after the agents were gone (E3): superteam's own writing must not.

import assert from "node:assert/strict";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeRig } from "./rig.ts";

const minute = 60_000;

test("E3: what superteam itself does to the index of an interrupted agent is no sign of the person", async (t) => {
  const rig = await makeRig(t);
  await rig.write("notes.txt", "mine");
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.git("add", "notes.txt");
  await rig.git("update-index", "--assume-unchanged", "a.txt");
  const goneAt = Date.now() - minute;
  const before = new Date(goneAt - minute);
  await utimes(join(rig.root, ".git/index"), before, before);
  const around = await repo.undoAround(anchor, goneAt, "i");
  assert.equal(around?.settings.length, 1, "the flag was taken back");
  assert.equal(await repo.personAtWork(anchor, goneAt), undefined);
  await rig.git("update-index", "--force-remove", "a.txt");
  assert.match((await repo.personAtWork(anchor, goneAt)) ?? "", /^What is staged was changed at /);
});
