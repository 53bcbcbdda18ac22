import assert from "node:assert/strict";
import { test } from "node:test";
import { Pen } from "../../../test/rig/sample-journal.ts";
import { EventLines } from "../../engine/views/tell/event-lines.ts";
import type { LeaseOwner, Runs } from "../../ports/runs.ts";
import { logOf } from "./log.ts";

const { entries } = new Pen().run("g").enter("plan", "phase");
const lines = new EventLines();
lines.journaled(entries);
const told = lines.made();

async function shown(runner: boolean): Promise<readonly string[]> {
  const owner: LeaseOwner = { pid: 1, birth: "", host: "", runId: "run-1", since: 0 };
  const runs: Pick<Runs, "owner" | "follow"> = {
    owner: async () => (runner ? owner : undefined),
    follow: async function* () {
      yield { entries, events: told.slice(0, 1) };
    },
  };
  const options = { json: true, follow: false, signal: new AbortController().signal };
  const all: string[] = [];
  // The cast: the log needs no more of the runs than this.
  for await (const more of logOf(runs as Runs, "run-1", options)) all.push(...more);
  return all;
}

test("U9: the log gives no number to an event that the runner has yet to tell, and tells it itself when there is no runner", async () => {
  assert.ok(told.length > 1);
  assert.deepEqual(await shown(true), told.slice(0, 1));
  assert.deepEqual(await shown(false), told);
});
