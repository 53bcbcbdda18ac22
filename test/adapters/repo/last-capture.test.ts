// A capture that is used again is what a new one would be, whatever happened between the two.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir, rename, rm, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as passes } from "node:timers/promises";
import { promisify } from "node:util";
import { identify } from "../../../src/adapters/files/git-identity.ts";
import { isSame, sightOf } from "../../../src/adapters/repo/git/capture/last-capture.ts";
import fc, { times } from "../../rig/property.ts";
import { logGit, makeRig, type Rig } from "./rig.ts";

const run = promisify(execFile);
const names = ["a.txt", "src/b.txt", "new.txt", "src/new.txt", "deep/er/new.txt", "out/made.txt"] as const;
const longAgo = new Date("2020-01-01T00:00:00Z");

/** What may happen to a file. All texts are of one length, and times can be set back: only the change itself is left to see. */
const deeds: Readonly<Record<string, (rig: Rig, name: string) => Promise<unknown>>> = {
  one: (rig, name) => rig.write(name, "one\n"),
  two: (rig, name) => rig.write(name, "two\n"),
  old: async (rig, name) => {
    await rig.write(name, "old\n");
    await utimes(join(rig.root, name), longAgo, longAgo);
  },
  gone: (rig, name) => rm(join(rig.root, name), { force: true }),
  link: async (rig, name) => {
    await rm(join(rig.root, name), { force: true });
    await symlink(name === "a.txt" ? "src/b.txt" : "a.txt", join(rig.root, name)).catch(() => undefined);
  },
  mode: (rig, name) => chmod(join(rig.root, name), 0o755).catch(() => undefined),
  moved: (rig, name) => rename(join(rig.root, name), join(rig.root, "src/moved.txt")).catch(() => undefined),
  staged: (rig, name) => rig.git("add", "-A", "--", name).catch(() => undefined),
  unstaged: (rig, name) => rig.git("reset", "-q", "--", name).catch(() => undefined),
  committed: (rig) => rig.git("commit", "-q", "-a", "--allow-empty", "-m", "x"),
  settled: () => passes(30),
  folder: (rig) => mkdir(join(rig.root, "deep/er"), { recursive: true }),
  // What is ignored, by each of the files that can say so. They are of one length, too.
  ignoring: (rig) => rig.write(".gitignore", "out/\n"),
  seeing: (rig) => rig.write(".gitignore", "oot/\n"),
  ignoringBelow: (rig) => rig.write("deep/.gitignore", "er/\n"),
  seeingBelow: (rig) => rig.write("deep/.gitignore", "or/\n"),
  excluding: (rig) => rig.write(".git/info/exclude", "deep/\n"),
  including: (rig) => rig.write(".git/info/exclude", "doop/\n"),
  configuring: async (rig) => {
    await rig.write(".git/others", "out/\n");
    await rig.git("config", "core.excludesFile", join(rig.root, ".git/others"));
  },
  reconfiguring: (rig) => rig.write(".git/others", "oot/\n"),
  intended: (rig, name) => rig.git("add", "-N", "--", name).catch(() => undefined),
  untracked: (rig, name) => rig.git("rm", "-q", "--cached", "--", name).catch(() => undefined),
  unlooked: (rig, name) => rig.git("update-index", "--assume-unchanged", "--", name).catch(() => undefined),
  skipped: (rig, name) => rig.git("update-index", "--skip-worktree", "--", name).catch(() => undefined),
  sparse: (rig) => rig.git("sparse-checkout", "set", "src").catch(() => undefined),
  dense: (rig) => rig.git("sparse-checkout", "disable").catch(() => undefined),
  conflicting: async (rig, name) => {
    await rig.git("branch", "-f", "other").catch(() => undefined);
    await rig.git("stash").catch(() => undefined);
    await rig.write(name, "tre\n");
    await rig.git("stash", "pop").catch(() => undefined);
  },
  forced: (rig, name) => rig.git("add", "-f", "--", name).catch(() => undefined),
  nested: (rig) => rig.git("init", "-q", "deep/er"),
  unnested: (rig) => rm(join(rig.root, "deep/er/.git"), { recursive: true, force: true }),
};

const deed = fc.tuple(fc.constantFrom(...Object.keys(deeds)), fc.constantFrom(...names));

test("after whatever was done, the tree and the index are those that a first look finds", async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 4, maxLength: 16 }), async (done) => {
      const rig = await makeRig(t);
      const repo = await rig.open();
      for (const [what, name] of done) {
        await deeds[what]?.(rig, name);
        const [again, first] = [await repo.snapshot("s"), await (await rig.open()).snapshot("s")];
        assert.deepEqual(again, first, `${what} ${name}`);
      }
    }),
    { numRuns: times(5) },
  );
});

