// Hooks that are not in git's own folder (E3b): `core.hooksPath` leads into the tree, as husky has it, or out of it.

import assert from "node:assert/strict";
import { chmod, mkdir, readFile, readlink, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { order } from "../../contracts/repo/order.ts";
import { makeFolder, makeRig, type Rig } from "./rig.ts";

const harmless = "#!/bin/sh\nexit 0\n";
const evil = "#!/bin/sh\necho evil >evil.js; git add evil.js\n";

/** husky's layout: a folder that ignores itself. */
async function withHusky(t: TestContext): Promise<Rig> {
  const rig = await makeRig(t, { "a.txt": "one\n", ".husky/pre-commit": harmless });
  await rig.write(".husky/_/.gitignore", "*\n");
  await writeHook(join(rig.root, ".husky/_/pre-commit"), harmless);
  await rig.git("config", "core.hooksPath", ".husky/_");
  return rig;
}

async function writeHook(file: string, text: string): Promise<void> {
  await writeFile(file, text);
  await chmod(file, 0o755);
}

/** The person's own configuration of git is this file for the time of the test. */
async function ownConfiguration(t: TestContext, text: string): Promise<string> {
  const file = join(await makeFolder(t), "gitconfig");
  await writeFile(file, text);
  const before = process.env["GIT_CONFIG_GLOBAL"];
  process.env["GIT_CONFIG_GLOBAL"] = file;
  t.after(() => {
    process.env["GIT_CONFIG_GLOBAL"] = before;
  });
  return file;
}

for (const role of ["a writer", "a reader", "a check", "an interrupted agent"] as const)
  test(`E3b: hooks that git ignores are what they were after ${role}`, async (t) => {
    const rig = await withHusky(t);
    const repo = await rig.open();
    const [given, files] = [await repo.snapshot("s"), await repo.gitFiles()];
    await writeHook(join(rig.root, ".husky/_/pre-commit"), evil);
    await writeHook(join(rig.root, ".husky/_/post-commit"), evil);
    const left = {
      "a writer": async () => (await repo.afterWriter({ given, ours: [] }, "w")).putBack,
      "a reader": async () => (await repo.afterReader(given, "w")).around,
      "a check": () => repo.restoreGitFiles(given, files, "w"),
      "an interrupted agent": () => repo.undoAround(given, Date.now() + 60_000, "w"),
    };
    const back = await left[role]();
    const named = ["post-commit", "pre-commit"].map((name) => join(rig.root, ".husky/_", name));
    assert.deepEqual([...(back?.settings ?? [])].sort(), named);
    assert.equal(await rig.read(".husky/_/pre-commit"), harmless);
    assert.equal((await stat(named[1] ?? "")).mode & 0o777, 0o755);
    assert.equal(await rig.exists(".husky/_/post-commit"), false);
    assert.equal(await readFile(join(back?.settingsKept ?? "", named[0] ?? ""), "utf8"), evil);
  });

test("E3b: hooks outside the tree are what they were, also where a link or nothing is in the place of their folder", async (t) => {
  const rig = await makeRig(t);
  const [hooks, elsewhere] = [join(await makeFolder(t), "hooks"), await makeFolder(t)];
  await rig.git("config", "core.hooksPath", hooks);
  const repo = await rig.open();
  const given = await repo.snapshot("none");
  await writeFile(hooks, "");
  const first = await repo.afterWriter({ given, ours: [] }, "none");
  assert.deepEqual(first.putBack.settings, [hooks], "a folder without a hook is known, too");
  await mkdir(hooks);
  await writeHook(join(hooks, "pre-commit"), harmless);
  const again = await repo.snapshot("one");
  await rename(hooks, `${hooks}-moved`);
  await writeHook(join(elsewhere, "pre-commit"), evil);
  await symlink(elsewhere, hooks);
  await repo.afterWriter({ given: again, ours: [] }, "one");
  assert.equal(await readFile(join(hooks, "pre-commit"), "utf8"), harmless);
  assert.equal(await readFile(join(elsewhere, "pre-commit"), "utf8"), evil, "what is behind the link stays");
});

test("E3b: nothing is written through a link that is a hook", async (t) => {
  const rig = await withHusky(t);
  const program = join(await makeFolder(t), "program");
  await writeFile(program, "one\n");
  const hook = join(rig.root, ".husky/_/commit-msg");
  await symlink(program, hook);
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  await writeFile(program, "two\n");
  assert.deepEqual((await repo.afterWriter({ given, ours: [] }, "w")).putBack.settings, []);
  await rm(hook);
  await writeHook(hook, evil);
  await repo.afterWriter({ given, ours: [] }, "w2");
  assert.deepEqual([await readlink(hook), await readFile(program, "utf8")], [program, "two\n"]);
});

for (const rule of ["", ".husky\n"])
  test(`hooks of the tree are files like any${rule === "" ? "" : ", also if a writer has git ignore them"}`, async (t) => {
    const rig = await makeRig(t, { "a.txt": "one\n", ".husky/pre-commit": harmless });
    await rig.write(".husky/commit-msg", harmless);
    await rig.git("config", "core.hooksPath", ".husky");
    const repo = await rig.open();
    const given = await repo.snapshot("s");
    await rig.write(".husky/pre-commit", "#!/bin/sh\nnpm test\n");
    if (rule !== "") await rig.write(".gitignore", rule);
    const { changed, putBack } = await repo.afterWriter({ given, ours: [] }, "w");
    assert.deepEqual(changed, [...(rule === "" ? [] : [".gitignore"]), ".husky/pre-commit"]);
    assert.deepEqual(putBack.settings, []);
    assert.equal(await rig.read(".husky/commit-msg"), harmless);
  });

for (const [what, before] of [
  ["sets", ""],
  ["changes", "theirs"],
  ["removes", "theirs"],
] as const)
  test(`E3b: an agent that ${what} the folder of hooks in the person's own configuration is named, and no commit uses it`, async (t) => {
    const folders = { theirs: await makeFolder(t), planted: await makeFolder(t) };
    await writeHook(join(folders.theirs, "pre-commit"), "#!/bin/sh\ntouch .git/theirs-ran\n");
    await writeHook(join(folders.planted, "pre-commit"), evil);
    const setting = (folder: string) => `[core]\n\thooksPath = ${folder}\n`;
    const file = await ownConfiguration(t, before === "" ? "" : setting(folders.theirs));
    const rig = await makeRig(t);
    const repo = await rig.open();
    const given = await repo.snapshot("s");
    await rig.write("a.txt", "two\n");
    await writeFile(file, what === "removes" ? "" : setting(folders.planted));
    const { putBack } = await repo.afterWriter({ given, ours: [] }, "w");
    assert.deepEqual(putBack.outside, [`core.hookspath (${file})`]);
    assert.deepEqual(putBack.settings, []);
    const outcome = await repo.commit(order(given));
    assert.deepEqual(outcome.status === "committed" && outcome.files, ["a.txt"]);
    assert.equal(await rig.exists(".git/theirs-ran"), before !== "");
    assert.match(await readFile(file, "utf8"), what === "removes" ? /^$/ : /hooksPath/, "the file is the person's");
  });

test("what the person sets there afterwards is used", async (t) => {
  const [planted, theirs] = [await makeFolder(t), await makeFolder(t)];
  const file = await ownConfiguration(t, "");
  await writeHook(join(theirs, "pre-commit"), "#!/bin/sh\ntouch .git/theirs-ran\n");
  const rig = await makeRig(t);
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  const files = await repo.gitFiles();
  await rig.write("a.txt", "two\n");
  await writeFile(file, `[core]\n\thooksPath = ${planted}\n`);
  assert.deepEqual((await repo.restoreGitFiles(given, files, "check")).outside, [`core.hookspath (${file})`]);
  await writeFile(file, `[core]\n\thooksPath = ${theirs}\n`);
  assert.equal((await repo.commit(order(given))).status, "committed");
  assert.ok(await rig.exists(".git/theirs-ran"));
});
