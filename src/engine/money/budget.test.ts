import assert from "node:assert/strict";
import { test } from "node:test";
import {
  agent,
  done,
  flows,
  inTurn,
  limited,
  spentIn,
  stage,
  together,
  usd,
  warnings,
} from "../../../test/rig/spending.ts";
import { until } from "../../../test/rig/until.ts";
import { newJournal } from "../../../test/rig/world.ts";
import { all, ask, type Flow, record } from "../../core/flow/flow.ts";
import type { PastRun } from "../../core/money/experience.ts";

test("the person is asked once at the warning and once before the limit, and never again after that", async () => {
  const journal = await newJournal();
  const agents = { a: { turns: [usd(5)] }, b: { turns: [usd(13)] }, c: { turns: [usd(0.5)] } };
  const flow = inTurn("a", "b", "c", "c");
  const closed = stage(journal, agents);
  assert.deepEqual(await closed.go(flow), { how: "suspended", why: "question" });
  assert.deepEqual([closed.shown, closed.course], [["budget.warn"], ["a", "-a"]]);
  const answers = { "budget.warn": ["continue"], "budget.near": ["continue"] };
  const open = stage(journal, agents, { answers });
  assert.deepEqual(await open.go(flow), done);
  assert.deepEqual(open.shown, ["budget.warn", "budget.near"]);
  assert.deepEqual(open.course, ["b", "-b", "c", "-c", "c", "-c"]);
});

test("the amount to ask at can be set apart from the warning", async () => {
  const one = stage(await newJournal(), {}, { config: { budgetCheckpointUsd: 0.5 } });
  await one.go(inTurn("a", "b"));
  assert.deepEqual(one.shown, ["budget.warn"]);
});

test("who passes two checkpoints at once is asked one question", async () => {
  const journal = await newJournal();
  const agents = { a: { turns: [usd(19)] }, b: { turns: [usd(0.1)] } };
  const one = stage(journal, agents, { answers: { "budget.near": ["continue"] } });
  assert.deepEqual(await one.go(inTurn("a", "b")), done);
  assert.deepEqual(one.shown, ["budget.near"]);
  const again = stage(journal, agents);
  assert.deepEqual(await again.go(inTurn("a", "b")), done);
});

test("at the limit a running agent is stopped, its work is begun again after the limit was raised, and both are paid for", async () => {
  const journal = await newJournal();
  const agents = { a: { turns: [usd(8)] }, b: { turns: [usd(2)], hangs: true } };
  const config = limited(10);
  const closed = stage(journal, agents, { config });
  assert.deepEqual(await closed.go(inTurn("a", "b")), { how: "suspended", why: "question" });
  assert.deepEqual([closed.shown, closed.course], [["budget.limit"], ["a", "-a", "b", "!b"]]);

  const calm = { ...agents, b: { turns: [usd(2)] } };
  const raised = stage(journal, calm, {
    config,
    answers: { "budget.limit": ["raise"], "budget.amount": ["cheap", "$14"] },
  });
  assert.deepEqual(await raised.go(inTurn("a", "b")), done);
  assert.deepEqual(raised.shown, ["budget.limit", "budget.amount", "budget.amount"]);
  assert.deepEqual(raised.course, ["b", "-b"]);
  assert.equal(spentIn(journal), 12);
  assert.equal(journal.recall("dispatch:b#1")?.tries, 2);
});

test("a limit that was raised stays raised in the next process", async () => {
  const journal = await newJournal();
  const agents = { a: { turns: [usd(10)] }, b: { turns: [usd(40)], hangs: true } };
  const config = limited(10);
  const answers = { "budget.limit": ["raise"], "budget.amount": ["50"] };
  const first = stage(journal, agents, { config, answers });
  assert.deepEqual(await first.go(inTurn("a", "b")), { how: "suspended", why: "question" });
  assert.deepEqual(first.shown, ["budget.limit", "budget.amount", "budget.limit"], "the raised limit holds as well");
  const second = stage(journal, {}, { config, answers: { "budget.limit": ["raise"], "budget.amount": ["90"] } });
  assert.deepEqual(await second.go(inTurn("a", "b")), done);
  assert.deepEqual(second.shown, ["budget.limit", "budget.amount"]);
  const third = stage(journal, {}, { config });
  assert.deepEqual(await third.go(inTurn("a", "b")), done);
});

test("who raises the limit past the warning has answered that as well", async () => {
  const journal = await newJournal();
  const agents = { a: { turns: [usd(21)] } };
  const answers = { "budget.limit": ["raise"], "budget.amount": ["40"] };
  const one = stage(journal, agents, { config: limited(20, 5), answers });
  assert.deepEqual(await one.go(inTurn("a", "b")), done);
  assert.deepEqual(one.shown, ["budget.limit", "budget.amount"]);
});

