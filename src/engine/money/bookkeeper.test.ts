import assert from "node:assert/strict";
import { test } from "node:test";
import { done, inTurn, spentIn, stage, usages, usd, warnings } from "../../../test/rig/spending.ts";
import { newJournal } from "../../../test/rig/world.ts";
import { noUsage } from "../../core/flow/dispatch.ts";

test("a model without a price is told once, and limited in tokens with the same question", async () => {
  const journal = await newJournal();
  const free = {
    turns: [
      { ...noUsage, input: 400 },
      { ...noUsage, input: 200 },
    ],
    model: "local/free",
  };
  const agents = { a: free, b: free };
  const config = { costs: { unpricedTokens: 1_000 } };
  const answers = { "budget.limit": ["raise"], "budget.amount": ["5000"] };
  const one = stage(journal, agents, { config, answers });
  assert.deepEqual(await one.go(inTurn("a", "b")), done);
  assert.deepEqual(one.shown, ["budget.limit", "budget.amount"]);
  assert.deepEqual(one.course, ["a", "-a", "b", "!b", "b", "-b"]);
  assert.deepEqual(warnings(journal).length, 1);
  assert.match(warnings(journal)[0] ?? "", /^local\/free reports no cost\. It is limited in tokens and agent calls/);
});

test("a model without a price is limited in dispatches", async () => {
  const free = { turns: [{ ...noUsage, input: 400 }], model: "local/free" };
  const one = stage(
    await newJournal(),
    { a: free, b: free, c: free },
    { config: { costs: { unpricedDispatches: 2 } } },
  );
  assert.deepEqual(await one.go(inTurn("a", "b", "c")), { how: "suspended", why: "question" });
  assert.deepEqual(one.course, ["a", "-a", "b", "-b"]);
});

test("usage that cannot be is entered as an estimate, and told once", async () => {
  const journal = await newJournal();
  const odd = { turns: [{ ...usd(-4), input: -7 }, { ...usd(1e9) }], model: "odd/model" };
  const one = stage(journal, { a: odd, b: { turns: [{ ...usd(1), cacheRead: -1 }], model: "odd/model" } });
  assert.deepEqual(await one.go(inTurn("a", "b")), done);
  assert.deepEqual(usages(journal), [
    { ...noUsage, costUsd: 0.5, estimated: true },
    { ...noUsage, input: 10, costUsd: 0.5, estimated: true },
    { ...noUsage, input: 10, costUsd: 1, estimated: true },
  ]);
  assert.deepEqual(warnings(journal), ["odd/model reported usage that cannot be right. Its cost is estimated."]);
});

test("usage that never comes is entered as an estimate, and told once", async () => {
  const journal = await newJournal();
  const silent = { turns: [], model: "silent/model" };
  const one = stage(journal, { a: { turns: [usd(0.25)] }, b: silent, c: silent });
  assert.deepEqual(await one.go(inTurn("a", "b", "c")), done);
  const [, second, third] = usages(journal);
  assert.equal(second?.estimated, true);
  assert.ok(second.input > 5 && second.output === 1, "prompt and answer, about four characters a token");
  assert.deepEqual([second.costUsd, third?.costUsd], [0.25, 0.25], "as much as others of the role");
  assert.deepEqual(warnings(journal).length, 1);
});

test("a turn that was cut before its cost was known costs what the model's tokens did", async () => {
  const journal = await newJournal();
  const cut = { ...noUsage, input: 30, estimated: true };
  const one = stage(journal, { a: { turns: [usd(1)] }, b: { turns: [cut, usd(1)] } });
  assert.deepEqual(await one.go(inTurn("a", "b")), done);
  assert.equal(spentIn(journal), 1 + 3 + 1);
});

test("a clock that is set back makes no time negative", async () => {
  const journal = await newJournal();
  let now = 1_000_000;
  const one = stage(journal, {}, { clock: () => (now -= 5_000) });
  assert.deepEqual(await one.go(inTurn("a")), done);
  const outcome = journal.recall("dispatch:a#1")?.outcome;
  assert.ok(typeof outcome === "object" && outcome !== null && "durationMs" in outcome);
  assert.equal(outcome.durationMs, 0);
});
