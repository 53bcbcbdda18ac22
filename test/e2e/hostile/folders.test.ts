// An agent that moves, removes or replaces git's folder, or superteam's own in it, while it works. The run ends in words that say what
// happened and what to do, and nothing of the person's is lost.

import assert from "node:assert/strict";
import { existsSync, lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Cli, Exit } from "../../rig/cli/cli.ts";
import { assertDone, hostile, hotfix } from "./rig.ts";

/** The agent does it once; when it is sent again it only writes the letter. */
async function after(context: TestContext, deed: string): Promise<{ readonly cli: Cli; readonly exit: Exit }> {
  const cli = await hostile(context, { implementer: `[ -e ../done ] || { touch ../done; ${deed}; }` });
  const notes = cli.file("notes.txt");
  const exit = await hotfix(cli);
  assert.equal(exit.code, 5, exit.stderr);
  assert.doesNotMatch(exit.stderr, /bug in superteam|\n {4}at |End the other process|run\.unhandled|Nothing is lost/);
  assert.equal(cli.file("notes.txt"), notes);
  return { cli, exit };
}

/** To the end. Where nobody knows when the agent ended, the person is asked what to do with what it left. */
async function continues(cli: Cli): Promise<string> {
  const first = await cli.go("resume");
  const isAsked = first.code === 2 && first.stderr.includes("run.restore");
  const last = isAsked ? await cli.go("answer", "undo", "--id", "run.restore") : first;
  assertDone(cli, last);
  return isAsked ? first.stderr + last.stderr : last.stderr;
}

const moved = "mv .git ../moved";

/** In one process: superteam looks at any moment, and is not to see that there is nothing. */
const swapped = `perl -e 'rename ".git", "../moved"; rename "../next", ".git"'`;

for (const [kind, deed] of [
  ["a file", `echo "gitdir: $(cd .. && pwd)/moved" > ../next && ${swapped}`],
  ["a link", `ln -s ../moved ../next && ${swapped}`],
] as const) {
  test(`E11: git's folder moved away behind ${kind} ends the run with the commands that put it back`, async (context) => {
    const { cli, exit } = await after(context, deed);
    const [entry, place] = [join(cli.root, ".git"), join(cli.folder, "moved")];
    assert.ok(exit.stderr.includes(`${entry} was a folder, and is now ${kind} that leads to ${place}`), exit.stderr);
    assert.ok(exit.stderr.includes(`rm ${entry} && mv ${place} ${entry}\nThen: superteam resume`), exit.stderr);
    if (kind === "a link") return;
    rmSync(entry);
    renameSync(place, entry);
    await continues(cli);
  });
}

for (const name of ["objects", "refs"]) {
  test(`E11: .git/${name} moved away behind a link is left as it is, with the commands that put it back`, async (context) => {
    const { cli, exit } = await after(context, `mv .git/${name} ../moved && ln -s ../../moved .git/${name}`);
    const [entry, place] = [join(cli.root, ".git", name), join(cli.folder, "moved")];
    assert.ok(exit.stderr.includes(`${entry} was replaced by a link to ${place}`), exit.stderr);
    assert.ok(exit.stderr.includes(`rm ${entry} && mv ${place} ${entry}\nThen: superteam resume`), exit.stderr);
    assert.equal(cli.git("log", "-1", "--format=%s"), "Begin");
    rmSync(entry);
    renameSync(place, entry);
    await continues(cli);
  });
}

