// `kill -9` while tests run, in a worktree or in the tree: the next life ends what is left, comes to the same verdict, and leaves no
// worktree, no lock and no process.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import type { ModelPlay, Reaction } from "../../../src/demo/model/play.ts";
import { isAlive } from "../../rig/agents/rig.ts";
import { type Cli, exitOf, openCli } from "../../rig/cli/cli.ts";
import { allAnswers, goal, smallPlay } from "../../rig/cli/small-play.ts";
import { until } from "../../rig/until.ts";

const testFile = (body: string): string =>
  `import assert from "node:assert/strict";\nimport fs from "node:fs";\nimport { test } from "node:test";\n${body}\n`;
const write = (path: string, content: string) => ({ name: "write", args: { path, content } });
const goodSum = "export const sum = (a, b) => a + b;\n";
const addsTest = `import { sum } from "../sum.mjs";
test("adds", () => assert.equal(sum(1, 2), 3));`;

/** In a worktree it says that it is there, with its pid, and does not end as long as it is to hang. */
const hangingTest = `test("hangs at times", async () => {
  const home = process.env.HOME;
  if (!fs.statSync(".git").isFile() || !fs.existsSync(home + "/hang")) return;
  fs.writeFileSync(home + "/there.tmp", process.pid + " " + process.cwd());
  fs.renameSync(home + "/there.tmp", home + "/there");
  await new Promise((done) => setTimeout(done, 600_000));
});`;

const given = {
  "package.json": JSON.stringify({ name: "letters", scripts: { test: "node --test --test-isolation=none" } }),
  "test/hanging.test.mjs": testFile(hangingTest),
};

function commit(cli: Cli, files: Readonly<Record<string, string>>): void {
  rmSync(join(cli.root, ".superteam.json"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cli.root, path)), { recursive: true });
    writeFileSync(join(cli.root, path), text);
  }
  cli.git("add", "-A");
  cli.git("-c", "user.name=p", "-c", "user.email=p@example.org", "commit", "-q", "-m", "Have tests");
}

function playing(deeds: Readonly<Record<string, Reaction["tools"]>>, count: number): ModelPlay {
  const others = smallPlay(undefined, count);
  return (turn) => {
    const tools = deeds[turn.header?.step ?? ""];
    if (tools === undefined) return others(turn);
    return turn.turn === 0 ? { text: "I do it.", tools } : { text: "Done." };
  };
}

/** Runs until something hangs, and kills superteam there. Gives what it said of itself. */
async function killed(context: TestContext, cli: Cli, args: readonly string[]): Promise<readonly [string, string]> {
  writeFileSync(join(cli.folder, "hang"), "");
  const child = cli.start(args);
  const ended = exitOf(child);
  const there = join(cli.folder, "there");
  await until(() => existsSync(there) || child.exitCode !== null);
  assert.ok(existsSync(there), (await Promise.race([ended, { stderr: "it works on" }])).stderr);
  const [pid = "", more = ""] = readFileSync(there, "utf8").split(" ");
  context.after(async () => void ((await isAlive(Number(pid))) && process.kill(Number(pid), "SIGKILL")));
  child.kill("SIGKILL");
  assert.equal((await ended).signal, "SIGKILL");
  rmSync(join(cli.folder, "hang"));
  rmSync(there);
  return [pid, more];
}

/** Where what hangs is in a worktree. */
async function killedInWorktree(context: TestContext, cli: Cli, args: readonly string[]): Promise<string> {
  const [pid, place] = await killed(context, cli, args);
  assert.ok(cli.git("worktree", "list").includes(place), "it was killed while the place was there");
  return pid;
}

async function nothingLeft(cli: Cli, pid: string): Promise<void> {
  assert.equal(cli.git("worktree", "list").split("\n").length, 1, cli.git("worktree", "list"));
  const inGit = readdirSync(join(cli.root, ".git"), { recursive: true, encoding: "utf8" });
  assert.deepEqual(
    inGit.filter((path) => path.endsWith(".lock") || /^worktrees\/./.test(path)),
    [],
  );
  const places = join(cli.folder, ".local/state/superteam/worktrees");
  const left = existsSync(places) ? readdirSync(places, { recursive: true, encoding: "utf8" }) : [];
  assert.deepEqual(left, [], "neither a place nor the folder of the run");
  assert.equal(await isAlive(Number(pid)), false, "the test that hung was ended");
}

/** Task 2 breaks a test that only runs after task 3. */
async function openBisecting(context: TestContext): Promise<{ readonly cli: Cli; readonly answers: string }> {
  const play = playing(
    {
      "execute/task-1/implement": [write("other.mjs", "export const one = 1;\n")],
      "execute/task-2/implement": [write("sum.mjs", "export const sum = (a, b) => a - b;\n")],
      "execute/task-3/implement": [write("third.mjs", "export const three = 3;\n")],
      "execute/task-3/fix": [write("sum.mjs", goodSum)],
    },
    3,
  );
  const cli = await openCli(context, { play });
  const config = JSON.stringify({ validationCadence: "every-N", tdd: "off" });
  // Only the file of the test that broke runs there, so it is the one that hangs.
  const sumTest = testFile(`${addsTest}\n${hangingTest}`);
  commit(cli, { ...given, "sum.mjs": goodSum, "test/sum.test.mjs": sumTest, ".superteam.json": config });
  return { cli, answers: cli.beside("all.json", { ...allAnswers, "execute.task.3.escalation": "retry" }) };
}

