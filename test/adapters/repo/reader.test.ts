// What a reader with a shell can do to git's own folder (R6), on real git.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { lstat, mkdir, readdir, readFile, rm, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeNested, makeRig, type Rig, rigIn } from "./rig.ts";

test("R6: hooks, git's own files, tags, notes, replacements, stashes and branches are as they were, and named", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  await rig.write("a.txt", "stashed by the person\n");
  await rig.git("stash", "-q");
  await rig.git("branch", "theirs");
  await rig.git("tag", "v1");
  await rig.hook("pre-push", "exit 0");
  await rig.write("a.txt", "edited by the person\n");
  const given = await repo.snapshot("s");
  const state = async () => [
    await rig.git("stash", "list", "--format=%H"),
    await rig.git(
      ...["for-each-ref", "--format=%(refname) %(objectname)"],
      ...["refs/heads", "refs/tags", "refs/notes", "refs/replace"],
    ),
    await rig.git("config", "--local", "--list"),
    await rig.read(".git/hooks/pre-push"),
    await rig.exists(".git/hooks/pre-commit"),
    await rig.exists(".git/info/attributes"),
    await rig.read(".git/info/exclude"),
  ];
  const before = await state();
  await rig.git("branch", "-f", "theirs", (await rig.git("commit-tree", "-m", "x", "HEAD^{tree}")).trim());
  await rig.git("branch", "made");
  await rig.git("tag", "-d", "v1");
  await rig.git("notes", "add", "-m", "a note");
  await rig.git("replace", "HEAD", "theirs");
  await rig.git("stash", "drop", "-q");
  await rig.git("config", "core.hooksPath", "/tmp");
  await rig.hook("pre-push", "exit 1");
  await rig.hook("pre-commit", "exit 1");
  await rig.write(".git/info/attributes", "* -diff\n");
  await rig.write(".git/info/exclude", "hidden.txt\n");
  await rig.write("hidden.txt", "x\n");
  const { touched, around } = await repo.afterReader(given, "r-reader");
  assert.deepEqual(await state(), before);
  assert.deepEqual(touched, ["hidden.txt"], "what it hid is found");
  const named = around.refs.map((ref) => ref.replace(/^replace\/.*/, "replace"));
  assert.deepEqual(named.sort(), ["made", "notes/commits", "replace", "stash", "tags/v1", "theirs"]);
  const files = ["config", "hooks/pre-commit", "hooks/pre-push", "info/attributes", "info/exclude"];
  assert.deepEqual([...around.settings].sort(), files);
  const left = await readFile(join(around.settingsKept ?? "", "hooks/pre-commit"), "utf8");
  assert.match(left, /exit 1/, "somebody may miss it");
  assert.equal(await rig.read("a.txt"), "edited by the person\n");
});

test("E3b, R6: a stash that goes is kept under a ref: it may hold the only copy of somebody's work", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  for (const text of ["first\n", "second\n"]) {
    await rig.write("a.txt", text);
    await rig.git("stash", "-q");
  }
  const { around } = await repo.afterReader(given, "r-reader");
  assert.equal(await rig.git("stash", "list"), "");
  const kept = await Promise.all(around.refsKept.map((ref) => rig.git("show", `${ref}:a.txt`)));
  assert.deepEqual(kept.map((text) => text.trim()).sort(), ["first", "second"]);
  await repo.forgetStates();
  for (const ref of around.refsKept) await rig.git("rev-parse", "--verify", "--quiet", ref);
});

test("E3: of an interrupted agent, hooks, git's own files, tags and stashes are put back; what changed later is the person's", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  await rig.git("tag", "v1");
  await rig.hook("pre-push", "exit 0");
  const given = await repo.snapshot("s");
  const state = async () => [
    await rig.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/tags", "refs/heads", "refs/stash"),
    await rig.git("config", "--local", "--list"),
    await rig.exists(".git/hooks/pre-commit"),
    await rig.exists(".git/hooks/pre-push"),
  ];
  const before = await state();
  await rig.hook("pre-commit", "exit 1");
  await rm(join(rig.root, ".git/hooks/pre-push"));
  await rig.git("config", "core.hooksPath", "elsewhere");
  await rig.git("tag", "-d", "v1");
  await rig.git("tag", "v2");
  await rig.write("a.txt", "stashed\n");
  await rig.git("stash", "-q");
  const after = await state();
  const later = known(await repo.undoAround(given, Date.now() - 60_000, "w-interrupted"));
  assert.deepEqual([later.refs, later.settings, await state()], [[], [], after]);
  const { refs, settings, refsKept } = known(await repo.undoAround(given, Date.now() + 1000, "w-interrupted"));
  assert.deepEqual(await state(), before);
  assert.deepEqual([...refs].sort(), ["stash", "tags/v1", "tags/v2"]);
  assert.deepEqual([...settings].sort(), ["config", "hooks/pre-commit", "hooks/pre-push"]);
  const kept = await Promise.all(refsKept.map((ref) => rig.git("show", `${ref}:a.txt`)));
  assert.ok(kept.includes("stashed\n"));
});

