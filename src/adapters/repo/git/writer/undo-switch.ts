// Undoes what a switch, a reset or a stash did to the files while a writer worked (E3b), also one by the person. A file that differs from what
// the writer was given, and is as in the commit that was switched to, was committed before: nothing is lost when it is restored.

import type { Anchor, Meanwhile } from "../../../../core/flow/repository.ts";
import type { EndedWriter } from "../../../../ports/repo.ts";
import type { Checkout } from "../place/checkout.ts";
import { type BytePath, toText } from "../process/paths.ts";
import { restoreFiles } from "../restore/restore-files.ts";
import type { Comparison } from "../tree/compare.ts";
import { type Difference, diffTrees, putEntries } from "../tree/trees.ts";

export interface SwitchUndone {
  /** All that the switch alone had changed. */
  readonly paths: ReadonlySet<BytePath>;
  /** Of these, files with changes of the person's that no commit has. */
  readonly theirs: readonly string[];
  readonly others: readonly string[];
  /** Where the files are kept as they were found. */
  readonly backupRef: string | undefined;
  /** The folder with what stood in the way. */
  readonly asideIn: string | undefined;
  readonly meanwhile: Meanwhile | undefined;
}

/** `switchedTo`: the commits. Files and index entries that are as in one of them. */
export async function undoSwitch(
  checkout: Checkout,
  { given, ours }: EndedWriter,
  { found, switchedTo }: { readonly found: Comparison; readonly switchedTo: readonly string[] },
  name: string,
): Promise<SwitchUndone | undefined> {
  if (switchedTo.length === 0) return undefined;
  const { root } = checkout;
  const files = await switched(root, { from: given.tree, differences: found.differences }, switchedTo);
  const paths = files.map(({ path }) => path);
  const wanted = paths.map(toText);
  const back = wanted.length === 0 ? undefined : await restoreFiles(checkout, given, wanted, name);
  const isStaged = await restoreEntries(root, given, { found, switchedTo });
  if (back === undefined && !isStaged) return undefined;
  const uncommitted = new Set((await diffTrees(root, given.sha, given.tree)).map(({ path }) => toText(path)));
  const isTheirs = (path: string): boolean => uncommitted.has(path) && !ours.includes(path);
  return {
    paths: new Set(paths),
    theirs: wanted.filter(isTheirs),
    others: wanted.filter((path) => !isTheirs(path)),
    backupRef: back?.backupRef,
    asideIn: back?.asideIn,
    meanwhile: back?.meanwhile,
  };
}

/** Says whether there were any. Where either index has conflicts, it is replaced as a whole later. */
async function restoreEntries(
  root: string,
  { index }: Anchor,
  { found, switchedTo }: { readonly found: Comparison; readonly switchedTo: readonly string[] },
): Promise<boolean> {
  if (index === undefined || found.index === undefined) return false;
  const differences = await diffTrees(root, index, found.index);
  const paths = new Set((await switched(root, { from: index, differences }, switchedTo)).map(({ path }) => path));
  const entries = (await diffTrees(root, found.index, index)).filter(({ path }) => paths.has(path));
  await putEntries(root, undefined, entries);
  return entries.length > 0;
}

/** Of these differences from a tree, those that lead to what one of the commits has. */
async function switched(
  root: string,
  { from, differences }: { readonly from: string; readonly differences: readonly Difference[] },
  commits: readonly string[],
): Promise<readonly Difference[]> {
  if (differences.length === 0) return [];
  const toCommits = await Promise.all(commits.map((commit) => diffTrees(root, from, commit)));
  const there = new Set(toCommits.flat().map(entryOf));
  return differences.filter((each) => there.has(entryOf(each)));
}

const entryOf = ({ path, newMode, newHash }: Difference): string => `${newMode} ${newHash} ${path}`;
