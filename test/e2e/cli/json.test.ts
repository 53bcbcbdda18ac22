// One run as programs and people see it: JSON lines on stdout, human text on stderr that never falls silent, looks from
// other processes while it goes on, Ctrl-C in the middle, and a resume to the end.

import assert from "node:assert/strict";
import { createInterface } from "node:readline";
import { describe, test } from "node:test";
import { RunEvent } from "../../../src/core/run/event-schema.ts";
import { type Cli, exitOf, openCli } from "../../rig/cli/cli.ts";
import { allAnswers, goal, smallPlay } from "../../rig/cli/small-play.ts";
import { waitingRun } from "../../rig/cli/waiting.ts";
import { agentsAlive } from "../../rig/crash/demo-run.ts";
import { until } from "../../rig/until.ts";

interface Line {
  readonly seq: number;
  readonly ts: string;
  readonly runId: string;
  readonly type: string;
  readonly [more: string]: unknown;
}

/** Every line is an object with its number, time, run and type, in order. */
function linesOf(stdout: string): readonly Line[] {
  assert.ok(stdout === "" || stdout.endsWith("\n"));
  const lines: readonly Line[] = stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  for (const [index, line] of lines.entries()) {
    assert.equal(line.seq, (lines[0]?.seq ?? 0) + index, "U9: seq is unique and has no gaps");
    assert.deepEqual(RunEvent.safeParse(line).error?.issues ?? [], [], JSON.stringify(line));
    assert.equal(new Date(line.ts).toISOString(), line.ts);
    assert.match(line.runId, /^\d{8}-\d{6}-[0-9a-f]{4}$/);
    assert.equal(typeof line.type, "string");
  }
  return lines;
}

const typesOf = (lines: readonly Line[]): ReadonlySet<string> => new Set(lines.map((line) => line.type));

/** Every type of the contract. */
const contract = [
  ...["run.started", "phase.started", "phase.finished", "dispatch.started", "dispatch.finished", "tool", "usage"],
  ...["question.asked", "question.answered", "check.finished", "review.finished", "task.started", "task.settled"],
  ...["commit.made", "warning", "run.suspended", "run.finished"],
];

