// Every failure of a model ends pi with exit code 0. The adapter tells them apart all the same.

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { DispatchFailureKind } from "../../../src/core/flow/dispatch.ts";
import type { Fault } from "../../../src/demo/model/play.ts";
import { withPi } from "../../rig/agents/pi.ts";
import { eventsOf, never, verdictOf } from "../../rig/agents/rig.ts";
import { dialects, turnsOf } from "../../rig/dialects.ts";
import { isLongForm } from "../../rig/property.ts";

interface Expectation {
  readonly fault: Fault;
  readonly kind: DispatchFailureKind;
  /** pi's own words. */
  readonly says: RegExp;
}

/** What pi does not ask again after. */
const final: Readonly<Record<string, Expectation>> = {
  "401": { fault: { kind: "auth" }, kind: "auth", says: /401.*authentication_error/ },
  "no credit, as 400": { fault: { kind: "billing", status: 400 }, kind: "billing", says: /400.*credit balance/ },
  "no credit, as 402": { fault: { kind: "billing", status: 402 }, kind: "billing", says: /402.*billing_error/ },
  "no quota, as 429": { fault: { kind: "billing", status: 429 }, kind: "billing", says: /429.*insufficient_quota/ },
};
const passing: Readonly<Record<string, Expectation>> = {
  "429": { fault: { kind: "rate-limited", retryAfterSeconds: 1 }, kind: "rate-limited", says: /429.*rate_limit/ },
  "529": { fault: { kind: "overloaded" }, kind: "overloaded", says: /529.*overloaded/ },
  "500": { fault: { kind: "server-error" }, kind: "overloaded", says: /500.*api_error/ },
  "a web page": { fault: { kind: "html" }, kind: "overloaded", says: /[sS]tream ended without/ },
  "a cut connection": { fault: { kind: "cut" }, kind: "overloaded", says: /terminated/ },
  "an end without terminator": { fault: { kind: "unterminated" }, kind: "overloaded", says: /[sS]tream ended/ },
};
/** To pi each is like another one here. What its words mean to us, src/adapters/agents/pi/failure.test.ts shows without a pi. */
const alike = ["no credit, as 402", "500", "an end without terminator"];
const once = { retry: { enabled: false } };
const long = "The bucket holds ten tokens. ".repeat(40);

for (const dialect of dialects) {
  suite(`failures behind exit code 0, ${dialect}`, { concurrency: 2, timeout: 240_000 }, () => {
    const isTurn = turnsOf(dialect);
    for (const [name, { fault, kind, says }] of Object.entries({ ...final, ...passing })) {
      const requests = name in final ? 1 : 4;
      if (isTurn() && (isLongForm || !alike.includes(name)))
        test(`${name} is the failure ${kind}, asked ${requests} times`, async () => {
          await withPi(
            () => ({ text: long, fault }),
            { dialect },
            async ({ agents, order, server }) => {
              const verdict = verdictOf(await eventsOf(agents.dispatch(order(), never)));
              assert.ok(verdict.type === "failed");
              assert.equal(verdict.kind, kind);
              assert.match(verdict.detail, says);
              assert.equal(server.requests.length, requests);
              assert.ok(server.requests.every((request) => request.turn === 0 && request.fault === fault.kind));
              assert.equal(verdict.model, "scripted/scripted-model");
            },
          );
        });
    }

    if (isTurn())
      test("a turn that is cut is charged by estimate", async () => {
        await withPi(
          () => ({ text: long, fault: { kind: "cut" } }),
          { dialect, settings: once },
          async ({ agents, order }) => {
            const events = await eventsOf(agents.dispatch(order({ prompt: "word ".repeat(4_000) }), never));
            const usages = events.flatMap((event) => (event.type === "usage" ? [event.usage] : []));
            assert.equal(usages.length, 1);
            assert.ok(usages[0]?.estimated && usages[0].input > 1_000 && usages[0].output > 10);
          },
        );
      });

    if (isTurn())
      test("a turn that is cut before a word of it came is charged for what was sent", async () => {
        await withPi(
          () => ({ text: "", fault: { kind: "cut" } }),
          { dialect, settings: once },
          async ({ agents, order }) => {
            const events = await eventsOf(agents.dispatch(order({ prompt: "word ".repeat(4_000) }), never));
            const [usage] = events.flatMap((event) => (event.type === "usage" ? [event.usage] : []));
            assert.ok(usage?.estimated && usage.input > 1_000, JSON.stringify(usage));
          },
        );
      });

    if (isTurn())
      test("a turn that is aborted is charged by estimate", async () => {
        await withPi(
          () => ({ text: long, fault: { kind: "hang", after: "half" } }),
          { dialect },
          async ({ agents, order }) => {
            const abort = new AbortController();
            const events = [];
            for await (const event of agents.dispatch(order({ prompt: "word ".repeat(4_000) }), abort.signal)) {
              if (event.type === "started") abort.abort();
              events.push(event);
            }
            const usages = events.flatMap((event) => (event.type === "usage" ? [event.usage] : []));
            assert.equal(usages.length, 1);
            assert.ok(usages[0]?.estimated && usages[0].input > 1_000);
          },
        );
      });
  });
}

suite("failures of the pi adapter", { concurrency: 2, timeout: 240_000 }, () => {
  test("a provider that takes no connection is unreachable, not overloaded", async () => {
    await withPi(
      () => ({ text: "never asked" }),
      { settings: once },
      async ({ agents, order, server }) => {
        await server.close();
        const verdict = verdictOf(await eventsOf(agents.dispatch(order(), never)));
        assert.ok(verdict.type === "failed");
        assert.equal(verdict.kind, "unreachable", verdict.detail);
      },
    );
  });

  test("what passes on a second try is told as trouble, and is no failure", async () => {
    let asked = 0;
    const play = () => (asked++ === 0 ? { fault: { kind: "overloaded" } as const } : { text: "There." });
    await withPi(play, {}, async ({ agents, order }) => {
      const events = await eventsOf(agents.dispatch(order(), never));
      assert.equal(verdictOf(events).type, "finished");
      assert.equal(
        events.filter((event) => event.type === "trouble" && /tries again \(1 of 3\)/.test(event.detail)).length,
        1,
      );
    });
  });

  test("a model that pi does not know is the wrong model, not a guess", async () => {
    await withPi(
      () => ({ text: "Hello." }),
      {},
      async ({ agents, order, server }) => {
        const unknown = verdictOf(await eventsOf(agents.dispatch(order({ model: "nowhere/none" }), never)));
        assert.equal(unknown.type === "failed" && unknown.kind, "wrong-model");
        const close = verdictOf(await eventsOf(agents.dispatch(order({ model: "scripted/scripted" }), never)));
        assert.ok(close.type === "failed" && close.kind === "wrong-model");
        assert.match(close.detail, /ran scripted\/scripted-model where scripted\/scripted was asked for/);
        const named = verdictOf(await eventsOf(agents.dispatch(order({ model: "scripted/scripted-model" }), never)));
        assert.equal(named.type, "finished");
        assert.equal(server.requests.length, 2);
      },
    );
  });

  test("without a key the failure is auth, and says how to log in", async () => {
    await withPi(
      () => ({ text: "" }),
      {},
      async ({ agents, order, server }) => {
        const order1 = order({ model: "anthropic/claude-sonnet-4-5" });
        const verdict = verdictOf(await eventsOf(agents.dispatch(order1, never)));
        assert.ok(verdict.type === "failed" && verdict.kind === "auth");
        assert.match(verdict.detail, /\/login/);
        assert.equal(server.requests.length, 0);
      },
    );
  });
});
