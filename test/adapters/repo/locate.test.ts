import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { locate, type RepoProblem } from "../../../src/adapters/repo/git/place/locate.ts";
import { excludeOwnFiles } from "../../../src/adapters/repo/git/tree/excludes.ts";
import { readUncommitted } from "../../../src/adapters/repo/git/tree/uncommitted.ts";
import { makeFolder, makeRig, rigIn } from "./rig.ts";

test("a folder deep in a tree belongs to the tree's root", async (t) => {
  const rig = await makeRig(t);
  const gitDir = join(rig.root, ".git");
  const place = { root: rig.root, gitDir, commonDir: gitDir };
  assert.deepEqual(await locate(join(rig.root, "src")), { found: true, place });
});

test("a linked worktree has a git folder of its own and shares the common one", async (t) => {
  const rig = await makeRig(t);
  const worktree = join(rig.root, "../linked");
  await rig.git("worktree", "add", "-q", worktree, "-b", "other");
  const located = await locate(worktree);
  assert.ok(located.found);
  assert.equal(located.place.root, worktree);
  assert.equal(located.place.gitDir, join(rig.root, ".git/worktrees/linked"));
  assert.equal(located.place.commonDir, join(rig.root, ".git"));
});

test("a folder outside any repository is told how to make one", async (t) => {
  const problem = await problemIn(await makeFolder(t));
  assert.equal(problem.kind, "not-a-repository");
  assert.match(problem.message, /git init/);
});

test("a repository without commits is told to make the first one", async (t) => {
  const rig = rigIn(await makeFolder(t));
  await rig.git("init", "-q");
  const problem = await problemIn(rig.root);
  assert.equal(problem.kind, "no-commits");
  assert.match(problem.message, /git commit/);
});

test("what is advised where there is no repository, or none with a commit, works in an empty folder too", async (t) => {
  for (const begin of [[], ["init", "-q"]]) {
    const rig = rigIn(await makeFolder(t));
    if (begin.length > 0) await rig.git(...begin);
    const advice = (await problemIn(rig.root)).message.split(": ").at(-1) ?? "";
    const person = ["author", "committer"].flatMap((who) => [
      `GIT_${who.toUpperCase()}_NAME=p`,
      `GIT_${who.toUpperCase()}_EMAIL=p@x.invalid`,
    ]);
    execFileSync("sh", ["-c", `export ${person.join(" ")}; ${advice}`], { cwd: rig.root, stdio: "ignore" });
    assert.equal((await locate(rig.root)).found, true);
  }
});

test("E11: where a run has begun nobody is told to make another repository, or a first commit", async (t) => {
  const rig = await makeRig(t);
  await rig.write(".superteam-workflow.json", "{}");
  const restore = /a run has begun here, so its \.git was moved, removed or damaged\. Restore it, .*superteam resume$/;
  await rig.write(".git/HEAD", "ref: refs/heads/none\n");
  assert.match((await problemIn(rig.root)).message, restore);
  await rig.write(".git/HEAD", "junk\n");
  assert.match((await problemIn(rig.root)).message, restore);
  await rig.remove(".git");
  const { message } = await problemIn(rig.root);
  assert.match(message, restore);
  assert.doesNotMatch(message, /git init/);
});

test("a bare repository is told to work in a clone", async (t) => {
  const rig = rigIn(await makeFolder(t));
  await rig.git("init", "-q", "--bare");
  const problem = await problemIn(rig.root);
  assert.equal(problem.kind, "bare");
  assert.match(problem.message, /[Cc]lone/);
});

test("a path with a line break is refused, and not taken for another repository's", async (t) => {
  const folder = await makeFolder(t);
  for (const name of ["tree", "tree\nmore"]) {
    const rig = rigIn(join(folder, name));
    await mkdir(rig.root);
    await rig.git("init", "-q");
    await rig.git("-c", "user.name=a", "-c", "user.email=a@x", "commit", "-q", "--allow-empty", "-m", "start");
    if (name === "tree") continue;
    assert.deepEqual(await problemIn(rig.root), {
      kind: "line-break",
      message: `The path of ${rig.root} or of its .git has a line break. Rename that folder.`,
    });
  }
});

test("a detached HEAD is told to make or choose a branch", async (t) => {
  const rig = await makeRig(t);
  await rig.git("checkout", "-q", "--detach");
  const problem = await problemIn(rig.root);
  assert.equal(problem.kind, "detached");
  assert.match(problem.message, /git switch/);
});

