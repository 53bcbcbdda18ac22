// What a person can get wrong or lack: each is told with what happened and what to do now, with the exit code of the
// contract, and nothing is left behind.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { type Cli, type Exit, exitOf, openCli } from "../../rig/cli/cli.ts";
import { allAnswers, goal } from "../../rig/cli/small-play.ts";

/** A command that is refused leaves the tree and git's folder as they were. */
async function refused(
  cli: Cli,
  args: readonly string[],
  changes: Readonly<Record<string, string>> = {},
): Promise<Exit> {
  const before = stateOf(cli);
  const exit = await exitOf(cli.start(args, changes));
  assert.equal(exit.stdout, "", "human text goes to stderr");
  assert.doesNotMatch(exit.stderr, /\n\s+at |bug in superteam/, "no stack trace");
  assert.deepEqual(cli.traces(), []);
  assert.deepEqual(stateOf(cli), before);
  return exit;
}

function stateOf(cli: Cli): string {
  return execFileSync("sh", ["-c", "ls -A; git status --porcelain 2>&1; git for-each-ref 2>&1; true"], {
    cwd: cli.root,
    encoding: "utf8",
  });
}

describe("a place where no run can be", { concurrency: 2 }, () => {
  test("outside a git repository it says how to make one", async (context) => {
    const cli = await openCli(context);
    rmSync(join(cli.root, ".git"), { recursive: true });
    const exit = await refused(cli, ["run", goal]);
    assert.equal(exit.code, 5);
    assert.match(exit.stderr, /is not in a git repository\. .*git init/);
  });

  test("a repository without commits needs a first one", async (context) => {
    const cli = await openCli(context);
    rmSync(join(cli.root, ".git"), { recursive: true });
    execFileSync("git", ["init", "-q"], { cwd: cli.root });
    const exit = await refused(cli, ["run", goal]);
    assert.equal(exit.code, 5);
    assert.match(exit.stderr, /has no commits yet\. .*git add -A && git commit/);
  });

  test("what to build, from a file, is refused beside --next", async (context) => {
    const exit = await refused(await openCli(context), ["run", "--next", "--file", "goal.md"]);
    assert.equal(exit.code, 4);
    assert.match(exit.stderr, /The next run in the queue has its own goal and mode: leave out your goal/);
  });

  test("a detached HEAD is refused: commits need a branch", async (context) => {
    const cli = await openCli(context);
    cli.git("checkout", "-q", "--detach");
    const exit = await refused(cli, ["run", goal]);
    assert.equal(exit.code, 5);
    assert.match(exit.stderr, /HEAD is detached at .*git switch -c/);
  });

  test("a folder that is not there is named", async (context) => {
    const cli = await openCli(context);
    const exit = await refused(cli, ["-C", join(cli.folder, "nowhere"), "run", goal]);
    assert.equal(exit.code, 5);
    assert.match(exit.stderr, /There is no folder .*nowhere/);
  });

  test("a backend that does not exist is refused before anything starts, also where only one role names it", async (context) => {
    const cli = await openCli(context);
    for (const config of [{ backend: "abacus" }, { agents: { scout: { backend: "constructor" } } }]) {
      writeFileSync(join(cli.root, ".superteam.json"), JSON.stringify(config));
      const exit = await refused(cli, ["run", goal]);
      assert.equal(exit.code, 4);
      assert.match(exit.stderr, /There is no backend "(abacus|constructor)"\. .*: pi\b/);
    }
  });

  test("a tracked change is refused and named, whether staged or not, and stays as it is", async (context) => {
    const cli = await openCli(context);
    writeFileSync(join(cli.root, "README.md"), "changed\n");
    writeFileSync(join(cli.root, "staged.txt"), "staged\n");
    cli.git("add", "staged.txt");
    const exit = await refused(cli, ["run", goal]);
    assert.equal(exit.code, 5);
    assert.match(exit.stderr, /uncommitted changes[\s\S]*README\.md[\s\S]*staged\.txt[\s\S]*git stash/);
    assert.doesNotMatch(exit.stderr, /notes\.txt/, "an untracked file is no reason");
    assert.equal(cli.file("README.md"), "changed\n");
  });
});

describe("in the middle of a merge or the like", { concurrency: 2 }, () => {
  for (const [file, command, end] of [
    ["MERGE_HEAD", "merge", "--abort"],
    ["rebase-merge", "rebase", "--abort"],
    ["CHERRY_PICK_HEAD", "cherry-pick", "--abort"],
    ["BISECT_LOG", "bisect", "reset"],
  ] as const) {
    test(`a ${command} in progress is refused before anybody is paid, with what to do`, async (context) => {
      const cli = await openCli(context);
      writeFileSync(join(cli.root, ".git", file), `${cli.git("rev-parse", "HEAD")}\n`);
      const exit = await refused(cli, ["run", goal]);
      assert.equal(exit.code, 5);
      assert.match(exit.stderr, new RegExp(`in progress in .*, so no run can work here\\..*git ${command} ${end}`));
    });
  }
});

