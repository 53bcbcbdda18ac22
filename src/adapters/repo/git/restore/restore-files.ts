// Restores single files from an anchor, such as the person's untracked ones that an agent changed (S1). What is there now is
// saved under a ref first (E3).

import type { RestoreOutcome, State } from "../../../../core/flow/repository.ts";
import type { Checkout } from "../place/checkout.ts";
import { type BytePath, foldersAbove, toBytes, toText, within } from "../process/paths.ts";
import { compare } from "../tree/compare.ts";
import { saveBackup } from "../tree/saved.ts";
import type { Difference } from "../tree/trees.ts";
import { checkOutPaths } from "./checkout-paths.ts";

export async function restoreFiles(
  checkout: Checkout,
  since: State,
  paths: readonly string[],
  name: string,
): Promise<RestoreOutcome> {
  const now = await compare(checkout, since, "all");
  const differences = chooseDifferences(now.differences, new Set(paths));
  const backup = { tree: now.seen, isNew: differences.length > 0 };
  const backupRef = await saveBackup(checkout, `${name}-given-back`, backup);
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