test("E3: a branch that was made in the very millisecond in which an interrupted agent was gone is the agent's", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  await rig.git("branch", "made");
  const { mtimeMs, ctimeMs } = await lstat(join(rig.root, ".git/refs/heads/made"));
  const goneAt = Math.floor(Math.max(mtimeMs, ctimeMs));
  assert.deepEqual((await repo.undoAround(given, goneAt - 1, "w-interrupted"))?.refs, []);
  assert.deepEqual((await repo.undoAround(given, goneAt, "w-interrupted"))?.refs, ["made"]);
});

test("E3b: a branch that became another name for one, and a pipe in the place of a ref, are undone and named", {
  timeout: 30_000,
}, async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  await rig.git("branch", "evil");
  await rig.git("symbolic-ref", "refs/heads/main", "refs/heads/evil");
  await rig.git("symbolic-ref", "refs/heads/alias", "refs/heads/evil");
  execFileSync("mkfifo", [join(rig.root, ".git/refs/heads/pipe")]);
  const { putBack } = await repo.afterWriter({ given, ours: [] }, "w");
  assert.deepEqual([putBack.refs, putBack.settings], [["alias"], ["refs/heads/pipe"]]);
  assert.deepEqual(await repo.head(), { sha: given.sha, branch: "main" });
  assert.equal(await rig.read(".git/refs/heads/main"), `${given.sha}\n`);
  assert.equal((await rig.git("for-each-ref", "--format=%(refname)", "refs/heads")).trim(), "refs/heads/main");
});

test("E3b: what was there is not taken from a record that an agent has rewritten", async (t) => {
  const rig = await makeRig(t);
  const given = await (await rig.open()).snapshot("s");
  const folder = join(rig.root, ".git/superteam/runs");
  const [file = ""] = globSync("*/around/*.json", { cwd: folder });
  const record = JSON.parse(await readFile(join(folder, file), "utf8"));
  const planted = {
    ...record,
    settings: { ...record.settings, "hooks/pre-commit": { text: "exit 1\n", mode: 0o755 } },
  };
  await writeFile(join(folder, file), JSON.stringify(planted));
  const { putBack } = await (await rig.open()).afterWriter({ given, ours: [] }, "w");
  assert.deepEqual([putBack.settings, await rig.exists(".git/hooks/pre-commit")], [[], false]);
});

test("E3: without the record of what was there, it is not known what an interrupted agent changed", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  await rm(join(rig.root, ".git/superteam/runs"), { recursive: true });
  // What was saved last is in memory too.
  for (let nth = 1; nth <= 8; nth++) {
    await rig.git("tag", `later-${nth}`);
    await repo.snapshot(`s${nth}`);
  }
  assert.equal(await repo.changedAround(given), undefined);
  assert.equal(await repo.undoAround(given, 0, "w-interrupted"), undefined);
});

test("E3: what an interrupted agent hides from git by a flag of the index or a filter of the moment is seen, and goes", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  await rig.write("a.txt", "flagged\n");
  await rig.git("update-index", "--assume-unchanged", "a.txt");
  await rig.write("src/b.txt", "filtered\n");
  await rig.write(".git/info/attributes", "src/b.txt filter=x\n");
  await utimes(join(rig.root, "src/b.txt"), 1_600_000_000, 1_600_000_000);
  await rig.git("-c", "filter.x.clean=echo two", "add", "src/b.txt");
  await rig.remove(".git/info/attributes");
  assert.equal(await repo.tree(), given.tree, "hidden");
  const { settings } = known(await repo.undoAround(given, Date.now() + 1000, "w-interrupted"));
  assert.deepEqual([...settings].sort(), ["index (hides a.txt)", "index (hides src/b.txt)"]);
  const { restored } = await repo.restore(given, "w-interrupted");
  assert.deepEqual([restored, await rig.read("a.txt")], [["a.txt", "src/b.txt"], "one\n"]);
});

