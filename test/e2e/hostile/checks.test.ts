// A check that changes more than it should, to its end or until it is stopped or killed together with superteam.

import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, globSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Cli, openCli } from "../../rig/cli/cli.ts";
import { allAnswers, goal, smallPlay } from "../../rig/cli/small-play.ts";
import { until } from "../../rig/until.ts";
import { assertDone, commitAll, hostile, hotfix, put } from "./rig.ts";

const checking = (cli: Cli, command: string): void => {
  put(cli, { ".superteam.json": JSON.stringify({ validationCommand: command }) });
  commitAll(cli);
};

for (const signal of ["SIGKILL", "SIGINT"] as const)
  test(`E3: what a check did is undone and named when it was ended by ${signal}, and none of it is committed`, {
    timeout: 240_000,
  }, async (context) => {
    const cli = await hostile(context);
    const deeds = "echo x >> letter.txt; echo x >> README.md; echo x > notes.txt; echo x > junk.txt; git add junk.txt";
    checking(cli, `[ -e ../done ] || { ${deeds}; touch ../done; sleep 600; }; true`);
    const before = [cli.file("notes.txt"), cli.file("README.md")];
    const child = cli.start(["run", goal, "--mode", "hotfix"]);
    let told = "";
    child.stderr?.on("data", (some: Buffer) => {
      told += some.toString();
    });
    const gone = once(child, "close");
    await until(() => existsSync(join(cli.folder, "done")));
    child.kill(signal);
    await gone;
    const later = signal === "SIGINT";
    // What the check did is undone already: this is the person's.
    if (later) put(cli, { "later.txt": "mine" });
    const exit = await cli.go("resume");
    assertDone(cli, exit);
    assert.equal(cli.git("show", "HEAD:letter.txt"), "Dear reader,");
    assert.deepEqual([cli.file("notes.txt"), cli.file("README.md"), cli.file("junk.txt")], [...before, undefined]);
    assert.equal(cli.git("status", "--porcelain"), later ? "?? later.txt\n?? notes.txt" : "?? notes.txt");
    assert.match(told + exit.stderr, /undid changes to 4 files, made while the interrupted check was at work/);
  });

test("E3b: what is staged is as it was after a check that stages, or takes out what was staged", {
  timeout: 240_000,
}, async (context) => {
  const cli = await openCli(context, { play: smallPlay() });
  checking(cli, "git add -A; git reset -q -- mine.txt");
  const { "plan.approval": _, ...others } = allAnswers;
  const answers = cli.beside("answers.json", others);
  await cli.go("run", goal, "--answers", answers);
  writeFileSync(join(cli.root, "mine.txt"), "only staged\n");
  cli.git("add", "mine.txt");
  writeFileSync(join(cli.root, "mine.txt"), "later\n");
  const exit = await cli.go("answer", "approve", "--id", "plan.approval", "--answers", answers);
  assert.equal(exit.code, 0, exit.stderr);
  assert.equal(cli.git("show", ":mine.txt"), "only staged");
  assert.equal(cli.git("ls-files", "notes.txt"), "");
  assert.match(
    exit.stderr,
    /`git add -A; .*` changed what was staged: .*mine\.txt, notes\.txt\. It is staged as before\./,
  );
});

test("E3b: a check that makes files too large for a tree has changed them: they are undone, kept and named", {
  timeout: 240_000,
}, async (context) => {
  const cli = await hostile(context);
  checking(cli, "for f in README.md made.bin; do head -c 11000000 /dev/zero > $f; done");
  const before = cli.file("README.md");
  const exit = await hotfix(cli);
  assertDone(cli, exit);
  assert.equal(cli.file("README.md"), before);
  assert.match(exit.stderr, /README\.md changed while `for f in .*` ran/);
  assert.match(exit.stderr, /put something else in the place of files\. They were restored\. What it left is in /);
  const [aside = ""] = globSync(".git/superteam/runs/*/put-back/*/files/README.md", { cwd: cli.root });
  assert.equal(statSync(join(cli.root, aside)).size, 11_000_000);
  assert.match(exit.stderr, /made what superteam does not undo \(too big, .*\): made\.bin\. It is still there\./);
});