test("a warning that lies beyond the limit is still asked after the limit was raised", async () => {
  const answers = { "budget.limit": ["raise"], "budget.amount": ["100"] };
  const one = stage(await newJournal(), { b: { turns: [usd(40)] } }, { config: limited(1, 30), answers });
  assert.deepEqual(await one.go(inTurn("a", "b", "c")), { how: "suspended", why: "question" });
  assert.deepEqual(one.shown, ["budget.limit", "budget.amount", "budget.warn"]);
});

test("an amount that was taken back is asked for again only after the question that has a way out", async () => {
  const journal = await newJournal();
  const agents = { a: { turns: [usd(10)] } };
  const live = async (limit: number, answers: Readonly<Record<string, readonly string[]>>) => {
    const one = stage(journal, agents, { config: limited(limit), answers });
    await one.go(inTurn("a", "b"));
    return one.shown;
  };
  assert.deepEqual(await live(10, { "budget.limit": ["raise"] }), ["budget.limit", "budget.amount"]);
  assert.deepEqual(await live(11, {}), ["budget.near"], "the amount is taken back");
  assert.deepEqual(await live(10, { "budget.limit": ["raise"] }), ["budget.limit", "budget.amount"]);
  assert.deepEqual(await live(10, {}), ["budget.amount"], "what was said is not asked again while the limit stands");
});

test("what was raised is known to a process that was not there", async () => {
  const journal = await newJournal();
  const question = { id: "q", kind: "input", title: "", message: "" } as const;
  function* flow(): Flow<string> {
    yield* agent("a");
    yield* agent("b");
    yield* ask(question);
    yield* agent("c");
    return "done";
  }
  const agents = { a: { turns: [usd(10)] } };
  const answers = { "budget.limit": ["raise"], "budget.amount": ["100"] };
  await stage(journal, agents, { config: limited(10), answers }).go(flow);
  const next = stage(journal, agents, { config: limited(10), answers: { q: ["go"] } });
  assert.deepEqual(await next.go(flow), done);
  assert.deepEqual(next.shown, ["q"]);
});

test("whoever raises the limit in the configuration is not asked any more", async () => {
  const journal = await newJournal();
  const agents = { a: { turns: [usd(10)] }, b: { turns: [usd(1)] } };
  await stage(journal, agents, { config: limited(10) }).go(inTurn("a", "b"));
  const higher = stage(journal, agents, { config: limited(30) });
  assert.deepEqual(await higher.go(inTurn("a", "b")), done);
  assert.deepEqual(higher.shown, []);
  assert.equal(journal.recall("~ask:budget.limit#usd-10")?.settled, true, "the question is taken back");
  const recorded = journal.entries.flatMap((entry) => (entry.type === "limits" ? [entry.limits.hard.usd] : []));
  assert.deepEqual(recorded, [10, 30], "each once, however many agents start");
});

test("a limit that is lower than what is spent is asked about at once, also when it was taken back before", async () => {
  const journal = await newJournal();
  const agents = { a: { turns: [usd(10)] }, b: { turns: [usd(1)] }, c: { turns: [usd(1)] } };
  const flow = inTurn("a", "b", "c");
  await stage(journal, agents, { config: limited(10) }).go(flow);
  const near = stage(journal, agents, { config: limited(11) });
  assert.deepEqual(await near.go(flow), { how: "suspended", why: "question" });
  assert.deepEqual(near.shown, ["budget.near"]);
  const lower = stage(journal, agents, { config: limited(10) });
  assert.deepEqual(await lower.go(flow), { how: "suspended", why: "question" });
  assert.deepEqual([lower.shown, lower.course], [["budget.limit"], []]);
});

for (const id of ["budget.warn", "budget.limit"]) {
  test(`${id} can end the run, for good and with its agents`, async () => {
    const journal = await newJournal();
    const config = id === "budget.warn" ? limited(50, 1) : limited(1);
    const one = stage(journal, {}, { config, answers: { [id]: ["abort"] } });
    const end = { how: "aborted", detail: "the person ended the run over its budget" };
    assert.deepEqual(await one.go(inTurn("a", "b")), end);
    assert.deepEqual(one.course, ["a", "-a"]);
    assert.deepEqual(await stage(journal, {}).go(inTurn("a", "b")), end);
  });
}

test("of agents side by side, all are stopped at the limit and the person is asked one question", async () => {
  const journal = await newJournal();
  const agents = { a: { turns: [usd(2)], hangs: true }, b: { turns: [usd(2), usd(6)], hangs: true } };
  const one = stage(journal, agents, { config: limited(10) });
  assert.deepEqual(await one.go(together("a", "b"), flows), { how: "suspended", why: "question" });
  assert.deepEqual(one.course.slice(2).toSorted(), ["!a", "!b"]);
  assert.deepEqual(one.shown, ["budget.limit"]);
  const calm = { a: { turns: [usd(1)] }, b: { turns: [usd(1)] } };
  const answers = { "budget.limit": ["raise"], "budget.amount": ["50"] };
  const raised = stage(journal, calm, { config: limited(10), answers });
  assert.deepEqual(await raised.go(together("a", "b"), flows), done);
  assert.deepEqual(raised.shown, ["budget.limit", "budget.amount"]);
  assert.equal(spentIn(journal), 12);
});

