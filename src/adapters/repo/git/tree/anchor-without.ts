// A state of the tree as it would be if some work in it had never begun. Nothing in the tree is touched.

import type { Anchor, UncommittedWork } from "../../../../core/flow/repository.ts";
import type { Checkout } from "../place/checkout.ts";
import { toText } from "../process/paths.ts";
import { notedExcludes } from "./excludes.ts";
import { applyDifferences, diffTrees, saveTree } from "./trees.ts";

/**
 * The work's files are what they were before it. Where somebody has committed such a file since, their commit counts: the
 * file is what it is there.
 */
export async function anchorWithout(
  checkout: Checkout,
  at: Anchor,
  work: UncommittedWork,
  name: string,
): Promise<Anchor> {
  const { root } = checkout;
  const isOfWork = namedIn(work.files);
  const [committed, toBefore, toCommit, note] = await Promise.all([
    diffTrees(root, work.start.sha, at.sha),
    diffTrees(root, at.tree, work.start.tree),
    diffTrees(root, at.tree, at.sha),
    notedExcludes(checkout, at),
  ]);
  const isCommitted = namedIn(committed.map(({ path }) => toText(path)));
  const before = toBefore.filter((each) => isOfWork(each) && !isCommitted(each));
  const asCommitted = toCommit.filter((each) => isOfWork(each) && isCommitted(each));
  const tree = await applyDifferences(checkout, at.tree, [...before, ...asCommitted]);
  return { ...at, tree, ref: await saveTree(checkout, name, { tree, parents: [at.sha], note }) };
}

function namedIn(paths: readonly string[]): (difference: { readonly path: string }) => boolean {
  const names = new Set(paths);
  return ({ path }) => names.has(toText(path));
}
