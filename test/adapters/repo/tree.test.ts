import assert from "node:assert/strict";
import { chmod, readdir, readFile, rename, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openRepo } from "../../../src/adapters/repo/git/open.ts";
import { makeFolder, makeNested, makeRig, type Rig, rigIn } from "./rig.ts";

const big = Buffer.alloc(10 * 1024 * 1024 + 1, "x");

test("making a file executable gives another tree", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const first = await repo.tree();
  await chmod(join(rig.root, "a.txt"), 0o755);
  assert.notEqual(await repo.tree(), first);
  await chmod(join(rig.root, "a.txt"), 0o644);
  assert.equal(await repo.tree(), first);
});

test("a change of the same length in the very second of the last commit is seen, however much later", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  await rig.git("config", "core.trustctime", "false");
  const then = new Date("2020-01-01T00:00:00Z");
  await utimes(join(rig.root, "a.txt"), then, then);
  await rig.git("update-index", "--refresh");
  await utimes(join(rig.root, ".git/index"), then, then);
  const before = await repo.tree();
  await rig.write("a.txt", "ONE\n");
  await utimes(join(rig.root, "a.txt"), then, then);
  assert.notEqual(await repo.tree(), before);
});

test("reading costs the person's index nothing, to the byte, and leaves no file behind", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open("docs/plan.md");
  await rig.write("a.txt", "staged\n");
  await rig.git("add", "a.txt");
  await rig.write("a.txt", "and changed again\n");
  await rig.write("notes.txt", "mine\n");
  const before = await readFile(join(rig.root, ".git/index"));
  await repo.tree();
  const anchor = await repo.snapshot("before");
  await repo.changes(anchor);
  await repo.personAtWork(anchor, 0);
  assert.deepEqual(await readFile(join(rig.root, ".git/index")), before);
  assert.deepEqual(await readdir(join(rig.root, ".git/superteam")), ["runs"]);
});

test("nested repositories and files over 10 MB are left alone and named", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const before = await repo.tree();
  await makeNested(rig, "vendor/empty");
  await makeNested(rig, "vendor/full");
  await rigIn(join(rig.root, "vendor/full")).git("commit", "-q", "--allow-empty", "-m", "x");
  await rig.write("data/big.bin", big);
  const anchor = await repo.snapshot("s");
  assert.equal(anchor.tree, before);
  assert.deepEqual(anchor.leftAlone, ["data/big.bin", "vendor/empty", "vendor/full"]);
});

test("a tracked file that grew over 10 MB is left alone and named", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const before = await repo.tree();
  await rig.write("a.txt", big);
  const anchor = await repo.snapshot("s");
  assert.deepEqual([anchor.tree, anchor.leftAlone], [before, ["a.txt"]]);
});

test("a file that became a folder, a folder that became a file or a link, and odd names are all in the tree", async (t) => {
  const rig = await makeRig(t, { file: "1", "folder/x": "1", "linked/x": "1", "deep/er/x": "1" });
  const repo = await rig.open();
  await rig.remove("file");
  await rig.write("file/inside", "2");
  await rig.remove("folder");
  await rig.write("folder", "2");
  await move(rig, "linked", "elsewhere");
  await symlink("elsewhere", join(rig.root, "linked"));
  await rig.remove("deep");
  await rig.write("other/er/x", "behind the link");
  await symlink("other", join(rig.root, "deep"));
  for (const name of ["-dash", "with space", "line\nbreak", "tab\there", "ünï", '"quoted"', "*", ":(top)x"]) {
    await rig.write(name, "odd");
  }
  const tree = await repo.tree();
  await rig.git("add", "-A");
  assert.equal(tree, (await rig.git("write-tree")).trim());
});

test("names that are not UTF-8 are kept as they are", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  await writeFile(Buffer.concat([Buffer.from(`${rig.root}/`), Buffer.from([0x6c, 0xe4, 0xff])]), "latin1");
  const tree = await repo.tree();
  await rig.git("add", "-A");
  assert.equal(tree, (await rig.git("write-tree")).trim());
});

test("a conflicted merge can be captured", async (t) => {
  const rig = await makeRig(t);
  await rig.git("checkout", "-qb", "other");
  await rig.write("a.txt", "theirs\n");
  await rig.git("commit", "-qam", "theirs");
  await rig.git("checkout", "-q", "main");
  await rig.write("a.txt", "ours\n");
  await rig.git("commit", "-qam", "ours");
  const repo = await rig.open();
  const ours = await repo.tree();
  await assert.rejects(rig.git("merge", "other"));
  assert.notEqual(await repo.tree(), ours);
  await rig.write("a.txt", "ours\n");
  assert.equal(await repo.tree(), ours);
});

test("files outside a sparse checkout are not taken for deleted", async (t) => {
  const rig = await makeRig(t, { "a/x": "1", "b/x": "1" });
  const repo = await rig.open();
  const before = await repo.tree();
  // git takes no file away that it has not looked at, and it has not looked at those of a copy.
  await rig.git("update-index", "--refresh");
  await rig.git("sparse-checkout", "set", "a");
  assert.equal(await rig.exists("b/x"), false);
  assert.equal(await repo.tree(), before);
});

test("F12: a snapshot is a tree under the run's ref, without an identity and without hooks, and no log shows it", async (t) => {
  const rig = await makeRig(t);
  await rig.git("config", "--unset", "user.name");
  await rig.git("config", "--unset", "user.email");
  await rig.git("config", "commit.gpgsign", "true");
  await rig.hook("reference-transaction", "exit 1");
  await rig.write("new.txt", "x");
  const anchor = await (await rig.open()).snapshot("IMPLEMENT@2/try 1");
  const head = (await rig.git("rev-parse", "HEAD")).trim();
  assert.equal(anchor.ref, "refs/superteam/run-1/IMPLEMENT%402%2Ftry%201");
  assert.deepEqual([anchor.sha, anchor.branch], [head, "main"]);
  assert.equal(await rig.git("rev-parse", anchor.ref), `${anchor.tree}\n`);
  assert.equal(await rig.git("log", "--all", "--format=%H"), `${head}\n`);
  assert.match(await rig.git("show", `${anchor.ref}:new.txt`), /^x$/);
});

test("a linked worktree and a repository with SHA-256 work like any other", async (t) => {
  const rig = await makeRig(t);
  const worktree = rigIn(join(rig.root, "../linked"));
  await rig.git("worktree", "add", "-q", worktree.root, "-b", "other");
  const modern = rigIn(await makeFolder(t));
  await modern.git("init", "-q", "--object-format=sha256", "-b", "main");
  await modern.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "start");
  for (const each of [worktree, modern]) {
    const repo = await openRepo({ root: each.root, runId: "r", documents: ["plan.md"] });
    const anchor = await repo.snapshot("s");
    await each.write("plan.md", "x");
    await each.git("add", "-A");
    await each.write("new.txt", "x");
    assert.deepEqual((await repo.changes(anchor)).files, [{ path: "new.txt", change: "added" }]);
    await repo.restore(anchor, "undo");
    assert.equal(await repo.tree(), anchor.tree);
  }
});

async function move(rig: Rig, from: string, to: string): Promise<void> {
  await rename(join(rig.root, from), join(rig.root, to));
}
