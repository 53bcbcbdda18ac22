// Undoes what was staged while a refused commit was made. git committed from an index of its own, so it was a hook or the person (S1). Both
// states are saved under refs first. Then what the commit is about is staged as before, and so is what is staged no more. What else was
// staged stays.

import { stagedNow } from "../capture/capture.ts";
import type { Checkout } from "../place/checkout.ts";
import { type BytePath, someOf, within } from "../process/paths.ts";
import { tryGit } from "../process/run.ts";
import { conflictsIn } from "../tree/conflicts.ts";
import type { SavedIndex } from "../tree/index-file.ts";
import { saveBackup } from "../tree/saved.ts";
import { diffTrees, putEntries } from "../tree/trees.ts";

interface Refused {
  /** What the commit is about. */
  readonly own: readonly BytePath[];
  /** Where HEAD was. */
  readonly tip: string;
  readonly name: string;
}

/** In words; empty when it is as before. */
export async function undoIndex(checkout: Checkout, saved: SavedIndex, { own, tip, name }: Refused): Promise<string> {
  const { root } = checkout;
  const [before, now] = await Promise.all([saved.tree(), stagedNow(checkout)]);
  if (before === undefined || now === undefined || before === now)
    return await restoreWhole(checkout, saved, { tip, name });
  const backupRef = await keep(checkout, `${name}-refused`, now);
  const beforeRef = await keep(checkout, `${name}-before-refused`, before);
  const isOwn = within(own);
  const staged = new Set((await diffTrees(root, tip, now)).map(({ path }) => path));
  const differences = await diffTrees(root, now, before);
  const back = differences.filter(({ path }) => isOwn(path) || !staged.has(path));
  const left = differences.filter((each) => !back.includes(each)).map(({ path }) => path);
  await (left.length === 0 ? saved.restore() : putEntries(root, undefined, back));
  return [
    `Something else was staged while git commit ran, by a hook or by you; it is kept at ${backupRef}, and what was staged before at ${beforeRef}.`,
    back.length === 0 ? "" : `Staged as before: ${someOf(back.map(({ path }) => path))}.`,
    left.length === 0 ? "" : `Left staged as they are: ${someOf(left)}.`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** An index with conflicts, or one that git cannot read, cannot be taken apart. */
async function restoreWhole(
  checkout: Checkout,
  saved: SavedIndex,
  { tip, name }: Pick<Refused, "tip" | "name">,
): Promise<string> {
  const before = await heldBy(checkout, tip);
  await saved.restore();
  const after = await heldBy(checkout, tip);
  if (before === undefined || before === after) return "";
  const backupRef = await keep(checkout, `${name}-refused`, before);
  return `Something else was staged while git commit ran, by a hook or by you. It is staged as before; what it was then is kept at ${backupRef}.`;
}

/** All that is staged; undefined when git cannot read it. */
async function heldBy(checkout: Checkout, sha: string): Promise<string | undefined> {
  const isReadable = (await tryGit(checkout.root, ["ls-files", "--cached", "-z"])).code === 0;
  return isReadable ? ((await stagedNow(checkout)) ?? (await conflictsIn(checkout, { sha }))) : undefined;
}

const keep = (checkout: Checkout, name: string, tree: string): Promise<string> =>
  saveBackup(checkout, name, { tree, isNew: true });
