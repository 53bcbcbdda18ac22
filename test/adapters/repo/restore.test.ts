import assert from "node:assert/strict";
import { chmod, lstat, mkdir, readlink, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../../rig/until.ts";
import { killAll, logGit, makeFolder, makeNested, makeRig, rigIn, startChild } from "./rig.ts";

const big = Buffer.alloc(10 * 1024 * 1024 + 1, "x");

test("what the agent changed, created, deleted, staged and committed is undone, and what the person had is there", async (t) => {
  const rig = await makeRig(t, {
    "a.txt": "1",
    "gone.txt": "1",
    "run.sh": "1",
    "with space/ü\n.txt": "1",
    "-dash": "1",
  });
  await chmod(join(rig.root, "run.sh"), 0o755);
  await symlink("a.txt", join(rig.root, "link"));
  await rig.git("add", "-A");
  await rig.git("commit", "-qm", "more");
  await rig.write("notes.txt", "the person's");
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  const head = await repo.head();

  await rig.write("a.txt", "2");
  await rig.git("commit", "-qam", "by the agent");
  await rig.remove("gone.txt");
  await chmod(join(rig.root, "run.sh"), 0o644);
  await rig.remove("with space");
  await rig.write("-dash", "2");
  await rig.remove("link");
  await symlink("elsewhere", join(rig.root, "link"));
  await rig.write("new/deep/er.txt", "2");
  await rig.write("staged.txt", "2");
  await rig.git("add", "staged.txt");
  await rig.write("notes.txt", "the agent's");
  const outcome = await repo.restore(anchor, "undo");

  assert.equal(await repo.tree(), anchor.tree);
  assert.deepEqual(await repo.head(), head);
  assert.equal(await rig.git("status", "--porcelain"), "?? notes.txt\n");
  assert.equal(await rig.read("notes.txt"), "the person's");
  assert.equal(await readlink(join(rig.root, "link")), "a.txt");
  assert.equal((await lstat(join(rig.root, "run.sh"))).mode & 0o111, 0o111);
  assert.equal(await rig.exists("new"), false);
  const odd = ["-dash", "a.txt", "gone.txt", "link", "new/deep/er.txt", "notes.txt", "run.sh", "staged.txt"];
  assert.deepEqual(outcome.restored, [...odd, "with space/ü\n.txt"]);
  assert.deepEqual(outcome.leftAlone, []);
});

test("what is given up is kept under a ref with the agent's commits", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "committed");
  await rig.git("commit", "-qam", "by the agent");
  const tip = (await repo.head()).sha;
  await rig.write("b.txt", "not committed");
  const { backupRef } = await repo.restore(anchor, "undo");
  assert.equal(backupRef, "refs/superteam/run-1/undo-given-up");
  assert.equal(await rig.git("show", `${backupRef}:a.txt`, `${backupRef}:b.txt`), "committednot committed");
  assert.equal((await rig.git("rev-parse", `${backupRef}.tip`)).trim(), tip);
});

test("only paths that differ are touched", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  const before = await lstat(join(rig.root, "src/b.txt"));
  await rig.write("a.txt", "2");
  assert.deepEqual((await repo.restore(anchor, "undo")).restored, ["a.txt"]);
  const after = await lstat(join(rig.root, "src/b.txt"));
  assert.deepEqual([after.ctimeMs, after.ino], [before.ctimeMs, before.ino]);
});

test("ignored files, documents, own files, nested repositories and big files are left alone", async (t) => {
  const rig = await makeRig(t, { ".gitignore": "*.log\n", "docs/plan.md": "1" });
  const repo = await rig.open("docs/plan.md", "docs/progress.md");
  const anchor = await repo.snapshot("s");
  await rig.write("debug.log", "2");
  await rig.write("made/by/agent.txt", "2");
  await rig.write("made/debug.log", "2");
  await rig.write("docs/plan.md", "2");
  await rig.write("docs/progress.md", "2");
  await rig.write(".superteam-workflow.json", "2");
  await rig.write("big.bin", big);
  await makeNested(rig, "vendor/lib");
  const outcome = await repo.restore(anchor, "undo");
  assert.deepEqual(outcome.restored, ["made/by/agent.txt"]);
  assert.deepEqual(outcome.leftAlone, ["big.bin", "vendor/lib"]);
  const left = ["debug.log", "made/debug.log", "docs/plan.md", "docs/progress.md", ".superteam-workflow.json"];
  for (const path of left) assert.equal(await rig.read(path), "2", path);
  assert.ok((await rig.exists("big.bin")) && (await rig.exists("vendor/lib/.git")));
  assert.equal(await rig.exists("made/by"), false);
});

