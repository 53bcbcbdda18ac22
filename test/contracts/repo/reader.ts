// The end of a reader that could write (R6): whatever it did, everything is as it was given.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { MakeRepo } from "../repo.ts";

const nothing = { refs: [], settings: [], pushed: [], refsKept: [] };

export function readerContract(make: MakeRepo): void {
  test("R6: a reader that only read has touched nothing, and no ref is kept for it", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    await rig.write("notes.txt", "mine");
    await rig.stage("notes.txt");
    await rig.write("notes.txt", "mine, edited");
    const given = await rig.repo.snapshot("s");
    assert.deepEqual(await rig.repo.afterReader(given, "r-reader"), { touched: [], around: nothing });
    assert.deepEqual(await rig.repo.takenBack("r-reader"), []);
  });

  test("R6: files, staging, commits and branches of a reader are put back, named and kept", async (t) => {
    const rig = await make(t, { "a.txt": "1", "gone.txt": "1" });
    await rig.write("notes.txt", "mine");
    await rig.stage("notes.txt");
    await rig.write("notes.txt", "mine, edited");
    const given = await rig.repo.snapshot("s");
    await rig.checkout("made");
    await rig.checkout("elsewhere");
    await rig.write("a.txt", "2");
    await rig.write("new.txt", "2");
    await rig.remove("gone.txt");
    const tip = await rig.commit("by the reader");
    const { touched, around } = await rig.repo.afterReader(given, "r-reader");
    assert.deepEqual(touched, ["HEAD", "a.txt", "gone.txt", "new.txt"]);
    assert.deepEqual([around.refs, around.staged], [["made"], ["notes.txt"]]);
    const { ref: _, around: __, ...state } = given;
    assert.deepEqual(await rig.repo.look(), state);
    const texts = await Promise.all(["a.txt", "gone.txt", "new.txt", "notes.txt"].map(rig.read));
    assert.deepEqual(texts, ["1", "1", undefined, "mine, edited"]);
    const kept = await Promise.all(around.refsKept.map((ref) => rig.show(ref, "new.txt")));
    assert.ok(kept.includes("2"));
    const tips = await Promise.all(around.refsKept.map((ref) => rig.log(ref).catch(() => [])));
    assert.ok(tips.some(([last]) => last?.sha === tip));
    await rig.checkout("elsewhere");
    assert.equal((await rig.repo.head()).sha, given.sha, "it was not there any more, and is made anew");
  });

  test("R6: what a reader only staged is staged as before; its answer can be used", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    await rig.write("a.txt", "mine");
    const given = await rig.repo.snapshot("s");
    await rig.stage("a.txt");
    const { touched, around } = await rig.repo.afterReader(given, "r-reader");
    assert.deepEqual([touched, around.staged], [[], ["a.txt"]]);
    assert.equal((await rig.repo.look()).index, given.index);
    assert.equal(await rig.read("a.txt"), "mine");
  });

  test("R6: the same end of a reader seen twice, as after a crash, leaves the same", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    const given = await rig.repo.snapshot("s");
    await rig.checkout("elsewhere");
    await rig.write("a.txt", "2");
    await rig.commit("by the reader");
    await rig.repo.afterReader(given, "r-reader");
    const again = await rig.repo.afterReader(given, "r-reader");
    assert.deepEqual(again, { touched: [], around: nothing });
    assert.deepEqual(await rig.repo.head(), { sha: given.sha, branch: "main" });
  });

  interruptedContract(make);
}

function interruptedContract(make: MakeRepo): void {
  const whenever = Number.MAX_SAFE_INTEGER;

  test("E3: a branch that an interrupted agent made is gone, and its commits are kept; one that was made later stays", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    const given = await rig.repo.snapshot("s");
    await rig.checkout("made");
    const tip = await rig.commit("on it");
    await rig.checkout("main");
    assert.deepEqual(await rig.repo.changedAround(given), ["made"]);
    assert.deepEqual((await rig.repo.undoAround(given, 0, "w-interrupted"))?.refs, [], "after the agent was gone");
    const back = await rig.repo.undoAround(given, whenever, "w-interrupted");
    assert.deepEqual([back?.refs, back?.refsKept.length], [["made"], 1]);
    assert.equal((await rig.log(back?.refsKept[0]))[0]?.sha, tip);
    assert.deepEqual(await rig.repo.undoAround(given, whenever, "w-interrupted"), nothing, "once");
    assert.deepEqual(await rig.repo.changedAround(given), []);
    await rig.checkout("made");
    assert.equal((await rig.repo.head()).sha, given.sha, "it was not there any more, and is made anew");
  });

  test("E3: HEAD and the branch it is on are not what is around them", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    const given = await rig.repo.snapshot("s");
    await rig.checkout("elsewhere");
    await rig.write("a.txt", "2");
    const sha = await rig.commit("on it");
    assert.deepEqual(await rig.repo.undoAround(given, whenever, "w-interrupted"), nothing);
    assert.deepEqual(await rig.repo.changedAround(given), []);
    assert.deepEqual(await rig.repo.head(), { sha, branch: "elsewhere" });
  });
}
