// What every store of runs promises (ports/runs.ts), whatever it is made of. Locks of dead processes, damaged files and
// messages that cannot be read belong to the files, and are tested with that adapter.

import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, type TestContext, test } from "node:test";
import type { Entry } from "../../src/ports/journal.ts";
import type { LeaseOwner, Runs } from "../../src/ports/runs.ts";
import { begin, header } from "./runs/begin.ts";
import { inboxContract } from "./runs/inbox.ts";
import { historyContract, queueContract } from "./runs/queue.ts";

export interface RunsUnderTest {
  readonly runs: Runs;
  /** The same runs, as another process in this working tree has them. */
  readonly again: Runs;
  /** The runs as they are seen from another working tree of the repository. */
  readonly elsewhere: Runs;
  /** Takes the lease from its holder behind its back: then nobody has it, or somebody else. */
  removeLease(): Promise<void>;
  replaceLease(owner: LeaseOwner): Promise<void>;
}

export type MakeRuns = (t: TestContext) => Promise<RunsUnderTest>;

export function runsContract(name: string, make: MakeRuns): void {
  describe(`runs: ${name}`, () => {
    listContract(make);
    leaseContract(make);
    lostLeaseContract(make);
    journalsContract(make);
    inboxContract(make);
    queueContract(make);
    historyContract(make);
  });
}

function listContract(make: MakeRuns): void {
  test("ids differ and sort by time, and runs are listed oldest first in every working tree", async (t) => {
    const { runs, elsewhere } = await make(t);
    assert.deepEqual(await runs.list(), []);
    const ids = [await begin(runs), await begin(elsewhere), await begin(runs)];
    assert.equal(new Set(ids).size, 3);
    for (const each of [runs, elsewhere]) assert.deepEqual(await each.list(), ids.toSorted());
  });

  test("a run has begun with its first entry, which says its pipeline", async (t) => {
    const { runs } = await make(t);
    const id = runs.newId();
    assert.deepEqual([await runs.hasBegun(id), await runs.pipelineOf(id)], [false, undefined]);
    const journal = await runs.create(id);
    assert.equal(await runs.hasBegun(id), false);
    await journal.append(header(id), { sync: true });
    await journal.close();
    assert.deepEqual([await runs.hasBegun(id), await runs.pipelineOf(id)], [true, "superteam"]);
  });

  test("E7: each working tree has its own active run, until it is cleared", async (t) => {
    const { runs, again, elsewhere } = await make(t);
    const id = runs.newId();
    assert.equal(await runs.readActive(), undefined);
    await runs.writeActive(id);
    const active = [await runs.readActive(), await again.readActive(), await elsewhere.readActive()];
    assert.deepEqual(active, [id, id, undefined]);
    await runs.clearActive();
    await runs.clearActive();
    assert.equal(await again.readActive(), undefined);
  });

  test("what is removed of a run is gone in every working tree, but for its line in the history", async (t) => {
    const { runs, elsewhere } = await make(t);
    const [gone, stays] = [await begin(runs), await begin(runs)];
    await runs.keep(gone, "report.md", "x".repeat(1000));
    assert.ok((await runs.size(gone)) > (await runs.size(stays)) + 900);
    await runs.remove(gone);
    assert.deepEqual(await elsewhere.list(), [stays]);
    assert.equal(await runs.size(gone), 0);
    assert.equal(await runs.hasBegun(stays), true);
  });

  test("nothing but the id of a run names one", async (t) => {
    const { runs } = await make(t);
    await assert.rejects(runs.writeActive("../x"), /is not the id of a run/);
    assert.throws(() => runs.where("../x"), /is not the id of a run/);
  });
}

function leaseContract(make: MakeRuns): void {
  test("E7: a second runner of a working tree is refused and told who holds the lease", async (t) => {
    const { runs, again, elsewhere } = await make(t);
    assert.equal(await runs.owner(), undefined);
    const id = runs.newId();
    const first = await runs.lease(id);
    assert.ok(first.taken);
    const second = await again.lease(again.newId());
    assert.ok(!second.taken);
    assert.deepEqual(second.owner, first.lease.owner);
    assert.deepEqual([second.owner.runId, second.owner.pid], [id, process.pid]);
    assert.match(second.message, new RegExp(`process ${process.pid}.*${id}`));
    assert.deepEqual(await again.owner(), first.lease.owner);
    const other = await elsewhere.lease(elsewhere.newId());
    assert.ok(other.taken, "another working tree has its own");
    await other.lease.release();
    assert.equal(first.lease.lost.aborted, false);
    await first.lease.release();
  });

  test("E7: a lease that was given back can be taken again, and giving it back twice takes it from nobody", async (t) => {
    const { runs, again } = await make(t);
    const first = await runs.lease(runs.newId());
    assert.ok(first.taken);
    await first.lease.release();
    assert.equal(await runs.owner(), undefined);
    const second = await again.lease(again.newId());
    assert.ok(second.taken);
    await first.lease.release();
    assert.deepEqual(await runs.owner(), second.lease.owner);
    await second.lease.release();
  });

  test("E7: of many who ask at once exactly one gets the lease", async (t) => {
    const { runs, again } = await make(t);
    const asked = await Promise.all([runs, again, runs, again, runs].map((each) => each.lease(each.newId())));
    const taken = asked.filter((each) => each.taken);
    assert.equal(taken.length, 1);
    for (const each of taken) if (each.taken) await each.lease.release();
  });
}

