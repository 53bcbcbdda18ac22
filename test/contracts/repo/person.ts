// Signs that the person has worked in the tree since the agents were gone (E3): a restore would then undo their work too.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { MakeRepo } from "../repo.ts";

const minute = 60_000;

export function personContract(make: MakeRepo): void {
  test("E3: the person was at work when the branch changed or no longer contains the anchor", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    const anchor = await rig.repo.snapshot("s");
    const later = Date.now() + minute;
    await rig.commit("the agent may commit");
    assert.equal(await rig.repo.personAtWork(anchor, later), undefined);
    await rig.checkout("feature");
    assert.equal(await rig.repo.personAtWork(anchor, later), "HEAD was on main and is on feature now.");
    await rig.checkout("main");
    await rig.repo.restore(anchor, "undo");
    await rig.amend("rewritten");
    assert.match((await rig.repo.personAtWork(anchor, later)) ?? "", /main no longer contains/);
  });

  test("E3: the person was at work when a file that differs changed after the agents were gone", async (t) => {
    const rig = await make(t, { "a.txt": "1", "src/b.txt": "1", "src/c.txt": "1" });
    const anchor = await rig.repo.snapshot("s");
    const now = Date.now();
    const sign = async (goneAt: number): Promise<string> => (await rig.repo.personAtWork(anchor, goneAt)) ?? "none";
    assert.equal(await sign(now - minute), "none", "nothing differs");
    await rig.write("a.txt", "2");
    assert.equal(await sign(now + minute), "none");
    assert.match(await sign(now - minute), /^a\.txt was modified at /);
    await rig.write("a.txt", "1");
    await rig.remove("src/b.txt");
    assert.match(await sign(now - minute), /^src\/b\.txt was deleted at /);
    assert.equal(await sign(now + minute), "none");
  });

  test("E3: the person was at work when a commit was made after the agents were gone, even of what was there before", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    await rig.write("notes.txt", "mine");
    const anchor = await rig.repo.snapshot("s");
    const now = Date.now();
    const sha = (await rig.commit("My own commit")).slice(0, 10);
    assert.equal(await rig.repo.personAtWork(anchor, now + minute), undefined);
    const sign = (await rig.repo.personAtWork(anchor, now - minute)) ?? "";
    assert.match(sign, new RegExp(`^${sha} "My own commit" by .* after the last agent was gone\\.$`));
  });

  test("E3: the person was at work when something else is staged since the agents were gone, though no file differs", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    await rig.write("notes.txt", "mine");
    const anchor = await rig.repo.snapshot("s");
    const now = Date.now();
    assert.equal(await rig.repo.personAtWork(anchor, now - minute), undefined);
    await rig.stage("notes.txt");
    assert.equal(await rig.repo.personAtWork(anchor, now + minute), undefined, "the agent may have staged it");
    const sign = (await rig.repo.personAtWork(anchor, now - minute)) ?? "";
    assert.match(sign, /^What is staged was changed at .* after the last agent was gone\.$/);
    await rig.unstage("notes.txt");
    assert.equal(await rig.repo.personAtWork(anchor, now - minute), undefined, "it is staged as before");
  });

  test("E3: what superteam writes is no sign of the person", async (t) => {
    const rig = await make(t, { "a.txt": "1", "docs/plan.md": "1" }, ["docs/plan.md"]);
    const anchor = await rig.repo.snapshot("s");
    await rig.write("docs/plan.md", "2");
    await rig.write(".superteam-workflow.json", "{}");
    assert.equal(await rig.repo.personAtWork(anchor, Date.now() - minute), undefined);
  });
}
