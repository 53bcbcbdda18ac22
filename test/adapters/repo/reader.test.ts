// What a reader with a shell can do to git's own folder (R6), on real git.

import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeRig } from "./rig.ts";

test("R6: hooks, git's own files, tags, notes, replacements, stashes and branches are as they were, and named", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  await rig.write("a.txt", "stashed by the person\n");
  await rig.git("stash", "-q");
  await rig.git("branch", "theirs");
  await rig.git("tag", "v1");
  await rig.hook("pre-push", "exit 0");
  await rig.write("a.txt", "edited by the person\n");
  const given = await repo.snapshot("s");
  const state = async () => [
    await rig.git("stash", "list", "--format=%H"),
    await rig.git(
      ...["for-each-ref", "--format=%(refname) %(objectname)"],
      ...["refs/heads", "refs/tags", "refs/notes", "refs/replace"],
    ),
    await rig.git("config", "--local", "--list"),
    await rig.read(".git/hooks/pre-push"),
    await rig.exists(".git/hooks/pre-commit"),
    await rig.exists(".git/info/attributes"),
    await rig.read(".git/info/exclude"),
  ];
  const before = await state();
  await rig.git("branch", "-f", "theirs", (await rig.git("commit-tree", "-m", "x", "HEAD^{tree}")).trim());
  await rig.git("branch", "made");
  await rig.git("tag", "-d", "v1");
  await rig.git("notes", "add", "-m", "a note");
  await rig.git("replace", "HEAD", "theirs");
  await rig.git("stash", "drop", "-q");
  await rig.git("config", "core.hooksPath", "/tmp");
  await rig.hook("pre-push", "exit 1");
  await rig.hook("pre-commit", "exit 1");
  await rig.write(".git/info/attributes", "* -diff\n");
  await rig.write(".git/info/exclude", "hidden.txt\n");
  await rig.write("hidden.txt", "x\n");
  const { touched, around } = await repo.afterReader(given, "r-reader");
  assert.deepEqual(await state(), before);
  assert.deepEqual(touched, ["hidden.txt"], "what it hid is found");
  const named = around.refs.map((ref) => ref.replace(/^replace\/.*/, "replace"));
  assert.deepEqual(named.sort(), ["made", "notes/commits", "replace", "stash", "tags/v1", "theirs"]);
  const files = ["config", "hooks/pre-commit", "hooks/pre-push", "info/attributes", "info/exclude"];
  assert.deepEqual([...around.settings].sort(), files);
  const left = await readFile(join(around.settingsKept ?? "", "hooks/pre-commit"), "utf8");
  assert.match(left, /exit 1/, "somebody may miss it");
  assert.equal(await rig.read("a.txt"), "edited by the person\n");
});

test("E3b, R6: a stash that goes is kept under a ref: it may hold the only copy of somebody's work", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  for (const text of ["first\n", "second\n"]) {
    await rig.write("a.txt", text);
    await rig.git("stash", "-q");
  }
  const { around } = await repo.afterReader(given, "r-reader");
  assert.equal(await rig.git("stash", "list"), "");
  const kept = await Promise.all(around.refsKept.map((ref) => rig.git("show", `${ref}:a.txt`)));
  assert.deepEqual(kept.map((text) => text.trim()).sort(), ["first", "second"]);
  await repo.forgetStates();
  for (const ref of around.refsKept) await rig.git("rev-parse", "--verify", "--quiet", ref);
});

test("E3: of an interrupted agent, hooks, git's own files, tags and stashes are put back; what changed later is the person's", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  await rig.git("tag", "v1");
  await rig.hook("pre-push", "exit 0");
  const given = await repo.snapshot("s");
  const state = async () => [
    await rig.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/tags", "refs/heads", "refs/stash"),
    await rig.git("config", "--local", "--list"),
    await rig.exists(".git/hooks/pre-commit"),
    await rig.exists(".git/hooks/pre-push"),
  ];
  const before = await state();
  await rig.hook("pre-commit", "exit 1");
  await rm(join(rig.root, ".git/hooks/pre-push"));
  await rig.git("config", "core.hooksPath", "elsewhere");
  await rig.git("tag", "-d", "v1");
  await rig.git("tag", "v2");
  await rig.write("a.txt", "stashed\n");
  await rig.git("stash", "-q");
  const after = await state();
  const later = await repo.undoAround(given, Date.now() - 60_000, "w-interrupted");
  assert.deepEqual([later.refs, later.settings, await state()], [[], [], after]);
  const { refs, settings, refsKept } = await repo.undoAround(given, Date.now() + 1000, "w-interrupted");
  assert.deepEqual(await state(), before);
  assert.deepEqual([...refs].sort(), ["stash", "tags/v1", "tags/v2"]);
  assert.deepEqual([...settings].sort(), ["config", "hooks/pre-commit", "hooks/pre-push"]);
  const kept = await Promise.all(refsKept.map((ref) => rig.git("show", `${ref}:a.txt`)));
  assert.ok(kept.includes("stashed\n"));
});