test("E11: HEAD behind a link that git does not follow is a HEAD again at the agent's end", async (context) => {
  const cli = await hostile(context, { implementer: "mv .git/HEAD ../head && ln -s ../../head .git/HEAD" });
  const exit = await hotfix(cli);
  assertDone(cli, exit);
  assert.match(exit.stderr, /changed git's own files: HEAD\. They were restored\./);
  assert.equal(lstatSync(join(cli.root, ".git/HEAD")).isSymbolicLink(), false);
});

test("E11: git's folder that is gone, or another one, ends the run, and nothing is written into the other one", async (context) => {
  const gone = await after(context, moved);
  assert.match(gone.exit.stderr, /\.git was removed or moved while the run was at work\./);
  assert.equal(existsSync(join(gone.cli.root, ".git")), false);
  assert.equal(existsSync(join(gone.cli.root, ".superteam")), false, "no folder of superteam's is left in the tree");
  const objects = await after(context, "rm -rf .git/objects");
  assert.match(objects.exit.stderr, /\.git\/objects was removed or moved while the run was at work\./);
  const other = await after(
    context,
    `git init -q -b main ../other && git -C ../other -c user.name=a -c user.email=a commit -q --allow-empty -m Mine && mv ../other/.git ../next && ${swapped}`,
  );
  assert.match(other.exit.stderr, /\.git was replaced while the run was at work\./);
  assert.match(other.exit.stderr, /Restore it, from where it was moved or from a backup, then: superteam resume/);
  assert.equal(other.cli.git("for-each-ref", "--format=%(refname)"), "refs/heads/main");
  const store = join(other.cli.root, ".git/superteam");
  assert.deepEqual(existsSync(store) ? readdirSync(store) : [], []);
});

test("E11: a tree that was moved away as a whole is not made again, so that it can be moved back", async (context) => {
  const cli = await hostile(context, {
    implementer: "[ -e ../done ] || { touch ../done; mv ../repository ../elsewhere; }",
  });
  const exit = await hotfix(cli);
  assert.equal(exit.code, 5, exit.stderr);
  assert.ok(
    exit.stderr.includes(`${cli.root} was removed or moved while the run was at work, with all that is in it.`),
  );
  assert.match(exit.stderr, /Move it back, or restore it from a backup, then: superteam resume/);
  assert.equal(existsSync(cli.root), false);
  renameSync(join(cli.folder, "elsewhere"), cli.root);
  await continues(cli);
});

test("E11: a run whose own folder an agent removed is written again from memory and can be continued", async (context) => {
  for (const deed of [
    "rm -rf .git/superteam",
    "git branch made; rm -rf .git/superteam/runs",
    "rm -f .git/superteam/runs/*/journal.jsonl",
  ]) {
    const { cli, exit } = await after(context, deed);
    assert.match(
      exit.stderr,
      /where the run was kept, was removed or replaced while it was at work, so it had to stop\./,
    );
    assert.match(exit.stderr, /Its journal was written again from memory.* Continue: superteam resume/);
    assert.match(
      exit.stderr,
      /The run (made 1 commit: \w+|has committed nothing)\. Trees that it saved: git for-each-ref refs\/superteam\//,
    );
    if (deed.endsWith("runs"))
      assert.match(await continues(cli), /changed branches, tags or stashes: made\. They were restored/);
    else assert.equal(cli.active, basename(cli.run));
  }
});

test("E11: a file in the place of superteam's own folder is told, and left alone", async (context) => {
  // In one process, so that superteam makes no folder in between.
  const deed = `echo mine > ../next && perl -e 'rename ".git/superteam", "../gone"; rename "../next", ".git/superteam"'`;
  const { cli, exit } = await after(context, deed);
  assert.match(
    exit.stderr,
    /It could not be written again \(.*\), so this run cannot be continued\.\nMove away whatever is there/,
  );
  assert.ok(lstatSync(join(cli.root, ".git/superteam")).isFile());
  for (const verb of ["resume", "status", "run"]) {
    const next = await cli.go(verb, ...(verb === "run" ? ["More"] : []));
    assert.match(next.stderr, /A file is in the place of a folder/, verb);
    assert.doesNotMatch(next.stderr, /bug in superteam/, verb);
  }
});

test("E11: an agent that breaks HEAD, branch, index, configuration and list of refs, or puts pipes there, keeps no run from its end", async (context) => {
  for (const deed of [
    "git commit -qm x --allow-empty --no-verify; for file in HEAD config index packed-refs refs/heads/main; do rm -f .git/$file; mkfifo .git/$file; done",
    "git checkout -q --orphan other && git branch -D main",
    "for file in HEAD config index packed-refs refs/heads/main; do echo '[junk' > .git/$file; done",
  ]) {
    const cli = await hostile(context, { implementer: `[ -e ../done ] || { touch ../done; ${deed}; }` });
    const config = cli.file(".git/config");
    assertDone(cli, await hotfix(cli));
    assert.equal(cli.file(".git/config"), config);
    assert.equal(cli.git("symbolic-ref", "HEAD"), "refs/heads/main");
  }
});

test("E11: an agent that removes all that superteam saved, and has git clean up, ends the run in plain words, and it can be aborted", async (context) => {
  const forget = "git for-each-ref --format='delete %(refname)' refs/superteam | git update-ref --stdin";
  const { cli, exit } = await after(context, `${forget}; git gc -q --prune=now`);
  for (const { stderr } of [exit, await cli.go("resume")])
    assert.match(stderr, /had saved of the files in .* is gone: .*This run cannot be continued\.\n.*superteam abort/s);
  const aborted = await cli.go("abort");
  assert.equal(aborted.code, 0, aborted.stderr);
  assert.equal(cli.active, undefined);
});