test("a run that is watched, interrupted and resumed tells programs and people all there is", {
  timeout: 240_000,
}, async (context) => {
  let held = true;
  const slowMs = 5000;
  const play = smallPlay((step, turn) => {
    if (step === "brainstorm/scout") return { latencyMs: slowMs };
    const writing = step === "execute/task-1/implement" && turn === 1;
    return writing && held ? { fault: { kind: "hang", after: "request" } } : {};
  });
  const cli = await openCli(context, { play });
  const answers = cli.beside("answers.json", allAnswers);
  const asked = (step: string, turn = 0): boolean =>
    cli.server.requests.some((request) => request.header?.step === step && request.turn === turn);

  const running = cli.start(["run", goal, "--answers", answers, "--json"]);
  const interrupted = exitOf(running);
  const status: string[] = [];
  createInterface({ input: running.stderr ?? process.stdin }).on("line", (line) => {
    if (line.startsWith("·") && line.includes("scout") && asked("brainstorm/scout")) status.push(line);
  });
  await until(() => asked("brainstorm/scout"));
  const following = cli.start(["log", "--follow", "--json"]);
  const followed = exitOf(following);

  await until(() => asked("brainstorm/questions"));
  assert.ok(status.length >= 2, `in ${slowMs} ms of silence there was only:\n${status.join("\n")}`);
  assert.equal(new Set(status).size, status.length, "each says something new");

  await until(() => asked("execute/task-1/implement", 1));
  await looksMeanwhile(cli, running.pid ?? 0);
  assert.notDeepEqual(agentsAlive(cli.folder), []);
  running.kill("SIGINT");
  const first = await interrupted;
  assert.equal(first.code, 130, first.stderr);
  await atRest(cli);
  held = false;
  const second = await exitOf(cli.start(["resume", "--answers", answers, "--json"], { NO_COLOR: "1" }));
  assert.equal(second.code, 0, second.stderr);

  const [before, after] = [linesOf(first.stdout), linesOf(second.stdout)];
  assert.deepEqual(
    [before[0]?.type, before[0]?.["resumed"], before.at(-1)?.type],
    ["run.started", false, "run.suspended"],
  );
  assert.equal(before.at(-1)?.["why"], "interrupted");
  assert.deepEqual([after[0]?.type, after[0]?.["resumed"], after.at(-1)?.type], ["run.started", true, "run.finished"]);
  const seen = typesOf([...before, ...after]);
  assert.deepEqual(
    contract.filter((type) => !seen.has(type)),
    [],
  );
  for (const text of [first.stdout, first.stderr, second.stdout, second.stderr]) assert.doesNotMatch(text, /\x1b/);
  assert.match(second.stderr, /# Workflow Complete/, "the report is for people");

  const log = await followed;
  assert.equal(log.code, 0, log.stderr);
  const journaled = linesOf(log.stdout);
  assert.equal(journaled.at(-1)?.type, "run.finished", "it ends when the run ends, not when it is suspended");
  assert.deepEqual(journaled, [...before, ...after], "U9: the log has what was told live, and nothing else");
  assert.deepEqual(linesOf((await cli.go("log", "--json")).stdout), journaled);
  assert.match((await cli.go("log")).stdout, /letter/);
  assert.equal(cli.file("letter.txt"), "Dear reader,\n");
  assert.deepEqual(cli.traces(), [`run ${cli.run.split("/").at(-1)}`]);
});

/** Another process may look at any time. */
async function looksMeanwhile(cli: Cli, pid: number): Promise<void> {
  const [words, json] = await Promise.all([cli.go("status"), cli.go("status", "--json")]);
  assert.match(words.stdout, new RegExp(`Running: implementer[\\s\\S]*Running in process ${pid}\\.`));
  const status = JSON.parse(json.stdout);
  assert.deepEqual([status.active, status.runner.pid, status.phase], [true, pid, "execute"]);
}

/** After Ctrl-C the agents are gone, the run is suspended, and the lock is free. */
async function atRest(cli: Cli): Promise<void> {
  assert.deepEqual(agentsAlive(cli.folder), []);
  assert.equal(cli.file(".git/superteam/lock"), undefined);
  assert.match((await cli.go("status")).stdout, /Suspended: superteam resume continues/);
  const snapshot = JSON.parse(cli.file(".superteam-workflow.json") ?? "{}");
  assert.equal(snapshot.phase, "execute");
}

describe("a run that waits", () => {
  const waiting = waitingRun();

  test("is told to programs with the question it waits for, and exit code 2", async () => {
    const cli = waiting("json");
    const exit = await cli.go("resume", "--json");
    assert.equal(exit.code, 2, exit.stderr);
    const lines = linesOf(exit.stdout);
    assert.deepEqual(
      lines.map((line) => line.type),
      ["run.started", "run.suspended"],
    );
    assert.deepEqual(lines[1]?.["question"], {
      id: "brainstorm.question.1",
      kind: "input",
      title: "Question 1 of 3",
      modelMayAnswer: true,
      message: "q1?\n(Leave it empty: use your best judgment · ? and your words: discuss it first)",
      default: "Use your best judgment",
    });
    assert.match(exit.stderr, /superteam answer "<your text>" --id brainstorm\.question\.1/);
  });

  test("goes on when its reader goes away, and what only looks just ends", async () => {
    const cli = waiting("reader");
    const answers = cli.beside("first.json", { "brainstorm.question.1": "one" });
    for (const [args, deaf, code] of [
      [["resume", "--json"], "stdout", 2],
      [["resume", "--answers", answers], "stderr", 2],
      [["log"], "stdout", 0],
      [["log", "--follow"], "stdout", 0],
      [["status"], "stdout", 0],
    ] as const) {
      const child = cli.start(args);
      const ended = exitOf(child);
      child[deaf]?.destroy();
      const exit = await ended;
      assert.equal(exit.code, code, `${args.join(" ")}: ${exit.stderr}`);
      assert.doesNotMatch(exit.stderr, /EPIPE/);
    }
    assert.equal(cli.file(".git/superteam/lock"), undefined);
    const status = JSON.parse((await cli.go("status", "--json")).stdout);
    assert.equal(status.pendingInteraction.id, "brainstorm.question.2");
  });
});
