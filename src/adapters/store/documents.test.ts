import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { watch } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { cannotMount, mountSmallDisk, unmount } from "../../../test/rig/cli/mounts.ts";
import { OutsideFailure } from "../../ports/failure.ts";
import { sweepOwnFolder } from "../files/own-folder.ts";
import { documents } from "./documents.ts";

test("a document is read as it was written, and its folders are made", async (t) => {
  const { tree, root } = await setUp(t);
  await tree.write("docs/plans/2026-11-15-x-design.md", "# Design\r\né \u2028");
  assert.equal(await tree.read("docs/plans/2026-11-15-x-design.md"), "# Design\r\né \u2028");
  await tree.write("docs/plans/2026-11-15-x-design.md", "");
  assert.equal(await tree.read("docs/plans/2026-11-15-x-design.md"), "");
  assert.deepEqual(await readdir(join(root, "docs/plans")), ["2026-11-15-x-design.md"]);
});

test("a document that is removed is gone, and one that is not there is fine", async (t) => {
  const { tree } = await setUp(t);
  await tree.write("docs/a.md", "text");
  await tree.remove("docs/a.md");
  assert.equal(await tree.read("docs/a.md"), null);
  await tree.remove("docs/a.md");
});

test("a document that is not there is null", async (t) => {
  const { tree, root } = await setUp(t);
  await writeFile(join(root, "file"), "");
  assert.equal(await tree.read("none.md"), null);
  assert.equal(await tree.read("no/such/folder/none.md"), null);
  assert.equal(await tree.read("file/none.md"), null);
});

const badPaths = [
  "",
  "..",
  "../x",
  "a/../../x",
  "a/..",
  "/etc/hostname",
  ".git/config",
  "a/.GIT/hooks/x",
  "..\\x",
  "a\0b",
];
for (const path of badPaths) {
  test(`${JSON.stringify(path)} is no path inside the tree`, async (t) => {
    const { tree, root } = await setUp(t);
    await assert.rejects(tree.read(path), isOutside);
    await assert.rejects(tree.write(path, "x"), isOutside);
    assert.deepEqual(await readdir(root), []);
  });
}

test("a name that only looks like a way out is a name", async (t) => {
  const { tree } = await setUp(t);
  for (const path of ["..x/a..b", ".gitignore", "...", "a/.github/x"]) {
    await tree.write(path, path);
    assert.equal(await tree.read(path), path);
  }
});

test("a link that leads out of the tree is not followed", async (t) => {
  const { tree, root, outside } = await setUp(t);
  await writeFile(join(outside, "secret"), "kept");
  await symlink(outside, join(root, "folder"));
  await symlink(join(outside, "secret"), join(root, "file"));
  await symlink(join(outside, "new"), join(root, "dangling"));
  for (const path of ["folder/secret", "folder/new/deep", "file", "dangling"]) {
    await assert.rejects(tree.read(path), isOutside);
    await assert.rejects(tree.write(path, "x"), isOutside);
  }
  assert.deepEqual(await readdir(outside), ["secret"]);
  assert.equal(await readFile(join(outside, "secret"), "utf8"), "kept");
});

test("a link into git's own folder is not followed", async (t) => {
  const { tree, root } = await setUp(t);
  await mkdir(join(root, ".git"));
  await symlink(".git", join(root, "innocent"));
  await assert.rejects(tree.write("innocent/config", "x"), isOutside);
});

test("a link inside the tree is followed, and stays a link", async (t) => {
  const { tree, root } = await setUp(t);
  await mkdir(join(root, "real"));
  await symlink("real", join(root, "docs"));
  await tree.write("docs/a.md", "text");
  assert.equal(await readFile(join(root, "real/a.md"), "utf8"), "text");
  assert.equal(await tree.read("docs/a.md"), "text");
});

test("a tree that is itself reached through a link has an inside", async (t) => {
  const { root, outside } = await setUp(t);
  await symlink(root, join(outside, "link"));
  const tree = documents(join(outside, "link"));
  await tree.write("a.md", "text");
  assert.equal(await tree.read("a.md"), "text");
});

