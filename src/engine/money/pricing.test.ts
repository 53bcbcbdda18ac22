import assert from "node:assert/strict";
import { test } from "node:test";
import { done, inTurn, stage, usages, usd } from "../../../test/rig/spending.ts";
import { newJournal } from "../../../test/rig/world.ts";
import { noUsage, type Usage } from "../../core/flow/dispatch.ts";
import type { PastRun } from "../../core/money/experience.ts";
import type { PricedOrder } from "../../ports/agents.ts";

const cut = { ...noUsage, input: 1_000, output: 100, estimated: true };
const past = (prices: Readonly<Record<string, number>>): PastRun => ({
  v: 1,
  runId: "earlier",
  goal: "",
  how: "finished",
  mode: null,
  startedAt: 0,
  endedAt: 0,
  activeMs: 0,
  costUsd: 0,
  estimated: false,
  dispatches: 0,
  tasks: 0,
  rounds: 0,
  ceremonyRatio: null,
  samples: [],
  prices,
  forecast: null,
});

/** What the second agent's only turn, which was cut, is entered at. */
async function entered(model: string, setting: { past?: readonly PastRun[]; listed?: boolean; first?: Usage } = {}) {
  const journal = await newJournal();
  const agents = { a: { turns: [setting.first ?? usd(0.01)], model: "known/model" }, b: { turns: [cut], model } };
  const one = stage(journal, agents, { past: setting.past ?? [] });
  const asked: (string | null)[] = [];
  const price = async (order: PricedOrder) => {
    asked.push(order.model);
    return { model: order.model ?? "default/model", input: 0.001, output: 0.005 };
  };
  Object.assign(one.world.agents, { price: setting.listed ? price : undefined });
  assert.deepEqual(await one.go(inTurn("a", "b")), done);
  const usage = usages(journal).at(-1);
  assert.equal(usage?.estimated, true);
  return { costUsd: Number(usage.costUsd.toFixed(6)), asked };
}

test("a cut turn costs its tokens at what this run has paid for the model", async () => {
  const known = { past: [past({ "known/model": 9 })], listed: true };
  assert.deepEqual(await entered("known/model", known), { costUsd: 1.1, asked: [] });
});

test("else at what the last run that used the model has paid, which may be nothing", async () => {
  const runs = [past({ "new/model": 9 }), past({ "new/model": 0.002 }), past({})];
  assert.deepEqual(await entered("new/model", { past: runs, listed: true }), { costUsd: 2.2, asked: [] });
  assert.deepEqual(await entered("new/model", { past: [past({ "new/model": 0 })] }), { costUsd: 0, asked: [] });
});

test("else at the price that the backend lists", async () => {
  assert.deepEqual(await entered("new/model", { listed: true }), { costUsd: 1.5, asked: ["new/model"] });
});

test("else what such a dispatch is expected to cost", async () => {
  assert.deepEqual(await entered("new/model"), { costUsd: 0.01, asked: [] });
});

test("a turn of which nobody knows the model is one of the model that its role had before", async () => {
  assert.deepEqual(await entered("unknown", { listed: true }), { costUsd: 1.1, asked: [] });
});

test("a model that this run was given for nothing stays free, whatever a list says", async () => {
  const free = { first: { ...noUsage, input: 10 }, listed: true };
  assert.deepEqual(await entered("known/model", free), { costUsd: 0, asked: [] });
});

test("the backend is asked for its default when neither turn nor role tells the model", async () => {
  const journal = await newJournal();
  const one = stage(journal, { a: { turns: [cut], model: "unknown" } });
  const asked: (string | null)[] = [];
  const price = async ({ model }: PricedOrder) => {
    asked.push(model);
    return { model: "default/model", input: 0.001, output: 0.005 };
  };
  Object.assign(one.world.agents, { price });
  assert.deepEqual(await one.go(inTurn("a")), done);
  assert.deepEqual([asked, usages(journal).at(-1)?.costUsd], [[null], 1.5]);
});