for (const [what, deed] of [
  ["HEAD that is gone", (at: string) => rm(join(at, "HEAD"))],
  ["HEAD that is none", (at: string) => writeFile(join(at, "HEAD"), "junk\n")],
  ["a pipe as HEAD", (at: string) => pipeAs(at, "HEAD")],
  ["a pipe as a ref", (at: string) => pipeAs(at, "refs/heads/pipe")],
  ["a pipe as the list of refs", (at: string) => pipeAs(at, "packed-refs")],
  ["a link to a pipe as the list of refs", (at: string) => linkToPipe(at, "packed-refs")],
  ["a link to a device as the list of refs", (at: string) => linkAs(at, "packed-refs", "/dev/zero")],
  ["a link to itself as the list of refs", (at: string) => linkAs(at, "packed-refs", "packed-refs")],
  [
    "a folder as the list of refs",
    (at: string) => rm(join(at, "packed-refs")).then(() => mkdir(join(at, "packed-refs"))),
  ],
  ["a list of refs that is larger than memory", (at: string) => truncate(join(at, "packed-refs"), 2 ** 40)],
  ["a link to a pipe as the branch", (at: string) => linkToPipe(at, "refs/heads/main")],
  ["a link to everything among the branches", (at: string) => linkAs(at, "refs/heads/all", "/")],
  ["a pipe among the objects", pipeAsPack],
  ["junk as the list of refs", (at: string) => writeFile(join(at, "packed-refs"), "junk\n")],
  ["a pipe as the configuration", (at: string) => pipeAs(at, "config")],
  ["junk as the configuration", (at: string) => writeFile(join(at, "config"), "[junk\n")],
  ["a pipe as the index", (at: string) => pipeAs(at, "index")],
  ["junk as the index", (at: string) => writeFile(join(at, "index"), "junk\n")],
  ["a folder as the index", (at: string) => rm(join(at, "index")).then(() => mkdir(join(at, "index")))],
  ["junk as the branch", (at: string) => writeFile(join(at, "refs/heads/main"), "junk\n")],
  [
    "a branch that is another name for itself",
    (at: string) => writeFile(join(at, "refs/heads/main"), "ref: refs/heads/main\n"),
  ],
  [
    "a folder as the branch",
    (at: string) => rm(join(at, "refs/heads/main")).then(() => mkdir(join(at, "refs/heads/main"))),
  ],
  ["HEAD on a branch without commits", (at: string) => writeFile(join(at, "HEAD"), "ref: refs/heads/orphan\n")],
  ["another repository's folder for its own", (at: string) => writeFile(join(at, "commondir"), "../../elsewhere\n")],
  ["no folder of refs", (at: string) => rm(join(at, "refs"), { recursive: true })],
] as const) {
  test(`E11: with ${what} git can be used again at the end of an agent, and everything is as it was`, {
    timeout: 60_000,
  }, async (t) => {
    const rig = await makeRig(t);
    await rig.git("branch", "other");
    await rig.git("pack-refs", "--all");
    await rig.git("tag", "v1");
    await rig.git("commit", "-q", "--allow-empty", "-m", "more");
    await rig.write("a.txt", "staged\n");
    await rig.git("add", "a.txt");
    const state = (): Promise<string[]> =>
      Promise.all([
        rig.git("symbolic-ref", "HEAD"),
        rig.git("for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/tags"),
        rig.git("config", "--local", "--list"),
        rig.git("diff", "--cached", "--name-only"),
      ]);
    for (const how of ["ended", "interrupted"]) {
      const repo = await rig.open();
      const given = await repo.snapshot(`s-${how}`);
      const before = await state();
      await rig.git("commit", "-q", "-m", "the agent's");
      await deed(join(rig.root, ".git"));
      if (how === "ended") await repo.afterWriter({ given, ours: [] }, "w");
      else {
        await repo.undoAround(given, Date.now() + 10_000, "w-interrupted");
        await repo.restore(given, "w-interrupted");
      }
      assert.deepEqual(await state(), before, how);
      assert.deepEqual(await repo.head(), { sha: given.sha, branch: "main" });
    }
  });
}

