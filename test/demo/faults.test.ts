// What the real pi makes of faults of the scripted model: the verdict is the last message's stop reason. What it makes of those
// that are a provider's refusals is in test/adapters/agents/pi-failures.test.ts.

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { failFirst } from "../../src/demo/model/faults.ts";
import type { ModelPlay } from "../../src/demo/model/play.ts";
import { serveModel } from "../../src/demo/model/server.ts";
import { answerWithoutBlock, brokenAnswer } from "../../src/demo/model/texts.ts";
import { dialects, turnsOf } from "../rig/dialects.ts";
import { promptFor, runPi } from "../rig/model/pi.ts";

const long = "The bucket holds ten tokens. ".repeat(40);
const impatient = { httpIdleTimeoutMs: 300, retry: { enabled: false } };

for (const dialect of dialects) {
  suite(`faults of the scripted model, ${dialect}`, { concurrency: 2 }, () => {
    const isTurn = turnsOf(dialect);
    for (const after of ["request", "half"] as const) {
      if (isTurn())
        test(`a model that hangs (${after}) is given up by the client, not by the server`, async () => {
          const run = await runPi(() => ({ text: long, fault: { kind: "hang", after } }), {
            dialect,
            settings: impatient,
          });
          assert.equal(run.last.stopReason, "error");
          assert.match(run.last.errorMessage ?? "", /timed out|terminated/);
        });
    }

    if (isTurn())
      test("an answer that ran out of room says so", async () => {
        const run = await runPi(() => ({ text: long, fault: { kind: "length" } }), { dialect });
        assert.equal(run.last.stopReason, "length");
      });

    if (isTurn())
      test("damaged tool arguments are repaired and executed by pi", async () => {
        const play: ModelPlay = ({ turn, results }) =>
          turn === 0
            ? { tools: [{ name: "bash", args: { command: "echo hi" } }], fault: { kind: "damaged-arguments" } }
            : { text: `ran: ${results[0]?.text.trim()}` };
        assert.equal((await runPi(play, { dialect })).text, "ran: hi");
      });

    if (isTurn())
      test("a fault that is counted passes, for each dispatch on its own", async () => {
        const once = failFirst(1, { kind: "cut" });
        const play: ModelPlay = (turn) => {
          const fault = once(turn);
          return { text: long, ...(fault ? { fault } : {}) };
        };
        for (const step of ["a/one", "a/two"]) {
          const run = await runPi(play, { dialect, prompt: promptFor(step) });
          assert.equal(run.last.stopReason, "stop");
          assert.equal(run.text, long);
          assert.deepEqual(
            run.requests.map((request) => request.fault),
            ["cut", null],
          );
        }
      });

    if (isTurn())
      test("answers that no reader can parse are sound texts to pi", async () => {
        for (const text of [brokenAnswer("superteam-json", { passed: true }), answerWithoutBlock()]) {
          const run = await runPi(() => ({ text }), { dialect });
          assert.equal(run.last.stopReason, "stop");
          assert.equal(run.text, text);
        }
      });

    if (isTurn())
      test("a play that throws is refused at once, with its reason", async () => {
        const play: ModelPlay = ({ header }) => {
          throw new Error(`no scene for ${header?.step}`);
        };
        const run = await runPi(play, { dialect, prompt: promptFor("lost/step") });
        assert.match(run.last.errorMessage ?? "", /^400.*no scene for lost\/step/);
        assert.equal(run.requests.length, 1);
      });
  });
}

test("a refused request carries retry-after, and what is no model request is refused too", async () => {
  const server = await serveModel(() => ({ fault: { kind: "rate-limited", retryAfterSeconds: 7 } }));
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "x" }] });
  const post = (path: string, text: string) => fetch(`${server.url}${path}`, { method: "POST", body: text });
  try {
    const limited = await post("/any/prefix/v1/messages", body);
    assert.equal(limited.status, 429);
    assert.equal(limited.headers.get("retry-after"), "7");
    assert.equal((await post("/v1/messages", "not json")).status, 400);
    assert.equal((await post("/v1/other", body)).status, 404);
    assert.equal(server.requests.length, 1);
    assert.equal(server.requests[0]?.path, "/any/prefix/v1/messages");
  } finally {
    await server.close();
  }
});

test("closing the server cuts a client that waits", async () => {
  const server = await serveModel(() => ({ fault: { kind: "hang", after: "half" }, text: long }));
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "x" }] });
  const response = await fetch(`${server.url}/v1/messages`, { method: "POST", body });
  const reading = response.text();
  await server.close();
  await assert.rejects(reading);
});
