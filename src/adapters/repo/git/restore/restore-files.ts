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

export async function restoreFiles(
  checkout: Checkout,
  since: State,
  paths: readonly string[],
  name: string,
): Promise<RestoreOutcome> {
  const wanted = paths.filter((path) => !since.leftAlone.includes(path));
  const opened = await openAgain(checkout.root, wanted.map(toBytes));
  const unreadIn = await putUnreadAside(checkout, since, { paths, name });
  const now = await compare(checkout, since, "all");
  const differences = chooseDifferences(now.differences, new Set(paths));
  const backup = { tree: now.seen, isNew: differences.length > 0 };
  const backupRef = await saveBackup(checkout, `${name}-given-back`, backup);
  const first = await checkOutPaths(checkout, since, differences);
  for (const path of first.blocked) await clearTheWay(checkout, path, name);
  const rest = differences.filter(({ path }) => first.blocked.includes(path));
  const { restored, blocked } = await checkOutPaths(checkout, since, rest);
  const back = [...first.restored, ...restored].map(toText);
  const isLeftAlone = within(now.leftAlone);
  const left = paths.filter((path) => isLeftAlone(toBytes(path)) && !back.includes(path));
  const asideIn = unreadIn ?? (rest.length > 0 ? filesAside(checkout, name) : undefined);
  const aside = asideIn === undefined ? {} : { asideIn };
  const open = opened.length === 0 ? {} : { opened: opened.map(toText) };
  return { restored: back, backupRef, moved: false, leftAlone: [...blocked.map(toText), ...left], ...aside, ...open };
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