for (const [what, deed] of [
  ["a file over 10 MB", (rig: Rig, path: string) => rig.write(path, Buffer.alloc(11 * 1024 * 1024))],
  ["a repository", (rig: Rig, path: string) => rig.remove(path).then(() => makeNested(rig, path))],
] as const)
  test(`R6: files in whose place a reader puts ${what} are as they were, and it is kept and named; a new one is named`, async (t) => {
    const rig = await makeRig(t);
    await rig.write("a.txt", "edited\n");
    await rig.write("mine.txt", "untracked\n");
    const repo = await rig.open();
    const given = await repo.snapshot("s");
    for (const path of ["a.txt", "mine.txt"]) await deed(rig, path);
    await rig.write("new/x", "");
    await deed(rig, "new/x");
    const { touched, around } = await repo.afterReader(given, "r");
    assert.deepEqual([...touched].sort(), ["a.txt", "mine.txt"]);
    assert.deepEqual([await rig.read("a.txt"), await rig.read("mine.txt")], ["edited\n", "untracked\n"]);
    assert.deepEqual([around.leftAlone, await rig.exists("new/x")], [["new/x"], true]);
    assert.deepEqual(await readdir(around.filesKept ?? ""), ["a.txt", "mine.txt"]);
    const again = await repo.afterReader(await repo.snapshot("t"), "r2");
    assert.deepEqual([again.touched, again.around.leftAlone, again.around.filesKept], [[], undefined, undefined]);
  });

for (const end of ["writer", "reader", "interrupted"])
  test(`E3b, R6: files that an agent only announced to git are announced no more, and the person's are as before: ${end}`, async (t) => {
    const rig = await makeRig(t);
    for (const name of ["notes.txt", "later.txt"]) await rig.write(name, "the person's\n");
    await rig.git("add", "-N", "later.txt");
    const repo = await rig.open();
    const given = await repo.snapshot("s");
    await rig.write("new.txt", "new\n");
    await rig.git("add", "-N", ".");
    const { settings } =
      end === "writer"
        ? (await repo.afterWriter({ given, ours: [] }, "w")).putBack
        : end === "reader"
          ? (await repo.afterReader(given, "w")).around
          : known(await repo.undoAround(given, Date.now() + 60_000, "w"));
    if (end === "interrupted") await repo.restore(given, "w");
    assert.deepEqual(settings, ["index (announces notes.txt)"]);
    const made = end === "writer" ? "?? new.txt\n" : "";
    assert.equal(await rig.git("status", "--porcelain"), ` A later.txt\n${made}?? notes.txt\n`);
  });

async function linkAs(gitDir: string, path: string, to: string): Promise<void> {
  await rm(join(gitDir, path), { force: true });
  await symlink(to, join(gitDir, path));
}

async function linkToPipe(gitDir: string, path: string): Promise<void> {
  await pipeAs(gitDir, "../../pipe");
  await linkAs(gitDir, path, join(gitDir, "../../pipe"));
}

async function pipeAsPack(gitDir: string): Promise<void> {
  const pack = `objects/pack/pack-${"1".repeat(40)}`;
  await writeFile(join(gitDir, `${pack}.pack`), "junk\n");
  await pipeAs(gitDir, `${pack}.idx`);
}

async function pipeAs(gitDir: string, path: string): Promise<void> {
  await rm(join(gitDir, path), { force: true });
  execFileSync("mkfifo", [join(gitDir, path)]);
}

test("E3b: repositories that objects are borrowed from come back, added ones stay; the border of a shallow clone goes", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const lent = join(rig.root, "../lent/objects");
  await mkdir(lent, { recursive: true });
  await writeFile(join(rig.root, ".git/objects/info/alternates"), `${lent}\n`);
  const given = await repo.snapshot("s");
  await writeFile(join(rig.root, ".git/objects/info/alternates"), "/elsewhere\n");
  await writeFile(join(rig.root, ".git/shallow"), given.sha);
  const { putBack } = await repo.afterWriter({ given, ours: [] }, "w");
  assert.deepEqual([...putBack.settings].sort(), ["objects/info/alternates", "shallow"]);
  assert.equal(await rig.read(".git/objects/info/alternates"), `${lent}\n/elsewhere\n`);
  assert.equal(await rig.exists(".git/shallow"), false);
});

test("E3b: a linked worktree's own settings are put back, and git finds its other folder again", async (t) => {
  const rig = await makeRig(t);
  const linked = join(rig.root, "../linked");
  await rig.git("worktree", "add", "-q", linked);
  await rig.git("config", "extensions.worktreeConfig", "true");
  const tree = rigIn(linked);
  const repo = await tree.open();
  const given = await repo.snapshot("s");
  await tree.git("config", "--worktree", "core.hooksPath", "elsewhere");
  await rm(join(rig.root, ".git/worktrees/linked/commondir"));
  const { putBack } = await repo.afterWriter({ given, ours: [] }, "w");
  assert.deepEqual([...putBack.settings].sort(), ["commondir", "worktrees/linked/config.worktree"]);
  assert.equal((await tree.git("config", "--get", "core.hooksPath").catch(() => "")).trim(), "");
  assert.deepEqual(await repo.head(), { sha: given.sha, branch: "linked" });
});

function known<T>(back: T | undefined): T {
  assert.ok(back);
  return back;
}
