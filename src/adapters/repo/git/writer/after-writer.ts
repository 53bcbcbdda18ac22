// The end of a writer (E3b): everything is compared with what it was given, and what is not its work is put back. Each step
// starts from what it finds, so that doing it again after a crash finishes it.

import { type SortedChanges, sortChanges, type WriterChange } from "../../../../core/flow/ownership.ts";
import type { Anchor, PutBack, WriterTraces } from "../../../../core/flow/repository.ts";
import type { EndedWriter } from "../../../../ports/repo.ts";
import { type Checkout, readHead } from "../place/checkout.ts";
import { putFilesBack } from "../place/git-files.ts";
import { operationIn, putOperationBack } from "../place/operation.ts";
import { toText } from "../process/paths.ts";
import { git } from "../process/run.ts";
import { restoreFiles } from "../restore/restore-files.ts";
import { type Comparison, compare } from "../tree/compare.ts";
import { writeIndex } from "../tree/index-file.ts";
import { look } from "../tree/look.ts";
import { saveBackup, saveState } from "../tree/saved.ts";
import { type Difference, diffTrees, putEntries } from "../tree/trees.ts";
import { type Around, readAround, savedAround } from "./around.ts";
import { putHeadBack } from "./put-head-back.ts";

export async function afterWriter(checkout: Checkout, writer: EndedWriter, name: string): Promise<WriterTraces> {
  const { given } = writer;
  const [head, before, now] = await Promise.all([
    readHead(checkout),
    savedAround(checkout, given),
    readAround(checkout),
  ]);
  const own = ownOperation(checkout, before);
  const heads = await putHeadBack(checkout, given, { head, before, now }, name);
  const { refs, settings } = await putSettingsBack(checkout, before, now);
  const operation = before === undefined ? [] : await putOperationBack(checkout, before.operation);
  const found = await compare(checkout, given, "untracked");
  const sorted = await sortFound(checkout, writer, found.differences);
  const back = sorted.giveBack.length === 0 ? undefined : await restoreFiles(checkout, given, sorted.giveBack, name);
  const { index, staged } = await putIndexBack(checkout, { given, conflicts: before?.conflicts }, found, sorted.work);
  const stagedRef = staged.length === 0 ? [] : [await keepIndex(checkout, found, name)];
  const state = back === undefined ? { ...given, tree: found.tree } : await look(checkout);
  const left = { ...given, ...state, ...(index === undefined ? {} : { index }), sha: given.sha, branch: given.branch };
  const isSame = left.tree === given.tree && left.index === given.index;
  const putBack: PutBack = {
    ...heads,
    files: sorted.giveBack,
    refs: [...heads.refs, ...refs],
    settings: own === undefined ? [...settings, ...operation] : settings,
    ...(own === undefined ? {} : { operation: own }),
    ...(staged.length === 0 ? {} : { staged }),
    refsKept: [...heads.refsKept, ...(back === undefined ? [] : [back.backupRef]), ...stagedRef],
  };
  const ref = isSame ? given.ref : await saveState(checkout, `${name}-left`, left);
  return { left: { ...left, ref }, changed: sorted.work, dirty: sorted.dirty, putBack };
}

/** A merge or rebase that was not there before it began. One that was there is the person's, and is put back as it was. */
function ownOperation(checkout: Checkout, before: Around | undefined): string | undefined {
  const isTheirs = before === undefined || Object.keys(before.operation).length > 0;
  return isTheirs ? undefined : operationIn(checkout)?.command;
}

async function putSettingsBack(
  checkout: Checkout,
  before: Around | undefined,
  now: Around,
): Promise<Pick<PutBack, "refs" | "settings">> {
  if (before === undefined) return { refs: [], settings: [] };
  const stash = await putFilesBack(checkout.commonDir, before.stash, now.stash);
  const settings = await putFilesBack(checkout.commonDir, before.settings, now.settings);
  return { refs: stash.length === 0 ? [] : ["stash"], settings };
}

async function sortFound(
  { root }: Checkout,
  { given, ours }: EndedWriter,
  found: readonly Difference[],
): Promise<SortedChanges> {
  if (found.length === 0) return { work: [], giveBack: [], dirty: [] };
  const uncommitted = new Map((await diffTrees(root, given.sha, given.tree)).map((each) => [each.path, each]));
  const changes = found.map((now): WriterChange => {
    const was = uncommitted.get(now.path);
    const path = toText(now.path);
    if (was === undefined) return { path, was: "committed", isAsCommitted: false };
    const isAsCommitted = now.newHash === was.oldHash && now.newMode === was.oldMode;
    return { path, was: was.change === "added" ? "untracked" : "edited", isAsCommitted };
  });
  return sortChanges(changes, new Set(ours));
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