const past = (role: string, costUsd: number): PastRun => ({
  ...{ v: 1, runId: "r", goal: "g", how: "finished", mode: "full", startedAt: 0, endedAt: 1, activeMs: 1, costUsd },
  ...{ estimated: false, dispatches: 1, tasks: 1, rounds: 0, ceremonyRatio: null, forecast: null },
  samples: [{ role, difficulty: null, model: null, costsUsd: [costUsd], ms: [1] }],
});

test("what is reserved for a running agent is not promised to another: that one waits and then runs", async () => {
  const agents = { a: { turns: [usd(1)] }, b: { turns: [usd(1)] } };
  const wide = stage(await newJournal(), agents, { past: [past("role-a", 4), past("role-b", 4)], config: limited(10) });
  assert.deepEqual(await wide.go(together("a", "b"), flows), done);
  assert.deepEqual(wide.course.slice(0, 2).toSorted(), ["a", "b"]);
  const narrow = stage(await newJournal(), agents, {
    past: [past("role-a", 6), past("role-b", 6)],
    config: limited(10),
  });
  assert.deepEqual(await narrow.go(together("a", "b"), flows), done);
  assert.deepEqual(narrow.course, ["a", "-a", "b", "-b"]);
});

test("what a running agent has used is no longer reserved for it as well", async () => {
  const turns = [usd(5), ...Array.from({ length: 100 }, () => usd(0.001))];
  const agents = { a: { turns }, b: { turns: [usd(0.05), usd(0.05)] }, c: { turns: [usd(1)] } };
  const runs = [past("role-a", 6), past("role-b", 3), past("role-c", 3.5)];
  const one = stage(await newJournal(), agents, { past: runs, config: limited(10) });
  assert.deepEqual(await one.go(together("a", "b", "c"), flows), done);
  assert.deepEqual(one.course, ["a", "b", "-b", "c", "-c", "-a"]);
});

test("a stop ends the wait for room", async () => {
  const agents = { a: { turns: [], hangs: true }, b: { turns: [usd(1)] } };
  const one = stage(await newJournal(), agents, { config: limited(0.8) });
  const end = one.go(together("a", "b"), flows);
  await until(() => one.course.includes("a"));
  one.halt.stop("stopped");
  assert.deepEqual(await end, { how: "suspended", why: "stopped" });
  assert.deepEqual(one.course, ["a", "!a"]);
});

test("the question tells how far the run has come and what is probably left", async () => {
  const journal = await newJournal();
  function* flow(): Flow<string> {
    const tasks = ["1", "2", "3"].map((id) => ({ id, title: id, complexity: "easy" as const }));
    yield* record({ type: "plan.written", path: null, tasks });
    yield* all([{ flow: "one", name: "task-1", input: "a" }]);
    yield* record({ type: "task.settled", task: "1", status: "complete", commit: null, rounds: 0 });
    yield* agent("b");
    return "done";
  }
  const one = stage(journal, { a: { turns: [usd(4)] } }, { config: limited(4) });
  await one.go(flow, flows);
  const asked = journal.recall("~ask:budget.limit#usd-4")?.request;
  assert.ok(asked?.do === "ask");
  assert.match(asked.question.message, /Tasks done: 1 of 3\. What is left is expected to cost \$4\.00 to \$16\.00/);
});

test("S3-47: an amount to be asked at is told or passed over as the configuration says; the limit is always the person's", async () => {
  const agents = { a: { turns: [usd(5)] }, b: { turns: [usd(5)] } };
  for (const [action, told] of [
    ["warn-continue", 1],
    ["ignore", 0],
  ] as const) {
    const journal = await newJournal();
    const config = { ...limited(10, 4), failureActions: { "budget-threshold": action } };
    const one = stage(journal, agents, { config });
    assert.deepEqual(await one.go(inTurn("a", "b", "c")), { how: "suspended", why: "question" });
    assert.deepEqual(one.shown, ["budget.limit"], action);
    assert.equal(warnings(journal).filter((text) => /\$5\.00 of \$10\.00 is spent/.test(text)).length, told, action);
    const answer = journal.entries.find((entry) => entry.type === "settle" && entry.key.startsWith("~ask:budget.warn"));
    assert.ok(answer?.type === "settle" && answer.outcome === "continue" && answer.by === "policy");
  }
});
