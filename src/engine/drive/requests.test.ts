import assert from "node:assert/strict";
import { test } from "node:test";
import { newJournal, rig } from "../../../test/rig/world.ts";
import { closePlace, type Flow, openPlace, type QueuedRun, queue, wait } from "../../core/flow/flow.ts";
import { OutsideFailure } from "../../ports/failure.ts";

test("a wait for a time that passed before anybody waited is over at once", async () => {
  const now = 10_000_000;
  function* flow(): Flow<string> {
    yield* wait({ name: "quota", ms: 5_000_000, until: now, away: true });
    return "done";
  }
  const later = rig(await newJournal());
  Object.assign(later.world, { clock: { ...later.world.clock, now: () => now } });
  assert.deepEqual(await later.go(flow), { how: "finished", value: "done" });
  const early = rig(await newJournal());
  Object.assign(early.world, { clock: { ...early.world.clock, now: () => now - 1 } });
  assert.deepEqual(await early.go(flow), { how: "suspended", why: "quota" });
});

test("a clock that was set back makes no wait longer than was asked for", async () => {
  function* flow(): Flow<string> {
    yield* wait({ name: "pause", ms: 10 });
    return "done";
  }
  const journal = await newJournal();
  const request = { do: "wait", name: "pause", ms: 10 } as const;
  await journal.append({ type: "begin", key: "wait:pause#1", request, tries: 1, place: "tree" }, { sync: false });
  const later = rig(journal);
  Object.assign(later.world, { clock: { ...later.world.clock, now: () => 0 } });
  assert.deepEqual(await later.go(flow), { how: "finished", value: "done" });
});

test("what is left of a wait is slept, and one that is cut short is no wait that is over", async () => {
  function* flow(): Flow<string> {
    yield* wait({ name: "pause", ms: 10, until: 1_004 });
    return "done";
  }
  const waited = async (stop: boolean) => {
    const one = rig(await newJournal());
    const slept: number[] = [];
    const sleep = async (ms: number) => {
      slept.push(ms);
      if (stop) one.halt.stop("interrupted");
    };
    Object.assign(one.world, { clock: { now: () => 1_000, sleep } });
    return [await one.go(flow), slept];
  };
  assert.deepEqual(await waited(false), [{ how: "finished", value: "done" }, [4]]);
  assert.deepEqual(await waited(true), [{ how: "suspended", why: "interrupted" }, [4]]);
});

test("a wait for a quota that an earlier life learnt of is forgotten where the person says so; one of this life is not", async () => {
  const now = Date.now();
  const until = now + 1_000_000;
  const waited = async (ms: number, isBegun: boolean) => {
    const journal = await newJournal();
    const request = { do: "wait", name: "quota", ms, until, away: true } as const;
    if (isBegun)
      await journal.append({ type: "begin", key: "wait:quota#1", request, tries: 1, place: "tree" }, { sync: false });
    const one = rig(journal);
    Object.assign(one.world, { patience: "forget", clock: { ...one.world.clock, now: () => now } });
    return (
      await one.go(function* (): Flow<void> {
        yield* wait({ name: "quota", ms, until, away: true });
      })
    ).how;
  };
  assert.equal(await waited(500_000, true), "finished", "it was begun before");
  assert.equal(await waited(2_000_000, false), "finished", "another branch learnt of it before");
  assert.equal(await waited(500_000, false), "suspended");
});

test("a flow continues when its runs are in the queue, each request under its own name, and when its place is closed", async () => {
  const one = rig(await newJournal());
  const course: string[] = [];
  const soon = () => new Promise((resolve) => setImmediate(resolve));
  const add = async (runs: readonly QueuedRun[], request: string) => {
    await soon();
    course.push(`${runs.map(({ goal }) => goal)} by ${request.split("/").at(-1)}`);
  };
  const close = async (place: string) => {
    await soon();
    course.push(`closed ${place}`);
  };
  Object.assign(one.world, { queue: { add }, places: { ...one.world.places, close } });
  const base = { sha: "s", branch: "main" };
  const run = { goal: "g", mode: "quick", branch: "b", base, dryRun: false, skipBrainstorm: false } as const;
  await one.go(function* (): Flow<void> {
    yield* queue([run]);
    course.push("continues");
    yield* closePlace("one", "side");
    course.push("ends");
  });
  assert.deepEqual(course, ["g by queue:#1", "continues", "closed side", "ends"]);
});

test("E4: what prepares a place is ended with the agents, and the run is suspended there", async () => {
  const one = rig(await newJournal());
  const open = (_name: string, _from: unknown, signal: AbortSignal): Promise<string> => {
    one.halt.stop("interrupted");
    return Promise.reject(new OutsideFailure("configuration", signal.aborted ? "ended" : "not ended"));
  };
  Object.assign(one.world, { places: { ...one.world.places, open } });
  const anchor = { sha: "s", branch: null, tree: "t", ref: "r", leftAlone: [] };
  const end = await one.go(function* (): Flow<unknown> {
    return yield* openPlace("try", anchor);
  });
  assert.deepEqual(end, { how: "suspended", why: "interrupted" });
});

test("why a place cannot be made is an outcome for the flow; an error of superteam itself is not", async () => {
  const opening = async (cause: Error) => {
    const one = rig(await newJournal());
    Object.assign(one.world, { places: { ...one.world.places, open: () => Promise.reject(cause) } });
    const anchor = { sha: "s", branch: null, tree: "t", ref: "r", leftAlone: [] };
    return one.go(function* (): Flow<unknown> {
      return yield* openPlace("try", anchor);
    });
  };
  const full = Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
  for (const cause of [new OutsideFailure("git-failed", "a lock"), full])
    assert.deepEqual(await opening(cause), { how: "finished", value: { why: cause.message } });
  const bug = await opening(new TypeError("undefined is not a function")).catch((error: unknown) => error);
  assert.notDeepEqual(bug, { how: "finished", value: { why: "undefined is not a function" } });
});
