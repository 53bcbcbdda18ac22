// Runs that wait in line, and runs that have ended: shared by all working trees of a repository.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { QueuedRun } from "../../../src/core/flow/flow.ts";
import type { PastRun } from "../../../src/core/money/experience.ts";
import type { StartWaiting } from "../../../src/ports/runs.ts";
import type { MakeRuns } from "../runs.ts";
import { begin } from "./begin.ts";

const waiting = (name: string): QueuedRun => ({
  goal: `Do ${name}`,
  mode: "quick",
  branch: `superteam/${name}`,
  base: { sha: "a".repeat(40), branch: "main" },
  dryRun: false,
  skipBrainstorm: true,
});

export function queueContract(make: MakeRuns): void {
  const starts =
    (run: string): StartWaiting<string> =>
    async (first, claim) => {
      await claim({ run, branch: first.branch });
      return first.goal;
    };

  test("runs wait in order in every working tree, and each is taken once", async (t) => {
    const { runs, elsewhere } = await make(t);
    assert.deepEqual(await runs.queue.list(), []);
    await runs.queue.add([waiting("one"), waiting("two")], "r/queue:#1");
    const goals = (await elsewhere.queue.list()).map(({ goal }) => goal);
    assert.deepEqual(goals, ["Do one", "Do two"]);
    const takers = [runs, elsewhere, runs].map((each) => each.queue.take(starts(each.newId())));
    assert.deepEqual((await Promise.all(takers)).toSorted(), ["Do one", "Do two", undefined], "whoever comes first");
    assert.deepEqual(await runs.queue.list(), []);
  });

  test("E2: what was put in line is not put there again, even when all of it was taken meanwhile", async (t) => {
    const { runs } = await make(t);
    for (let time = 0; time < 2; time++) await runs.queue.add([waiting("one")], "r/queue:#1");
    assert.equal((await runs.queue.list()).length, 1);
    await runs.queue.take(starts(runs.newId()));
    await runs.queue.add([waiting("one")], "r/queue:#1");
    assert.deepEqual(await runs.queue.list(), []);
  });

  test("a taker that ends before the run is started leaves it first in line, with the names it had chosen", async (t) => {
    const { runs, again } = await make(t);
    await runs.queue.add([waiting("one"), waiting("two")], "r/queue:#1");
    const id = runs.newId();
    const killed: StartWaiting<never> = async (_first, claim) => {
      await claim({ run: id, branch: "superteam/one-2" });
      throw new Error("killed");
    };
    await assert.rejects(runs.queue.take(killed), /killed/);
    const [first] = await again.queue.list();
    assert.deepEqual(first, { ...waiting("one"), branch: "superteam/one-2", run: id, mark: "r/queue:#1" });
    assert.equal(await again.queue.take(starts(runs.newId())), "Do one");
  });

  test("E2: a run whose taker was killed after it had started it is not started again", async (t) => {
    const { runs, elsewhere } = await make(t);
    await runs.queue.add([waiting("one"), waiting("two")], "r/queue:#1");
    const id = runs.newId();
    const killed: StartWaiting<never> = async (first, claim) => {
      await claim({ run: id, branch: first.branch });
      await runs.writeActive(id);
      throw new Error("killed");
    };
    await assert.rejects(runs.queue.take(killed), /killed/);
    assert.equal(await elsewhere.queue.take(starts(runs.newId())), "Do two");
  });
}

const past = (runId: string, costUsd = 1): PastRun => ({
  v: 1,
  runId,
  goal: "g",
  how: "finished",
  mode: "quick",
  startedAt: 1,
  endedAt: 2,
  activeMs: 1,
  costUsd,
  estimated: false,
  dispatches: 3,
  tasks: 1,
  rounds: 0,
  ceremonyRatio: 0.5,
  samples: [{ role: "scout", difficulty: null, model: "p/m", costsUsd: [0.1], ms: [5] }],
  forecast: null,
});

export function historyContract(make: MakeRuns): void {
  test("runs that have ended are read in order in every working tree, and one that was added twice counts as it was last", async (t) => {
    const { runs, elsewhere } = await make(t);
    assert.deepEqual(await runs.history.read(), { runs: [], skipped: 0 });
    await begin(runs);
    await runs.history.add(past("a", 1));
    await elsewhere.history.add(past("b"));
    await runs.history.add(past("a", 2));
    const { runs: read, skipped } = await elsewhere.history.read();
    assert.deepEqual(
      [read.map(({ runId, costUsd }) => [runId, costUsd]), skipped],
      [
        [
          ["a", 2],
          ["b", 1],
        ],
        0,
      ],
    );
  });
}
