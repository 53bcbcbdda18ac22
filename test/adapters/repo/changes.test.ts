import assert from "node:assert/strict";
import { chmod, copyFile, readFile, utimes } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeNested, makeRig, type Rig } from "./rig.ts";

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

test("R6, S2: a diff shows what .gitattributes calls binary, in the tree or staged: agents can write that file", async (t) => {
  const rig = await makeRig(t, { "a.txt": "1\n", ".gitattributes": "*.txt -diff\n" });
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.write(".gitattributes", "* binary\n");
  await rig.git("add", ".gitattributes");
  await rig.write("a.txt", "2\n");
  const { diff } = await repo.changes(anchor);
  assert.match(diff, /^-1\n\+2$/m);
  assert.match(diff, /^-\*\.txt -diff\n\+\* binary$/m);
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

test("E3: a file with an old date counts by the time of its change", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "2");
  await utimes(join(rig.root, "a.txt"), 1, 1);
  assert.match((await repo.personAtWork(anchor, Date.now() - 60_000)) ?? "", /^a\.txt was modified at /);
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
    new RegExp(
      `^${sha} "My own commit" by Ada was committed at \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC, after the last agent was gone\\.$`,
    ),
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

test("R6, S2: neither an index of an agent's making nor attributes outside of the tree hide a diff from reviewers", async (t) => {
  const rig = await makeRig(t, { "a.txt": "1\n" });
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.write("attributes", "* -diff\n");
  await rig.git("config", "core.attributesFile", join(rig.root, "attributes"));
  await rig.write(".gitattributes", "* -diff\n");
  await rig.git("add", ".gitattributes");
  for (const name of ["no-index", "index-1", "index"])
    await copyFile(join(rig.root, ".git/index"), join(rig.root, ".git/superteam", name));
  await rig.write("a.txt", "2\n");
  assert.match((await repo.changes(anchor)).diff, /^-1\n\+2$/m);
});
