// The end of a writer (E3b): HEAD, branches, staging and the person's files are put back to what it was given; of a reader that could
// write (R6): all that it did is.

import { sortChanges, type WriterChange } from "../../../src/core/flow/ownership.ts";
import type { Anchor, AroundPutBack, ReaderTraces, WriterTraces } from "../../../src/core/flow/repository.ts";
import type { EndedWriter } from "../../../src/ports/repo.ts";
import { look, saveBackup, saveState } from "./anchors.ts";
import { compare } from "./compare.ts";
import { isSame } from "./content.ts";
import { commitsBetween, forkOf, subjectOf } from "./history.ts";
import { isIgnored } from "./ignore.ts";
import {
  type Checkout,
  headOf,
  keepTree,
  pointHead,
  type Repository,
  setIndex,
  setRef,
  treeNamed,
} from "./repository.ts";
import { restore, restoreFiles } from "./restore.ts";
import { type Difference, differencesOf, withDifferences, withEntries } from "./trees.ts";

export function afterWriter(checkout: Checkout, writer: EndedWriter, name: string): WriterTraces {
  const { given, ours } = writer;
  const { clone } = checkout;
  const { repository } = clone;
  const switchedTo = findSwitch(repository, given);
  const heads = putHeadBack(checkout, given, name);
  const undone = undoSwitch(checkout, writer, switchedTo, name);
  const changes = compare(checkout, given, "untracked").differences;
  const uncovered = wereIgnored(checkout, given, changes);
  const copied = copiedFiles(repository, given, { changes, ours }).filter((path) => !uncovered.includes(path));
  const found = changesOf(
    repository,
    given,
    changes.filter(({ path }) => !uncovered.includes(path) && !copied.includes(path)),
  );
  const { work, giveBack, dirty } = sortChanges(found, new Set(ours));
  const back = giveBack.length === 0 ? [] : [restoreFiles(checkout, given, giveBack, name).backupRef];
  const staged = differencesOf(clone.repository.index, treeNamed(repository, given.index ?? given.sha));
  const putBack = staged.filter(({ path }) => !work.includes(path));
  const paths = putBack.map(({ path }) => path).sort();
  const stagedRef = paths.length === 0 ? [] : [keepIndex(checkout, name)];
  setIndex(clone, keepTree(repository, withDifferences(clone.repository.index, putBack)));
  const left = { ...given, ...look(checkout) };
  const isSameState = left.tree === given.tree && left.index === given.index;
  const ref = isSameState ? given.ref : saveState(checkout, `${name}-left`, left);
  return {
    left: { ...left, ref },
    changed: work,
    dirty: [...dirty, ...uncovered, ...copied],
    putBack: {
      ...heads,
      files: [...new Set([...undone.theirs, ...giveBack])].sort(),
      ...(undone.others.length === 0 ? {} : { switched: undone.others }),
      ...(uncovered.length === 0 ? {} : { uncovered }),
      ...(copied.length === 0 ? {} : { copied }),
      settings: [],
      pushed: [],
      ...(paths.length === 0 ? {} : { staged: paths }),
      refsKept: [...heads.refsKept, ...undone.refsKept, ...back, ...stagedRef],
    },
  };
}

function changesOf(repository: Repository, given: Anchor, changes: readonly Difference[]): readonly WriterChange[] {
  const committed = treeNamed(repository, given.sha).entries;
  const before = treeNamed(repository, given.tree).entries;
  return changes.map(({ path, content }) => {
    const isCommitted = isSame(committed.get(path), before.get(path));
    const was = isCommitted ? "committed" : committed.has(path) ? "edited" : "untracked";
    return { path, was, isAsCommitted: isSame(content, committed.get(path)) };
  });
}

/** The commit that HEAD was put on, if it was there before. What was committed from where the writer began is no switch. */
function findSwitch(repository: Repository, given: Anchor): string | undefined {
  const { sha } = headOf(repository);
  if (sha === given.sha) return undefined;
  const before = repository.objects.around.get(given.around ?? "") ?? new Map<string, string>();
  const fork = forkOf(repository, sha, [given.sha, ...before.values()]);
  return fork === given.sha ? undefined : fork;
}

/** Files and index entries that are as in that commit, and not as they were given. */
function undoSwitch(checkout: Checkout, { given, ours }: EndedWriter, to: string | undefined, name: string) {
  if (to === undefined) return { theirs: [], others: [], refsKept: [] };
  const { clone } = checkout;
  const { repository } = clone;
  const [there, committed] = [treeNamed(repository, to).entries, treeNamed(repository, given.sha).entries];
  const isOfSwitch = ({ path, content }: Difference): boolean => isSame(content, there.get(path));
  const files = compare(checkout, given, "untracked").differences.filter(isOfSwitch);
  const paths = files.map(({ path }) => path);
  const refsKept = paths.length === 0 ? [] : [restoreFiles(checkout, given, paths, name).backupRef];
  const index = treeNamed(repository, given.index ?? given.sha);
  const entries = differencesOf(index, clone.repository.index).filter(isOfSwitch);
  const back = entries.map(({ path }) => [path, index.entries.get(path)] as const);
  setIndex(clone, keepTree(repository, withEntries(clone.repository.index, back)));
  const before = treeNamed(repository, given.tree).entries;
  const isTheirs = (path: string): boolean => !isSame(committed.get(path), before.get(path)) && !ours.includes(path);
  return { theirs: paths.filter(isTheirs), others: paths.filter((path) => !isTheirs(path)), refsKept };
}

