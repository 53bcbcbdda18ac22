import assert from "node:assert/strict";
import { chmod, readFile, utimes } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeNested, makeRig, type Rig } from "./rig.ts";

test("committed, staged, unstaged and untracked changes are seen alike, a rename as one deleted and one added", async (t) => {
  const files = { committed: "1\n", staged: "1\n", unstaged: "1\n", deleted: "1\n", old: "same\n", untouched: "1\n" };
  const rig = await makeRig(t, files);
  const repo = await rig.open();
  await rig.write("notes.txt", "mine\n");
  const anchor = await repo.snapshot("s");
  await rig.write("committed", "2\n");
  await rig.git("commit", "-qam", "by the agent");
  await rig.write("staged", "2\n");
  await rig.git("mv", "old", "new");
  await rig.git("add", "staged");
  await rig.write("unstaged", "2\n");
  await rig.remove("deleted");
  await rig.write("untracked", "2\n");
  const changes = await repo.changes(anchor);
  assert.deepEqual(changes.files, [
    { path: "committed", change: "modified" },
    { path: "deleted", change: "deleted" },
    { path: "new", change: "added" },
    { path: "old", change: "deleted" },
    { path: "staged", change: "modified" },
    { path: "unstaged", change: "modified" },
    { path: "untracked", change: "added" },
  ]);
  assert.equal(changes.tree, await repo.tree());
  for (const { path } of changes.files) assert.match(changes.diff, new RegExp(`^diff --git a/${path} b/${path}$`, "m"));
  assert.doesNotMatch(changes.diff, /notes\.txt|untouched/);
  assert.deepEqual(
    [...(await repo.difference(anchor.tree, changes.tree))],
    changes.files.map(({ path }) => path),
  );
});

test("no change is an empty list and an empty diff", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  assert.deepEqual(await repo.changes(anchor), {
    files: [],
    diff: "",
    tree: anchor.tree,
    personFiles: [],
    leftAlone: [],
  });
});

test("a diff is cut at a line and says so, a binary file is one line, names are not quoted", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.write("ä.bin", Buffer.from([0, 1, 2, 255]));
  const small = await repo.changes(anchor);
  assert.match(small.diff, /^Binary files \/dev\/null and b\/ä\.bin differ$/m);
  await rig.write("long.txt", "häuser und bäume\n".repeat(40_000));
  assert.equal(small.diffFile, undefined);
  const { diff, diffFile = "" } = await repo.changes(anchor);
  assert.equal(await readFile(diffFile, "utf8"), diff, "a long one can be read in a file, removed lines included");
  assert.deepEqual(await repo.changes(anchor), await repo.changes(anchor), "which is no change itself");
  const lines = diff.trimEnd().split("\n");
  assert.ok(Buffer.byteLength(diff) < 210 * 1024);
  assert.match(lines.at(-1) ?? "", /cut here.*200 KB/);
  assert.equal(lines.at(-2), "+häuser und bäume");
});

test("an untracked file of the person that the agent's work made ignored is not shown as deleted", async (t) => {
  const rig = await makeRig(t, { "a.txt": "1", "tracked.env": "1" });
  const repo = await rig.open();
  await rig.write("notes.txt", "mine");
  const anchor = await repo.snapshot("s");
  await rig.write(".gitignore", "notes.txt\ntracked.env\n");
  await rig.git("rm", "-q", "--cached", "tracked.env");
  const { files, diff } = await repo.changes(anchor);
  assert.deepEqual(files, [
    { path: ".gitignore", change: "added" },
    { path: "tracked.env", change: "deleted" },
  ]);
  assert.doesNotMatch(diff, /a\/notes\.txt/);
});

test("a big file of the person that an agent committed is no change of the agent", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  await rig.write("big.txt", "0123456789\n".repeat(1_000_000));
  const anchor = await repo.snapshot("s");
  await rig.write("new.txt", "x");
  await rig.git("add", "-A");
  await rig.git("commit", "-qm", "everything");
  const { files, diff } = await repo.changes(anchor);
  assert.deepEqual(files, [{ path: "new.txt", change: "added" }]);
  assert.doesNotMatch(diff, /big\.txt/);
});