test("a HEAD that a rebase or a bisect has detached is told to end that: git refuses to switch meanwhile", async (t) => {
  const rig = await makeRig(t);
  const main = (await rig.git("branch", "--show-current")).trim();
  await rig.git("checkout", "-q", "-b", "other");
  await rig.write("a.txt", "other");
  await rig.git("add", "-A");
  await rig.git("commit", "-q", "-m", "other");
  await rig.git("checkout", "-q", main);
  await rig.write("a.txt", "ours");
  await rig.git("add", "-A");
  await rig.git("commit", "-q", "-m", "ours");
  await assert.rejects(() => rig.git("rebase", "other"));
  const problem = await problemIn(rig.root);
  assert.equal(problem.kind, "detached");
  assert.match(problem.message, /A rebase is in progress in .*git rebase --continue.*git rebase --abort/);
  await rig.git("rebase", "--abort");
  assert.equal((await locate(rig.root)).found, true);
});

test("git's own folder and a folder that is not there are not taken for a tree", async (t) => {
  const rig = await makeRig(t);
  assert.equal((await problemIn(join(rig.root, ".git"))).kind, "inside-git-folder");
  assert.equal((await problemIn(join(rig.root, "nowhere"))).kind, "no-such-folder");
});

test("a missing git and one that is too old are told apart, each with what to install", async (t) => {
  const rig = await makeRig(t);
  const tools = join(await makeFolder(t), "tools");
  await mkdir(tools);
  const before = process.env["PATH"];
  t.after(() => {
    process.env["PATH"] = before;
  });
  process.env["PATH"] = tools;
  const missing = await problemIn(rig.root);
  assert.equal(missing.kind, "git-missing");
  assert.match(missing.message, /Install git 2\.39/);

  await writeFile(join(tools, "git"), "#!/bin/sh\necho git version 2.30.1\n");
  await chmod(join(tools, "git"), 0o755);
  const old = await problemIn(rig.root);
  assert.equal(old.kind, "git-too-old");
  assert.match(old.message, /2\.39 or newer.*2\.30\.1/);
});

test("variables of an outer git, such as those a hook gets, do not lead to another repository", async (t) => {
  const rig = await makeRig(t);
  const other = await makeRig(t);
  process.env["GIT_DIR"] = join(other.root, ".git");
  process.env["GIT_INDEX_FILE"] = join(other.root, ".git/index");
  t.after(() => {
    delete process.env["GIT_DIR"];
    delete process.env["GIT_INDEX_FILE"];
  });
  const located = await locate(rig.root);
  assert.equal(located.found && located.place.gitDir, join(rig.root, ".git"));
});

test("tracked changes and untracked files are listed apart, own files and documents not at all", async (t) => {
  const rig = await makeRig(t, {
    "a.txt": "1",
    "b.txt": "1",
    "c d.txt": "1",
    "docs/plan.md": "1",
    ".gitignore": "*.log\n",
  });
  await rig.write("a.txt", "2");
  await rig.write("b.txt", "2");
  await rig.git("add", "b.txt");
  await rig.remove("c d.txt");
  await rig.write("docs/plan.md", "2");
  await rig.write("docs/design.md", "2");
  await rig.write("näw/ü.txt", "2");
  await rig.write("x.log", "2");
  await rig.write(".superteam-workflow.json", "{}");
  await rig.write(".superteam-workflow.json.tmp", "{}");
  await rig.write("docs/.superteam-0123456789abcdef.tmp", "half");
  await rig.write(".superteam/worktrees/x", "2");
  assert.deepEqual(await readUncommitted(rig.root, ["docs/plan.md", "docs/design.md"]), {
    tracked: ["a.txt", "b.txt", "c d.txt"],
    untracked: ["näw/ü.txt"],
  });
});

test("own files are excluded once, and what the person excludes stays", async (t) => {
  const rig = await makeRig(t);
  const located = await locate(rig.root);
  assert.ok(located.found);
  await rig.write(".git/info/exclude", "*.mine");
  await excludeOwnFiles(located.place);
  const first = await rig.read(".git/info/exclude");
  await excludeOwnFiles(located.place);
  assert.equal(await rig.read(".git/info/exclude"), first);
  for (const path of ["x.mine", ".superteam-workflow.json", ".superteam-workflow.json.123", ".superteam/worktrees/x"]) {
    await rig.write(path, "");
  }
  await rig.write(".superteam.json", "{}");
  await rig.write("src/.superteam-workflow.json", "{}");
  await rig.write("docs/plans/.superteam-0123456789abcdef.tmp", "half a plan");
  assert.equal(
    await rig.git("status", "--porcelain", "-uall"),
    "?? .superteam.json\n?? src/.superteam-workflow.json\n",
  );
});

async function problemIn(folder: string): Promise<RepoProblem> {
  const located = await locate(folder);
  assert.ok(!located.found);
  return located.problem;
}
