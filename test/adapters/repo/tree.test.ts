import assert from "node:assert/strict";
import { chmod, readdir, readFile, rename, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openRepo } from "../../../src/adapters/repo/git/open.ts";
import { makeFolder, makeNested, makeRig, type Rig, rigIn } from "./rig.ts";

const big = Buffer.alloc(10 * 1024 * 1024 + 1, "x");

test("every kind of change gives another tree, and taking it back gives the first one again", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const first = await repo.tree();
  const changes: readonly (readonly [string, () => Promise<unknown>, () => Promise<unknown>])[] = [
    ["modified", () => rig.write("a.txt", "ONE\n"), () => rig.write("a.txt", "one\n")],
    ["untracked", () => rig.write("new.txt", "x"), () => rig.remove("new.txt")],
    ["deleted", () => rig.remove("a.txt"), () => rig.write("a.txt", "one\n")],
    ["executable", () => chmod(join(rig.root, "a.txt"), 0o755), () => chmod(join(rig.root, "a.txt"), 0o644)],
    ["renamed", () => move(rig, "a.txt", "c.txt"), () => move(rig, "c.txt", "a.txt")],
  ];
  for (const [what, change, undo] of changes) {
    await change();
    assert.notEqual(await repo.tree(), first, what);
    await undo();
    assert.equal(await repo.tree(), first, what);
  }
});

test("committing and staging change no tree: it is about the files", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  await rig.write("a.txt", "changed\n");
  await rig.write("new.txt", "new\n");
  const loose = await repo.tree();
  await rig.git("add", "-A");
  assert.equal(await repo.tree(), loose);
  await rig.git("commit", "-qm", "by hand");
  assert.equal(await repo.tree(), loose);
  assert.equal(loose, (await rig.git("rev-parse", "HEAD^{tree}")).trim());
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
  assert.deepEqual(await readdir(join(rig.root, ".git/superteam")), []);
});

test("ignored files and superteam's own files are in no tree, even when they are tracked", async (t) => {
  const rig = await makeRig(t, { ".gitignore": "*.log\n", "a.txt": "1" });
  const repo = await rig.open();
  const before = await repo.tree();
  await rig.write("x.log", "noise");
  await rig.write(".superteam-workflow.json", "{}");
  await rig.write(".superteam/worktrees/t1/a.txt", "{}");
  assert.equal(await repo.tree(), before);
  await rig.git("add", "-f", ".superteam-workflow.json", ".superteam");
  await rig.git("commit", "-qm", "an agent that commits everything");
  assert.equal(await repo.tree(), before);
});

test("a document that appears, changes, is committed or disappears changes no tree", async (t) => {
  const rig = await makeRig(t, { "a.txt": "1", "docs/old-plan.md": "not of this run" });
  const repo = await rig.open("docs/plan.md", "docs/features/001/");
  const before = await repo.tree();
  await rig.write("docs/plan.md", "1");
  await rig.write("docs/features/001/spec.md", "1");
  assert.equal(await repo.tree(), before);
  await rig.git("add", "-A");
  await rig.git("commit", "-qm", "documents");
  assert.equal(await repo.tree(), before);
  await rig.write("docs/plan.md", "2");
  assert.equal(await repo.tree(), before);
  await rig.remove("docs/plan.md");
  assert.equal(await repo.tree(), before);
  await rig.write("docs/plan.md.bak", "another path");
  assert.notEqual(await repo.tree(), before);
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
  await rig.git("sparse-checkout", "set", "a");
  assert.equal(await rig.exists("b/x"), false);
  assert.equal(await repo.tree(), before);
});

test("many readers at once agree and do not get in each other's way", async (t) => {
  const rig = await makeRig(t);
  await rig.write("new.txt", "x");
  const repos = await Promise.all([rig.open(), rig.open(), rig.open()]);
  const anchors = await Promise.all(repos.flatMap((repo, n) => [repo.snapshot(`a${n}`), repo.snapshot(`b${n}`)]));
  assert.equal(new Set(anchors.map((anchor) => anchor.tree)).size, 1);
});

test("a snapshot is a commit on top of HEAD under the run's ref, without an identity and without hooks", async (t) => {
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
  assert.equal(await rig.git("rev-parse", `${anchor.ref}^{tree}`, `${anchor.ref}^1`), `${anchor.tree}\n${head}\n`);
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
