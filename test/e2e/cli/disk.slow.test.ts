// Disks that say no: a tree that cannot be written, and one that fills up while a run is being recorded.

import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type Cli, openCli } from "../../rig/cli/cli.ts";
import { cannotMount, fill, mountReadOnly, mountSmallDisk, unmount } from "../../rig/cli/mounts.ts";
import { allAnswers, goal, smallPlay } from "../../rig/cli/small-play.ts";
import { agentsAlive } from "../../rig/crash/demo-run.ts";

const folder = mkdtempSync(join(tmpdir(), "superteam-disk-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const isRoot = process.getuid?.() === 0;
const noMount = cannotMount(join(folder, "probe"));

/** Mode bits stop everybody but root. Gives back how to undo it. */
function makeUnwritable(root: string): () => void {
  if (isRoot) {
    mountReadOnly(root);
    return () => unmount(root);
  }
  chmodSync(root, 0o555);
  return () => chmodSync(root, 0o755);
}

async function refusedAsUnwritable(cli: Cli): Promise<void> {
  const exit = await cli.go("run", goal, "--json");
  assert.equal(exit.code, 5, exit.stderr);
  assert.ok(exit.stderr.startsWith(`${cli.root} cannot be written to (`), exit.stderr);
  assert.match(exit.stderr, /Make it writable for you/);
  assert.doesNotMatch(exit.stderr, /\n\s+at /);
  assert.equal(exit.stdout, "");
  assert.deepEqual(cli.traces(), []);
  assert.equal(cli.git("status", "--porcelain"), "?? notes.txt");
}

test("a repository that cannot be written is refused before anything starts", {
  skip: isRoot ? noMount : false,
}, async (context) => {
  const cli = await openCli(context);
  const writableAgain = makeUnwritable(cli.root);
  try {
    await refusedAsUnwritable(cli);
  } finally {
    writableAgain();
  }
});

test("files that cannot be written are refused even where git's own folder can", {
  skip: isRoot ? noMount : false,
}, async (context) => {
  const cli = await openCli(context);
  const gitFolder = join(cli.folder, "git");
  cli.git("init", "-q", "--separate-git-dir", gitFolder);
  const writableAgain = makeUnwritable(cli.root);
  try {
    await refusedAsUnwritable(cli);
    assert.equal(existsSync(join(gitFolder, "superteam")), false);
  } finally {
    writableAgain();
  }
});

test("a disk that fills up under an agent suspends the run, and it goes on when there is space", {
  skip: noMount ?? false,
}, async (context) => {
  const disk = join(folder, "disk");
  mountSmallDisk(disk, 12);
  context.after(() => unmount(disk));
  let free: (() => void) | undefined;
  // The disk is full when the agent has written its file and says its last words: what it did can be neither compared nor recorded.
  const play = smallPlay((step, turn) => {
    if (step !== "execute/task-1/implement" || turn === 0) return {};
    free ??= fill(disk);
    return { text: "x".repeat(10_000) };
  });
  const cli = await openCli(context, { root: join(disk, "repository"), play });
  const answers = cli.beside("answers.json", allAnswers);

  const full = await cli.go("run", goal, "--answers", answers);
  assert.equal(full.code, 5, full.stderr);
  // Comparing may be what fails, or recording.
  assert.match(full.stderr, /ENOSPC[^\n]*[.\n][^\n]*[Ff]ree some space on [^\n]*superteam resume/);
  assert.doesNotMatch(full.stderr, /\n\s+at /);
  assert.equal(cli.file(".git/superteam/lock"), undefined, "the lock is given back");
  assert.equal(existsSync(join(cli.root, ".superteam")), false, "nothing half-written is left");
  assert.deepEqual(agentsAlive(cli.folder), []);

  const still = await cli.go("resume", "--answers", answers);
  assert.equal(still.code, 5, still.stderr);
  assert.match(still.stderr, /ENOSPC[\s\S]*[Ff]ree some space/);
  assert.match((await cli.go("status")).stdout, /Suspended: superteam resume continues/);

  free?.();
  const done = await cli.go("resume", "--answers", answers);
  assert.equal(done.code, 0, done.stderr);
  assert.equal(cli.file("letter.txt"), "Dear reader,\n");
  assert.equal(cli.git("status", "--porcelain"), "?? notes.txt");
  const asked = cli.server.requests.filter((request) => request.turn === 0).map((request) => request.header?.step);
  const twice = asked.filter((step, index) => asked.indexOf(step) !== index);
  assert.deepEqual(new Set(twice), new Set(["execute/task-1/implement"]), "only what had no outcome is done again");
});
