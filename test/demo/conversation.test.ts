// The real pi has conversations with the scripted model, in two dialects.

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { DialectName } from "../../src/demo/model/dialect.ts";
import type { ModelPlay, Turn } from "../../src/demo/model/play.ts";
import type { LoggedRequest } from "../../src/demo/model/server.ts";
import { answerWith, eightMegabytes, longText, multiByte, separators } from "../../src/demo/model/texts.ts";
import { dialects, turnsOf } from "../rig/dialects.ts";
import { promptFor, runPi } from "../rig/model/pi.ts";

/** Writes a file, runs it, runs something that fails, and answers with what it was told. */
const working: ModelPlay = (turn) => {
  switch (turn.turn) {
    case 0:
      return {
        text: "I write it.",
        tools: [{ name: "write", args: { path: "sum.mjs", content: "console.log(19 + 23);\n" } }],
      };
    case 1:
      return { tools: [bash("node sum.mjs"), bash("echo bad >&2; exit 3")] };
    default:
      return {
        text: answerWith("superteam-json", { seen: turn.results.map(shown), written: turn.history[0]?.results }),
      };
  }
};

const bash = (command: string) => ({ name: "bash", args: { command } });
const shown = ({ name, text, failed }: Turn["results"][number]) => ({ name, text: text.trim(), failed });

/** Each with the line that names it, its turn, its system text and its tools. */
function assertLogged(requests: readonly LoggedRequest[], dialect: DialectName): void {
  const header = { run: "r1", role: "tester", step: "execute/task-1/implement", attempt: 1 };
  assert.deepEqual(
    requests.map((request) => request.turn),
    [0, 1, 2],
  );
  for (const request of requests) {
    assert.deepEqual(request.header, header);
    assert.equal(request.line, "[superteam] run=r1 role=tester step=execute/task-1/implement attempt=1");
    assert.equal(request.dialect, dialect);
    assert.match(request.system, /You test\.[\s\S]*Context\./);
    assert.deepEqual([...request.tools].sort(), ["bash", "edit", "ls", "read", "write"]);
  }
}

for (const dialect of dialects) {
  suite(`pi and the scripted model, ${dialect}`, { concurrency: 2 }, () => {
    const isTurn = turnsOf(dialect);
    if (isTurn())
      test("a tool-using conversation really writes files and runs commands, the model sees what came of them, and all is logged", async () => {
        const run = await runPi(working, {
          dialect,
          prompt: promptFor("execute/task-1/implement"),
          files: ["sum.mjs"],
        });
        assert.equal(run.last.stopReason, "stop");
        assert.equal(run.file("sum.mjs"), "console.log(19 + 23);\n");
        const answer = JSON.parse(/```superteam-json\n([\s\S]*?)\n```/.exec(run.text)?.[1] ?? "null");
        assert.deepEqual(answer.seen[0], { name: "bash", text: "42", failed: false });
        assert.equal(answer.seen[1].failed, true);
        assert.match(answer.seen[1].text, /bad[\s\S]*code 3/);
        assert.equal(answer.written[0].failed, false);
        assertLogged(run.requests, dialect);
      });

    if (isTurn())
      test("usage is reported per turn and has a price", async () => {
        const run = await runPi(() => ({ text: "hello", usage: { input: 1000, output: 40 } }), { dialect });
        assert.equal(run.last.usage.input, 1000);
        assert.equal(run.last.usage.output, 40);
        assert.ok(Math.abs(run.last.usage.cost.total - 0.0036) < 1e-9);
      });

    if (isTurn())
      test("characters cut between writes and separators inside text arrive whole", async () => {
        const text = `${multiByte} ${separators} `.repeat(40);
        const run = await runPi(() => ({ text, fault: { kind: "split-characters" } }), { dialect });
        assert.equal(run.text, text);
      });

    if (isTurn())
      test("an answer of 8 MB arrives whole", async () => {
        const text = longText(eightMegabytes);
        const run = await runPi(() => ({ text }), { dialect });
        assert.equal(run.text.length, text.length);
        assert.ok(run.text === text);
      });

    if (isTurn())
      test("a prompt without the line that names a dispatch has no header", async () => {
        const run = await runPi(({ header }) => ({ text: header === null ? "none" : "some" }), {
          dialect,
          prompt: "Hello.",
        });
        assert.equal(run.text, "none");
      });
  });
}
