// What agents leave in folders that may not be written to or looked into, tried by a person who is not root: no folder is closed to root.
//   node closed-folders.ts <an empty folder>

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { locate } from "../../../src/adapters/repo/git/place/locate.ts";
import type { Anchor } from "../../../src/core/flow/repository.ts";
import type { Repo } from "../../../src/ports/repo.ts";
import { committed, order } from "../../contracts/repo/order.ts";
import { repositoryWith } from "../../rig/prepared.ts";
import { beginning, type Rig, rigIn } from "./rig.ts";

const folder = process.argv[2] ?? "";

async function begin(name: string): Promise<Rig> {
  const rig = rigIn(join(folder, name));
  await mkdir(rig.root);
  repositoryWith(rig.root, { ...beginning, files: { "src/a.txt": "committed\n", "b.txt": "one\n" } });
  await rig.write("src/a.txt", "edited\n");
  await rig.write("src/mine.txt", "untracked\n");
  return rig;
}

const shell = (rig: Rig, command: string) => execFileSync("sh", ["-c", command], { cwd: rig.root });
const modules = "mkdir -p mod/x && touch mod/x/a && chmod -R a-w mod && echo two > src/a.txt && chmod a-w src";

/** A repository that nobody may look into is not taken for none, nor git for an old one. */
{
  const rig = await begin("nobody enters");
  await chmod(rig.root, 0o000);
  const located = await locate(rig.root);
  assert.match(located.found ? "" : located.problem.message, /^You may not enter .*: chmod u\+rwx /);
  await chmod(rig.root, 0o755);
}

/** Read-only ones, as tools make them that keep modules, are undone like any others. */
for (const end of ["restore", "reader"] as const) {
  const rig = await begin(end);
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  shell(rig, modules);
  if (end === "restore") await repo.restore(given, "r");
  else await repo.afterReader(given, "r");
  assert.deepEqual([await rig.read("src/a.txt"), await rig.exists("mod")], ["edited\n", false], end);
  assert.equal((await stat(join(rig.root, "src"))).mode & 0o777, 0o555, "the folder is as the agent left it");
  shell(rig, "chmod u+w src");
}

/** What an agent closed is opened again and named; what is in there is neither deleted nor clobbered. */
{
  const rig = await begin("closed");
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  shell(rig, "echo two > b.txt && chmod 000 src");
  const { changed, left, putBack } = await repo.afterWriter({ given, ours: [] }, "w");
  assert.deepEqual([changed, putBack.opened, (await repo.changes(given)).leftAlone], [["b.txt"], ["src"], []]);
  assert.deepEqual(committed(await repo.commit(order(given, { tree: left.tree }))).files, ["b.txt"]);
  assert.deepEqual([await rig.read("src/a.txt"), await rig.read("src/mine.txt")], ["edited\n", "untracked\n"]);
  assert.equal((await stat(join(rig.root, "src"))).mode & 0o777, 0o700, "open for its owner alone");
}

/** What an agent changed before it closed the folder, or the file itself, is restored at its end, whatever agent it was. */
const deeds = [
  "echo clobbered > src/mine.txt && chmod 000 src",
  "rm src/mine.txt && chmod 000 src",
  "rm src/mine.txt && chmod 111 src",
  "echo clobbered > src/mine.txt && chmod 000 src/mine.txt",
  "git update-index --skip-worktree src/a.txt && rm src/mine.txt && chmod 000 src",
];
for (const [nth, deed] of deeds.entries())
  for (const end of ["writer", "reader", "interrupted", "undated", "check"] as const) {
    const rig = await begin(`${end}-${nth}`);
    const repo = await rig.open();
    const given = await repo.snapshot("s");
    shell(rig, deed);
    const opened = await endBy(end, repo, given);
    const about = `${end}: ${deed}`;
    assert.ok(
      opened?.some((path) => path.startsWith("src")),
      about,
    );
    assert.deepEqual([await rig.read("src/a.txt"), await rig.read("src/mine.txt")], ["edited\n", "untracked\n"], about);
  }

async function endBy(end: string, repo: Repo, given: Anchor): Promise<readonly string[] | undefined> {
  if (end === "writer") return (await repo.afterWriter({ given, ours: [] }, "w")).putBack.opened;
  if (end === "reader") return (await repo.afterReader(given, "w")).around.opened;
  if (end === "check") return (await repo.restoreFiles(given, ["src/a.txt", "src/mine.txt"], "w")).opened;
  const around = end === "undated" ? undefined : await repo.undoAround(given, Date.now() + 1000, "w");
  return (await repo.restore(given, "r")).opened ?? around?.opened;
}

/** Folders and files that the person had closed before stay as they are. */
{
  const rig = await begin("theirs");
  shell(rig, "mkdir keys && echo key > keys/key && chmod 000 keys && echo own > secret.txt && chmod 000 secret.txt");
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  shell(rig, "echo two > b.txt");
  const { changed, putBack } = await repo.afterWriter({ given, ours: [] }, "w");
  assert.deepEqual([changed, putBack.opened, putBack.unsaved], [["b.txt"], undefined, undefined]);
  const modes = ["keys", "secret.txt"].map(async (path) => (await stat(join(rig.root, path))).mode & 0o777);
  assert.deepEqual(await Promise.all(modes), [0, 0]);
}

/** What can be neither read nor restored is named, also where it was never saved. */
{
  const rig = await begin("unsaved");
  await rig.write("large/huge.bin", Buffer.alloc(11 << 20));
  shell(rig, "echo own > secret.txt && chmod 000 secret.txt");
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  assert.deepEqual(given.leftAlone, ["large/huge.bin", "secret.txt"]);
  shell(rig, "rm -f secret.txt && rm large/huge.bin && chmod 000 large");
  const { putBack } = await repo.afterWriter({ given, ours: [] }, "w");
  assert.deepEqual(
    [putBack.opened, putBack.unsaved],
    [["large"], { changed: [], gone: ["large/huge.bin", "secret.txt"] }],
  );
}

/** What lies behind a link that an agent put in the place of a folder is not the tree's: it stays closed, and keeps no file away. */
for (const [end, beyond] of [
  ["closed", join(folder, "beyond")],
  ["another's", "/"],
] as const) {
  const rig = await begin(`link-${end}`);
  for (const path of ["src/deep/a.txt", "src/etc/b.txt", "src/shut/c.txt"]) await rig.write(path, "untracked\n");
  await mkdir(join(folder, "beyond/deep"), { recursive: true });
  await chmod(join(folder, "beyond/deep"), 0o500);
  await mkdir(join(folder, "beyond/shut"), { recursive: true, mode: 0o000 });
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  shell(rig, `mv src ../src-${beyond.length} && ln -s ${beyond} src`);
  const { leftAlone } = await repo.restore(given, "r");
  const files = ["src/a.txt", "src/mine.txt", "src/deep/a.txt", "src/etc/b.txt", "src/shut/c.txt"].map(rig.read);
  assert.deepEqual(await Promise.all(files), ["edited\n", ...Array(4).fill("untracked\n")]);
  const modes = [join(folder, "beyond/deep"), join(rig.root, "src/deep")].map(async (path) => (await stat(path)).mode);
  assert.deepEqual(
    (await Promise.all(modes)).map((mode) => mode & 0o700),
    [0o500, 0o700],
    end,
  );
  assert.deepEqual(leftAlone, []);
}
