import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { type Agent, dispatches, facts, play, questions, resultOf, type Script } from "../../../test/rig/flow.ts";
import type { Flow } from "../../core/flow/flow.ts";
import { fenced } from "../../core/text/block.ts";
import { type Consultation, consult } from "./consult.ts";

const order: Consultation = { step: "test.step", name: "step", role: "scout", prompt: "PROMPT", access: "read" };
const good = fenced("superteam-json", '{"n": 1}');

function* consulted(): Flow<number> {
  const { value } = yield* consult(order, { tag: "superteam-json", schema: z.object({ n: z.int() }) });
  return value.n;
}

const run = (script: Script) => play(consulted(), script);
const withFallbacks = (step: Agent) =>
  run({ agents: { step }, config: { agents: { scout: { fallback: ["p/one", "p/two"] } } } });
const used = (retryAfterMs: number) => ({ failed: "rate-limited", retryAfterMs }) as const;

const waits = (played: Pick<ReturnType<typeof run>, "requests">) =>
  played.requests.flatMap((request) => (request.do === "wait" ? [request.ms] : []));

const hour = 3_600_000;

/** Waits that nobody sits through. */
const suspensions = (played: Pick<ReturnType<typeof run>, "requests">) =>
  played.requests.flatMap((request) => (request.do === "wait" && request.away ? [[request.name, request.ms]] : []));

test("a quota that comes back later than anybody waits suspends the run until then, and nobody is asked", () => {
  const played = run({ agents: { step: ({ nth }) => (nth === 1 ? used(5 * hour) : good) } });
  assert.equal(resultOf(played), 1);
  assert.deepEqual(suspensions(played), [["quota", 5 * hour]]);
  assert.equal(dispatches(played).length, 2);
  assert.deepEqual(questions(played), []);
  assert.match(
    JSON.stringify(facts(played)),
    /scout: the quota of .+ is used up and resets in 5h 00m\. Nothing starts until then\./,
  );
});

test("the time that a provider names is waited for, sat out or suspended, and none is made up without it", () => {
  const named = (retryAfterMs: number) => {
    const agents = { step: ({ nth }: { nth: number }) => (nth === 1 ? { ...used(retryAfterMs), retryAt: 77 } : good) };
    return run({ agents }).requests.flatMap((request) => (request.do === "wait" ? [request.until] : []));
  };
  assert.deepEqual([named(1000), named(5 * hour)], [[77], [77]]);
  const unnamed = run({ agents: { step: ({ nth }) => (nth === 1 ? used(1000) : good) } });
  assert.ok(unnamed.requests.every((request) => !("until" in request)));
});

test("only what was configured is tried before a run is suspended, and its own model is tried again after it", () => {
  const script = (model: string | undefined, nth: number) => (model === undefined && nth > 3 ? good : used(2 * hour));
  const played = withFallbacks(({ model, nth }) => script(model, nth));
  assert.equal(resultOf(played), 1);
  assert.deepEqual(
    dispatches(played).map(({ model }) => model),
    [undefined, "p/one", "p/two", undefined],
  );
  assert.deepEqual(suspensions(played), [["quota", 2 * hour]]);
  const saved = withFallbacks(({ model }) => (model === undefined ? used(2 * hour) : good));
  assert.equal(resultOf(saved), 1);
  assert.deepEqual(suspensions(saved), [], "a fallback that answers spares the wait");
});

test("a quota that is used up however often it was waited for is the person's to think about", () => {
  const played = run({ agents: { step: () => used(hour) } });
  assert.deepEqual(
    suspensions(played).map(([, ms]) => ms),
    [hour, hour, hour],
  );
  assert.ok(played.end.how === "waiting");
  assert.equal(played.end.question.id, "test.step.failed");
  assert.match(played.end.question.message, /The provider asks to wait 1h 00m\./);
});

test("a reset time that nobody can mean is not believed: the person is asked", () => {
  for (const ms of [9 * 24 * hour, 1e15, -1, -1e15]) {
    const played = run({ agents: { step: () => used(ms) } });
    assert.deepEqual(suspensions(played), [], `${ms}`);
    assert.deepEqual(waits(played), [], `${ms}`);
    assert.equal(dispatches(played).length, 1);
    assert.ok(played.end.how === "waiting");
  }
  const nobody = run({ agents: { step: ({ nth }) => (nth < 3 ? used(Number.NaN) : good) } });
  assert.deepEqual(waits(nobody), [5_000, 15_000], "no time at all is waited for as usual");
});

test("without a reset time a used up quota asks after the usual pauses", () => {
  const played = run({ agents: { step: () => ({ failed: "rate-limited" }) } });
  assert.deepEqual(waits(played), [5_000, 15_000, 30_000]);
  assert.deepEqual(suspensions(played), []);
  assert.ok(played.end.how === "waiting");
});

test("login and credit stop the run at the first dispatch, whatever fallbacks there are and whatever time is told", () => {
  for (const failed of ["auth", "billing"] as const) {
    const played = withFallbacks(() => ({ failed, retryAfterMs: 5 * hour }));
    assert.deepEqual(
      played.requests.map((request) => request.do),
      ["dispatch", "ask"],
      failed,
    );
  }
});
