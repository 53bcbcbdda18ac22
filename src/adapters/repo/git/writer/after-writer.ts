// The end of a writer (E3b): everything is compared with what it was given, and what is not its work is put back. Each step
// starts from what it finds, so that doing it again after a crash finishes it.

import { existsSync } from "node:fs";
import { type SortedChanges, sortChanges, type WriterChange } from "../../../../core/flow/ownership.ts";
import type { Anchor, PutBack, RestoreOutcome, WriterTraces } from "../../../../core/flow/repository.ts";
import type { EndedWriter } from "../../../../ports/repo.ts";
import type { Checkout } from "../place/checkout.ts";
import { onDisk, toText } from "../process/paths.ts";
import { git } from "../process/run.ts";
import { restoreFiles } from "../restore/restore-files.ts";
import { type Comparison, compare } from "../tree/compare.ts";
import { writeIndex } from "../tree/index-file.ts";
import { look } from "../tree/look.ts";
import { saveBackup, saveState } from "../tree/saved.ts";
import { diffTrees, putEntries } from "../tree/trees.ts";
import { putAroundBack } from "./put-around-back.ts";
import { seeBehindIndex } from "./see-behind-index.ts";
import { wereIgnored } from "./were-ignored.ts";

export async function afterWriter(checkout: Checkout, writer: EndedWriter, name: string): Promise<WriterTraces> {
  const { given } = writer;
  const { bytes: _, ...asGiven } = given;
  const { conflicts, index: before, ...around } = await putAroundBack(checkout, given, name);
  const see = (): Promise<Comparison> => compare(checkout, given, "untracked");
  const { found, hidden } = await seeBehindIndex(checkout, { given, before }, see);
  const uncovered = await wereIgnored(checkout, given, found);
  const differences = found.differences.filter(({ path }) => !uncovered.has(path));
  const sorted = await sortFound(checkout, writer, { ...found, differences });
  const back = sorted.giveBack.length === 0 ? undefined : await restoreFiles(checkout, given, sorted.giveBack, name);
  const theirs = [...uncovered].map(toText).sort();
  const { index, staged } = await putIndexBack(checkout, { given, conflicts }, found, sorted.work);
  const stagedRef = staged.length === 0 ? [] : [await keepIndex(checkout, found, name)];
  const isAsFound = back === undefined && uncovered.size === 0;
  const state = isAsFound ? { tree: found.tree } : await look(checkout);
  const left = {
    ...asGiven,
    ...state,
    ...(index === undefined ? {} : { index }),
    sha: given.sha,
    branch: given.branch,
  };
  const isSame = left.tree === given.tree && left.index === given.index;
  const putBack: PutBack = {
    ...around,
    settings: [...around.settings, ...hidden],
    ...(await filesBack(checkout, given, { wanted: sorted.giveBack, back, name })),
    ...(uncovered.size === 0 ? {} : { uncovered: theirs }),
    ...(staged.length === 0 ? {} : { staged }),
    refsKept: [...around.refsKept, ...(back === undefined ? [] : [back.backupRef]), ...stagedRef],
  };
  const ref = isSame ? given.ref : await saveState(checkout, `${name}-left`, left);
  return { left: { ...left, ref }, changed: sorted.work, dirty: [...sorted.dirty, ...theirs], putBack };
}

/** One that could not be put back is kept for good, and named. */
async function filesBack(
  checkout: Checkout,
  given: Anchor,
  {
    wanted,
    back,
    name,
  }: { readonly wanted: readonly string[]; readonly back: RestoreOutcome | undefined; readonly name: string },
): Promise<Pick<PutBack, "files" | "filesLost" | "filesKept">> {
  const isLost = new Set(back?.leftAlone);
  const lost = wanted.filter((path) => isLost.has(path));
  const files = wanted.filter((path) => !isLost.has(path));
  const kept = back?.asideIn === undefined ? {} : { filesKept: back.asideIn };
  if (lost.length === 0) return { files, ...kept };
  const ref = await saveBackup(checkout, `${name}-yours-given-back`, { tree: given.tree, isNew: true });
  return { files, filesLost: { files: lost, ref }, ...kept };
}

async function sortFound(
  { root }: Checkout,
  { given, ours }: EndedWriter,
  { differences, unseen }: Pick<Comparison, "differences" | "unseen">,
): Promise<SortedChanges> {
  const unread = unseen.filter((path) => !given.leftAlone.includes(toText(path)));
  if (differences.length + unread.length === 0) return { work: [], giveBack: [], dirty: [] };
  const uncommitted = new Map((await diffTrees(root, given.sha, given.tree)).map((each) => [each.path, each]));
  const changes = differences.map((now): WriterChange => {
    const was = uncommitted.get(now.path);
    const path = toText(now.path);
    if (was === undefined) return { path, was: "committed", isAsCommitted: false };
    const isAsCommitted = now.newHash === was.oldHash && now.newMode === was.oldMode;
    return { path, was: was.change === "added" ? "untracked" : "edited", isAsCommitted };
  });
  const { work, giveBack, dirty } = sortChanges(changes, new Set(ours));
  // What became of them is in no tree, so it is no work either. In a folder that nobody may look into they are as they were.
  const theirs = unread.filter((path) => uncommitted.has(path) && !ours.includes(toText(path)));
  const replaced = theirs.filter((path) => existsSync(onDisk(root, path))).map(toText);
  return { work, giveBack: [...giveBack, ...replaced], dirty };
}

/** What was staged is in no tree. The person may have staged it themselves, while the writer was at work. */
function keepIndex(checkout: Checkout, { index, tree }: Comparison, name: string): Promise<string> {
  return saveBackup(checkout, `${name}-staged-given-back`, { tree: index ?? tree, isNew: true });
}

interface IndexBack {
  readonly index: string | undefined;
  /** What is staged as before, and was not. */
  readonly staged: readonly string[];
}

/** What is staged of the work stays; everything else is staged as it was. */
async function putIndexBack(
  checkout: Checkout,
  { given: { index }, conflicts }: { readonly given: Anchor; readonly conflicts: string | undefined },
  found: Comparison,
  work: readonly string[],
): Promise<IndexBack> {
  const { root } = checkout;
  if (index === undefined) {
    if (conflicts !== undefined) await writeIndex(checkout, conflicts);
    return { index: undefined, staged: [] };
  }
  if (found.index === index) return { index, staged: [] };
  if (found.index === undefined) {
    await git(root, ["read-tree", "--reset", index]);
    return { index, staged: [] };
  }
  const ours = new Set(work);
  const back = (await diffTrees(root, found.index, index)).filter(({ path }) => !ours.has(toText(path)));
  if (back.length === 0) return { index: found.index, staged: [] };
  await putEntries(root, undefined, back);
  return { index: (await git(root, ["write-tree"])).trim(), staged: back.map(({ path }) => toText(path)).sort() };
}
