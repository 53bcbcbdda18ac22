// States of the tree kept under refs: anchors to go back to, and what was given up.

import {
  type Anchor,
  type Changes,
  longestShownDiff,
  type PersonFile,
  type UncommittedWork,
} from "../../../src/core/flow/repository.ts";
import { capture, compare, personFilesAmong } from "./compare.ts";
import type { Tree } from "./content.ts";
import {
  type Checkout,
  type Commit,
  findNamed,
  headOf,
  keepCommit,
  keepTree,
  setRef,
  treeNamed,
} from "./repository.ts";
import { type Difference, differencesOf, withDifferences } from "./trees.ts";

export function snapshot(checkout: Checkout, name: string): Anchor {
  const head = headOf(checkout.clone.repository);
  const tree = capture(checkout);
  const ref = saveTree(checkout, name, { tree, parents: [head.sha] });
  return { ...head, tree: tree.hash, ref, leftAlone: [] };
}

/** The work's files are what they were before it, or, where somebody has committed them since, what they are in that commit. */
export function anchorWithout(checkout: Checkout, at: Anchor, work: UncommittedWork, name: string): Anchor {
  const { repository } = checkout.clone;
  const [atTree, atCommit] = [treeNamed(repository, at.tree), treeNamed(repository, at.sha)];
  const [startTree, startCommit] = [treeNamed(repository, work.start.tree), treeNamed(repository, work.start.sha)];
  const files = new Set(work.files);
  const committed = new Set(differencesOf(startCommit, atCommit).map(({ path }) => path));
  const before = differencesOf(atTree, startTree).filter(({ path }) => files.has(path) && !committed.has(path));
  const asCommitted = differencesOf(atTree, atCommit).filter(({ path }) => files.has(path) && committed.has(path));
  const tree = keepTree(repository, withDifferences(atTree, [...before, ...asCommitted]));
  return { ...at, tree: tree.hash, ref: saveTree(checkout, name, { tree, parents: [at.sha] }) };
}

export function changesSince(checkout: Checkout, since: Anchor): Changes {
  const { repository } = checkout.clone;
  const { tree, seen, differences } = compare(checkout, since, "untracked");
  const ofPerson = personFilesAmong(repository, since, differences);
  const diff = patchOf(treeNamed(repository, since.tree), differences);
  return {
    files: differences.map(({ path, change }) => ({ path, change })),
    diff,
    ...(diff.length > longestShownDiff ? { diffFile: `/model/diffs/${since.tree}-${seen.hash}.diff` } : {}),
    tree: tree.hash,
    personFiles: differences.filter(({ path }) => ofPerson.has(path)).map(asPersonFile),
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

/** What was in the anchor's tree cannot have been added since. */
function asPersonFile({ path, change }: Difference): PersonFile {
  return { path, change: change === "deleted" ? "deleted" : "modified" };
}

interface Kept {
  readonly tree: Tree;
  readonly parents: readonly string[];
  /** More lines for the commit's message. */
  readonly note?: string;
}

/** Keeps a tree and the commits it stands on under a ref of the run. The same content gives the same commit. */
export function saveTree({ clone, runId }: Checkout, name: string, { tree, parents, note = "" }: Kept): string {
  const message = `superteam keeps: ${name}\n\n${note}\n`;
  const { sha } = keepCommit(clone.repository, { tree, parents, message, at: 1_000_000_000_000 });
  const ref = refFor(runId, name);
  setRef(clone, ref, sha);
  return ref;
}

/** As saveTree, and what was saved under this name before stays reachable; it stays as it is when nothing is new. */
export function saveBackup(checkout: Checkout, name: string, now: Kept & { readonly isNew: boolean }): string {
  const earlier = savedCommit(checkout, name);
  if (earlier === undefined) return saveTree(checkout, name, now);
  if (!now.isNew) return refFor(checkout.runId, name);
  return saveTree(checkout, name, { tree: now.tree, parents: [...new Set([...now.parents, earlier.sha])] });
}

/** The commit a ref of the run points to. */
export const savedCommit = ({ clone, runId }: Checkout, name: string): Commit | undefined =>
  findNamed(clone.repository, refFor(runId, name));

const refFor = (runId: string, name: string): string => `refs/superteam/${encode(runId)}/${encode(name)}`;

/** What a ref may not hold is percent-encoded, so that names stay apart. */
function encode(part: string): string {
  return part.replace(/[^A-Za-z0-9_-]/gu, (character) => {
    const encoded = encodeURIComponent(character);
    return encoded === character ? `%${character.charCodeAt(0).toString(16).toUpperCase()}` : encoded;
  });
}
