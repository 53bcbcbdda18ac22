// What an agent can do to branches, tags and stashes (E3b), beyond moving them: names in each other's way, objects that are not there,
// history that is cleaned away. All of it is put back, or named; none of it keeps a run from going on (E11).

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { type TestContext, test } from "node:test";
import type { Anchor } from "../../../src/core/flow/repository.ts";
import type { Repo } from "../../../src/ports/repo.ts";
import { makeRig, type Rig } from "./rig.ts";

const nobody = "1".repeat(40);
const cleanUp = "git reflog expire --expire=now --expire-unreachable=now --all && git gc -q --prune=now";

const deeds: Readonly<Record<string, string>> = {
  "a branch below the name of one that it deleted": "git branch -q -D theirs && git branch theirs/more",
  "a branch at the name above one that it deleted": "git branch -q -D deep/er && git branch deep",
  "a branch below the one that HEAD is on":
    "git branch -m main tmp && git checkout -q -b main/more && git branch -D -q tmp",
  "files that are no refs in the place of a branch":
    "rm .git/refs/heads/theirs && mkdir -p .git/refs/heads/theirs/x && echo junk > .git/refs/heads/theirs/x/y",
  "a file that is no ref above a branch": "rm -r .git/refs/heads/deep && echo junk > .git/refs/heads/deep",
  "junk in the file of a branch": "echo junk > .git/refs/heads/theirs",
  "a branch that leads nowhere": `echo ${nobody} > .git/refs/heads/made`,
  "HEAD's branch leading nowhere": `echo ${nobody} > .git/refs/heads/main`,
  "branches and tags deleted and cleaned away": `git branch -q -D theirs deep/er && git tag -d v1 && ${cleanUp}`,
  "stashes cleared and cleaned away": `git stash clear && ${cleanUp}`,
  "history rewritten and cleaned away": `git commit -q --amend -m other && git branch -f theirs && ${cleanUp}`,
};

async function withRefs(t: TestContext): Promise<Rig> {
  const rig = await makeRig(t);
  for (const branch of ["theirs", "deep/er"]) {
    await rig.git("checkout", "-qb", branch, "main");
    await rig.git("commit", "-q", "--allow-empty", "-m", branch);
  }
  await rig.git("checkout", "-q", "main");
  await rig.git("tag", "-a", "-m", "annotated", "v1", "theirs");
  for (const text of ["first\n", "second\n"]) {
    await rig.write("a.txt", text);
    await rig.git("stash", "-q");
  }
  return rig;
}

async function state({ git }: Rig): Promise<readonly string[]> {
  return [
    await git("symbolic-ref", "HEAD"),
    await git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/tags", "refs/stash"),
    await git("stash", "list", "--format=%H"),
    await git("fsck", "--connectivity-only", "--no-dangling", "--no-reflogs"),
  ];
}

const ends = {
  writer: async (repo: Repo, given: Anchor) => (await repo.afterWriter({ given, ours: [] }, "w")).putBack,
  reader: async (repo: Repo, given: Anchor) => (await repo.afterReader(given, "r")).around,
};

for (const [role, end] of Object.entries(ends))
  for (const [what, deed] of Object.entries(deeds))
    test(`E3b, E11: what a ${role} left is put back: ${what}`, async (t) => {
      const rig = await withRefs(t);
      const repo = await rig.open();
      const before = await state(rig);
      const given = await repo.snapshot("s");
      execFileSync("sh", ["-c", deed], { cwd: rig.root, stdio: "pipe" });
      const back = await end(repo, given);
      assert.deepEqual([await state(rig), back.refsLost], [before, undefined]);
    });

test("E3, E11: an interrupted agent's branches in the way of others go, and what cannot come back is named", async (t) => {
  const rig = await withRefs(t);
  const repo = await rig.open();
  const before = await state(rig);
  const given = await repo.snapshot("s");
  const goneAt = Date.now() + 60_000;
  await rig.git("branch", "-q", "-D", "theirs");
  await rig.git("branch", "theirs/more");
  const back = await repo.undoAround(given, goneAt, "u");
  assert.deepEqual(await state(rig), before);
  assert.deepEqual([...(back?.refs ?? [])].sort(), ["theirs", "theirs/more"]);
  // Nothing holds them any more.
  const held = await rig.git("for-each-ref", "--format=delete %(refname)", "refs/superteam/run-1/held-*");
  execFileSync("git", ["update-ref", "--stdin"], { cwd: rig.root, input: held });
  execFileSync("sh", ["-c", `git tag -d v1; git branch -q -D theirs; git stash clear; ${cleanUp}`], {
    cwd: rig.root,
    stdio: "pipe",
  });
  const lost = await repo.undoAround(given, goneAt, "v");
  assert.deepEqual([...(lost?.refsLost ?? [])].sort(), ["stash", "tags/v1", "theirs"]);
  assert.equal(await rig.git("fsck", "--connectivity-only", "--no-dangling", "--no-reflogs"), "");
});

test("F12: what is held of branches and stashes goes with the run, and shows nothing new in git log --all", async (t) => {
  const rig = await withRefs(t);
  await rig.git("stash", "drop", "-q");
  const all = await rig.git("log", "--all", "--format=%H");
  const repo = await rig.open();
  await repo.snapshot("s");
  assert.notEqual(await rig.git("for-each-ref", "refs/superteam/run-1/held-*"), "");
  assert.equal(await rig.git("log", "--all", "--format=%H"), all);
  await repo.forgetStates();
  assert.equal(await rig.git("for-each-ref", "refs/superteam"), "");
});
