// Restores files that an agent replaced by something that no tree can hold (E3, R6): a repository, or a file that is too large. The
// replacement is moved beside the run's journal. Ignored files stay, even in the way of a file (S1). What cannot be restored is kept for good.

import { lstat } from "node:fs/promises";
import type { RestoreOutcome, State } from "../../../../core/flow/repository.ts";
import type { Checkout } from "../place/checkout.ts";
import { onDisk, toBytes, toText } from "../process/paths.ts";
import { keepLost } from "../tree/saved.ts";
import { diffTrees, emptyTree } from "../tree/trees.ts";
import { restoreFiles } from "./restore-files.ts";

export type ReplacedBack = Pick<RestoreOutcome, "restored" | "leftAlone" | "asideIn" | "filesLost" | "meanwhile">;

/** `unread`: paths that were not restored. What came to a place where nothing was stays. */
export async function restoreReplaced(
  checkout: Checkout,
  to: State,
  unread: readonly string[],
  name: string,
): Promise<ReplacedBack> {
  const fresh = unread.filter((path) => !to.leftAlone.includes(path));
  const nothing = { restored: [], leftAlone: unread };
  if (fresh.length === 0) return nothing;
  const before = new Set((await diffTrees(checkout.root, emptyTree(to.tree), to.tree)).map(({ path }) => toText(path)));
  const wanted = fresh.filter((path) => before.has(path));
  if (wanted.length === 0) return nothing;
  const replaced: string[] = [];
  for (const path of wanted) if (await isReplaced(checkout, path)) replaced.push(path);
  const back = replaced.length === 0 ? undefined : await restoreFiles(checkout, to, replaced, name);
  const isBack = (path: string): boolean => back?.restored.includes(path) ?? false;
  const lost = wanted.filter((path) => !isBack(path));
  return {
    restored: back?.restored ?? [],
    leftAlone: unread.filter((path) => !isBack(path)),
    ...(back?.asideIn === undefined ? {} : { asideIn: back.asideIn }),
    ...(lost.length === 0 ? {} : { filesLost: await keepLost(checkout, to, lost, name) }),
    ...(back?.meanwhile ? { meanwhile: back.meanwhile } : {}),
  };
}

/** One in a folder that nobody may look into, or below a file, is not there. */
async function isReplaced({ root }: Checkout, path: string): Promise<boolean> {
  const seen = await lstat(onDisk(root, toBytes(path))).catch(() => undefined);
  if (!seen?.isDirectory()) return seen !== undefined;
  return (await lstat(onDisk(root, toBytes(`${path}/.git`))).catch(() => undefined)) !== undefined;
}
