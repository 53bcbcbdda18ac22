// Test-first work in a whole run: who is held to it, what the journal keeps, what the person is told, and how to turn it off.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import type { DispatchOutcome } from "../../../src/core/flow/dispatch.ts";
import type { ModelToolCall, Reaction } from "../../../src/demo/model/play.ts";
import { type Cli, openCli } from "../../rig/cli/cli.ts";
import { allAnswers, goal, smallPlay } from "../../rig/cli/small-play.ts";
import { isLongForm } from "../../rig/property.ts";

const source = { name: "write", args: { path: "src/letter.mjs", content: "export const letter = 1;\n" } };
const testText = 'import "../src/letter.mjs";\n';

/** The implementer's turns: first the source, as it should not be; then the test, red; then the source again. */
const turns: readonly (readonly ModelToolCall[])[] = [
  [source],
  [
    { name: "write", args: { path: "letter.txt", content: "Dear reader,\n" } },
    { name: "write", args: { path: "test/letter.test.mjs", content: testText } },
  ],
  [{ name: "bash", args: { command: "node --test test/letter.test.mjs" } }],
  [source],
  [{ name: "bash", args: { command: "node --test test/letter.test.mjs" } }],
];

function play(step: string, turn: number): Reaction {
  const tools = step === "execute/task-1/implement" ? turns[turn] : undefined;
  return tools === undefined ? {} : { text: "I work.", tools };
}

async function wholeRun(
  context: TestContext,
  config: object,
): Promise<{ cli: Cli; stderr: string; taught: readonly string[] }> {
  const cli = await openCli(context, { pi: "guarded", play: smallPlay(play) });
  const settings = { execution: { warmSpares: false }, ...config };
  writeFileSync(join(cli.folder, "config/superteam/config.json"), JSON.stringify(settings));
  const { code, stderr } = await cli.go("run", goal, "--answers", cli.beside("answers.json", allAnswers));
  assert.equal(code, 0, stderr);
  const shown = cli.server.requests.filter(({ system }) => system.includes("test-driven-development"));
  const roles = shown.map(({ prompt }) => /role=(\S+)/.exec(prompt)?.[1] ?? "");
  return { cli, stderr, taught: [...new Set(roles)] };
}

async function implementing(cli: Cli): Promise<DispatchOutcome> {
  const settled = (await cli.entries()).find(
    (entry) => entry.type === "settle" && entry.key === "execute/task-1/dispatch:implement#1",
  );
  assert.ok(settled?.type === "settle");
  return settled.outcome as DispatchOutcome;
}

suite("test-first work in a run", { concurrency: 2, timeout: 240_000 }, () => {
  test("is asked of the implementer alone, recorded in the journal, and told", async (context) => {
    const { cli, stderr, taught } = await wholeRun(context, {});
    assert.deepEqual(taught, ["implementer"]);
    const record = { heldBack: 1, files: ["src/letter.mjs"], sawRed: true, sawGreen: true, gaveWay: false };
    assert.deepEqual((await implementing(cli)).testFirst, record);
    assert.match(stderr, /implementer is held back from writing src\/letter\.mjs: no test has failed yet/);
    const told = "1 write held back until a test had failed \\(src/letter\\.mjs\\)";
    assert.match((await cli.go("log")).stdout, new RegExp(`implementer finished .*; test first: ${told}`));
    assert.match((await cli.go("report")).stdout, new RegExp(`## Test First\n- Task 1: ${told}`));
  });

  // Who is asked is decided by values, and tried with them: the whole run is in npm run test:slow.
  const inLongForm = isLongForm ? test : undefined;
  inLongForm?.("is asked of nobody with tdd off", async (context) => {
    const { cli, stderr, taught } = await wholeRun(context, { tdd: "off" });
    assert.deepEqual(taught, []);
    assert.equal((await implementing(cli)).testFirst, undefined);
    assert.doesNotMatch(stderr, /held back/);
    assert.doesNotMatch((await cli.go("report")).stdout, /Test First/);
    const asked = cli.server.requests.filter(({ header }) => ["implementer", "planner"].includes(header?.role ?? ""));
    assert.ok(asked.length > 0);
    for (const { prompt } of asked) assert.doesNotMatch(prompt, /test first|failing test/i);
    assert.match(cli.git("show", "HEAD"), /\| TDD: off/);
  });
});
