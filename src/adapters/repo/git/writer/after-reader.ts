// The end of a reader that could write (R6): none of its changes are work, so all of them are undone.

import type { Anchor, ReaderTraces, RestoreOutcome } from "../../../../core/flow/repository.ts";
import { capture } from "../capture/capture.ts";
import type { Checkout } from "../place/checkout.ts";
import { toText } from "../process/paths.ts";
import { allMeanwhile } from "../restore/passes.ts";
import { restore } from "../restore/restore.ts";
import { type ReplacedBack, restoreReplaced } from "../restore/restore-replaced.ts";
import { closeAgain } from "../tree/closed.ts";
import { diffTrees } from "../tree/trees.ts";
import { putAroundBack } from "./put-around-back.ts";
import { damageOf, seeBehindIndex } from "./see-behind-index.ts";

export async function afterReader(checkout: Checkout, given: Anchor, name: string): Promise<ReaderTraces> {
  const { back: all, before } = await putAroundBack(checkout, given, name);
  const { moved, branch, commits: _, ...back } = all;
  const head = moved || branch !== undefined ? ["HEAD"] : [];
  const seen = await seeBehindIndex(checkout, { given, before }, () => capture(checkout));
  const { found: now, hidden, unsaved } = seen;
  const exposed = closeAgain(checkout.root, given);
  const settings = [...back.settings, ...hidden];
  const around = { ...back, settings, ...damageOf(seen), ...(exposed.length === 0 ? {} : { exposed }) };
  const lasting = unsaved === undefined ? head : [...head, ...unsaved.changed, ...unsaved.gone];
  const isNew = (path: string): boolean => !given.leftAlone.includes(path);
  const isSame = now.tree === given.tree && now.index === given.index;
  const unread = now.leftAlone.map(toText);
  if (isSame && !unread.some(isNew)) return { touched: lasting, around };
  const [files, staged] = await Promise.all([
    pathsBetween(checkout, given.tree, now.tree),
    pathsBetween(checkout, given.index, now.index),
  ]);
  // Whatever came in between is put back as well, and named.
  const undo = isSame ? restoreReplaced(checkout, given, unread, name) : restore(checkout, given, name);
  const undone: Partial<RestoreOutcome> & ReplacedBack = await undo;
  const { restored, leftAlone, asideIn, filesLost, backupRef } = undone;
  const touched = [...new Set([...lasting, ...files, ...restored])];
  const besides = staged.filter((path) => !touched.includes(path));
  const left = leftAlone.filter((path) => isNew(path) && !filesLost?.files.includes(path));
  return {
    touched,
    around: {
      ...around,
      refsKept: [...back.refsKept, ...(backupRef === undefined ? [] : [backupRef])],
      ...(besides.length === 0 ? {} : { staged: besides }),
      ...(left.length === 0 ? {} : { leftAlone: left }),
      ...(asideIn === undefined ? {} : { filesKept: asideIn }),
      ...(filesLost === undefined ? {} : { filesLost }),
      ...allMeanwhile([undone]),
    },
  };
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
