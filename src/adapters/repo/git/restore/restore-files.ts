// Makes single files what they were at an anchor, such as the person's untracked ones that an agent changed. What is there now
// is kept under a ref first.

import type { Anchor, RestoreOutcome } from "../../../../core/flow/repository.ts";
import { type Checkout, readHead, refFor } from "../place/checkout.ts";
import { type BytePath, foldersAbove, toBytes, toText, within } from "../process/paths.ts";
import { compare } from "../tree/compare.ts";
import { type Difference, savedCommit, saveTree } from "../tree/trees.ts";
import { checkOutPaths } from "./checkout-paths.ts";

export async function restoreFiles(
  checkout: Checkout,
  since: Anchor,
  paths: readonly string[],
): Promise<RestoreOutcome> {
  const now = await compare(checkout, since, "all");
  const differences = chooseDifferences(now.differences, new Set(paths));
  const backupRef = await saveBackup(checkout, since, { tree: now.seen, isNeeded: differences.length > 0 });
  const { restored, blocked } = await checkOutPaths(checkout, since.tree, differences);
  const isLeftAlone = within(now.leftAlone);
  const leftAlone = [...blocked.map(toText), ...paths.filter((path) => isLeftAlone(toBytes(path)))];
  return { restored: restored.map(toText), backupRef, moved: false, leftAlone };
}

/** The files themselves, and new ones that took the place of a file or of a folder above it. */
function chooseDifferences(differences: readonly Difference[], names: ReadonlySet<string>): readonly Difference[] {
  const wanted: readonly BytePath[] = differences.map(({ path }) => path).filter((path) => names.has(toText(path)));
  const isInside = within(wanted);
  const above = new Set(wanted.flatMap((path) => [...foldersAbove(path)]));
  return differences.filter(({ path, change }) => isInside(path) || (change === "added" && above.has(path)));
}

/** What was kept for this anchor before stays reachable. */
async function saveBackup(
  checkout: Checkout,
  since: Anchor,
  now: { readonly tree: string; readonly isNeeded: boolean },
): Promise<string> {
  const anchorName = decodeURIComponent(since.ref.slice(since.ref.lastIndexOf("/") + 1));
  const name = `${anchorName}-given-back`;
  const earlier = await savedCommit(checkout, name);
  if (earlier !== undefined && !now.isNeeded) return refFor(checkout.runId, name);
  const { sha } = await readHead(checkout.root);
  return await saveTree(checkout, name, { tree: now.tree, parents: earlier === undefined ? [sha] : [sha, earlier] });
}