test("a big file and a nested repository of the person survive an agent that commits everything", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  await rig.write("big.bin", big);
  await makeNested(rig, "lib");
  const anchor = await repo.snapshot("s");
  await rig.remove("lib/.git");
  await rig.git("add", "-A");
  await rig.git("commit", "-qm", "everything");
  await repo.restore(anchor, "undo");
  assert.equal((await lstat(join(rig.root, "big.bin"))).size, big.length);
  assert.equal(await rig.read("lib/file.txt"), "theirs");
  assert.equal((await repo.head()).sha, anchor.sha);
});

test("files and folders that took each other's place change back", async (t) => {
  const rig = await makeRig(t, { file: "1", "folder/x": "1", "linked/x": "1", "moved/x": "1" });
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  const outside = await makeFolder(t);
  await writeFile(join(outside, "x"), "outside");
  await rig.remove("file");
  await rig.write("file/inside/deep", "2");
  await mkdir(join(rig.root, "file/empty/empty"), { recursive: true });
  await rig.remove("folder");
  await rig.write("folder", "2");
  await rig.remove("linked");
  await symlink(outside, join(rig.root, "linked"));
  await repo.restore(anchor, "undo");
  assert.equal(await repo.tree(), anchor.tree);
  for (const path of ["file", "folder/x", "linked/x", "moved/x"]) assert.equal(await rig.read(path), "1", path);
  assert.equal(await rigIn(outside).read("x"), "outside");
});

test("an ignored file in the way is not removed; the path is named instead", async (t) => {
  const rig = await makeRig(t, { ".gitignore": "*.log\n/cache\n", file: "1", "cache2/x": "1" });
  await rig.write("cache/x", "1");
  await rig.git("add", "-f", "cache/x");
  await rig.git("commit", "-qm", "tracked although ignored");
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.remove("file");
  await rig.write("file/debug.log", "ignored");
  await rig.remove("cache");
  await rig.write("cache", "an ignored file where a folder was");
  const outcome = await repo.restore(anchor, "undo");
  assert.deepEqual(outcome.leftAlone, ["cache/x", "file"]);
  assert.equal(await rig.read("file/debug.log"), "ignored");
  assert.equal(await rig.read("cache"), "an ignored file where a folder was");
});

test("rules of info/exclude that the agent removed come back, and what they hid stays", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  await rig.write(".git/info/exclude", "# mine\nkeys.txt\n\nnötes \\ \n");
  await rig.write("keys.txt", "the person's");
  const anchor = await repo.anchorWithout(
    await repo.snapshot("s"),
    { start: await repo.snapshot("s"), files: [] },
    "w",
  );
  await rig.write(".git/info/exclude", "later\n");
  await rig.write("later", "the person's");
  await rig.write("a.txt", "2");
  await rig.git("add", "-A");
  await rig.git("commit", "-qm", "everything");
  assert.deepEqual((await repo.restore(anchor, "undo")).restored, ["a.txt"]);
  assert.equal(await repo.tree(), anchor.tree);
  for (const path of ["keys.txt", "later"]) assert.equal(await rig.read(path), "the person's", path);
  assert.equal(await rig.read(".git/info/exclude"), "later\nkeys.txt\nnötes \\ \n");
});

test("a file that was tracked although it is ignored is tracked again", async (t) => {
  const rig = await makeRig(t, { ".gitignore": "dist\n" });
  const repo = await rig.open();
  await rig.write("dist/out.js", "1");
  await rig.git("add", "-f", "dist/out.js");
  const anchor = await repo.snapshot("s");
  await rig.write("dist/out.js", "2");
  await repo.restore(anchor, "undo");
  assert.equal(await rig.read("dist/out.js"), "1");
  assert.equal(await repo.tree(), anchor.tree);
});

