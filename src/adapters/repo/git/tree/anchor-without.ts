// A state of the tree as it would be if some work in it had never begun. Nothing in the tree is touched.

import type { Anchor, State, UncommittedWork } from "../../../../core/flow/repository.ts";
import type { Checkout } from "../place/checkout.ts";
import { type BytePath, toBytes, toText } from "../process/paths.ts";
import { bytesIn } from "../restore/bytes.ts";
import { noteTaken, takenNs } from "./look.ts";
import { saveState } from "./saved.ts";
import { applyDifferences, diffTrees, emptyTree } from "./trees.ts";

/** Saves the state. */
export async function anchorWithout(
  checkout: Checkout,
  at: Anchor,
  work: UncommittedWork,
  name: string,
): Promise<Anchor> {
  const state = await stateWithout(checkout, at, work);
  const ref = await saveState(checkout, name, state);
  noteTaken(checkout, ref, takenNs(checkout, at) ?? 0n);
  return { ...at, ...state, ref };
}

/**
 * The work's files, and what is staged of them, are what they were before it. Where somebody has committed such a file since,
 * their commit counts: the file is what it is there.
 */
export async function stateWithout(checkout: Checkout, state: State, work: UncommittedWork): Promise<State> {
  const { root } = checkout;
  const { bytes: _, closed: now, ...at } = state;
  const isOfWork = namedIn(work.files);
  const isCommitted = namedIn((await diffTrees(root, work.start.sha, at.sha)).map(({ path }) => toText(path)));
  const without = async (from: string, before: string): Promise<string> => {
    const [toBefore, toCommit] = await Promise.all([diffTrees(root, from, before), diffTrees(root, from, at.sha)]);
    const asBefore = toBefore.filter((each) => isOfWork(each) && !isCommitted(each));
    const asCommitted = toCommit.filter((each) => isOfWork(each) && isCommitted(each));
    if (asBefore.length + asCommitted.length === 0) return from;
    return await applyDifferences(checkout, from, [...asBefore, ...asCommitted]);
  };
  const tree = await without(at.tree, work.start.tree);
  const ofBoth = <T extends { readonly path: string }>(now: readonly T[], then: readonly T[]): readonly T[] => [
    ...now.filter((each) => !isOfWork(each)),
    ...then.filter((each) => isOfWork(each) && !isCommitted(each)),
  ];
  const kept = ofBoth(...(await Promise.all([bytesIn(root, state.bytes), bytesIn(root, work.start.bytes)])));
  const bytes = kept.length === 0 ? {} : { bytes: await applyDifferences(checkout, emptyTree(tree), kept) };
  const closed = ofBoth(modesIn(now), modesIn(work.start.closed));
  const modes = Object.fromEntries(closed.map(({ path, mode }) => [toText(path), mode]));
  const beside = { ...bytes, ...(closed.length === 0 ? {} : { closed: modes }) };
  if (at.index === undefined || work.start.index === undefined) return { ...at, tree, ...beside };
  return { ...at, tree, ...beside, index: await without(at.index, work.start.index) };
}

const modesIn = (closed: State["closed"] = {}): readonly { readonly path: BytePath; readonly mode: number }[] =>
  Object.entries(closed).map(([name, mode]) => ({ path: toBytes(name), mode }));

function namedIn(paths: readonly string[]): (difference: { readonly path: string }) => boolean {
  const names = new Set(paths);
  return ({ path }) => names.has(toText(path));
}
