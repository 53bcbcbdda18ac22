import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { OutsideFailure } from "../../ports/failure.ts";
import { moveAside, temporaryFiles, writeAtomically } from "./atomic.ts";

test("a file is replaced whole, and nothing else is left in its folder", async (t) => {
  const root = await temporary(t);
  const path = join(root, "active");
  await writeAtomically(path, "first");
  await writeAtomically(path, "second \u2028 é");
  assert.equal(await readFile(path, "utf8"), "second \u2028 é");
  assert.deepEqual(await readdir(root), ["active"]);
});

test("whoever reads while a file is being replaced sees one version or the other", async (t) => {
  const path = join(await temporary(t), "file");
  const versions = ["a".repeat(200_000), "b".repeat(300_000)];
  await writeAtomically(path, "a".repeat(200_000));
  let writing = true;
  const writes = (async () => {
    for (let n = 0; n < 20; n++) await writeAtomically(path, versions[n % 2] ?? "");
    writing = false;
  })();
  for (let reads = 0; writing || reads === 0; reads++) assert.ok(versions.includes(await readFile(path, "utf8")));
  await writes;
});

test("many writers at once leave the text of one of them", async (t) => {
  const root = await temporary(t);
  const texts = Array.from({ length: 20 }, (_, n) => `${n}`.repeat(1000));
  await Promise.all(texts.map((text) => writeAtomically(join(root, "file"), text)));
  assert.ok(texts.includes(await readFile(join(root, "file"), "utf8")));
  assert.deepEqual(await readdir(root), ["file"]);
});

test("F7: a file is replaced on another file system than the one it is written on first, and nothing is left on either", async (t) => {
  const root = await temporary(t);
  const other = await elsewhere(t, root);
  if (other === undefined) return t.skip("there is one file system alone");
  await writeAtomically(join(root, "file"), "text", other);
  assert.equal(await readFile(join(root, "file"), "utf8"), "text");
  assert.deepEqual([await readdir(root), await readdir(other)], [["file"], []]);
});

/** A folder on another file system. */
async function elsewhere(t: TestContext, root: string): Promise<string | undefined> {
  const { dev } = await stat(root);
  for (const place of ["/dev/shm", "/tmp", "/var/tmp", process.cwd()]) {
    if ((await stat(place).catch(() => undefined))?.dev === dev) continue;
    const folder = await mkdtemp(join(place, "superteam-files-")).catch(() => undefined);
    if (folder === undefined) continue;
    t.after(() => rm(folder, { recursive: true }));
    return folder;
  }
  return undefined;
}

test("a replaced file keeps its mode", async (t) => {
  const path = join(await temporary(t), "script.sh");
  await writeFile(path, "old");
  await chmod(path, 0o751);
  await writeAtomically(path, "new");
  assert.equal((await stat(path)).mode & 0o777, 0o751);
});

test("a write that fails says so, leaves what was there, and no half-written file", async (t) => {
  const root = await temporary(t);
  await mkdir(join(root, "taken"));
  await writeFile(join(root, "taken", "inside"), "kept");
  await assert.rejects(writeAtomically(join(root, "taken"), "text"), (failure) => {
    assert.ok(failure instanceof OutsideFailure);
    assert.equal(failure.kind, "unwritable");
    assert.match(failure.message, /taken could not be written .*unchanged.*then try again/s);
    return true;
  });
  assert.deepEqual(await readdir(root, { recursive: true }), ["taken", join("taken", "inside")]);
});

test("what is moved aside never takes the place of what was moved aside before", async (t) => {
  const root = await temporary(t);
  const now = Date.UTC(2026, 10, 15, 9, 30, 1);
  const names: string[] = [];
  for (const text of ["one", "two"]) {
    await writeFile(join(root, "file"), text);
    names.push(await moveAside(join(root, "file"), now));
  }
  assert.deepEqual(names, ["file.corrupt-20261115-093001", "file.corrupt-20261115-093001-2"]);
  assert.deepEqual(await Promise.all(names.map((name) => readFile(join(root, name), "utf8"))), ["one", "two"]);
});

test("the name of a half-written file fits the pattern that is told to git", async (t) => {
  const root = await temporary(t);
  const seen = new Set<string>();
  const path = join(root, "file");
  let writing = true;
  const writes = Promise.all(Array.from({ length: 50 }, () => writeAtomically(path, "x"))).then(() => {
    writing = false;
  });
  while (writing) for (const name of await readdir(root)) seen.add(name);
  await writes;
  seen.delete("file");
  const [start = "", end = ""] = temporaryFiles.split("*");
  assert.ok(seen.size > 0);
  for (const name of seen) assert.ok(name.startsWith(start) && name.endsWith(end), name);
});

test("a link to a file is replaced by the file", async (t) => {
  const root = await temporary(t);
  await writeFile(join(root, "target"), "old");
  await symlink("target", join(root, "link"));
  await writeAtomically(join(root, "link"), "new");
  assert.equal(await readFile(join(root, "target"), "utf8"), "old");
});

async function temporary(t: TestContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "superteam-atomic-"));
  t.after(() => rm(root, { recursive: true }));
  return root;
}
