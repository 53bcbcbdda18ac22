// Restores single files from an anchor, such as the person's untracked ones that an agent changed (S1). What is there now is
// saved under a ref first (E3); what no tree can hold is moved beside the run's journal.

import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { RestoreOutcome, State } from "../../../../core/flow/repository.ts";
import { codeOf } from "../../../files/present.ts";
import { capture } from "../capture/capture.ts";
import type { Checkout } from "../place/checkout.ts";
import { asideFolder, putAside } from "../place/put-aside.ts";
import { type BytePath, foldersAbove, onDisk, toBytes, toText, within } from "../process/paths.ts";
import { compare } from "../tree/compare.ts";
import { saveBackup } from "../tree/saved.ts";
import type { Difference } from "../tree/trees.ts";
import { checkOutPaths } from "./checkout-paths.ts";
import { openAgain } from "./open-folders.ts";
import { allMeanwhile, type Pass, Passes } from "./passes.ts";
import { seeFiles } from "./see-files.ts";

export async function restoreFiles(
  checkout: Checkout,
  since: State,
  paths: readonly string[],
  name: string,
): Promise<RestoreOutcome> {
  const wanted = paths.filter((path) => !since.leftAlone.includes(path));
  const opened = await openAgain(checkout.root, wanted.map(toBytes));
  const unreadIn = await putUnreadAside(checkout, since, { paths, name });
  let isCleared = false;
  const passes = new Passes(async (isLast) => {
    const pass = await makePass(checkout, since, { paths: new Set(paths), isLast }, name);
    isCleared ||= pass.isCleared;
    return pass;
  });
  const { restored, blocked, backupRef, leftAlone } = await passes.make();
  const back = restored.map(toText);
  const isLeftAlone = within(leftAlone);
  const left = paths.filter((path) => isLeftAlone(toBytes(path)) && !back.includes(path));
  const asideIn = unreadIn ?? (isCleared ? filesAside(checkout, name) : undefined);
  const aside = asideIn === undefined ? {} : { asideIn };
  const open = opened.length === 0 ? {} : { opened: opened.map(toText) };
  const outcome = { restored: back, backupRef, moved: false, leftAlone: [...blocked.map(toText), ...left] };
  return { ...outcome, ...aside, ...open, ...allMeanwhile([passes]) };
}

interface FilesPass extends Pass {
  readonly blocked: readonly BytePath[];
  readonly leftAlone: readonly BytePath[];
  /** Something was moved out of the way. */
  readonly isCleared: boolean;
}

interface Chosen {
  readonly paths: ReadonlySet<string>;
  /** What changes all the time is left as it is. */
  readonly isLast: boolean;
}

async function makePass(checkout: Checkout, since: State, { paths, isLast }: Chosen, name: string): Promise<FilesPass> {
  const now = await seeFiles(checkout, () => compare(checkout, since, "all"));
  const { identities } = now;
  const differences = chooseDifferences(now.differences, paths);
  const backup = { tree: now.seen, isNew: differences.length > 0 };
  const backupRef = await saveBackup(checkout, `${name}-given-back`, backup);
  const first = await checkOutPaths(checkout, since, { differences, identities });
  for (const path of first.blocked) await clearTheWay(checkout, path, name);
  const rest = differences.filter(({ path }) => first.blocked.includes(path));
  const { restored, blocked, changed: later } = await checkOutPaths(checkout, since, { differences: rest, identities });
  const changed = [...first.changed, ...later];
  return {
    restored: [...first.restored, ...restored],
    changed,
    isOvertaken: changed.length > 0 && !isLast,
    blocked: isLast ? [...blocked, ...changed] : blocked,
    leftAlone: now.leftAlone,
    isCleared: rest.length > 0,
    backupRef,
  };
}

/** What is there now cannot be saved under a ref, such as a file that became too large. */
async function putUnreadAside(
  checkout: Checkout,
  { leftAlone }: State,
  { paths, name }: { readonly paths: readonly string[]; readonly name: string },
): Promise<string | undefined> {
  const before = new Set(leftAlone);
  const unread = new Set((await capture(checkout)).leftAlone);
  const wanted = paths.filter((path) => !before.has(path) && unread.has(toBytes(path)));
  return await moveAside(checkout, wanted, name);
}

/** Gives the folder to which they were moved, if any was: what is in a folder of somebody else's, or on another disk, stays. */
export async function moveAside(
  checkout: Checkout,
  paths: readonly string[],
  name: string,
): Promise<string | undefined> {
  let isMoved = false;
  for (const path of paths) isMoved = (await putAwayIfMovable(checkout, toBytes(path), name)) || isMoved;
  return isMoved ? filesAside(checkout, name) : undefined;
}

const filesAside = (checkout: Checkout, name: string): string => join(asideFolder(checkout), name, "files");

async function putAwayIfMovable(checkout: Checkout, path: BytePath, name: string): Promise<boolean> {
  try {
    await putAway(checkout, path, name);
    return true;
  } catch (error) {
    if (["EACCES", "EPERM", "EXDEV", "EBUSY", "ENOENT"].includes(codeOf(error))) return false;
    throw error;
  }
}

/** What came into the place of a file, or of a folder above it, and is in no tree: ignored files, a repository. */
async function clearTheWay(checkout: Checkout, path: BytePath, name: string): Promise<void> {
  for (const folder of [...foldersAbove(path)].reverse()) {
    const seen = await lstat(onDisk(checkout.root, folder)).catch(() => undefined);
    if (seen !== undefined && !seen.isDirectory()) return putAway(checkout, folder, name);
  }
  const seen = await lstat(onDisk(checkout.root, path)).catch(() => undefined);
  if (seen?.isDirectory()) await putAway(checkout, path, name);
}

const putAway = (checkout: Checkout, path: BytePath, name: string): Promise<void> =>
  putAside(checkout, onDisk(checkout.root, path), join(name, "files", toText(path).toWellFormed()));

/** The files themselves, and new ones that took the place of a file or of a folder above it. */
function chooseDifferences(differences: readonly Difference[], names: ReadonlySet<string>): readonly Difference[] {
  const wanted: readonly BytePath[] = differences.map(({ path }) => path).filter((path) => names.has(toText(path)));
  const isInside = within(wanted);
  const above = new Set(wanted.flatMap((path) => [...foldersAbove(path)]));
  return differences.filter(({ path, change }) => isInside(path) || (change === "added" && above.has(path)));
}