/** What a small tree is followed through, without a git of its own for each step. */
const usual = ["one", "two", "old", "gone", "mode", "moved", "staged", "unstaged", "committed", "untracked", "forced"];
const ruling = ["ignoring", "seeing", "ignoringBelow", "excluding", "including", "link"];
const usualDeed = fc.tuple(fc.constantFrom(...usual, ...usual, ...usual, ...ruling), fc.constantFrom(...names));

test("what a small tree is followed through leads where a first look leads", async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(usualDeed, { minLength: 8, maxLength: 24 }), async (done) => {
      const rig = await makeRig(t);
      const repo = await rig.open();
      for (const [what, name] of done) {
        await deeds[what]?.(rig, name);
        await passes(22);
        const [again, first] = [await repo.snapshot("s"), await (await rig.open()).snapshot("s")];
        assert.deepEqual(again, first, `${what} ${name}`);
      }
    }),
    { numRuns: times(4) },
  );
});

/** The tree that git itself makes of all files. */
async function treeByGit(rig: Rig): Promise<{ readonly tree: string; readonly index: string }> {
  const copy = join(rig.root, ".git/copy-of-index");
  const index = (await rig.git("write-tree")).trim();
  await copyFile(join(rig.root, ".git/index"), copy);
  // One that looks younger than the files would hide what changed in the second in which it was written.
  await utimes(copy, 1, 1);
  const git = (...args: readonly string[]) =>
    run("git", args, { cwd: rig.root, env: { ...process.env, GIT_INDEX_FILE: copy } });
  await git("add", "-A");
  return { tree: (await git("write-tree")).stdout.trim(), index };
}

/** More files than are looked at without git. It is a copy of another: git knows its files once it has read them. */
async function makeLarge(t: TestContext): Promise<Rig> {
  const many = Object.fromEntries(Array.from({ length: 2050 }, (_, at) => [`many/${at % 40}/${at}.txt`, `${at}\n`]));
  const rig = await makeRig(t, { ...many, "a.txt": "one\n", "src/b.txt": "two\n" });
  await rig.git("update-index", "--refresh");
  return rig;
}

test("a large tree is captured as git itself sees it, after whatever was done to it", async (t) => {
  const large = await makeLarge(t);
  const repo = await large.open();
  const deedOfLarge = fc.tuple(
    fc.constantFrom(...usual, ...ruling, "intended"),
    fc.constantFrom(...names, "many/3/3.txt"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(deedOfLarge, { minLength: 6, maxLength: 12 }), async (done) => {
      for (const [what, name] of done) {
        await deeds[what]?.(large, name);
        await passes(22);
        const { tree, index } = await repo.look();
        assert.deepEqual({ tree, index }, await treeByGit(large), `${what} ${name}`);
      }
      await rm(join(large.root, ".git/index"));
      await large.git("reset", "-q", "--hard");
      await large.git("clean", "-qfdx");
      await rm(join(large.root, ".git/info/exclude"), { force: true });
      await large.git("config", "--unset", "core.excludesFile").catch(() => undefined);
    }),
    { numRuns: times(4) },
  );
});

test("in a large tree nothing that happens to plain files has git make another index", async (t) => {
  const rig = await makeLarge(t);
  const repo = await rig.open();
  await passes(30);
  await repo.tree();
  const log = await logGit(t);
  await rig.write("many/3/3.txt", "changed\n");
  await rig.write("new.txt", "new\n");
  await rm(join(rig.root, "many/4/4.txt"));
  await passes(30);
  await repo.tree();
  const verbs = (await log())
    .split("\n")
    .flatMap((line) => / (diff-files|ls-files|update-index|write-tree|read-tree) /.exec(line)?.[1] ?? []);
  assert.deepEqual(verbs, ["diff-files"]);
});

