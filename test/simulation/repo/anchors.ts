// States of the tree kept under refs: anchors to go back to, and what was given up.

import {
  type Anchor,
  type Changes,
  longestShownDiff,
  type State,
  type UncommittedWork,
} from "../../../src/core/flow/repository.ts";
import type { TakenBack } from "../../../src/ports/repo.ts";
import { capture, compare } from "./compare.ts";
import { hashOf, type Tree } from "./content.ts";
import { isAtOrIn } from "./paths.ts";
import { type Checkout, type Clone, headOf, keepTree, setRef, shaOf, treeNamed } from "./repository.ts";
import { type Difference, differencesOf, withDifferences } from "./trees.ts";

export function look({ clone, ...checkout }: Checkout): State {
  const { repository } = clone;
  const index = keepTree(repository, repository.index).hash;
  return { ...headOf(repository), tree: capture({ clone, ...checkout }).hash, index, leftAlone: [] };
}

export function snapshot(checkout: Checkout, name: string): Anchor {
  const { objects, branches, disk } = checkout.clone.repository;
  const state = look(checkout);
  const around = hashOf(JSON.stringify([...branches]));
  objects.around.set(around, branches);
  const ref = saveState(checkout, name, state);
  objects.disks.set(ref, disk);
  return { ...state, around, ref };
}

export function anchorWithout(checkout: Checkout, at: Anchor, work: UncommittedWork, name: string): Anchor {
  const state = stateWithout(checkout, at, work);
  const ref = saveState(checkout, name, state);
  const { disks } = checkout.clone.repository.objects;
  const disk = disks.get(at.ref);
  if (disk !== undefined) disks.set(ref, disk);
  return { ...at, ...state, ref };
}

/** The work's files are what they were before it, or, where somebody has committed them since, what they are in that commit. */
export function stateWithout({ clone: { repository } }: Checkout, at: State, work: UncommittedWork): State {
  const [atCommit, startCommit] = [treeNamed(repository, at.sha), treeNamed(repository, work.start.sha)];
  const files = new Set(work.files);
  const committed = new Set(differencesOf(startCommit, atCommit).map(({ path }) => path));
  const without = (from: string, start: string): string => {
    const tree = treeNamed(repository, from);
    const toBefore = differencesOf(tree, treeNamed(repository, start));
    const before = toBefore.filter(({ path }) => files.has(path) && !committed.has(path));
    const asCommitted = differencesOf(tree, atCommit).filter(({ path }) => files.has(path) && committed.has(path));
    return keepTree(repository, withDifferences(tree, [...before, ...asCommitted])).hash;
  };
  const tree = without(at.tree, work.start.tree);
  if (at.index === undefined || work.start.index === undefined) return { ...at, tree };
  return { ...at, tree, index: without(at.index, work.start.index) };
}

export function changesSince(checkout: Checkout, since: Anchor, without: readonly string[] = []): Changes {
  const { repository } = checkout.clone;
  const { tree, seen, differences: all } = compare(checkout, since, "untracked");
  const differences = all.filter(({ path }) => !without.some((place) => isAtOrIn(path, place)));
  const diff = patchOf(treeNamed(repository, since.tree), differences);
  return {
    files: differences.map(({ path, change }) => ({ path, change })),
    diff,
    ...(diff.length > longestShownDiff ? { diffFile: `/model/diffs/${since.tree}-${seen.hash}.diff` } : {}),
    tree: tree.hash,
    leftAlone: [],
  };
}

/** Each file whole, once with its old lines and once with its new ones: nobody applies it. */
function patchOf(from: Tree, differences: readonly Difference[]): string {
  const signed = (sign: string, text: string | undefined): readonly string[] =>
    text === undefined
      ? []
      : text
          .replace(/\n$/, "")
          .split("\n")
          .map((line) => `${sign}${line}`);
  const parts = differences.flatMap(({ path, content }) => [
    `diff --git a/${path} b/${path}`,
    ...signed("-", from.entries.get(path)?.text),
    ...signed("+", content?.text),
    "",
  ]);
  return parts.join("\n");
}

export interface SavedState {
  readonly tree: string;
  readonly index?: string | undefined;
  /** A commit that is on no branch any more. */
  readonly tip?: string | undefined;
}

/** Keeps a tree, an index and a commit under refs of the run. */
export function saveState({ clone, runId }: Checkout, name: string, { tree, index, tip }: SavedState): string {
  const ref = refFor(runId, name);
  setRef(clone, ref, tree);
  if (index !== undefined && index !== tree) setRef(clone, `${ref}.index`, index);
  if (tip !== undefined) setRef(clone, `${ref}.tip`, tip);
  return ref;
}

/** As saveState, under a name that is not taken by another state: nothing that was saved before is lost. */
export function saveBackup(checkout: Checkout, name: string, now: SavedState & { readonly isNew: boolean }): string {
  for (let number = 1, ref = refFor(checkout.runId, name); ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    const saved = readSaved(checkout, candidate);
    if (saved === undefined) return number > 1 && !now.isNew ? ref : saveState(checkout, candidate, now);
    ref = refFor(checkout.runId, candidate);
    const isSame = saved.tree === now.tree && (saved.index ?? saved.tree) === (now.index ?? now.tree);
    if (isSame && saved.tip === now.tip) return ref;
  }
}

export function readSaved({ clone, runId }: Checkout, name: string): SavedState | undefined {
  const ref = refFor(runId, name);
  const [tree, index, tip] = ["", ".index", ".tip"].map((end) => shaOf(clone.repository, `${ref}${end}`));
  return tree === undefined ? undefined : { tree, index, tip };
}

export function takenBack({ clone, runId }: Checkout, name: string): readonly TakenBack[] {
  const names = [...refNames(clone, refFor(runId, name))].filter((ref) => isTakenBack(ref) && !ref.includes("."));
  return names.sort().map((ref) => ({ ref, tree: shaOf(clone.repository, ref) ?? "" }));
}

/** Removes what nobody goes back to any more. */
export function forgetStates({ clone, runId }: Checkout): void {
  for (const name of refNames(clone, refFor(runId, ""))) if (!isTakenBack(name)) setRef(clone, name, undefined);
}

function refNames({ repository }: Clone, start: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (let { refs: ref } = repository; ref !== undefined; ref = ref.earlier) {
    if (ref.name.startsWith(start)) names.add(ref.name);
  }
  return names;
}

const isTakenBack = (name: string): boolean =>
  /(?:-given-up|-given-back|-refused)(?:[-_]\d+)?(?:\.\w+)?$|\.tip$/.test(name);

const refFor = (runId: string, name: string): string => `refs/superteam/${encode(runId)}/${encode(name)}`;

/** What a ref may not hold is percent-encoded, so that names stay apart. */
function encode(part: string): string {
  return part.replace(/[^A-Za-z0-9_-]/gu, (character) => {
    const encoded = encodeURIComponent(character);
    return encoded === character ? `%${character.charCodeAt(0).toString(16).toUpperCase()}` : encoded;
  });
}