test("an agent that went to another branch is brought back, and both tips are kept", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "on main");
  await rig.git("commit", "-qam", "on main");
  const main = (await repo.head()).sha;
  await rig.git("checkout", "-qb", "feature");
  await rig.write("a.txt", "on feature");
  await rig.git("commit", "-qam", "on feature");
  const feature = (await repo.head()).sha;
  const { backupRef } = await repo.restore(anchor, "undo");
  assert.deepEqual(await repo.head(), { sha: anchor.sha, branch: "main" });
  assert.equal(
    await rig.git("rev-parse", "feature", `${backupRef}.tip`, `${backupRef.replace("undo", "undo-other")}.tip`),
    `${feature}\n${feature}\n${main}\n`,
  );
  assert.equal(await rig.git("status", "--porcelain"), "");
});

test("a merge that the agent left in the middle is over afterwards", async (t) => {
  const rig = await makeRig(t);
  await rig.git("checkout", "-qb", "other");
  await rig.write("a.txt", "theirs\n");
  await rig.git("commit", "-qam", "theirs");
  await rig.git("checkout", "-q", "main");
  await rig.write("a.txt", "ours\n");
  await rig.git("commit", "-qam", "ours");
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await assert.rejects(rig.git("merge", "other"));
  await repo.restore(anchor, "undo");
  assert.equal(await rig.git("status", "--porcelain"), "");
  assert.equal(await rig.exists(".git/MERGE_HEAD"), false);
});

test("a restore that is killed in the middle is finished by the next one, and what was given up is kept", async (t) => {
  const rig = await makeRig(t, {
    "a.txt": "1\n",
    "b.txt": "1\n",
    "z.txt": "1\n",
    ".gitattributes": "b.txt filter=slow\n",
    ".gitignore": "*.log\n",
  });
  const signs = await makeFolder(t);
  const slow = join(signs, "smudge");
  await writeFile(slow, `#!/bin/sh\ntouch ${signs}/reached\nwhile [ ! -e ${signs}/go ]; do sleep 0.02; done\ncat\n`);
  await chmod(slow, 0o755);
  await rig.git("config", "filter.slow.smudge", slow);
  await rig.write("notes.txt", "the person's");
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  for (const path of ["a.txt", "b.txt", "z.txt"]) await rig.write(path, "2\n");
  await rig.git("commit", "-qam", "by the agent");
  await rig.write("new.txt", "2\n");
  await rig.write(".gitignore", "2\n");
  const child = startChild(rig, "restore", anchor);
  await until(() => rigIn(signs).exists("reached"));
  await killAll(child);
  assert.equal(await rig.read(".gitignore"), "*.log\n", "it was in the middle");

  await writeFile(join(signs, "go"), "");
  const { backupRef } = await repo.restore(anchor, "undo");
  assert.equal(await repo.tree(), anchor.tree);
  assert.equal((await repo.head()).sha, anchor.sha);
  assert.equal(await rig.git("status", "--porcelain"), "?? notes.txt\n");
  assert.equal(backupRef, "refs/superteam/run-1/undo-given-up-2");
  const first = "refs/superteam/run-1/undo-given-up";
  assert.equal(await rig.git("show", `${first}:new.txt`, `${first}:z.txt`), "2\n2\n");
});

test("restoring waits for another git process that holds the index for a moment", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "2");
  await rig.git("add", "a.txt");
  const lock = join(rig.root, ".git/index.lock");
  await writeFile(lock, "");
  const log = await logGit(t);
  const restoring = repo.restore(anchor, "undo");
  await until(async () => /^128 .*update-index/m.test(await log()));
  await unlink(lock);
  await restoring;
  const tries = (await log())
    .split("\n")
    .filter((line) => /update-index .*--refresh|update-index .*--index-info/.test(line));
  assert.ok(tries.at(0)?.startsWith("128 ") && tries.at(-1)?.startsWith("0 "), tries.join("\n"));
  assert.equal(await rig.git("status", "--porcelain"), "");
});