test("files of the person that an agent changed are named, and nothing else is", async (t) => {
  const rig = await makeRig(t, { "a.txt": "1", "b.txt": "1" });
  const repo = await rig.open();
  for (const path of ["committed", "deleted", "edited", "ignored", "same", "staged"]) await rig.write(path, "mine");
  await rig.git("add", "staged");
  const anchor = await repo.snapshot("s");
  for (const path of ["a.txt", "new.txt", "committed", "edited", "ignored", "staged"]) await rig.write(path, "2");
  await rig.remove("b.txt");
  await rig.remove("deleted");
  await rig.git("add", "committed", "same");
  await rig.git("commit", "-qm", "by the agent");
  await rig.write(".gitignore", "ignored\n");
  assert.deepEqual((await repo.changes(anchor)).personFiles, [
    { path: "committed", change: "modified" },
    { path: "deleted", change: "deleted" },
    { path: "edited", change: "modified" },
    { path: "ignored", change: "modified" },
    { path: "staged", change: "modified" },
  ]);
});

test("big files and nested repositories that are there now are named, those that are gone are not", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const big = Buffer.alloc(10 * 1024 * 1024 + 1, "x");
  await rig.write("gone.bin", big);
  await rig.write("old.bin", big);
  const anchor = await repo.snapshot("s");
  await rig.remove("gone.bin");
  await rig.write("data.bin", big);
  await makeNested(rig, "vendor/lib");
  assert.deepEqual((await repo.changes(anchor)).leftAlone, ["data.bin", "old.bin", "vendor/lib"]);
});

test("the person was at work when the branch changed or no longer contains the anchor", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  const later = Date.now() + 60_000;
  await rig.git("commit", "-q", "--allow-empty", "-m", "the agent may commit");
  assert.equal(await repo.personAtWork(anchor, later), undefined);
  await rig.git("checkout", "-qb", "feature");
  assert.equal(await repo.personAtWork(anchor, later), "HEAD was on main and is on feature now.");
  await rig.git("checkout", "-q", "main");
  await rig.git("reset", "-q", "--hard", anchor.sha);
  await rig.git("commit", "-q", "--amend", "-m", "rewritten");
  assert.match((await repo.personAtWork(anchor, later)) ?? "", /main no longer contains/);
});

test("the person was at work when a file that differs changed after the agents were gone", async (t) => {
  const rig = await makeRig(t, { "a.txt": "1", "src/b.txt": "1", "src/c.txt": "1" });
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  const now = Date.now();
  assert.equal(await repo.personAtWork(anchor, now - 60_000), undefined, "nothing differs");
  await rig.write("a.txt", "2");
  assert.equal(await repo.personAtWork(anchor, now + 60_000), undefined);
  assert.match((await repo.personAtWork(anchor, now - 60_000)) ?? "", /^a\.txt was modified at /);
  await utimes(join(rig.root, "a.txt"), 1, 1);
  assert.match((await repo.personAtWork(anchor, now - 60_000)) ?? "", /^a\.txt/, "the time of the change counts too");
  await rig.write("a.txt", "1");
  await rig.remove("src/b.txt");
  assert.match((await repo.personAtWork(anchor, now - 60_000)) ?? "", /^src\/b\.txt was deleted at /);
  assert.equal(await repo.personAtWork(anchor, now + 60_000), undefined);
});

test("the person was at work when a commit was made after the agents were gone, even of what was there before", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  await rig.write("notes.txt", "mine");
  const anchor = await repo.snapshot("s");
  const goneAt = Date.now();
  await rig.git("add", "notes.txt");
  await commitAt(rig, "By the agent, in its last second", goneAt);
  assert.equal(await repo.personAtWork(anchor, goneAt), undefined);
  await commitAt(rig, "My own commit", goneAt + 2000);
  const sha = (await repo.head()).sha.slice(0, 10);
  const seen = (await repo.personAtWork(anchor, goneAt)) ?? "";
  assert.match(
    seen,
    new RegExp(`^${sha} "My own commit" by Ada was committed at .*, after the last agent was gone\\.$`),
  );
});

test("what superteam writes is no sign of the person: the root, documents and the folders they are in", async (t) => {
  const rig = await makeRig(t, { "a.txt": "1", "docs/old.md": "1", "docs/plan.md": "1" });
  const repo = await rig.open("docs/plan.md");
  const anchor = await repo.snapshot("s");
  await rig.remove("a.txt");
  await rig.remove("docs/old.md");
  await rig.write("docs/plan.md", "2");
  await rig.write(".superteam-workflow.json", "{}");
  assert.equal(await repo.personAtWork(anchor, Date.now() - 60_000), undefined);
  await chmod(join(rig.root, "docs/plan.md"), 0o755);
  assert.equal(await repo.personAtWork(anchor, Date.now() - 60_000), undefined);
});

async function commitAt(rig: Rig, subject: string, time: number): Promise<void> {
  process.env["GIT_COMMITTER_DATE"] = `${Math.floor(time / 1000)} +0000`;
  await rig.git("commit", "-q", "--allow-empty", "-m", subject);
  delete process.env["GIT_COMMITTER_DATE"];
}
