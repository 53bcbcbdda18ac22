import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Session } from "./host.ts";
import { liveRun } from "./kept.ts";
import { launch } from "./launch.ts";

const cwd = mkdtempSync(join(tmpdir(), "superteam-launch-"));
execFileSync("git", ["init", "-q", cwd]);
after(() => rmSync(cwd, { recursive: true }));

/** A session with as much of pi as it takes to start something. */
function sessionWith(ui: Partial<Session["ui"]>, ended = new AbortController().signal): Session {
  const shown = { notify: () => undefined, setStatus: () => undefined, ...ui } as Session["ui"];
  return { ui: shown, mode: "rpc", hasUI: true, cwd, isIdle: () => true, ended };
}

test("of two commands that come at once one starts, and the other is told so", async () => {
  const told: string[] = [];
  const session = sessionWith({ notify: (text) => void told.push(text) });
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const started: string[] = [];
  const starting = ["first", "second"].map((name) =>
    launch(session, () => {
      started.push(name);
      return promise;
    }),
  );
  await Promise.all(starting);
  assert.deepEqual(started, ["first"]);
  assert.match(told.join("\n"), /^A run is already at work in this pi\./);
  const live = liveRun();
  resolve(undefined);
  await live?.atRest;
  assert.equal(liveRun(), undefined);
});

test("a run whose session can be told nothing any more leaves its place free, and nothing else behind", async () => {
  const refuses = (): never => {
    throw new Error("This extension instance is stale");
  };
  let isStale = false;
  const setStatus = (): void => void (isStale && refuses());
  const unhandled: unknown[] = [];
  const hear = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", hear);
  await launch(sessionWith({ notify: refuses, setStatus }), async () => {
    await delay(1);
    isStale = true;
    throw new Error("trouble");
  });
  await liveRun()?.atRest;
  await delay(1);
  process.off("unhandledRejection", hear);
  assert.deepEqual([liveRun(), unhandled], [undefined, []]);
});

test("nothing is started for a session that has ended", async () => {
  let isStarted = false;
  await launch(sessionWith({}, AbortSignal.abort()), async () => {
    isStarted = true;
    return undefined;
  });
  assert.equal(isStarted, false);
});
