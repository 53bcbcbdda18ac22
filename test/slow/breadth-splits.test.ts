// Parts that have nothing to do with each other: each becomes a run of its own on its own branch, and they are started one
// after another, whatever happens in between.

import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readFileJournal } from "../../src/adapters/journal/scan.ts";
import { queueOf } from "../../src/adapters/store/queue.ts";
import { SuperteamInput } from "../../src/pipelines/superteam.ts";
import { type Cli, openCli } from "../rig/cli/cli.ts";
import { answers, goal, splitPlay } from "../rig/cli/splits.ts";
import { until } from "../rig/until.ts";

const queueFile = (cli: Cli): string => join(cli.root, ".git/superteam/queue.json");
const queueIn = (cli: Cli) => queueOf(queueFile(cli), async () => false);
const runsOf = (cli: Cli): readonly string[] => readdirSync(join(cli.root, ".git/superteam/runs")).sort();
const branchesOf = (cli: Cli): readonly string[] =>
  cli.git("for-each-ref", "--format=%(refname:short)", "refs/heads").split("\n");
const filesOn = (cli: Cli, branch: string): readonly string[] =>
  cli
    .git("ls-tree", "--name-only", branch)
    .split("\n")
    .filter((name) => name.endsWith(".txt"));

/** Runs of which there is a first entry: one that was killed before it has none. */
async function endsOf(cli: Cli): Promise<readonly { goal: string; how: string; queued: boolean }[]> {
  const folders = runsOf(cli).map((run) => join(cli.root, ".git/superteam/runs", run));
  const begun = folders.filter((folder) => sizeOf(join(folder, "journal.jsonl")) > 0);
  const journals = await Promise.all(begun.map(readFileJournal));
  return journals.map(({ entries }) => {
    const [first, last] = [entries[0], entries.at(-1)];
    const input = SuperteamInput.parse(first?.type === "run" ? first.header.input : null);
    return {
      goal: input.goal.split(":")[0] ?? "",
      how: last?.type === "end" ? last.ending.how : "not ended",
      queued: input.queued !== undefined,
    };
  });
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** A line as a run that was split leaves it. */
async function makeLine(cli: Cli, length: 1 | 2): Promise<string> {
  const base = { sha: cli.git("rev-parse", "HEAD"), branch: "main" };
  const run = (title: string, branch: string) => ({
    goal: `${title}: ${title} and no other\n\nThis is part 1 of 2 of a larger goal`,
    mode: "hotfix" as const,
    branch,
    base,
    dryRun: false,
    skipBrainstorm: false,
  });
  const runs = [run("First letter", "superteam/first-letter"), run("Second letter", "superteam/second-letter")];
  await queueIn(cli).add(runs.slice(0, length), "run/queue:#1");
  return base.sha;
}

test("a split ends with two branches from the same base, each with its own run, and the tree where it was", async (context) => {
  const cli = await openCli(context, { play: splitPlay });
  const exit = await cli.go("run", goal, "--answers", cli.beside("answers.json", answers));
  assert.equal(exit.code, 0, exit.stderr);

  assert.deepEqual(await endsOf(cli), [
    { goal, how: "finished", queued: false },
    { goal: "First letter", how: "finished", queued: true },
    { goal: "Second letter", how: "finished", queued: true },
  ]);
  assert.deepEqual(branchesOf(cli), ["main", "superteam/first-letter", "superteam/second-letter"]);
  const main = cli.git("rev-parse", "main");
  for (const [branch, file] of [
    ["superteam/first-letter", "first.txt"],
    ["superteam/second-letter", "second.txt"],
  ] as const) {
    assert.equal(cli.git("merge-base", "main", branch), main);
    assert.deepEqual(filesOn(cli, branch), [file]);
  }
  assert.deepEqual(await queueIn(cli).list(), []);
  assert.equal(cli.git("branch", "--show-current"), "main");
  assert.equal(cli.git("status", "--porcelain"), "?? notes.txt");
  assert.equal(cli.active, undefined);

  assert.match(exit.stderr, /Split into 2 runs, each on a branch of its own: First letter; Second letter\./);
  assert.match(exit.stderr, /the tree is back on main/);
});

test("what was wished for a run holds for its parts, also when it was resumed: of a dry one none is built", async (context) => {
  const cli = await openCli(context, { play: splitPlay });
  const { "triage.breadth": _, ...some } = answers;
  const first = await cli.go("run", "--dry-run", "--skip-brainstorm", goal, "--answers", cli.beside("some.json", some));
  assert.equal(first.code, 2, first.stderr);
  const exit = await cli.go("resume", "--answers", cli.beside("answers.json", answers));
  assert.equal(exit.code, 2, exit.stderr);
  const [begun] = await cli.entries();
  const input = SuperteamInput.parse(begun?.type === "run" ? begun.header.input : null);
  assert.match(input.goal, /^First letter: /);
  assert.deepEqual(input.wishes, { mode: "hotfix", whole: true, dryRun: true, skipBrainstorm: true });
  assert.deepEqual(filesOn(cli, "superteam/first-letter"), []);
  assert.equal((await queueIn(cli).list()).length, 1);
});

test("run --next starts what waits from its own base, under a name that is free, and goes on with the rest", async (context) => {
  const cli = await openCli(context, { play: splitPlay });
  const base = await makeLine(cli, 2);
  cli.git("branch", "superteam/first-letter");
  cli.git("commit", "-q", "--allow-empty", "-m", "Meanwhile");
  const exit = await cli.go("run", "--next");
  assert.equal(exit.code, 0, exit.stderr);
  assert.deepEqual(branchesOf(cli), [
    "main",
    "superteam/first-letter",
    "superteam/first-letter-2",
    "superteam/second-letter",
  ]);
  assert.equal(cli.git("rev-parse", "superteam/first-letter"), base);
  for (const branch of ["superteam/first-letter-2", "superteam/second-letter"]) {
    assert.equal(cli.git("merge-base", "main", branch), base);
  }
  assert.equal(cli.git("branch", "--show-current"), "main");
});

test("what stands in the way of the next run is told, and nothing has changed", async (context) => {
  const cli = await openCli(context, { play: splitPlay });
  const nobody = await cli.go("run", "--next");
  assert.equal(nobody.code, 4, nobody.stderr);
  assert.match(nobody.stderr, /No run is queued.*superteam run/);

  await makeLine(cli, 2);
  for (const option of [["--mode", "full"], ["--skip-brainstorm"], ["Another goal"]]) {
    const own = await cli.go("run", "--next", ...option);
    assert.equal(own.code, 4, own.stderr);
    assert.match(own.stderr, /The next run in the queue has its own goal and mode: leave out/);
  }
  for (const command of ["status", "runs"]) {
    assert.match((await cli.go(command)).stdout, /2 runs are queued\. Next: First letter/);
    assert.equal(JSON.parse((await cli.go(command, "--json")).stdout).inLine, 2);
  }
  const line = readFileSync(queueFile(cli), "utf8");
  writeFileSync(join(cli.root, "README.md"), "changed\n");
  const dirty = await cli.go("run", "--next");
  assert.equal(dirty.code, 5, dirty.stderr);
  assert.match(dirty.stderr, /uncommitted changes[\s\S]*README\.md[\s\S]*Commit or stash/);
  cli.git("checkout", "-q", "README.md");
  assert.equal(readFileSync(queueFile(cli), "utf8"), line);

  writeFileSync(queueFile(cli), line.replace(/"sha": "\w+"/, `"sha": "${"0".repeat(40)}"`));
  const lost = await cli.go("run", "--next");
  assert.equal(lost.code, 5, lost.stderr);
  assert.match(lost.stderr, /First letter.*commit 0{40}, which no longer exists[\s\S]*queue\.json/);

  writeFileSync(queueFile(cli), "{ broken");
  const broken = await cli.go("run", "--next");
  assert.equal(broken.code, 5, broken.stderr);
  assert.match(broken.stderr, /queue\.json cannot be read and was not changed/);
  assert.equal(readFileSync(queueFile(cli), "utf8"), "{ broken");
  assert.deepEqual(branchesOf(cli), ["main"]);
  assert.deepEqual(cli.traces(), []);
});

/** What can be seen from outside while the next run is taken from the line, in the order in which it happens. */
const moments: Readonly<Record<string, (cli: Cli) => boolean>> = {
  "its names are written down": (cli) => readFileSync(queueFile(cli), "utf8").includes('"run"'),
  "its branch is there": (cli) => existsSync(join(cli.root, ".git/refs/heads/superteam/first-letter")),
  "its journal is there": (cli) => existsSync(join(cli.root, ".git/superteam/runs")) && runsOf(cli).length > 0,
  "it is active": (cli) => cli.active !== undefined,
  "it is out of line": (cli) => !readFileSync(queueFile(cli), "utf8").includes("First letter"),
};

for (const [moment, isThere] of Object.entries(moments)) {
  test(`killed when ${moment}, the next run is neither lost nor done twice`, async (context) => {
    const cli = await openCli(context, { play: splitPlay });
    await makeLine(cli, 1);
    const child = cli.start(["run", "--next"]);
    const gone = once(child, "close");
    await until(() => isThere(cli) || child.exitCode !== null);
    child.kill("SIGKILL");
    await gone;
    const exit = await cli.go(...(cli.active === undefined ? ["run", "--next"] : ["resume"]));
    assert.equal(exit.code, 0, exit.stderr);
    const ends = (await endsOf(cli)).filter(({ how }) => how === "finished").map(({ goal: name }) => name);
    assert.deepEqual(ends, ["First letter"]);
    assert.deepEqual(branchesOf(cli), ["main", "superteam/first-letter"]);
    assert.deepEqual(await queueIn(cli).list(), []);
    assert.equal(cli.git("branch", "--show-current"), "main");
  });
}
