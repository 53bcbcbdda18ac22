// The end of a reader that could write (R6): none of its changes are work, so all of them are undone.

import { lstat } from "node:fs/promises";
import type { Anchor, ReaderTraces, RestoreOutcome } from "../../../../core/flow/repository.ts";
import { codeOf } from "../../../files/present.ts";
import { capture } from "../capture/capture.ts";
import type { Checkout } from "../place/checkout.ts";
import { onDisk, toBytes, toText } from "../process/paths.ts";
import { restore } from "../restore/restore.ts";
import { restoreFiles } from "../restore/restore-files.ts";
import { diffTrees, emptyTree } from "../tree/trees.ts";
import { putAroundBack } from "./put-around-back.ts";
import { seeBehindIndex } from "./see-behind-index.ts";

export async function afterReader(checkout: Checkout, given: Anchor, name: string): Promise<ReaderTraces> {
  const { back: all, index: before } = await putAroundBack(checkout, given, name);
  const { moved, branch, commits: _, ...back } = all;
  const head = moved || branch !== undefined ? ["HEAD"] : [];
  const { found: now, hidden } = await seeBehindIndex(checkout, { given, before }, () => capture(checkout));
  const around = { ...back, settings: [...back.settings, ...hidden] };
  const isNew = (path: string): boolean => !given.leftAlone.includes(path);
  const isSame = now.tree === given.tree && now.index === given.index;
  const unread = now.leftAlone.map(toText).filter(isNew);
  if (isSame && unread.length === 0) return { touched: head, around };
  const [files, staged] = await Promise.all([
    pathsBetween(checkout, given.tree, now.tree),
    pathsBetween(checkout, given.index, now.index),
  ]);
  // Whatever came in between is put back as well, and named.
  const first = isSame ? { restored: [], leftAlone: unread } : await restore(checkout, given, name);
  const rest = await putReplacedBack(checkout, given, first.leftAlone.filter(isNew), name);
  const touched = [...new Set([...head, ...files, ...first.restored, ...(rest?.restored ?? [])])];
  const besides = staged.filter((path) => !touched.includes(path));
  const leftAlone = first.leftAlone.filter((path) => isNew(path) && !rest?.restored.includes(path));
  const refs = [first, rest].flatMap((each) => (each !== undefined && "backupRef" in each ? [each.backupRef] : []));
  return {
    touched,
    around: {
      ...around,
      refsKept: [...back.refsKept, ...refs],
      ...(besides.length === 0 ? {} : { staged: besides }),
      ...(leftAlone.length === 0 ? {} : { leftAlone }),
      ...(rest?.asideIn === undefined ? {} : { filesKept: rest.asideIn }),
    },
  };
}

/** What came into the place of files, and no tree can hold, such as a repository. In a folder that nobody may look into they are as they were. */
async function putReplacedBack(
  checkout: Checkout,
  given: Anchor,
  leftAlone: readonly string[],
  name: string,
): Promise<RestoreOutcome | undefined> {
  if (leftAlone.length === 0) return undefined;
  const before = new Set(await pathsBetween(checkout, emptyTree(given.tree), given.tree));
  const replaced: string[] = [];
  for (const path of leftAlone.filter((each) => before.has(each)))
    if ((await lstat(onDisk(checkout.root, toBytes(path))).catch(codeOf)) !== "EACCES") replaced.push(path);
  return replaced.length === 0 ? undefined : await restoreFiles(checkout, given, replaced, name);
}

/** An index with conflicts is no tree. */
async function pathsBetween(
  { root }: Checkout,
  from: string | undefined,
  to: string | undefined,
): Promise<readonly string[]> {
  if (from === undefined || to === undefined || from === to) return [];
  return (await diffTrees(root, from, to)).map(({ path }) => toText(path));
}
