// What is staged while a hook runs that refuses the commit: git commits from an index of its own, so a hook or the person did it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { order } from "../../contracts/repo/order.ts";
import { until } from "../../rig/until.ts";
import { makeFolder, makeRig, rigIn } from "./rig.ts";

test("S1: what the person staged while a hook ran stays staged when the commit is refused, and is kept and named", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "judged\n");
  const tree = await repo.tree();
  const signs = await makeFolder(t);
  const wait = `while [ ! -e ${signs}/go ]; do sleep 0.05; done`;
  await rig.hook("pre-commit", `touch ${signs}/reached`, wait, "echo no; exit 1");
  const committing = repo.commit(order(anchor, { tree, request: "run-1/12" }));
  await until(() => rigIn(signs).exists("reached"));
  await rig.write("src/b.txt", "only staged\n");
  await rig.git("add", "src/b.txt");
  await rig.write("src/b.txt", "later\n");
  await rigIn(signs).write("go", "");
  const outcome = await committing;
  assert.equal(outcome.status, "refused");
  assert.match(
    outcome.detail,
    /HEAD is as before\. Something else was staged .* Left staged as they are: src\/b\.txt\./,
  );
  assert.equal(await rig.git("show", ":src/b.txt"), "only staged\n");
  assert.equal(await rig.read("src/b.txt"), "later\n");
  const [, ref = ""] = /it is kept at (\S+), and/.exec(outcome.detail) ?? [];
  assert.equal(await rig.git("show", `${ref}:src/b.txt`), "only staged\n");
});

test("S1: what a hook that refuses takes out of the index, or stages of the work, is staged as before", async (t) => {
  const rig = await makeRig(t);
  await rig.write("mine.txt", "only staged\n");
  await rig.git("add", "mine.txt");
  await rig.write("mine.txt", "later\n");
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  const before = await rig.git("ls-files", "-s");
  await rig.write("a.txt", "judged\n");
  const tree = await repo.tree();
  await rig.hook("pre-commit", "unset GIT_INDEX_FILE", "git rm -q --cached -f mine.txt; git add a.txt; exit 1");
  const outcome = await repo.commit(order(anchor, { tree, request: "run-1/12" }));
  assert.equal(outcome.status, "refused");
  assert.match(outcome.detail, /Staged as before: a\.txt, mine\.txt\./);
  assert.equal(await rig.git("ls-files", "-s"), before);
});

test("S1: an index that a hook left with conflicts, or broken, is as before, and what it held is kept", async (t) => {
  for (const deed of ["git stash apply -q", "echo junk > .git/index"]) {
    const rig = await makeRig(t);
    await rig.write("src/b.txt", "theirs\n");
    await rig.git("stash", "push", "-q");
    await rig.write("src/b.txt", "ours\n");
    await rig.git("commit", "-qam", "ours");
    const repo = await rig.open();
    const anchor = await repo.snapshot("s");
    const before = await rig.git("ls-files", "-s");
    await rig.write("a.txt", "judged\n");
    const tree = await repo.tree();
    await rig.hook("pre-commit", "unset GIT_INDEX_FILE", `${deed}; exit 1`);
    const outcome = await repo.commit(order(anchor, { tree, request: "run-1/12" }));
    assert.equal(outcome.status, "refused");
    assert.equal(await rig.git("ls-files", "-s"), before, deed);
    const [, ref] = /what it was then is kept at (\S+)\./.exec(outcome.detail) ?? [];
    if (deed.includes("stash")) assert.equal(await rig.git("show", `${ref}:src/b.txt~theirs`), "theirs\n");
    else assert.equal(ref, undefined);
  }
});
