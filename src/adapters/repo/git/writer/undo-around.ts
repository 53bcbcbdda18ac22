// Undoes what an interrupted agent did around HEAD and files (E3). The person may have worked since, so the time of each file of git's
// decides: what changed after the agent was gone is theirs, and nobody is asked, so in doubt it stays. What cannot be dated, such as a ref in a file that git packed since, stays.

import { lstat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Anchor, AroundPutBack, Unsaved } from "../../../../core/flow/repository.ts";
import { capture } from "../capture/capture.ts";
import { type Checkout, readHead } from "../place/checkout.ts";
import { onDisk, toBytes, toText } from "../process/paths.ts";
import { keepIndexTime } from "../tree/index-file.ts";
import { unsavedSince } from "../tree/unsaved.ts";
import { type Around, ownRefs, readAround, savedAround } from "./around.ts";
import { makeIndex, makeUsable, refuseForgotten } from "./make-usable.ts";
import { allLost, putSettingsBack } from "./put-around-back.ts";
import { putHeadBack, refText } from "./put-head-back.ts";
import { damageOf, seeBehindIndex } from "./see-behind-index.ts";

export async function undoAround(
  checkout: Checkout,
  since: Anchor,
  goneAt: number,
  name: string,
): Promise<AroundPutBack | undefined> {
  const broken = await makeUsable(checkout, since);
  const saved = await savedAround(checkout, since);
  const [head, now] = await Promise.all([readHead(checkout), readAround(checkout, saved)]);
  if (saved === undefined && since.around !== undefined) return undefined;
  if (saved === undefined) return { refs: [], settings: broken, pushed: [], refsKept: [] };
  const before = await withLater(checkout, saved, { now, moment: goneAt, broken });
  const back = await putSettingsBack(checkout, { before, now, broken }, name);
  const index = await makeIndex(checkout, since, broken);
  await refuseForgotten(checkout, since);
  const heads = await putHeadBack(checkout, { ...since, ...head }, { head, before, now }, name);
  const see = () => capture(checkout);
  const look = () => seeBehindIndex(checkout, { given: since, before: saved }, see);
  const seen = await keepIndexTime(checkout, look);
  return {
    ...back,
    settings: [...back.settings, ...index, ...seen.hidden],
    ...damageOf({ ...seen, unsaved: await changedUntil(checkout, seen.unsaved, goneAt) }),
    refs: [...heads.refs, ...back.refs],
    ...allLost(heads.refsLost, back.refsLost),
    pushed: heads.pushed,
    refsKept: [...heads.refsKept, ...back.refsKept],
  };
}

/** Without what changed after that moment. When something went nobody knows. */
async function changedUntil(
  { root }: Checkout,
  unsaved: Unsaved | undefined,
  moment: number,
): Promise<Unsaved | undefined> {
  if (unsaved === undefined) return undefined;
  const changed: string[] = [];
  for (const path of unsaved.changed) {
    const seen = await lstat(onDisk(root, toBytes(path))).catch(() => undefined);
    if (seen === undefined || !isAfter(seen.ctimeMs, moment)) changed.push(path);
  }
  return changed.length + unsaved.gone.length === 0 ? undefined : { ...unsaved, changed };
}

/** For the person, where nobody can tell whose it is. */
export async function changedAround(checkout: Checkout, since: Anchor): Promise<readonly string[] | undefined> {
  const broken = await makeUsable(checkout, since);
  const before = await savedAround(checkout, since);
  const [head, now] = await Promise.all([readHead(checkout), readAround(checkout, before)]);
  const index = await makeIndex(checkout, since, broken);
  await refuseForgotten(checkout, since);
  if (before === undefined) return since.around === undefined ? [] : undefined;
  const own = [head.branch, since.branch].map((branch) => `refs/heads/${toBytes(branch ?? "")}`);
  const refs = differing(before.refs, now.refs)
    .filter((ref) => !own.includes(ref) && ownRefs.some((folder) => ref.startsWith(`${folder}/`)))
    .map(refText);
  const stash = differing(before.stash, now.stash).length === 0 ? [] : ["stash"];
  const settings = [...broken, ...index, ...differing(before.settings, now.settings)];
  const { changed, gone } = (await unsavedSince(checkout, before.unsaved)).unsaved ?? { changed: [], gone: [] };
  return [...new Set([...refs, ...stash, ...settings, ...changed, ...gone])];
}

/** As it was, but for what changed after that moment: that is as it is now. */
async function withLater(
  checkout: Checkout,
  before: Around,
  { now, moment, broken }: { readonly now: Around; readonly moment: number; readonly broken: readonly string[] },
): Promise<Around> {
  const { commonDir } = checkout;
  const isLater = async (path: string): Promise<boolean> => isAfter(await changedAt(commonDir, path), moment);
  // Nobody wants to keep files that were recreated, or a missing configuration.
  const isLost = (path: string): boolean => broken.includes(path) || (path === "config" && now.settings[path] === null);
  const [refs, settings, stash] = await Promise.all([
    merge(
      before.refs,
      now.refs,
      async (ref) => (await isLater(toText(ref))) || (await isPackedLater(commonDir, moment)),
    ),
    merge(before.settings, now.settings, async (path) => !isLost(path) && (await isLater(path))),
    merge(before.stash, now.stash, () => isLater("logs/refs/stash")),
  ]);
  return { ...before, refs, settings, stash };
}

/** Each entry that differs is the one of now where `isLater` says so. */
async function merge<T>(
  before: Readonly<Record<string, T>>,
  now: Readonly<Record<string, T>>,
  isLater: (name: string) => Promise<boolean>,
): Promise<Readonly<Record<string, T>>> {
  const merged = new Map(Object.entries(before));
  for (const name of differing(before, now)) {
    const value = now[name];
    if (!(await isLater(name))) continue;
    if (value === undefined) merged.delete(name);
    else merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

function differing<T>(before: Readonly<Record<string, T>>, now: Readonly<Record<string, T>>): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]));
}

/** Of a file that is gone the time of its folder counts. git's own folder changes all the time: nothing in it can be dated so. */
async function changedAt(commonDir: string, path: string): Promise<number> {
  const seen = await lstat(resolve(commonDir, path)).catch(() => undefined);
  if (seen !== undefined) return Math.max(seen.mtimeMs, seen.ctimeMs);
  const folder = dirname(path);
  if (folder === ".") return Number.POSITIVE_INFINITY;
  return (
    (await lstat(resolve(commonDir, folder)).catch(() => undefined))?.mtimeMs ?? (await changedAt(commonDir, folder))
  );
}

async function isPackedLater(commonDir: string, moment: number): Promise<boolean> {
  const seen = await lstat(resolve(commonDir, "packed-refs")).catch(() => undefined);
  return seen !== undefined && isAfter(seen.mtimeMs, moment);
}

/** The moment is a whole millisecond, and what happened within it happened before the agent was gone. */
function isAfter(time: number, moment: number): boolean {
  return Math.floor(time) > moment;
}
