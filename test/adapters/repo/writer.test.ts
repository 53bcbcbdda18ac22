// What a writer with a shell can do to git's own folder (E3b), on real git.

import assert from "node:assert/strict";
import { rename, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { committed, order } from "../../contracts/repo/order.ts";
import { until } from "../../rig/until.ts";
import { logGit, makeNested, makeRig, rigIn } from "./rig.ts";

test("E3b: stashes, other branches, git's configuration and hooks are as they were, and named", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  await rig.write("a.txt", "stashed by the person\n");
  await rig.git("stash", "-q");
  await rig.git("branch", "theirs");
  await rig.hook("pre-push", "exit 0");
  await rig.write("a.txt", "edited by the person\n");
  const given = await repo.snapshot("s");
  const state = async () => [
    await rig.git("stash", "list", "--format=%H"),
    await rig.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads"),
    await rig.git("config", "--local", "--list"),
    await rig.read(".git/hooks/pre-push"),
    await rig.exists(".git/hooks/pre-commit"),
  ];
  const before = await state();
  await rig.git("stash", "-q");
  await rig.git("commit", "-q", "--allow-empty", "-m", "by the agent");
  await rig.git("branch", "-f", "theirs");
  await rig.git("branch", "made");
  await rig.git("config", "user.name", "Mallory");
  await rig.hook("pre-push", "exit 1");
  await rig.hook("pre-commit", "exit 1");
  const { putBack, changed } = await repo.afterWriter({ given, ours: [] }, "w");
  assert.deepEqual(await state(), before);
  assert.deepEqual([...putBack.refs].sort(), ["made", "stash", "theirs"]);
  assert.deepEqual([...putBack.settings].sort(), ["config", "hooks/pre-commit", "hooks/pre-push"]);
  assert.deepEqual([changed, putBack.files], [[], ["a.txt"]]);
  assert.equal(await rig.read("a.txt"), "edited by the person\n");
});

test("E3b: tags, notes, replacements and rules of this clone alone are as they were, and named", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  await rig.git("tag", "v1");
  await rig.git("tag", "-a", "-m", "annotated", "v2");
  await rig.git("pack-refs", "--all");
  await rig.write(".git/info/attributes", "*.lock -diff\n");
  const given = await repo.snapshot("s");
  const state = async () => [
    await rig.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/tags", "refs/notes", "refs/replace"),
    await rig.read(".git/info/attributes"),
    await rig.read(".git/info/exclude"),
  ];
  const before = await state();
  await rig.git("commit", "-q", "--allow-empty", "-m", "by the agent");
  await rig.git("tag", "-f", "v1");
  await rig.git("tag", "-d", "v2");
  await rig.git("tag", "v3");
  await rig.git("notes", "add", "-m", "a note");
  await rig.git("replace", "HEAD", "HEAD~1");
  await rig.write(".git/info/attributes", "* -diff\n");
  await rig.write(".git/info/exclude", "hidden.txt\n");
  await rig.write("hidden.txt", "x\n");
  const { putBack, changed } = await repo.afterWriter({ given, ours: [] }, "w");
  assert.deepEqual(await state(), before);
  const named = putBack.refs.map((ref) => ref.replace(/^replace\/.*/, "replace"));
  assert.deepEqual(named.sort(), ["notes/commits", "replace", "tags/v1", "tags/v2", "tags/v3"]);
  assert.deepEqual([...putBack.settings].sort(), ["info/attributes", "info/exclude"]);
  assert.deepEqual(changed, ["hidden.txt"], "what was hidden is work like any other");
});

test("E3b: a merge that a writer left open is ended, and its files stay as work", async (t) => {
  const rig = await makeRig(t, { "a.txt": "1\n" });
  const repo = await rig.open();
  await rig.git("checkout", "-q", "-b", "other");
  await rig.write("a.txt", "2\n");
  await rig.git("commit", "-qam", "other");
  await rig.git("checkout", "-q", "main");
  await rig.write("a.txt", "3\n");
  await rig.git("commit", "-qam", "mine");
  const given = await repo.snapshot("s");
  await rig.git("merge", "other").catch(() => undefined);
  const { putBack, changed } = await repo.afterWriter({ given, ours: [] }, "w");
  assert.deepEqual([putBack.operation, changed, await rig.exists(".git/MERGE_HEAD")], ["merge", ["a.txt"], false]);
  assert.equal((await repo.look()).index, given.index);
});