test("E: killed while it bisects, it finds the same task, and nothing is left", async (context) => {
  const { cli, answers } = await openBisecting(context);
  const pid = await killedInWorktree(context, cli, ["run", goal, "--answers", answers]);
  const exit = await cli.go("resume", "--answers", answers);
  assert.equal(exit.code, 0, exit.stderr);
  const report = (await cli.go("report")).stdout;
  assert.match(report, /- Task 2 broke: test\/sum\.test\.mjs › adds \(repaired since\)/);
  assert.doesNotMatch(report, /tests pending/);
  await nothingLeft(cli, pid);
});

for (const where of ["while the tests run there", "while the place is set up"])
  test(`C-41: killed in a proof of test first, ${where}, it proves the same, and nothing is left`, async (context) => {
    const deeds = {
      "execute/task-1/implement": [write("sum.mjs", goodSum), write("test/sum.test.mjs", testFile(addsTest))],
    };
    const cli = await openCli(context, { play: playing(deeds, 1) });
    const setup =
      'if [ -e "$HOME/hang" ]; then printf "%s %s" $$ "$PWD" > "$HOME/there.tmp"; mv "$HOME/there.tmp" "$HOME/there"; sleep 600; fi';
    const isSetup = where === "while the place is set up";
    commit(cli, { ...given, ...(isSetup ? { ".superteam.json": JSON.stringify({ worktree: { setup } }) } : {}) });
    const answers = cli.beside("all.json", allAnswers);
    const pid = await killedInWorktree(context, cli, ["run", goal, "--answers", answers]);
    const exit = await cli.go("resume", "--answers", answers);
    assert.equal(exit.code, 0, exit.stderr);
    const report = (await cli.go("report")).stdout;
    assert.match(
      report,
      /Task 1, test first: red without the change \(test\/sum\.test\.mjs.*\), green with it \(test\/sum\.test\.mjs › adds\)/,
    );
    await nothingLeft(cli, pid);
  });

test("E: a run that is killed there and then aborted leaves nothing either", async (context) => {
  const { cli, answers } = await openBisecting(context);
  const pid = await killedInWorktree(context, cli, ["run", goal, "--answers", answers]);
  const exit = await cli.go("abort");
  assert.equal(exit.code, 0, exit.stderr);
  await nothingLeft(cli, pid);
});

/** A test hangs in the tree once this is so, with a process of its own that no group of processes holds. */
const hangingOnce = (isSo: string): string =>
  testFile(`import { spawn } from "node:child_process";
test("hangs at times", async () => {
  const home = process.env.HOME;
  if (!fs.existsSync(home + "/hang") || !(${isSo})) return;
  const { pid } = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
  fs.writeFileSync(home + "/there.tmp", process.pid + " " + pid);
  fs.renameSync(home + "/there.tmp", home + "/there");
  await new Promise((done) => setTimeout(done, 600_000));
});`);

/** Fails in its first run after the work. */
const flakyTest = testFile(`test("now and then", () => {
  if (!fs.existsSync("sum.mjs")) return;
  const isAgain = fs.existsSync(".git/seen");
  fs.writeFileSync(".git/seen", "");
  assert.ok(isAgain);
});`);

for (const [where, isSo] of [
  ["before any work", "true"],
  ["after a task", 'fs.existsSync("sum.mjs")'],
  ["once more, because one failed", 'fs.existsSync(".git/seen")'],
] as const)
  test(`E8: killed while the tests run ${where}, they run again, and nothing is left`, async (context) => {
    const deeds = {
      "execute/task-1/implement": [write("sum.mjs", goodSum), write("test/sum.test.mjs", testFile(addsTest))],
    };
    const cli = await openCli(context, { play: playing(deeds, 1) });
    const isFlaky = where.startsWith("once more");
    const files = { "test/hanging.test.mjs": hangingOnce(isSo), "test/unsteady.test.mjs": isFlaky ? flakyTest : "" };
    commit(cli, { ...given, ...files });
    const answers = cli.beside("all.json", allAnswers);
    const pids = await killed(context, cli, ["run", goal, "--answers", answers]);
    const exit = await cli.go("resume", "--answers", answers);
    assert.equal(exit.code, 0, exit.stderr);
    const report = (await cli.go("report")).stdout;
    assert.match(report, /✅ A letter/);
    assert.match(
      report,
      /Task 1, test first: red without the change .*, green with it \(test\/sum\.test\.mjs › adds\)/,
    );
    assert.equal(report.includes("Task 1 met a flaky test: test/unsteady.test.mjs › now and then"), isFlaky);
    for (const pid of pids) await nothingLeft(cli, pid);
  });