test("a folder where a document should be is said to be unreadable", async (t) => {
  const { tree, root } = await setUp(t);
  await mkdir(join(root, "docs"));
  await assert.rejects(
    tree.read("docs"),
    (failure) => failure instanceof OutsideFailure && failure.kind === "unreadable",
  );
});

test("a pipe where a document should be is refused at once, in words", {
  skip: process.platform === "win32" && "no pipes by name",
  timeout: 240_000,
}, async (t) => {
  const { tree, root } = await setUp(t);
  execFileSync("mkfifo", [join(root, "plan.md")]);
  await assert.rejects(tree.read("plan.md"), {
    name: "OutsideFailure",
    kind: "unreadable",
    message:
      "plan.md could not be read (it is a pipe or a device, and no file). Make it a readable file, then try again.",
  });
});

test("a document is read whole, however long it is", async (t) => {
  const { tree, root } = await setUp(t);
  const text = "é".repeat(10 * 1024 * 1024);
  await writeFile(join(root, "long.md"), text);
  assert.ok((await tree.read("long.md")) === text);
});

test("a file where a folder should be makes a write fail with what to do", async (t) => {
  const { tree, root } = await setUp(t);
  await writeFile(join(root, "docs"), "a file");
  await assert.rejects(tree.write("docs/plans/x.md", "x"), /could not be created .*then try again/s);
  assert.equal(await readFile(join(root, "docs"), "utf8"), "a file");
});

function isOutside(failure: unknown): boolean {
  assert.ok(failure instanceof OutsideFailure);
  assert.equal(failure.kind, "outside");
  assert.match(
    failure.message,
    /is refused.*(Give a path relative to the tree's root|in the place of the link, then try again)\.$/s,
  );
  return true;
}

async function setUp(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), "superteam-tree-"));
  const outside = await mkdtemp(join(tmpdir(), "superteam-outside-"));
  t.after(() => Promise.all([root, outside].map((folder) => rm(folder, { recursive: true }))));
  return { tree: documents(root), root, outside };
}

/** Why nothing can be mounted here; false when it can. */
const noMount = cannotMount(join(tmpdir(), `superteam-can-mount-${process.pid}`)) ?? false;

test("with git's folder on another file system, what is half-written is only where no tree shows it", {
  skip: noMount,
}, async (t) => {
  const { tree, root } = await setUp(t);
  const elsewhere = join(root, "..", "elsewhere");
  mountSmallDisk(elsewhere, 4);
  t.after(() => unmount(elsewhere));
  execFileSync("git", ["init", "-q", `--separate-git-dir=${join(elsewhere, "git")}`, root]);
  await mkdir(join(root, "docs"));
  const seen = new Set<string>();
  const watchers = [root, join(root, "docs")].map((place) =>
    watch(place, (_event, name) => void seen.add(String(name))),
  );
  await tree.write("docs/letter.md", "Dear person");
  for (const watcher of watchers) watcher.close();
  assert.equal(await tree.read("docs/letter.md"), "Dear person");
  assert.deepEqual(
    [...seen].filter((name) => name.endsWith(".tmp")),
    [],
  );
  await sweepOwnFolder(root);
  assert.deepEqual((await readdir(root)).sort(), [".git", "docs"]);
});

test("nothing half-written is ever seen in a tree of git: the text is made in the git folder", async (t) => {
  const { tree, root } = await setUp(t);
  await mkdir(join(root, ".git"));
  await writeFile(join(root, ".git", "HEAD"), "ref: refs/heads/main\n");
  const seen = new Set<string>();
  const watcher = watch(root, (_event, name) => void seen.add(String(name)));
  await tree.write("letter.md", "Dear person");
  await sweepOwnFolder(root);
  watcher.close();
  assert.deepEqual((await readdir(root)).sort(), [".git", "letter.md"]);
  assert.deepEqual(
    [...seen].filter((name) => name.endsWith(".tmp")),
    [],
  );
});