function lostLeaseContract(make: MakeRuns): void {
  test("E7: the holder of a lease that is gone is told, and another can take it", { timeout: 240_000 }, async (t) => {
    const { runs, again, removeLease } = await make(t);
    const first = await runs.lease(runs.newId());
    assert.ok(first.taken);
    await removeLease();
    await once(first.lease.lost, "abort");
    const second = await again.lease(again.newId());
    assert.ok(second.taken);
    await first.lease.release();
    assert.deepEqual(await runs.owner(), second.lease.owner);
    await second.lease.release();
    assert.equal(second.lease.lost.aborted, false);
  });

  test("E7: the holder of a lease that is another's by now is told, and leaves it alone", {
    timeout: 240_000,
  }, async (t) => {
    const { runs, replaceLease } = await make(t);
    const first = await runs.lease(runs.newId());
    assert.ok(first.taken);
    const other = { ...first.lease.owner, runId: runs.newId() };
    await replaceLease(other);
    await once(first.lease.lost, "abort");
    await first.lease.release();
    assert.deepEqual(await runs.owner(), other);
  });
}

function journalsContract(make: MakeRuns): void {
  test("E1: what one process wrote another reads, and a later one continues", async (t) => {
    const { runs, again } = await make(t);
    const id = await begin(runs);
    assert.deepEqual(
      (await again.read(id)).map(({ type }) => type),
      ["run"],
    );
    const { journal, repairs } = await again.open(id);
    assert.deepEqual(repairs, []);
    const { seq } = await journal.append({ type: "enter", scope: "plan", kind: "phase" }, { sync: true });
    await journal.close();
    assert.equal(seq, 2);
    assert.equal((await runs.read(id)).length, 2);
    await assert.rejects(runs.create(id), /exists already/);
  });

  test("E11: a journal that is gone is written again, entry by entry as it was, and never over another", async (t) => {
    const { runs, again } = await make(t);
    const id = await begin(runs);
    const before = await runs.examine(id);
    await assert.rejects(runs.writeAgain(id, before.entries), /exists already/);
    await runs.remove(id);
    await runs.writeAgain(id, before.entries);
    assert.deepEqual(await again.examine(id), before);
  });

  test("a follower is given the entries there are, then new ones as they come, each once", {
    timeout: 240_000,
  }, async (t) => {
    const { runs, again } = await make(t);
    const id = runs.newId();
    const journal = await runs.create(id);
    await journal.append(header(id), { sync: true });
    const stop = new AbortController();
    const seen: Entry[] = [];
    for await (const { entries } of again.follow(id, stop.signal)) {
      seen.push(...entries);
      if (entries[0]?.seq === 1) await journal.append({ type: "enter", scope: "plan", kind: "phase" }, { sync: true });
      if (seen.length === 2) stop.abort();
    }
    assert.deepEqual(
      seen.map(({ seq }) => seq),
      [1, 2],
    );
    await journal.close();
  });

  test("U9: a follower is given the events there are, then new ones, each once; the next runner finds them all", {
    timeout: 240_000,
  }, async (t) => {
    const { runs, again } = await make(t);
    const id = await begin(runs);
    const log = await runs.events(id);
    assert.deepEqual(log.lines, []);
    log.append("one");
    const stop = new AbortController();
    const seen: string[] = [];
    for await (const { events } of again.follow(id, stop.signal)) {
      seen.push(...events);
      if (events.includes("one")) for (const line of ["zwölf", "three"]) log.append(line);
      if (seen.length === 3) stop.abort();
    }
    assert.deepEqual(seen, ["one", "zwölf", "three"]);
    log.close();
    const next = await again.events(id);
    assert.deepEqual(next.lines, seen);
    next.close();
  });

  test("every dispatch has a folder of its own, and says nothing about processes it never had", async (t) => {
    const { runs } = await make(t);
    const dispatches = runs.dispatches(await begin(runs));
    assert.notEqual(dispatches.folder("1"), dispatches.folder("2"));
    assert.equal(await dispatches.goneAt("1"), undefined);
  });
}
