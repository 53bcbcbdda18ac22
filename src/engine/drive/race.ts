// The end of a race: its winner is on record before the others are stopped, so that every replay has the same one. What the
// others had begun is settled, and their scopes are left, so that nothing of them is ever done again.

import { addUsage, type DispatchOutcome, noUsage } from "../../core/flow/dispatch.ts";
import { isInside } from "../../core/flow/keys.ts";
import { withdrawn } from "../../core/flow/question.ts";
import type { Recalled } from "../../ports/journal.ts";
import { openKeys } from "../asking/asides.ts";
import { undoInterrupted } from "./ended/interrupted.ts";
import type { Parts } from "./perform.ts";
import { append, settle } from "./recorder.ts";
import { settleAccounts } from "./recovery.ts";

/** How a branch ends when another one was first. */
const lost = "another branch was first";

/** Closes the scope of a branch that lost, whatever it was at. One that has ended by itself stays as it is. */
export async function closeLoser(path: string, parts: Parts): Promise<void> {
  const { world } = parts;
  if (world.journal.result(path)) return;
  for (const key of openKeys(world.journal).filter((open) => isInside(open, path))) {
    const past = world.journal.recall(key);
    if (past) await settle(world, key, await outcomeOf(key, past, parts));
  }
  await append(world, {
    type: "leave",
    scope: path,
    result: { ok: false, failure: { kind: "cancelled", step: path, detail: lost } },
  });
}

async function outcomeOf(key: string, past: Recalled, parts: Parts): Promise<unknown> {
  if (past.request.do === "ask") return withdrawn;
  if (past.request.do !== "dispatch") return null;
  const { role, access } = past.request;
  const { world, tally } = parts;
  await settleAccounts(world, tally, { key, past, role });
  // Branches of a race read, or write in places of their own, which go with them. Where the person has been at work since,
  // nothing is put back.
  if (access === "read") await undoInterrupted(world, { key, past, role }, async () => "keep");
  const usages = (world.journal.recall(key)?.notes ?? []).flatMap((note) => (note.type === "usage" ? note.usage : []));
  const stopped: DispatchOutcome = {
    status: "failed",
    kind: "aborted",
    detail: lost,
    output: "",
    model: null,
    touched: [],
    restored: false,
    tree: past.anchor?.tree ?? "",
    durationMs: 0,
    usage: usages.reduce(addUsage, noUsage),
    commands: [],
  };
  return stopped;
}
