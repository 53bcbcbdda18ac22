// A run that is ended in the middle of a task: what was done, what it cost, what is left in the tree, and how it goes away.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { answerWith } from "../../../src/demo/model/texts.ts";
import { type Cli, openCli } from "../../rig/cli/cli.ts";
import { allAnswers, goal, smallPlay } from "../../rig/cli/small-play.ts";
import { until } from "../../rig/until.ts";

const undecided = answerWith("superteam-json", { passed: false, findings: [], summary: "Hard to say." });
const endings: (() => Promise<void>)[] = [];
let first: Cli | undefined;

/** Stands at an escalation: the letter is written, and in no commit. */
before(async () => {
  const play = smallPlay((step) => (step === "execute/task-1/spec-review" ? { text: undecided } : {}));
  first = await openCli({ after: (end) => void endings.push(end) }, { play });
  const exit = await first.go("run", goal, "--answers", first.beside("answers.json", allAnswers));
  assert.equal(exit.code, 2, exit.stderr);
});
after(async () => {
  for (const end of endings) await end();
});

function escalated(name: string): Cli {
  assert.ok(first);
  const cli = first.copy(name);
  // Done while the question waits: the person's.
  appendFileSync(join(cli.root, "README.md"), "A letter.\n");
  return cli;
}

/** All is told that the person needs, and the commands do what they say, to nothing else. */
function assertTold(cli: Cli, told: string): void {
  assert.match(told, /# Workflow Aborted\n/);
  assert.match(told, /- Total cost: \$\d/);
  assert.match(told, /⬜|⚠️/, "the task is not called complete");
  assert.match(told, /1 file of unfinished work is left in the tree, uncommitted:\n\s+added letter\.txt\n/);
  const commands = told.split("\n").flatMap((line) => /^\s+((?:git|rm) .*)$/.exec(line)?.[1] ?? []);
  assert.equal(commands.length, 2);
  assert.doesNotMatch(told, /HEAD has moved/);
  for (const command of commands) execFileSync("sh", ["-c", command], { cwd: cli.root, stdio: "ignore" });
  assert.deepEqual([cli.file("letter.txt"), cli.file("README.md")], [undefined, "# Letters\nA letter.\n"]);
  assert.ok(cli.file("notes.txt"), "the person's own file is still there");
}

test("abort at an escalation tells what was done, what is left, and commands that take it back", async () => {
  const cli = escalated("answer");
  const exit = await cli.go("answer", "abort");
  assert.equal(exit.code, 1, exit.stderr);
  assert.match(exit.stderr, /The person ended the run at task 1/);
  assertTold(cli, exit.stderr);
});

test("superteam abort tells the same", async () => {
  const cli = escalated("command");
  const exit = await cli.go("abort");
  assert.equal(exit.code, 0, exit.stderr);
  assertTold(cli, exit.stderr);
  assert.match(exit.stderr, /Run \S+ is ended\. Its journal is kept in/);
});

test("F12: neither a suspended run nor one that was ended shows in git log --all, and what is staged stays so", async () => {
  const cli = escalated("unseen");
  // Staged in one version and changed since; and a file of their own.
  cli.git("add", "README.md");
  appendFileSync(join(cli.root, "README.md"), "And more.\n");
  appendFileSync(join(cli.root, "mine.txt"), "mine\n");
  const ofTheirs = () => ({
    status: cli.git("status", "--porcelain", "-z", "--", "README.md", "mine.txt", "notes.txt"),
    index: cli.git("ls-files", "-s"),
    readme: cli.file("README.md"),
  });
  const before = ofTheirs();
  assert.match(before.status, /^MM README\.md\0\?\? mine\.txt\0\?\? notes\.txt/);
  const assertUnseen = (what: string) => {
    assert.equal(cli.git("log", "--all", "--format=%H %s"), cli.git("log", "--branches", "--format=%H %s"), what);
    assert.deepEqual(ofTheirs(), before, what);
  };
  assert.notEqual(cli.git("for-each-ref", "refs/superteam"), "", "a run that waits keeps what it needs");
  assertUnseen("suspended");
  const again = await cli.go("answer", "retry");
  assert.equal(again.code, 2, again.stderr);
  assertUnseen("suspended once more");
  assert.equal((await cli.go("abort")).code, 0);
  assertUnseen("ended");
});

test("what an agent had used when superteam was killed is part of the cost of a run that is then ended", {
  timeout: 240_000,
}, async (context) => {
  const long = "The bucket holds ten tokens. ".repeat(4000);
  const fault = { kind: "hang", after: "half" } as const;
  const play = smallPlay((step) => (step === "brainstorm/questions" ? { text: long, fault } : {}));
  const cli = await openCli(context, { play });
  const child = cli.start(["run", goal, "--answers", cli.beside("answers.json", allAnswers)]);
  const gone = once(child, "close");
  await until(() => streamed(cli, "brainstormer") >= long.length / 2);
  child.kill("SIGKILL");
  await gone;
  const costs = async () => JSON.parse((await cli.go("costs", "--json")).stdout);
  const before = await costs();
  const exit = await cli.go("abort");
  assert.equal(exit.code, 0, exit.stderr);
  const { total, dispatches } = await costs();
  assert.ok(total.output > before.total.output + 1000, JSON.stringify([before.total, total]));
  assert.ok(total.costUsd > before.total.costUsd && total.estimated);
  assert.equal(dispatches.length, before.dispatches.length);
});

/** How much an agent's raw stream holds so far. */
function streamed(cli: Cli, role: string): number {
  const folder = join(cli.run, "dispatches");
  const [name = "none"] = (statSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder) : []).filter((id) =>
    id.endsWith(role),
  );
  return statSync(join(folder, name, "stream.jsonl"), { throwIfNoEntry: false })?.size ?? 0;
}

test("a run can be ended where none could work: HEAD is detached", async () => {
  const cli = escalated("detached");
  cli.git("checkout", "-q", "--detach");
  const resumed = await cli.go("resume");
  assert.equal(resumed.code, 5);
  assert.match(resumed.stderr, /HEAD is detached at .*git switch/);
  const exit = await cli.go("abort");
  assert.equal(exit.code, 0, exit.stderr);
  assertTold(cli, exit.stderr);
  assert.equal(cli.active, undefined);
});