/** Files that were there before, and that git sees now in places that it ignored. One that was moved there is as old as ever. */
function wereIgnored({ clone }: Checkout, given: Anchor, changes: readonly Difference[]): readonly string[] {
  const disk = clone.repository.objects.disks.get(given.ref);
  if (disk === undefined) return [];
  const now = clone.repository.disk.files;
  const born = new Set<object | undefined>([...disk.files.values()].map((file) => file.born));
  const isOld = ({ path, change }: Difference): boolean =>
    change === "added" && born.has(now.get(path)?.born) && isIgnored(disk, path);
  return changes
    .filter(isOld)
    .map(({ path }) => path)
    .sort();
}

/** New files with the text of an untracked file of the person's, unless it is short or in a commit. */
function copiedFiles(
  repository: Repository,
  given: Anchor,
  { changes, ours }: { readonly changes: readonly Difference[]; readonly ours: readonly string[] },
): readonly string[] {
  const committed = treeNamed(repository, given.sha).entries;
  const before = treeNamed(repository, given.tree).entries;
  const isTheirs = (path: string): boolean => !committed.has(path) && !ours.includes(path);
  const theirs = new Set([...before].filter(([path]) => isTheirs(path)).map(([, { text }]) => text));
  for (const { text } of committed.values()) theirs.delete(text);
  return changes.flatMap(({ path, change, content }) =>
    change === "added" && content !== undefined && Buffer.byteLength(content.text) >= 32 && theirs.has(content.text)
      ? [path]
      : [],
  );
}

export function afterReader(checkout: Checkout, given: Anchor, name: string): ReaderTraces {
  const { refs, refsKept, ...heads } = putHeadBack(checkout, given, name);
  const { repository } = checkout.clone;
  const head = heads.moved || heads.branch !== undefined ? ["HEAD"] : [];
  const around = { refs, settings: [], pushed: [], refsKept };
  const now = look(checkout);
  if (now.tree === given.tree && now.index === given.index) return { touched: head, around };
  const pathsTo = (from: string, to: string): readonly string[] =>
    differencesOf(treeNamed(repository, from), treeNamed(repository, to)).map(({ path }) => path);
  const [files, indexed] = [pathsTo(given.tree, now.tree), pathsTo(given.index ?? given.sha, now.index ?? now.sha)];
  const { restored, backupRef } = restore(checkout, given, name);
  const touched = [...new Set([...head, ...files, ...restored])];
  const staged = indexed.filter((path) => !touched.includes(path));
  return {
    touched,
    around: { ...around, refsKept: [...refsKept, backupRef], ...(staged.length === 0 ? {} : { staged }) },
  };
}

export function changedAround({ clone }: Checkout, since: Anchor): readonly string[] {
  return movedBranches(clone.repository, since).moved.filter((branch) => branch !== since.branch);
}

function movedBranches(repository: Repository, since: Anchor) {
  const before = repository.objects.around.get(since.around ?? "") ?? repository.branches;
  const { branch: own } = headOf(repository);
  const names = [...new Set([...before.keys(), ...repository.branches.keys()])];
  const moved = names.filter((branch) => branch !== own && before.get(branch) !== repository.branches.get(branch));
  return { before, moved };
}

/** Branches that were made or moved until then, but for the one that HEAD is on. */
export function undoAround({ clone, runId }: Checkout, since: Anchor, goneAt: number, name: string): AroundPutBack {
  const { repository } = clone;
  const { before, moved: all } = movedBranches(repository, since);
  const moved = all.filter((branch) => (repository.branchedAt.get(branch) ?? 0) <= goneAt);
  const branches = new Map(repository.branches);
  const refsKept: string[] = [];
  for (const branch of moved) {
    const [sha, wanted] = [branches.get(branch), before.get(branch)];
    if (sha !== undefined) {
      const ref = `refs/superteam/${runId}/${refsKept.length === 0 ? name : `${name}-${refsKept.length + 1}`}.tip`;
      refsKept.push(ref);
      setRef(clone, ref, sha);
    }
    if (wanted === undefined) branches.delete(branch);
    else branches.set(branch, wanted);
  }
  clone.repository = { ...clone.repository, branches };
  return { refs: moved, settings: [], pushed: [], refsKept };
}

function keepIndex(checkout: Checkout, name: string): string {
  const { repository } = checkout.clone;
  return saveBackup(checkout, `${name}-staged-given-back`, {
    tree: keepTree(repository, repository.index).hash,
    isNew: true,
  });
}

function putHeadBack({ clone, runId }: Checkout, given: Anchor, name: string) {
  const { repository } = clone;
  const head = headOf(repository);
  const before = repository.objects.around.get(given.around ?? "") ?? new Map<string, string>();
  const names = new Set([...before.keys(), ...repository.branches.keys()]);
  const moved = [...names].filter(
    (branch) => branch !== given.branch && before.get(branch) !== repository.branches.get(branch),
  );
  const refsKept: string[] = [];
  const keep = (sha: string | undefined): void => {
    if (sha === undefined) return;
    const ref = `refs/superteam/${runId}/${refsKept.length === 0 ? name : `${name}-${refsKept.length + 1}`}.tip`;
    refsKept.push(ref);
    setRef(clone, ref, sha);
  };
  const commits = commitsBetween(repository, given.sha, head.sha).map(subjectOf);
  if (head.sha !== given.sha) keep(head.sha);
  const own = given.branch === null ? undefined : repository.branches.get(given.branch);
  if (own !== head.sha && own !== given.sha) keep(own);
  for (const branch of moved) {
    const sha = repository.branches.get(branch);
    if (sha !== head.sha) keep(sha);
  }
  clone.repository = { ...clone.repository, branches: new Map(before) };
  pointHead(clone, given);
  const isElsewhere = head.branch !== given.branch;
  return {
    moved: head.sha !== given.sha,
    commits,
    ...(isElsewhere ? { branch: head.branch ?? "no branch" } : {}),
    refs: moved.filter((branch) => branch !== head.branch),
    refsKept,
  };
}
