// Cleans up after an earlier process of the run: agents that still run are ended, and what they used is in the ledger.

import { type Request, startPlace } from "../../core/flow/flow.ts";
import { asideFact } from "../../core/flow/keys.ts";
import { reservationUsd } from "../../core/money/reservation.ts";
import { count, usd } from "../../core/text/format.ts";
import type { Leftovers } from "../../ports/agents.ts";
import type { Entry, Journal, Recalled } from "../../ports/journal.ts";
import type { Dispatches } from "../../ports/runs.ts";
import { openKeys } from "../asking/asides.ts";
import { type PriceSources, soundTurn } from "../money/pricing.ts";
import type { Tally } from "../money/tally.ts";
import { type Interrupted, noteUndone } from "./ended/interrupted.ts";
import { note, type Recording } from "./recorder.ts";
import { processId, refName } from "./requests.ts";
import type { World } from "./world.ts";

/** Where traces of agents from earlier lives are found. */
export interface Traces extends Recording, Pick<PriceSources, "history"> {
  readonly clock: Pick<World["clock"], "now">;
  readonly agents: Leftovers & PriceSources["agents"];
  readonly dispatches: Pick<Dispatches, "folder" | "besides">;
}

/** Before anything new, also before the end: no agent of an earlier life runs, and what each has used is in the ledger. */
export async function settleEarlierLives(world: Traces, tally: Tally): Promise<void> {
  const open = openDispatches(world.journal);
  for (const interrupted of open) await endLeftovers(world, interrupted);
  for (const interrupted of open) await settleAccounts(world, tally, interrupted);
  await countLost(world, tally);
}

/** M2: what a damaged journal no longer names was paid for all the same. */
async function countLost(world: Traces, tally: Tally): Promise<void> {
  const { entries } = world.journal;
  const named = entries.flatMap((entry) =>
    entry.type === "begin" && isProcess(entry.request) ? [processId(entry)] : [],
  );
  const counted = new Set(entries.flatMap((entry) => (entry.type === "note" ? [entry.key] : [])));
  const before = tally.spent.usd;
  const lost = (await world.dispatches.besides(new Set(named))).filter(
    (id) => !counted.has(asideFact("lost", id)) && !ofCheck.test(id),
  );
  for (const id of lost) {
    const role = /^\d+-(.+?)(?:-lost-.*)?$/.exec(id)?.[1] ?? id;
    await enterRecount(world, tally, {
      key: asideFact("lost", id),
      role,
      folder: world.dispatches.folder(id),
      noted: 0,
    });
  }
  const amount = tally.spent.usd - before;
  if (amount > 0) world.watch({ type: "told", text: lostText(lost.length, amount) });
}

const isProcess = ({ do: what }: Request): boolean => what === "dispatch" || what === "check";

/** The folder of a check, from which nothing was paid. */
const ofCheck = /^\d+-check(?:-lost-|$)/;

function lostText(dispatches: number, amount: number): string {
  const what = `The journal no longer has ${count(dispatches, "agent call")} that cost ${usd(amount)}.`;
  return `${what} It is counted as spent, and their work may have to be paid for again.`;
}

/**
 * What a life put back just before it was killed is named now: it had no time to say so. Refs tell what it was. Where somebody has
 * changed a file since, that is not it.
 */
export async function nameTakenBack(world: World): Promise<void> {
  for (const key of openKeys(world.journal)) {
    const past = world.journal.recall(key);
    // In a place of its own there is nothing of the person's, and it may be gone.
    if (past?.place !== startPlace || !puttingBack.includes(past.request.do)) continue;
    const { repo } = await world.places.at(past.place);
    const kept = (await repo.takenBack(refName({ key, seq: past.seq }))).filter(({ ref }) => !isNamed(past, ref));
    for (const { ref, tree } of kept) {
      const gone = await repo.difference(await repo.tree(), tree);
      const changed = past.anchor && new Set(await repo.difference(past.anchor.tree, tree));
      const files = gone.filter((path) => changed?.has(path) ?? true);
      if (files.length > 0) await noteUndone(world, key, files, ref);
    }
  }
}

const puttingBack: readonly string[] = ["dispatch", "check", "restore", "undo-work"];

const isNamed = ({ notes }: Pick<Recalled, "notes">, ref: string): boolean =>
  notes.some((one) => one.type === "undone" && one.backupRef === ref);

/** The one that was begun first comes first. */
export function openDispatches(journal: Journal): readonly Interrupted[] {
  return openKeys(journal).flatMap((key) => {
    const past = journal.recall(key);
    return past?.request.do === "dispatch" ? [{ key, past, role: past.request.role }] : [];
  });
}

/** Ends the processes of a dispatch, most of them long gone: nobody writes into the tree behind a resumed run. */
async function endLeftovers(world: Traces, { key, past }: Interrupted): Promise<void> {
  const marks = past.notes.flatMap((one) => (one.type === "spawned" ? [one.process] : []));
  const folder = world.dispatches.folder(processId(past));
  const ended = await Promise.all(marks.map((mark) => world.agents.end(mark, folder)));
  for (const text of new Set(ended.flatMap(({ strays }) => strays))) world.watch({ type: "told", text });
  if (ended.some(({ wasAlive }) => wasAlive)) await note(world, key, { type: "gone", at: world.clock.now() });
}

/** Enters what an interrupted agent used and superteam was killed before it could note. */
export async function settleAccounts(world: Traces, tally: Tally, { key, past, role }: Interrupted): Promise<void> {
  // Entries are counted from 1 without gaps.
  const since = world.journal.entries.slice(past.seq);
  const isNoted = (entry: Entry): boolean => entry.type === "note" && entry.key === key && entry.note.type === "usage";
  const noted = since.filter(isNoted).length;
  const folder = world.dispatches.folder(processId(past));
  await enterRecount(world, tally, { key, role, folder, noted });
}

interface Recount {
  readonly key: string;
  readonly role: string;
  readonly folder: string;
  /** How many of its turns are in the ledger. */
  readonly noted: number;
}

async function enterRecount(world: Traces, tally: Tally, { key, role, folder, noted }: Recount): Promise<void> {
  const used = await world.agents.recount(folder);
  const expectedUsd = reservationUsd({ role, ...noKind }, tally.view.spend.samples.get(role) ?? []);
  const dispatch = { role, backend: lastBackend(world.journal), model: null, cwd: folder, expectedUsd };
  for (const turn of used.slice(noted)) {
    await note(world, key, { type: "usage", ...(await soundTurn(world, tally, turn, dispatch)) });
  }
}

/** Whoever ran agents last knows prices. */
function lastBackend({ entries }: Journal): string {
  const last = entries.findLast((entry) => entry.type === "note" && entry.note.type === "spawned");
  return last?.type === "note" && last.note.type === "spawned" ? last.note.process.backend : "";
}

const noKind = { difficulty: null, model: null };