test("in a small tree nothing that happens to plain files starts another git", async (t) => {
  const rig = await makeRig(t, {
    "a.txt": "one\n",
    "src/b.txt": "b\n",
    "src/gone.txt": "gone\n",
    ".gitignore": "*.log\n",
  });
  const log = await logGit(t);
  // Those of the test itself have a pager; gits that stay are in the log once they end.
  const calls = async () => (await log()).split("\n").filter((line) => line.includes("--no-pager"));
  const repo = await rig.open();
  const step = async (act: () => Promise<unknown>): Promise<void> => {
    await act();
    await passes(30);
    await repo.tree();
  };
  await step(() => rig.write("a.txt", "two\n"));
  await step(() => rig.write("new.txt", "new\n"));
  const before = (await calls()).length;
  await step(() => rig.write("a.txt", "three\n"));
  await step(() => rig.write("deep/er/new.txt", "new\n"));
  await step(() => rig.write("deep/er/made.log", "ignored\n"));
  await step(() => rm(join(rig.root, "src/gone.txt")));
  await step(() => rig.git("add", "-A"));
  await step(() => rig.git("commit", "-q", "-m", "x"));
  await step(() => chmod(join(rig.root, "a.txt"), 0o755));
  assert.deepEqual((await calls()).slice(before), []);
  assert.deepEqual(await repo.snapshot("s"), await (await rig.open()).snapshot("s"));
  for (const [odd, act] of Object.entries({
    "another end of a line": () => rig.write("a.txt", "three\r\n"),
    "another rule": () => rig.write(".gitignore", "*.txt\n"),
    "a filter": () => rig.write(".gitattributes", "*.txt filter=x\n"),
    "a link": () => symlink("a.txt", join(rig.root, "link")),
    "a name that git may refuse": () => rig.write("git~1", "x"),
  })) {
    const already = (await calls()).length;
    await step(act);
    assert.notEqual((await calls()).length, already, odd);
    assert.deepEqual(await repo.snapshot("s"), await (await rig.open()).snapshot("s"));
  }
});

test("in a sparse checkout a file that is there again is seen, though the index says the same", async (t) => {
  const rig = await makeRig(t, { "a.txt": "one\n", "out/made.txt": "two\n" });
  await rig.git("sparse-checkout", "set", "src");
  const repo = await rig.open();
  await repo.snapshot("s");
  await rig.write("out/made.txt", "tre\n");
  assert.deepEqual(await repo.snapshot("s"), await (await rig.open()).snapshot("s"));
});

test("what only the index holds is seen", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  await rig.write("a.txt", "new\n");
  await passes(30);
  const before = await repo.snapshot("s");
  const blob = await rig.git("rev-parse", "HEAD:src/b.txt");
  await rig.git("update-index", "--cacheinfo", `100644,${blob.trim()},a.txt`);
  const after = await repo.snapshot("s");
  assert.equal(after.tree, before.tree);
  assert.notEqual(after.index, before.index);
});

test("another rule for what git makes of a file is seen", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  await rig.write("a.txt", "new\r\n");
  await passes(30);
  const before = await repo.tree();
  await rig.write(".git/info/attributes", "*.txt text\n");
  assert.notEqual(await repo.tree(), before);
});

test("the times of a file that was changed just now say nothing", async (t) => {
  const rig = await makeRig(t);
  const gitDir = join(rig.root, ".git");
  const identity = identify({ root: rig.root, gitDir, commonDir: gitDir });
  const checkout = {
    root: rig.root,
    gitDir,
    commonDir: gitDir,
    runId: "r",
    identity,
    isHidden: () => false,
    documentFolders: new Set<string>(),
  };
  const sight = () => sightOf(checkout, join(gitDir, "now"), { listing: "", entries: "", paths: ["a.txt"] });
  // Whatever the machine does between the two: the file is not the older one.
  await rig.write(".git/now", "");
  await rig.write("a.txt", "new\n");
  const young = await sight();
  await passes(30);
  await rig.write(".git/now", "later");
  const settled = await sight();
  assert.deepEqual([isSame(young, settled), isSame(settled, await sight())], [false, true]);
});

test("a repository without an index is captured like any other", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const tree = await repo.tree();
  await rm(join(rig.root, ".git/index"));
  for (let time = 0; time < 2; time++) assert.equal(await repo.tree(), tree);
});

/** Does each, and gives the trees that were seen between them. */
async function treesAfter(rig: Rig, ...steps: readonly (readonly [keyof typeof deeds, string])[]) {
  const repo = await rig.open();
  const trees: string[] = [];
  for (const [what, name] of steps) {
    await deeds[what]?.(rig, name);
    await passes(30);
    trees.push(await repo.tree());
  }
  return trees;
}

test("a folder that is no longer ignored is looked into", async (t) => {
  const rig = await makeRig(t);
  await rig.write(".gitignore", "out/\n");
  const trees = await treesAfter(rig, ["one", "out/made.txt"], ["seeing", ""], ["two", "out/made.txt"]);
  assert.equal(new Set(trees).size, 3);
});

test("a tracked file in an ignored folder is looked at", async (t) => {
  const rig = await makeRig(t);
  await rig.write(".gitignore", "out/\n");
  const trees = await treesAfter(rig, ["one", "out/made.txt"], ["forced", "out/made.txt"], ["two", "out/made.txt"]);
  assert.equal(new Set(trees).size, 3);
});

test("a tree without changes is captured once, and git is asked nothing more", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  await passes(30);
  const tree = await repo.tree();
  await repo.tree();
  const path = process.env["PATH"];
  process.env["PATH"] = "/no/such/folder";
  t.after(() => {
    process.env["PATH"] = path;
  });
  assert.equal(await repo.tree(), tree);
});
