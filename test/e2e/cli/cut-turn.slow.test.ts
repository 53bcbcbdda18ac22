// M1: a turn that is cut before its usage is known was sent, so it is paid for: the ledger against what the server received.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tokensIn, type Usage } from "../../../src/core/flow/dispatch.ts";
import type { ModelPlay } from "../../../src/demo/model/play.ts";
import type { Entry } from "../../../src/ports/journal.ts";
import { type Cli, exitOf, openCli } from "../../rig/cli/cli.ts";
import { goal, smallPlay } from "../../rig/cli/small-play.ts";
import { until } from "../../rig/until.ts";

/** US dollars per token that the scripted model takes for what it is sent. */
const usdPerToken = 3 / 1_000_000;

/** The first turn of the first agent never ends. */
const hanging: ModelPlay = smallPlay(() => ({ fault: { kind: "hang", after: "request" } }));

test("an agent that is stopped in its first turn is entered at the price that pi lists", async (context) => {
  const cli = await openCli(context, { pi: "real", play: hanging });
  const run = cli.start(["run", goal]);
  const ended = exitOf(run);
  await until(() => cli.server.requests.length === 1);
  run.kill("SIGINT");
  assert.equal((await ended).code, 130);
  assertEntered(cli, usagesIn(await cli.entries()));
});

test("an agent that is killed with superteam in its first turn is entered the same way on resume", async (context) => {
  const cli = await openCli(context, { pi: "real", play: hanging });
  const run = cli.start(["run", goal]);
  const ended = exitOf(run);
  await until(() => cli.server.requests.length === 1);
  const [dispatch = ""] = readdirSync(join(cli.run, "dispatches"));
  const stream = join(cli.run, "dispatches", dispatch, "stream.jsonl");
  await until(() => existsSync(stream) && readFileSync(stream, "utf8").includes("turn_start"));
  run.kill("SIGKILL");
  await ended;
  assert.deepEqual(usagesIn(await cli.entries()), []);
  const again = cli.start(["resume"]);
  const endedAgain = exitOf(again);
  await until(() => cli.server.requests.length === 2);
  assertEntered(cli, usagesIn(await cli.entries()));
  again.kill("SIGINT");
  await endedAgain;
});

function usagesIn(entries: readonly Entry[]): readonly (Usage & { readonly model: string })[] {
  return entries.flatMap((entry) =>
    entry.type === "note" && entry.note.type === "usage" ? [{ ...entry.note.usage, model: entry.note.model }] : [],
  );
}

/** One turn, marked as an estimate, and close to what the server received. */
function assertEntered({ server }: Cli, usages: readonly (Usage & { readonly model: string })[]): void {
  const [turn] = usages;
  assert.equal(usages.length, 1, JSON.stringify(usages));
  assert.ok(turn);
  assert.deepEqual([turn.model, turn.estimated], ["scripted/scripted-model", true]);
  const counted = tokensIn(server.requests[0]?.characters ?? 0) * usdPerToken;
  const ratio = turn.costUsd / counted;
  assert.ok(ratio > 0.9 && ratio < 1.3, `$${turn.costUsd} is entered where the server counts $${counted}`);
}