test("E3b: a merge that the person had begun before the writer is still in progress after it, and nothing is committed", async (t) => {
  const rig = await makeRig(t, { "a.txt": "1\n", "b.txt": "1\n" });
  const repo = await rig.open();
  await rig.git("checkout", "-q", "-b", "other");
  await rig.write("b.txt", "2\n");
  await rig.git("commit", "-qam", "other");
  await rig.git("checkout", "-q", "main");
  await rig.git("merge", "-q", "--no-ff", "--no-commit", "other");
  const merging = await rig.git("rev-parse", "MERGE_HEAD");
  const given = await repo.snapshot("s");
  await rig.write("a.txt", "by the writer\n");
  const { putBack, changed } = await repo.afterWriter({ given, ours: [] }, "w");
  assert.deepEqual([putBack.operation, changed], [undefined, ["a.txt"]]);
  assert.equal(await rig.git("rev-parse", "MERGE_HEAD"), merging);
  assert.equal((await repo.look()).index, given.index);
});

test("E3b: a nested repository that a writer staged is left alone and named, like one that it did not stage; a submodule is its work", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  const commitIn = async (path: string): Promise<void> => {
    await makeNested(rig, path);
    const nested = rigIn(join(rig.root, path));
    await nested.git("add", "-A");
    await nested.git("commit", "-qm", "theirs");
  };
  await commitIn("stray");
  await commitIn("known");
  await rig.write(".gitmodules", '[submodule "known"]\n\tpath = known\n\turl = ../known\n');
  await rig.git("add", "-A");
  const { changed, left } = await repo.afterWriter({ given, ours: [] }, "w");
  assert.deepEqual(changed, [".gitmodules", "known"]);
  assert.equal(await repo.tree(), left.tree, "nothing seems to have changed since");
  assert.deepEqual((await repo.changes(given)).leftAlone, ["stray"]);
  assert.deepEqual(committed(await repo.commit(order(given))).files, [".gitmodules", "known"]);
  assert.equal(await rig.git("status", "--porcelain"), "?? stray/\n");
});

for (const [what, deed] of [
  ["a link that leads away", (path: string) => symlink("../away", path)],
  ["a file", (path: string) => writeFile(path, "x")],
] as const)
  test(`S1: ${what} in the place of the documents' folder is no work, and neither is what it took away`, async (t) => {
    const rig = await makeRig(t, { "docs/guide.md": "1", "docs/plans/plan.md": "1", "a.txt": "1" });
    await rig.write("docs/mine.md", "the person's");
    const repo = await rig.open("docs/plans/plan.md");
    const given = await repo.snapshot("s");
    await rename(join(rig.root, "docs"), join(rig.root, "../away"));
    await deed(join(rig.root, "docs"));
    await rig.write("a.txt", "2");
    const { changed, putBack } = await repo.afterWriter({ given, ours: [] }, "w");
    assert.deepEqual([changed, putBack.files], [["a.txt"], ["docs", "docs/guide.md", "docs/mine.md"]]);
    assert.deepEqual([await rig.read("docs/guide.md"), await rig.read("docs/mine.md")], ["1", "the person's"]);
    await rig.write("docs/plans/plan.md", "1");
    assert.deepEqual(committed(await repo.commit(order(given))).files, ["a.txt"]);
  });

test("F11: changes inside a submodule are named", async (t) => {
  const rig = await makeRig(t);
  const inner = await makeRig(t, { "inner.txt": "1\n" });
  await rig.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.root, "sub");
  await rig.git("commit", "-qm", "with a submodule");
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  assert.deepEqual(given.leftAlone, []);
  await rig.write("sub/inner.txt", "2\n");
  assert.deepEqual((await repo.changes(given)).leftAlone, ["sub"]);
});

