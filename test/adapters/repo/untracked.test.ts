// What git neither tracks nor ignores is found by the times of folders, and is what git itself would list, whatever happened before.

import assert from "node:assert/strict";
import { mkdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as passes } from "node:timers/promises";
import { identify } from "../../../src/adapters/files/git-identity.ts";
import { readLargeIndex } from "../../../src/adapters/repo/git/capture/large-index.ts";
import { listUntracked } from "../../../src/adapters/repo/git/capture/untracked.ts";
import { settingsOf } from "../../../src/adapters/repo/git/place/settings.ts";
import fc, { times } from "../../rig/property.ts";
import { logGit, makeRig, type Rig } from "./rig.ts";

const names = [
  "a.txt",
  "new.log",
  "src/b.txt",
  "src/new.txt",
  "src/new.log",
  "deep/er/one.txt",
  "deep/er/two.log",
  "out/made.txt",
];

const deeds: Readonly<Record<string, (rig: Rig, name: string) => Promise<unknown>>> = {
  written: (rig, name) => rig.write(name, "one\n").catch(() => undefined),
  gone: (rig, name) => rm(join(rig.root, name), { recursive: true, force: true }),
  "its folder gone": (rig, name) =>
    rm(join(rig.root, name.slice(0, name.lastIndexOf("/") + 1) || name), { recursive: true, force: true }),
  "its folder moved": (rig, name) =>
    rename(join(rig.root, dirname(name)), join(rig.root, "moved")).catch(() => undefined),
  "a folder now": async (rig, name) => {
    await rm(join(rig.root, name), { recursive: true, force: true });
    await rig.write(`${name}/in/it`, "x").catch(() => undefined);
  },
  "a link now": async (rig, name) => {
    await rm(join(rig.root, name), { recursive: true, force: true });
    await symlink("src", join(rig.root, name)).catch(() => undefined);
  },
  staged: (rig, name) => rig.git("add", "-f", "--", name).catch(() => undefined),
  "tracked no more": (rig, name) => rig.git("rm", "-q", "--cached", "--", name).catch(() => undefined),
  committed: (rig) => rig.git("commit", "-q", "--allow-empty", "-m", "x"),
  empty: (rig) => mkdir(join(rig.root, "empty/for/now"), { recursive: true }),
  ignoring: (rig) => rig.write(".gitignore", "*.log\nout/\n"),
  seeing: (rig) => rig.write(".gitignore", "*.lag\noot/\n"),
  "ignoring nothing": (rig) => rm(join(rig.root, ".gitignore"), { force: true }),
  "ignoring below": (rig) => rig.write("deep/.gitignore", "er/\n").catch(() => undefined),
  "but for one": (rig) => rig.write("src/.gitignore", "!new.log\n").catch(() => undefined),
  excluding: (rig) => rig.write(".git/info/exclude", "src/\n"),
  including: (rig) => rig.write(".git/info/exclude", "srk/\n"),
  configuring: async (rig) => {
    await rig.write(".git/others", "*.txt\n");
    await rig.git("config", "core.excludesFile", join(rig.root, ".git/others"));
  },
  "a moment": () => passes(25),
};

async function listing(rig: Rig) {
  const gitDir = join(rig.root, ".git");
  const identity = identify({ root: rig.root, gitDir, commonDir: gitDir });
  const own = { isHidden: () => false, documentFolders: new Set<string>() };
  const checkout = { root: rig.root, gitDir, commonDir: gitDir, runId: "r", identity, ...own };
  let index = readLargeIndex(Buffer.alloc(0), 20);
  return async (): Promise<readonly string[] | undefined> => {
    const settings = await settingsOf(checkout);
    index = readLargeIndex(await readFile(join(gitDir, "index")), 20, index);
    assert.ok(settings && index);
    return (await listUntracked(checkout, settings, Promise.resolve(index)))?.toSorted();
  };
}

const byGit = async (rig: Rig): Promise<readonly string[]> =>
  (await rig.git("ls-files", "-z", "-o", "--exclude-standard")).split("\0").filter(Boolean).sort();

const files = { "a.txt": "one\n", "src/b.txt": "two\n", "src/deep/c.txt": "c\n" };

test("what is found by the times of folders is what git lists", async (t) => {
  const deed = fc.tuple(fc.constantFrom(...Object.keys(deeds)), fc.constantFrom(...names));
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 10, maxLength: 30 }), async (done) => {
      const rig = await makeRig(t, files);
      const list = await listing(rig);
      for (const [what, name] of done) {
        await deeds[what]?.(rig, name);
        assert.deepEqual(await list(), await byGit(rig), `${what} ${name}`);
      }
    }),
    { numRuns: times(12) },
  );
});

test("folders that are the same are not read again, nor git asked", async (t) => {
  const rig = await makeRig(t, files);
  await rig.write("new.txt", "new\n");
  const list = await listing(rig);
  await passes(30);
  await list();
  const log = await logGit(t);
  await rig.write("a.txt", "two\n");
  assert.deepEqual(await list(), ["new.txt"]);
  assert.equal((await log()).includes("ls-files"), false);
});

test("a file that leaves the index is found, though its folder is as it was", async (t) => {
  const rig = await makeRig(t, files);
  const list = await listing(rig);
  await passes(30);
  assert.deepEqual(await list(), []);
  await rig.git("rm", "-q", "--cached", "a.txt", "src/b.txt");
  assert.deepEqual(await list(), ["a.txt", "src/b.txt"]);
});

test("names that come one right after another are all found", async (t) => {
  const rig = await makeRig(t, files);
  const list = await listing(rig);
  const expected: string[] = [];
  for (let nth = 100; nth < 160; nth++) {
    expected.push(`src/${nth}`);
    await rig.write(`src/${nth}`, "");
    assert.deepEqual(await list(), expected);
  }
});

async function assertLeftToGit(t: TestContext, make: (rig: Rig) => Promise<unknown>): Promise<void> {
  const rig = await makeRig(t, files);
  const list = await listing(rig);
  await passes(30);
  assert.deepEqual(await list(), []);
  await make(rig);
  assert.equal(await list(), undefined);
}

test("a repository in the repository is left to git", (t) =>
  assertLeftToGit(t, (rig) => rig.git("init", "-q", "src/nested")));

test("a name that is more than a name is left to git", (t) => assertLeftToGit(t, (rig) => rig.write(":(top)x", "")));

test("what is left to git again and again is not tried any more, and what was in the way for a moment is", async (t) => {
  const rig = await makeRig(t, files);
  const list = await listing(rig);
  await rig.write(":x", "");
  for (let time = 0; time < 2; time++) assert.equal(await list(), undefined);
  await rm(join(rig.root, ":x"));
  assert.deepEqual(await list(), []);
  await rig.write(":x", "");
  for (let time = 0; time < 3; time++) assert.equal(await list(), undefined);
  await rm(join(rig.root, ":x"));
  assert.equal(await list(), undefined);
});
