import assert from "node:assert/strict";
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { makeRig, order, type Rig, rigIn } from "./rig.ts";

/** Few names, so that they meet: files of the repository and of the person, odd ones, and folders in place of files. */
const names = [
  "a",
  "b",
  "d",
  "d/x",
  "d/y",
  "d/e/z",
  "a/inner",
  "mine",
  "mine/inner",
  "ü \n-",
  "x.log",
  ".gitignore",
  "d/.gitignore",
];

type Edit =
  | { readonly do: "write"; readonly path: string; readonly text: string }
  | { readonly do: "delete" | "chmod" | "stage" | "unstage"; readonly path: string }
  | { readonly do: "rename"; readonly path: string; readonly to: string }
  | { readonly do: "commit" };

const path = fc.constantFrom(...names);
const edits = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant("write" as const),
      path,
      text: fc.constantFrom("1", "2", "mine\n", "*.log\n", "e\nmine\n", "three\n"),
    }),
    fc.record({ do: fc.constantFrom("delete" as const, "chmod" as const, "stage" as const, "unstage" as const), path }),
    fc.record({ do: fc.constant("rename" as const), path, to: path }),
    fc.record({ do: fc.constant("commit" as const) }),
  ),
  { maxLength: 10 },
);

test("whatever is done after a snapshot, restoring gives the anchor and every file of the person back", async (t) => {
  const template = await makeRig(t, { a: "1", b: "1", "d/x": "1", "d/e/z": "1", ".gitignore": "*.log\n" });
  const property = fc.asyncProperty(edits, edits, (before, after) =>
    inCopyOf(template, async (rig) => {
      for (const each of before) await apply(rig, each);
      await rig.write("keys.log", "ignored, or not, but the person's");
      const repo = await rig.open();
      const anchor = await repo.snapshot("s");
      const files = await everyFile(rig.root);
      for (const each of after) await apply(rig, each);
      const outcome = await repo.restore(anchor, "undo");

      assert.deepEqual(outcome.leftAlone, []);
      assert.deepEqual(await repo.head(), { sha: anchor.sha, branch: anchor.branch });
      assert.equal(await repo.tree(), anchor.tree);
      const captured = (await rig.git("ls-tree", "-r", "-z", "--name-only", anchor.tree)).split("\0").filter(Boolean);
      const now = await everyFile(rig.root);
      for (const name of [...captured, "keys.log"]) assert.equal(now.get(name), files.get(name), name);
    }),
  );
  await fc.assert(property, { numRuns: 25 });
});

test("whatever is done after a snapshot becomes at most one commit, and the files are as they were", async (t) => {
  const template = await makeRig(t, { a: "1", b: "1", "d/x": "1", "d/e/z": "1", ".gitignore": "*.log\n" });
  const property = fc.asyncProperty(edits, (after) =>
    inCopyOf(template, async (rig) => {
      await rig.write("notes.txt", "the person's");
      const repo = await rig.open();
      const anchor = await repo.snapshot("s");
      for (const each of after) await apply(rig, each);
      const files = await everyFile(rig.root);
      const outcome = await repo.commit(order(anchor));

      assert.notEqual(outcome.status, "refused");
      assert.deepEqual(await everyFile(rig.root), files);
      const count = await rig.git("rev-list", "--count", `${anchor.sha}..HEAD`);
      assert.equal(count.trim(), outcome.status === "nothing" ? "0" : "1");
      assert.equal(await rig.git("status", "--porcelain", "-uall"), "?? notes.txt\n");
    }),
  );
  await fc.assert(property, { numRuns: 15 });
});

async function inCopyOf(template: Rig, use: (rig: Rig) => Promise<void>): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "superteam-repo-"));
  try {
    await cp(template.root, root, { recursive: true, preserveTimestamps: true });
    await use(rigIn(root));
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function apply(rig: Rig, edit: Edit): Promise<void> {
  switch (edit.do) {
    case "commit":
      return void (await rig.git("commit", "-q", "--allow-empty", "-m", "wip"));
    case "write":
      await makeRoom(rig, edit.path);
      return await rig.write(edit.path, edit.text);
    case "stage":
      return await stage(rig, edit.path);
    case "unstage":
      return void (await rig.git("rm", "-r", "-q", "--cached", "--ignore-unmatch", "-f", "--", edit.path));
    case "delete":
      return (await rig.exists(edit.path)) ? await rig.remove(edit.path) : undefined;
    case "chmod":
      return (await isFile(rig, edit.path)) ? await chmod(join(rig.root, edit.path), 0o755) : undefined;
    case "rename":
      return await move(rig, edit.path, edit.to);
  }
}

async function move(rig: Rig, from: string, to: string): Promise<void> {
  const isInside = to.startsWith(from) || from.startsWith(to);
  if (isInside || !(await rig.exists(from))) return;
  await makeRoom(rig, to);
  await rename(join(rig.root, from), join(rig.root, to));
}

/** By force, so that ignored files are tracked at times. */
async function stage(rig: Rig, path: string): Promise<void> {
  const known = (await rig.git("ls-files", "--", path)) !== "";
  if (known || (await rig.exists(path))) await rig.git("add", "-A", "-f", "--", path);
}

/** Takes away what is in the way of a file: a folder, or a file where a folder has to be. */
async function makeRoom(rig: Rig, path: string): Promise<void> {
  for (let above = dirname(path); above !== "."; above = dirname(above)) {
    if (await isFile(rig, above)) await rm(join(rig.root, above));
  }
  if (await rig.exists(path)) await rig.remove(path);
  await mkdir(dirname(join(rig.root, path)), { recursive: true });
}

async function isFile(rig: Rig, path: string): Promise<boolean> {
  const seen = await lstat(join(rig.root, path)).catch(() => undefined);
  return seen?.isFile() === true;
}

/** Name, content and whether it can be executed, of every file outside git's folder. */
async function everyFile(root: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) => entry.isFile() && !join(entry.parentPath, "/").startsWith(join(root, ".git/")),
  );
  const pairs = files.map(async (entry) => {
    const file = join(entry.parentPath, entry.name);
    const [content, seen] = await Promise.all([readFile(file, "utf8"), lstat(file)]);
    return [file.slice(root.length + 1), `${seen.mode & 0o100} ${content}`] as const;
  });
  return new Map((await Promise.all(pairs)).sort());
}
