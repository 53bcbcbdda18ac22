// A run that is split, dropped at each record while it puts its parts in line: they are there once, and in order.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { queueOf } from "../../../src/adapters/store/queue.ts";
import type { World } from "../../../src/engine/drive/world.ts";
import type { Entry } from "../../../src/ports/journal.ts";
import { checkAll, describeDrop, dropper, repeatedAfter } from "../../rig/pipeline/drop.ts";
import { goOn, makeRepository } from "../../rig/pipeline/run.ts";
import { playFrom } from "../../rig/pipeline/scripts.ts";
import { scouted } from "../../rig/triage.ts";

const goal = "Write two letters";
const parts = ["First letter", "Second letter"].map((title) => ({ title, scope: `${title} and no other` }));
const play = playFrom({ "brainstorm/scout": { text: scouted("A README.", { breadth: "splits", parts }) } });
const answers = { "triage.mode": ["quick"], "triage.breadth": ["splits"] };

const inSplit = (entry: Entry): boolean => {
  const where = "key" in entry ? entry.key : "scope" in entry ? entry.scope : "";
  return where.startsWith("split");
};

async function lineIn(root: string): Promise<readonly string[]> {
  const waiting = await queueOf(join(root, ".git/superteam/queue.json"), async () => false).list();
  return waiting.map(({ goal: said, mode, branch, base }) => `${said.split(":")[0]} ${mode} ${branch} ${base.branch}`);
}

const expected = ["First letter quick superteam/first-letter main", "Second letter quick superteam/second-letter main"];

test("a run that dies right after its parts are in line does not put them there again", async (context) => {
  const root = mkdtempSync(join(tmpdir(), "superteam-split-"));
  context.after(() => rmSync(root, { recursive: true, force: true }));
  makeRepository(root);
  const around = (world: World): World => ({
    ...world,
    queue: {
      add: async (runs, mark) => {
        await world.queue.add(runs, mark);
        throw Object.assign(new Error("the machine is gone"), { code: "EIO" });
      },
    },
  });
  await assert.rejects(goOn({ root, goal, play, answers, around }), /the machine is gone/);
  assert.deepEqual(await lineIn(root), expected);
  const { end } = await goOn({ root, goal, play, answers });
  assert.equal(end.how, "finished");
  assert.deepEqual(await lineIn(root), expected);
});

test("a run dropped while it puts its parts in line has them there once", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "superteam-split-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, "whole");
  makeRepository(root);
  const { watch, drops } = dropper(root, folder, inSplit);
  const { end } = await goOn({ root, goal, play, answers, watch });
  assert.equal(end.how, "finished");
  assert.deepEqual(await lineIn(root), expected);
  assert.ok(drops.length > 10, `${drops.length} drops`);
  await checkAll(drops, async (drop) => {
    const resumed = await goOn({
      root: drop.root,
      goal,
      play,
      answers,
      goneAt: () => Promise.resolve(drop.at),
    });
    const where = describeDrop(drop, resumed.entries);
    assert.equal(resumed.end.how, "finished", where);
    assert.deepEqual(await lineIn(drop.root), expected, where);
    assert.deepEqual(repeatedAfter(drop, resumed.entries), [], where);
  });
});