describe("no agents to run", { concurrency: 2 }, () => {
  test("a pi that is not there is told, with how to get it and the demo meanwhile", async (context) => {
    const cli = await openCli(context);
    const missing = join(cli.folder, "no-pi");
    const exit = await refused(cli, ["run", goal], { SUPERTEAM_PI: missing });
    assert.equal(exit.code, 5);
    assert.match(
      exit.stderr,
      /no-pi, is not a file that can be run\. Name another file in SUPERTEAM_PI, or unset it[\s\S]*superteam demo/,
    );
  });

  test("a pi that is too old is told with its version and the one that is needed", async (context) => {
    const cli = await openCli(context);
    const old = cli.beside("old-pi", "#!/bin/sh\necho 0.1.0\n");
    chmodSync(old, 0o755);
    const exit = await refused(cli, ["run", goal], { SUPERTEAM_PI: old });
    assert.equal(exit.code, 5);
    assert.match(
      exit.stderr,
      /is version 0\.1\.0; \d+\.\d+\.\d+ or newer is needed\. Name another file[\s\S]*superteam demo/,
    );
  });

  test("without a model it says how to log in and offers the demo", async (context) => {
    const cli = await openCli(context, { pi: "real" });
    const empty = join(cli.folder, "empty");
    mkdirSync(empty);
    const exit = await refused(cli, ["run", goal], { PI_CODING_AGENT_DIR: empty });
    assert.equal(exit.code, 5);
    assert.match(exit.stderr, /no model[\s\S]*\/login[\s\S]*ANTHROPIC_API_KEY[\s\S]*superteam demo/);
  });
});

describe("words that make no sense", { concurrency: 2 }, () => {
  test("each wrong key of the configuration is named with its place", async (context) => {
    const cli = await openCli(context);
    writeFileSync(
      join(cli.root, ".superteam.json"),
      JSON.stringify({ modle: "a/b", execution: { warmSpares: "yes" }, agents: { scout: { thinking: "hard" } } }),
    );
    const exit = await refused(cli, ["run", goal]);
    assert.equal(exit.code, 4);
    assert.match(exit.stderr, /\.superteam\.json: modle: there is no such key; did you mean model\?/);
    assert.match(exit.stderr, /\.superteam\.json: execution\.warmSpares: "yes" is not true or false/);
    assert.match(exit.stderr, /\.superteam\.json: agents\.scout\.thinking: "hard" is not allowed; allowed:/);
    assert.match(exit.stderr, /Correct it and run the command again/);
  });

  test("a configuration that is not JSON is told with line and column", async (context) => {
    const cli = await openCli(context);
    writeFileSync(join(cli.root, ".superteam.json"), '{\n  "model": ,\n}\n');
    const exit = await refused(cli, ["run", goal]);
    assert.equal(exit.code, 4);
    assert.match(exit.stderr, /\.superteam\.json: line 2, column \d+/);
  });

  test("an answers file that is missing, no JSON, or names unknown questions starts nothing", async (context) => {
    const cli = await openCli(context);
    const said = async (file: string): Promise<string> => {
      const exit = await refused(cli, ["run", goal, "--answers", file]);
      assert.equal(exit.code, 4, exit.stderr);
      return exit.stderr;
    };
    assert.match(
      await said(join(cli.folder, "nowhere.json")),
      /nowhere\.json cannot be read: no such file or directory$/m,
    );
    assert.match(await said(cli.beside("half.json", '{"plan.approval": ')), /half\.json is not JSON/);
    const unknown = cli.beside("unknown.json", { ...allAnswers, "brainstorm.aproach": "x", "no.such": 1 });
    assert.match(await said(unknown), /questions that do not exist: brainstorm\.aproach, no\.such\./);
    assert.match(await said(cli.beside("deep.json", { "plan.approval": { a: 1 } })), /"plan\.approval": expected text/);
  });

  test("a command or an option that does not exist, or one without its value, is wrong usage", async (context) => {
    const cli = await openCli(context);
    for (const [args, words] of [
      [["frobnicate"], /unknown command 'frobnicate'[\s\S]*superteam --help/],
      [["run", goal, "--fast"], /unknown option '--fast'/],
      [["run"], /^Nothing was started\. Say what to build: superteam run/],
      [["run", " ", "\n"], /^Nothing was started\. Say what to build: superteam run/],
      [["help", "frobnicate"], /unknown command 'frobnicate'[\s\S]*superteam --help/],
      [["help", "stauts"], /Did you mean status\?/],
      [["run", goal, "--backend", "abacus"], /'abacus' is invalid\. Allowed choices are pi/],
      [["resume"], /No run is active in this tree\. Start one/],
      [["answer", "yes"], /No run is active/],
      [["stop"], /No run is active/],
      [["abort"], /No run is active/],
      [["log"], /There are no runs in this repository yet\. Start one/],
    ] as const) {
      const exit = await refused(cli, args);
      assert.equal(exit.code, 4, `${args.join(" ")}: ${exit.stderr}`);
      assert.match(exit.stderr, words);
    }
  });
});

test("an answer that does not fit pauses the run at its question and says what fits", async (context) => {
  const cli = await openCli(context);
  const answers = { ...allAnswers, "brainstorm.approach": "baroque" };
  const exit = await cli.go("run", goal, "--answers", cli.beside("answers.json", answers));
  assert.equal(exit.code, 4, exit.stderr);
  assert.match(exit.stderr, /"baroque" is not an answer to brainstorm\.approach\. Choose one of: 1\) plain/);
  const status = JSON.parse((await cli.go("status", "--json")).stdout);
  assert.equal(status.pendingInteraction.id, "brainstorm.approach");
  assert.equal(cli.file(".git/superteam/lock"), undefined);
});

test("git itself missing from the PATH is told", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "superteam-no-git-"));
  after(() => rmSync(folder, { recursive: true }));
  const cli = await openCli(context);
  const exit = await exitOf(cli.start(["run", goal], { PATH: folder }));
  assert.equal(exit.code, 5);
  assert.match(exit.stderr, /git could not be started\. Install git/);
});