for (const flag of ["assume-unchanged", "skip-worktree"])
  test(`E3b, R6: a change that an agent hides from git is found, and the person's own stays hidden (${flag})`, async (t) => {
    const rig = await makeRig(t, { "a.txt": "1\n", "local.txt": "1\n" });
    const repo = await rig.open();
    await rig.git("update-index", `--${flag}`, "local.txt");
    await rig.write("local.txt", "the person's\n");
    const flags = await rig.git("ls-files", "-v");
    const given = await repo.snapshot("s");
    const hide = async () => {
      await rig.git("update-index", `--${flag}`, "a.txt");
      await rig.git("update-index", `--no-${flag}`, "local.txt");
      await rig.write("a.txt", "hidden\n");
    };
    await hide();
    const writer = await repo.afterWriter({ given, ours: [] }, "w");
    assert.deepEqual([writer.changed, await rig.git("ls-files", "-v")], [["a.txt"], flags]);
    assert.deepEqual([...writer.putBack.settings].sort(), ["index (hides a.txt)", "index (hides local.txt)"]);
    await hide();
    const reader = await repo.afterReader(given, "r-reader");
    assert.deepEqual([reader.touched, await rig.git("ls-files", "-v")], [["a.txt"], flags]);
    assert.deepEqual([await rig.read("a.txt"), await rig.read("local.txt")], ["1\n", "the person's\n"]);
  });

test("E3b: a change that an agent hides by a filter that no file names is found, and shows in git's own status", async (t) => {
  const rig = await makeRig(t, { "a.txt": "1\n", "b.txt": "1\n" });
  await rig.write(".git/attributes", "*.txt filter=x\n");
  const repo = await rig.open();
  await until(async () => Date.now() > (await stat(join(rig.root, ".git/attributes"))).ctimeMs + 50);
  await repo.tree();
  const given = await repo.snapshot("s");
  await rig.write("a.txt", "hidden\n");
  await utimes(join(rig.root, "a.txt"), 1_600_000_000, 1_600_000_000);
  await rig.git("-c", "core.attributesFile=.git/attributes", "-c", "filter.x.clean=echo 1", "add", "a.txt");
  assert.equal(await rig.git("--no-optional-locks", "status", "--porcelain"), "", "git takes it for unchanged");
  const { changed, left } = await repo.afterWriter({ given, ours: [] }, "w");
  assert.deepEqual(changed, ["a.txt"]);
  assert.notEqual(left.tree, given.tree);
  assert.equal(await rig.git("status", "--porcelain"), " M a.txt\n");
});

for (const name of ["a.txt", '"quoted".txt', "two\nlines.txt"])
  test(`E3b, R6: a change that an agent hides from git by a filter of the moment is found, and stays seen (${JSON.stringify(name)})`, async (t) => {
    const rig = await makeRig(t, { [name]: "1\n", "b.txt": "1\n" });
    const repo = await rig.open();
    const given = await repo.snapshot("s");
    const hide = async () => {
      await rig.write(name, "hidden\n");
      await rig.write(".git/info/attributes", "*.txt filter=x\n");
      // Not in the second of the index itself: then git would look closer.
      await utimes(join(rig.root, name), 1_600_000_000, 1_600_000_000);
      await rig.git("-c", "filter.x.clean=echo 1", "add", name);
      await rig.remove(".git/info/attributes");
      assert.equal(await rig.git("--no-optional-locks", "status", "--porcelain"), "", "git takes it for unchanged");
    };
    await hide();
    const writer = await repo.afterWriter({ given, ours: [] }, "w");
    assert.deepEqual(writer.changed, [name]);
    assert.deepEqual(writer.putBack.settings, [`index (hides ${name})`]);
    assert.notEqual(writer.left.tree, given.tree);
    assert.equal(await repo.tree(), writer.left.tree);
    await hide();
    const reader = await repo.afterReader(given, "r-reader");
    assert.deepEqual([reader.touched, await rig.read(name)], [[name], "1\n"]);
  });

for (const isTouched of [false, true])
  test(`a file that changed just before an agent began is ${isTouched ? "hashed once where the index was touched" : "not hashed"}, and the index is left alone`, async (t) => {
    const rig = await makeRig(t);
    const repo = await rig.open();
    await rig.git("update-index", "--refresh");
    // What git ignores is known only once the files that say it are older than a tick of the disk.
    const { ctimeMs } = await stat(join(rig.root, "a.txt"));
    await until(() => Date.now() > ctimeMs + 50);
    const given = await repo.snapshot("s");
    if (isTouched) await utimes(join(rig.root, ".git/index"), 1_700_000_000, 1_700_000_000);
    const log = await logGit(t);
    const { changed, putBack } = await repo.afterWriter({ given, ours: [] }, "w");
    assert.deepEqual([changed, putBack.settings], [[], []]);
    const commands = (await log()).split("\n");
    const counted = ["hash-object", "update-index"].map(
      (verb) => commands.filter((line) => line.includes(` ${verb} `)).length,
    );
    assert.deepEqual(counted, [isTouched ? 1 : 0, 0]);
  });
