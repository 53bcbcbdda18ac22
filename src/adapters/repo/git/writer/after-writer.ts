// The end of a writer (E3b): everything is compared with what it was given, and what is not its work is undone. Each step starts from what it
// finds, so running it again after a crash finishes it.

import { type SortedChanges, sortChanges, type WriterChange } from "../../../../core/flow/ownership.ts";
import type { Anchor, PutBack, RestoreOutcome, WriterTraces } from "../../../../core/flow/repository.ts";
import type { EndedWriter } from "../../../../ports/repo.ts";
import type { Checkout } from "../place/checkout.ts";
import { type BytePath, toBytes, toText, within } from "../process/paths.ts";
import { git } from "../process/run.ts";
import { allMeanwhile } from "../restore/passes.ts";
import { restoreFiles } from "../restore/restore-files.ts";
import { closeAgain } from "../tree/closed.ts";
import { type Comparison, compare } from "../tree/compare.ts";
import { writeIndex } from "../tree/index-file.ts";
import { look } from "../tree/look.ts";
import { keepLost, saveBackup, saveState } from "../tree/saved.ts";
import { diffTrees, putEntries } from "../tree/trees.ts";
import { findSwitches } from "./find-switches.ts";
import { type AroundBack, putAroundBack } from "./put-around-back.ts";
import { damageOf, type SeenAll, seeBehindIndex } from "./see-behind-index.ts";
import { type SwitchUndone, undoSwitch } from "./undo-switch.ts";
import { copiedFiles, wereIgnored } from "./were-ignored.ts";

export async function afterWriter(checkout: Checkout, writer: EndedWriter, name: string): Promise<WriterTraces> {
  const { given } = writer;
  const { back: around, ...known } = await putAroundBack(checkout, given, name);
  const seen = await seeWork(checkout, writer, known, name);
  const { found, uncovered, copied } = seen;
  const sorted = await sortFound(checkout, writer, seen);
  const back = sorted.giveBack.length === 0 ? undefined : await restoreFiles(checkout, given, sorted.giveBack, name);
  const { index, staged } = await putIndexBack(checkout, { given, conflicts: known.conflicts }, found, sorted.work);
  const exposed = closeAgain(checkout.root, given);
  const stagedRef = staged.length === 0 ? [] : [await keepIndex(checkout, found, name)];
  const isAsFound = back === undefined && uncovered.size === 0 && staged.length === 0;
  const state = isAsFound ? { tree: found.tree } : await look(checkout);
  const left = await saveLeft(checkout, given, { ...state, ...(index === undefined ? {} : { index }) }, name);
  const putBack: PutBack = {
    ...around,
    settings: [...around.settings, ...seen.hidden],
    ...damageOf(seen),
    ...(await filesBack(checkout, given, { ...seen, giveBack: sorted.giveBack, back, name })),
    ...(uncovered.size === 0 ? {} : { uncovered: named(uncovered) }),
    ...(copied.size === 0 ? {} : { copied: named(copied) }),
    ...(staged.length === 0 ? {} : { staged }),
    ...(exposed.length === 0 ? {} : { exposed }),
    ...allMeanwhile([seen.undone, back]),
    refsKept: [...around.refsKept, ...refsOf(seen.undone), ...refsOf(back), ...stagedRef],
  };
  const unheld = unheldOf(given, seen, [...putBack.files, ...(putBack.filesLost?.files ?? [])]);
  return {
    left,
    changed: sorted.work,
    dirty: [...sorted.dirty, ...named(noWork(seen))],
    ...(unheld.length === 0 ? {} : { unheld }),
    putBack,
  };
}

/** New or changed since, and not as it was again. */
function unheldOf(given: Anchor, { found, unsaved }: SeenWork, theirs: readonly string[]): readonly string[] {
  const before = new Set([...given.leftAlone, ...theirs]);
  const made = found.unseen.map(toText).filter((path) => !before.has(path));
  return [...new Set([...made, ...(unsaved?.changed ?? [])])].sort();
}

/** What the writer left, once the files are no longer those of another commit. */
interface SeenWork extends SeenAll<Comparison> {
  readonly undone: SwitchUndone | undefined;
  readonly uncovered: ReadonlySet<BytePath>;
  /** Copies of the person's untracked files. */
  readonly copied: ReadonlySet<BytePath>;
  /** What a switch changed, and could not be undone. */
  readonly stuck: readonly BytePath[];
}

