// U11: what a new user tries first: the goal from a file or a pipe, from a subfolder, help with examples, completion.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { type Cli, exitOf, openCli } from "../../rig/cli/cli.ts";
import { inTerminal } from "../../rig/cli/terminal.ts";
import { noScreen } from "../../rig/person/pane.ts";

async function goalOf(cli: Cli): Promise<string> {
  const [first] = await cli.entries();
  assert.ok(first?.type === "run");
  return (first.header.input as { readonly goal: string }).goal;
}

test("the goal may come from a file, also in a subfolder, with all its lines", async (context) => {
  const cli = await openCli(context);
  const file = cli.beside("goal.md", "Write a letter\n\nIt should be short.\n");
  mkdirSync(join(cli.root, "deep/er"), { recursive: true });
  const run = await cli.go("-C", join(cli.root, "deep/er"), "run", "--file", file, "--mode", "standard");
  assert.equal(run.code, 2, run.stderr);
  assert.equal(await goalOf(cli), "Write a letter\n\nIt should be short.");
});

test("a goal of - is read from stdin", async (context) => {
  const cli = await openCli(context);
  const { spawnfile, spawnargs } = cli.start(["--version"]);
  const piped = spawn(spawnfile, [...spawnargs.slice(1, -1), "run", "-", "--mode", "standard"], {
    cwd: cli.root,
    env: cli.environment,
    stdio: ["pipe", "pipe", "pipe"],
  });
  piped.stdin.end("Write a letter\n");
  const exit = await exitOf(piped);
  assert.equal(exit.code, 2, exit.stderr);
  assert.equal(await goalOf(cli), "Write a letter");
});

test("a goal that is said twice, missing, empty, no text or far too long starts nothing", async (context) => {
  const cli = await openCli(context);
  const binary = cli.beside("goal.bin", "PNG\0");
  const latin = join(cli.folder, "latin.md");
  writeFileSync(latin, "caf\xe9", "latin1");
  const long = cli.beside("long.md", "x".repeat(100_001));
  const empty = cli.beside("empty.md", "\n");
  for (const [args, words] of [
    [["run", "words", "--file", empty], /^Say what to build either in words or with --file/],
    [
      ["run", "--file", join(cli.folder, "none.md")],
      /none\.md cannot be read: no such file or directory\. Nothing was started\./,
    ],
    [["run", "--file", cli.folder], /cannot be read: it is a folder\. Nothing was started\./],
    [["run", "--file", empty], /empty\.md is empty\. It must say what to build/],
    [["run", "-"], /^stdin is empty/],
    [["run", "--file", binary], /goal\.bin is not text in UTF-8\. It must say what to build\. Nothing was started\./],
    [["run", "--file", latin], /latin\.md is not text in UTF-8/],
    [["run", "--file", long], /long\.md is 100001 characters long, and a goal may have 100000: .*name the file/],
  ] as const) {
    const exit = await cli.go(...args);
    assert.equal(exit.code, 4, exit.stderr);
    assert.match(exit.stderr, words);
  }
  assert.equal(cli.active, undefined);
});

test("help has examples, and a shell can complete commands and options", async (context) => {
  const cli = await openCli(context);
  assert.match((await cli.go("--help")).stdout, /Examples:\n {2}superteam demo [\s\S]*superteam run --file goal\.md/);
  const { stdout } = await cli.go("completion", "bash");
  const ask = `${stdout}\nCOMP_WORDS=(superteam run --dr); COMP_CWORD=2; _superteam; echo "\${COMPREPLY[@]}"
COMP_WORDS=(superteam st); COMP_CWORD=1; _superteam; echo "\${COMPREPLY[@]}"`;
  assert.equal(spawnSync("bash", ["-c", ask], { encoding: "utf8" }).stdout, "--dry-run\nstop status\n");
  for (const shell of ["zsh", "fish"]) assert.match((await cli.go("completion", shell)).stdout, /dry-run/);
  const wrong = await cli.go("completion", "cmd");
  assert.equal(wrong.code, 4, wrong.stderr);
});

test("A13: doctor says when rg or fd is missing, with what to install", async (context) => {
  const cli = await openCli(context);
  const bin = join(cli.folder, "bin");
  mkdirSync(bin);
  const git = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
  for (const program of [process.execPath, git]) symlinkSync(program, join(bin, basename(program)));
  const { stdout } = await exitOf(cli.start(["doctor"], { PATH: bin }));
  assert.match(stdout, /^▲ search +rg is missing: .*install ripgrep\n▲ search +fd is missing: .*install fd/m);
});

test("U12: doctor breaks its lines at words, keeps paths whole, and counts the problems", {
  skip: noScreen() ?? false,
}, async (context) => {
  const cli = await openCli(context);
  const folder = join(cli.folder, `no-repository-${"a-long-name-".repeat(8)}`);
  mkdirSync(folder);
  const pane = await inTerminal(context, cli, ["-C", folder, "doctor"]);
  await pane.until("ended with 5");
  const seen = (await pane.history()).split("\n");
  assert.ok(seen.join("").includes(folder), "a path that is longer than a line is broken by the terminal alone");
  assert.ok(
    seen.some((line) => /^ {17}\S/.test(line)),
    `what follows stands below what was found:\n${seen.join("\n")}`,
  );
  assert.ok(
    seen.some((line) => /^1 problem to fix\. /.test(line)),
    seen.join("\n"),
  );
});
