import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { findGitFolders } from "./git-folders.ts";
import { readIfPresent } from "./present.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "superteam-git-folders-")));
after(() => rmSync(base, { recursive: true, force: true }));

const main = join(base, "main");
const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=P", "-c", "user.email=p@example.org", ...args], { cwd, encoding: "utf8" });
mkdirSync(join(main, "deep/er"), { recursive: true });
git(main, "init", "-q");
git(main, "commit", "-q", "--allow-empty", "-m", "start");
git(main, "worktree", "add", "-q", "../linked");
git(main, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", main, "module");
writeFileSync(join(main, "file.txt"), "text\n");

for (const place of ["main", "main/deep/er", "linked", "main/module"]) {
  test(`the folders of ${place} are those that git names`, async () => {
    const folder = join(base, place);
    const [gitDir, commonDir] = git(folder, "rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir")
      .trim()
      .split("\n");
    assert.deepEqual(await findGitFolders(folder), { gitDir, commonDir });
  });
}

for (const place of ["", "main/file.txt", "main/no-such-folder"]) {
  test(`nothing is found for ${place || "a folder outside of any repository"}, so that git can say why`, async () => {
    assert.equal(await findGitFolders(join(base, place)), undefined);
  });
}

test("E11: nobody waits for a pipe that an agent has put in the place of HEAD, of the other folder's name or of the lock", async () => {
  const root = join(base, "piped");
  const gitDir = join(root, ".git");
  mkdirSync(gitDir, { recursive: true });
  const pipes = ["HEAD", "commondir", "lock"].map((name) => join(gitDir, name));
  execFileSync("mkfifo", pipes);
  let hasWaited = false;
  // Frees whoever waits for one, so that the test fails instead of hanging.
  const freeing = setTimeout(() => {
    hasWaited = true;
    for (const pipe of pipes) openSync(pipe, "r+");
  }, 10_000);
  assert.equal((await findGitFolders(root))?.gitDir, gitDir);
  assert.equal(await readIfPresent(join(gitDir, "lock")), "");
  clearTimeout(freeing);
  assert.equal(hasWaited, false);
});