async function seeWork(
  checkout: Checkout,
  writer: EndedWriter,
  { before, moves }: Pick<AroundBack, "before" | "moves">,
  name: string,
): Promise<SeenWork> {
  const { given } = writer;
  const see = (): Promise<Comparison> => compare(checkout, given, "untracked");
  const first = await seeBehindIndex(checkout, { given, before }, see);
  const switchedTo = await findSwitches(checkout, given, moves, name);
  const undone = await undoSwitch(checkout, writer, { found: first.found, switchedTo }, name);
  const found = undone === undefined ? first.found : await see();
  const stuck = found.differences.flatMap(({ path }) => (undone?.paths.has(path) ? [path] : []));
  const uncovered = await wereIgnored(checkout, given, found);
  const copied = await copiedFiles(checkout, given, { differences: found.differences, ours: writer.ours });
  return { ...first, found, undone, uncovered, copied: copied.difference(uncovered), stuck };
}

/** What stays, and enters no commit. */
const noWork = ({ uncovered, copied, stuck }: SeenWork): ReadonlySet<BytePath> =>
  new Set([...uncovered, ...copied, ...stuck]);

/** HEAD, branch and index are as they were given. */
async function saveLeft(
  checkout: Checkout,
  given: Anchor,
  state: Pick<Anchor, "tree"> & Partial<Anchor>,
  name: string,
): Promise<Anchor> {
  const { bytes: _, ...asGiven } = given;
  const left = { ...asGiven, ...state, sha: given.sha, branch: given.branch };
  const isSame = left.tree === given.tree && left.index === given.index;
  return { ...left, ref: isSame ? given.ref : await saveState(checkout, `${name}-left`, left) };
}

const named = (paths: Iterable<BytePath>): readonly string[] => [...paths].map(toText).sort();

const refsOf = (back: { readonly backupRef: string | undefined } | undefined): readonly string[] =>
  back?.backupRef === undefined ? [] : [back.backupRef];

interface FilesBack extends Pick<SeenWork, "undone" | "stuck"> {
  readonly giveBack: readonly string[];
  readonly back: RestoreOutcome | undefined;
  readonly name: string;
}

/** One that could not be put back is kept for good, and named. */
async function filesBack(
  checkout: Checkout,
  given: Anchor,
  { giveBack, back, undone, stuck, name }: FilesBack,
): Promise<Pick<PutBack, "files" | "filesLost" | "filesKept" | "switched">> {
  const isLost = new Set([...(back?.leftAlone ?? []), ...named(stuck)]);
  const notLost = (paths: readonly string[]): readonly string[] => paths.filter((path) => !isLost.has(path));
  const lost = [...giveBack.filter((path) => isLost.has(path)), ...named(stuck)];
  const files = notLost([...new Set([...(undone?.theirs ?? []), ...giveBack])].sort());
  const switched = notLost(undone?.others ?? []);
  const asideIn = back?.asideIn ?? undone?.asideIn;
  const found = {
    files,
    ...(switched.length === 0 ? {} : { switched }),
    ...(asideIn === undefined ? {} : { filesKept: asideIn }),
  };
  if (lost.length === 0) return found;
  return { ...found, filesLost: await keepLost(checkout, given, lost, name) };
}

async function sortFound(
  { root, documentFolders }: Checkout,
  { given, ours }: EndedWriter,
  seen: SeenWork,
): Promise<SortedChanges> {
  const { found } = seen;
  // In the place of such a folder no document could be, and no commit could have both.
  const inTheWay = found.differences.filter(({ path, change }) => change !== "deleted" && documentFolders.has(path));
  const isReplaced = within(inTheWay.map(({ path }) => path));
  const replacedHere = found.differences.flatMap(({ path }) => (isReplaced(path) ? [toText(path)] : []));
  const isNoWork = noWork(seen);
  const differences = found.differences.filter(({ path }) => !isNoWork.has(path) && !isReplaced(path));
  const unread = found.unseen.filter((path) => !given.leftAlone.includes(toText(path)));
  if (differences.length + unread.length === 0) return { work: [], giveBack: replacedHere, dirty: [] };
  const uncommitted = new Map((await diffTrees(root, given.sha, given.tree)).map((each) => [each.path, each]));
  const changes = differences.map((now): WriterChange => {
    const was = uncommitted.get(now.path);
    const path = toText(now.path);
    if (was === undefined) return { path, was: "committed", isAsCommitted: false };
    const isAsCommitted = now.newHash === was.oldHash && now.newMode === was.oldMode;
    return { path, was: was.change === "added" ? "untracked" : "edited", isAsCommitted };
  });
  const { work, giveBack, dirty } = sortChanges(changes, new Set(ours));
  // What became of them is in no tree, so it is no work either.
  const theirs = unread.map(toText).filter((path) => uncommitted.has(toBytes(path)) && !ours.includes(path));
  return { work, giveBack: [...replacedHere, ...giveBack, ...theirs], dirty };
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
