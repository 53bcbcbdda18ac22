// The ledger: what each dispatch came to, and that every way to sum it up gives the total.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../../test/rig/property.ts";
import { finished, Pen, startedAt, usage, viewOf, wholeRun } from "../../../../test/rig/sample-journal.ts";
import { ceremonyRatio, type DispatchLine, isUnpriced, type Ledger, type Spend } from "./ledger.ts";

const minute = 60_000;
const lineOf = (pen: Pen, key: string): DispatchLine | undefined => viewOf(pen.entries).spend.dispatches.get(key);

test("an interrupted dispatch is one line with all its tries, its whole cost and the time of each try", () => {
  const key = "execute/task-2/dispatch:spec-review#2";
  const line = lineOf(wholeRun(), key);
  assert.deepEqual(
    [line?.role, line?.name, line?.phase, line?.task, line?.model, line?.tries, line?.outcome],
    ["spec-reviewer", "spec-review", "execute", "2", "fake/opus", 2, "finished"],
  );
  assert.ok(Math.abs((line?.usage.costUsd ?? 0) - 0.27) < 1e-9);
  assert.equal(line?.usage.estimated, true);
  assert.equal(line?.usage.input, 200);
});

test("the time between two lives of a run is not the agent's, and what is noted later does not stretch it", () => {
  const key = "execute/task-1/dispatch:implement#1";
  const pen = new Pen().run("g").dispatchBegins(key, "implementer").wait(2).usage(key, 0.1);
  pen.wait(60).add({ type: "session", pid: 2, versions: {} }).usage(key, 0.2, true);
  assert.equal(lineOf(pen, key)?.ms, 2 * minute);
  pen.dispatchBegins(key, "implementer", 2).wait(1).settle(key, finished(0.3, "done"));
  const line = lineOf(pen, key);
  assert.deepEqual([line?.earlierMs, line?.ms], [2 * minute, minute]);
});

test("a failed dispatch keeps its kind, and one that no model answered is under no model", () => {
  const key = "brainstorm/dispatch:scout#1";
  const request = { do: "dispatch", name: "scout", role: "scout", prompt: "p", access: "read" } as const;
  const failed = { ...finished(0, ""), status: "failed", kind: "billing", detail: "d", output: "", model: null };
  const { spend } = viewOf(new Pen().run("g").begin(key, request).settle(key, failed).entries);
  assert.deepEqual([spend.dispatches.get(key)?.outcome, spend.dispatches.get(key)?.model], ["billing", null]);
  assert.deepEqual([spend.models.size, spend.total.dispatches], [0, 1]);
});

test("what a fallback model did is under that model, tries and all", () => {
  const pen = new Pen().run("g").dispatch("a/dispatch:scout#1", "scout", 0.1);
  const key = "a/dispatch:scout#2";
  const request = { do: "dispatch", name: "scout", role: "scout", prompt: "p", access: "read" } as const;
  pen.begin(key, request).add({ type: "note", key, note: { type: "started", model: "other/small" } });
  pen.add({ type: "note", key, note: { type: "usage", model: "other/small", usage: usage(0.02) } });
  const { models } = viewOf(pen.entries).spend;
  assert.deepEqual(
    [...models].map(([model, spend]) => [model, spend.dispatches, spend.costUsd]),
    [
      ["fake/opus", 1, 0.1],
      ["other/small", 1, 0.02],
    ],
  );
});

test("a model is counted once in each try it answers, and not where nothing is known of the dispatch", () => {
  const key = "a/dispatch:scout#1";
  const pen = new Pen().run("g").usage("a/dispatch:lost#1", 0.3);
  const countOf = () => viewOf(pen.entries).spend.reports.get("fake/opus")?.dispatches;
  assert.equal(countOf(), 0);
  pen.dispatchBegins(key, "scout").usage(key, 0.1).usage(key, 0.1);
  assert.equal(countOf(), 1);
  pen.dispatchBegins(key, "scout", 2).usage(key, 0.1);
  assert.equal(countOf(), 2, "another try is another agent");
  pen.dispatch("a/dispatch:scout#2", "scout", 0.1);
  assert.equal(countOf(), 3);
});

test("of what dispatches have cost the last 64 of a kind are kept", () => {
  const pen = new Pen().run("g");
  for (let nth = 1; nth <= 66; nth++) pen.dispatch(`a/dispatch:scout#${nth}`, "scout", nth);
  const [group, ...others] = viewOf(pen.entries).spend.samples.get("scout") ?? [];
  assert.deepEqual([group?.costsUsd.length, group?.costsUsd[0], group?.costsUsd.at(-1)], [64, 3, 66]);
  assert.deepEqual([group?.ms.length, others], [64, []]);
});

test("tokens without a cost are unpriced, and nothing at all is not", () => {
  assert.equal(isUnpriced(usage(0)), true);
  assert.equal(isUnpriced(usage(0.001)), false);
  assert.equal(isUnpriced({ ...usage(0), input: 0, output: 0 }), false);
});

test("the ceremony ratio is the share of the money that did not go into implementing", () => {
  assert.ok(Math.abs((ceremonyRatio(viewOf(wholeRun().entries)) ?? 0) - 0.62 / 1.9) < 1e-9);
  assert.equal(ceremonyRatio(viewOf([])), null);
});

const moves = fc.array(
  fc.record({
    dispatch: fc.integer({ min: 0, max: 5 }),
    what: fc.constantFrom("begin", "use", "settle", "kill", "restart", "late") as fc.Arbitrary<
      "begin" | "use" | "settle" | "kill" | "restart" | "late"
    >,
    cents: fc.integer({ min: 0, max: 500 }),
  }),
  { maxLength: 80 },
);

const places = [
  ["brainstorm/dispatch:scout#1", "scout"],
  ["plan-review/architect/dispatch:architect-review#1", "architect"],
  ["plan-review/dispatch:revise#1", "planner"],
  ["execute/task-1/dispatch:implement#1", "implementer"],
  ["execute/task-1/dispatch:implement#2", "implementer"],
  ["part-2/execute/task-2@2/dispatch:fix#1", "implementer"],
] as const;

/** A journal as an engine could have written it: agents side by side, killed, noted late and begun again. */
function played(script: readonly { dispatch: number; what: string; cents: number }[]): Pen {
  const pen = new Pen().run("g");
  const tries = new Map<string, number>();
  const [open, done] = [new Set<string>(), new Set<string>()];
  for (const { dispatch, what, cents } of script) {
    const [key, role] = places[dispatch] ?? places[0];
    if (what === "begin" && !open.has(key) && !done.has(key)) {
      tries.set(key, (tries.get(key) ?? 0) + 1);
      open.add(key);
      pen.wait(1).dispatchBegins(key, role, tries.get(key));
    }
    if (what === "use" && open.has(key)) pen.wait(1).usage(key, cents / 100);
    if (what === "late" && tries.has(key) && !done.has(key)) pen.usage(key, cents / 100, true);
    if (what === "settle" && open.delete(key)) {
      done.add(key);
      pen.settle(key, finished(cents / 100, "done"));
    }
    if (what === "restart") pen.add({ type: "restart", scope: "execute/task-1", epoch: 2, by: "person" });
    if (what === "kill") {
      open.clear();
      pen.wait(30).add({ type: "session", pid: 9, versions: {} });
    }
  }
  return pen;
}

function sums(ledger: Ledger): readonly (readonly [string, number])[] {
  const sum = (spends: Iterable<Spend>) => [...spends].reduce((all, { costUsd }) => all + costUsd, 0);
  const lines = [...ledger.dispatches.values()].reduce((all, { usage: used }) => all + used.costUsd, 0);
  const by = (["roles", "phases", "models"] as const).map((name) => [name, sum(ledger[name].values())] as const);
  return [...by, ["dispatches", lines]];
}

test("every sum is the total: over dispatches, roles, phases and models, whatever was interrupted or started again", () => {
  fc.assert(
    fc.property(moves, (script) => {
      const { entries } = played(script);
      const { spend } = viewOf(entries);
      const noted = entries.flatMap((entry) =>
        entry.type === "note" && entry.note.type === "usage" ? [entry.note.usage.costUsd] : [],
      );
      const total = noted.reduce((all, cost) => all + cost, 0);
      assert.ok(Math.abs(spend.total.costUsd - total) < 1e-9);
      for (const [name, sum] of sums(spend)) assert.ok(Math.abs(sum - total) < 1e-6, `${name}: ${sum} is not ${total}`);
      const tries = [...spend.dispatches.values()].reduce((all, line) => all + line.tries, 0);
      assert.equal(tries, spend.total.dispatches);
      for (const line of spend.dispatches.values()) assert.ok(line.ms >= 0 && line.ms < entries.length * minute);
    }),
  );
});

test("the ledger has one line per dispatch and no more, however many turns it took", () => {
  const pen = new Pen().run("g");
  for (let n = 1; n <= 50; n++) {
    const key = `execute/task-1/dispatch:fix#${n}`;
    pen.dispatchBegins(key, "implementer");
    for (let turn = 0; turn < 20; turn++) pen.usage(key, 0.01);
    pen.settle(key, finished(0.2, "x".repeat(10_000)));
  }
  const { dispatches } = viewOf(pen.entries).spend;
  assert.equal(dispatches.size, 50);
  assert.ok(JSON.stringify([...dispatches.values()]).length < 50 * 500, "no text of an agent is kept");
  assert.equal(dispatches.values().next().value?.since, startedAt);
});
