// States saved under refs of the run (E3). A ref names a tree, which `git log --all` does not show; only commits that were removed from their
// branch have a ref to a commit. The parts of a state share one name: `<name>` is the tree, `<name>.index` the index, `<name>.bytes` what git's
// filters change, `<name>.tip` a commit. A name has no dot of its own.

import type { FilesLost } from "../../../../core/flow/repository.ts";
import type { TakenBack } from "../../../../ports/repo.ts";
import { type Checkout, refFor } from "../place/checkout.ts";
import { forgetRun } from "../place/forget-run.ts";
import { git } from "../process/run.ts";
import { askStanding } from "../process/standing.ts";

export interface SavedState {
  readonly tree: string;
  readonly index?: string | undefined;
  readonly bytes?: string | undefined;
  /** A commit that is on no branch any more. */
  readonly tip?: string | undefined;
}

/** The ref of a commit that is on no branch any more, one of several. */
export const tipRef = ({ runId }: Checkout, name: string, nth = 0): string =>
  `${refFor(runId, nth === 0 ? name : `${name}-${nth + 1}`)}.tip`;

/** Gives the ref of the tree. `beside`: updates that go with it. */
export async function saveState(
  checkout: Checkout,
  name: string,
  state: SavedState,
  beside: readonly string[] = [],
): Promise<string> {
  const ref = refFor(checkout.runId, name);
  const { tree, index, bytes, tip } = state;
  const lines = [
    `update ${ref} ${tree}`,
    ...(index === undefined || index === tree ? [] : [`update ${ref}.index ${index}`]),
    ...(bytes === undefined ? [] : [`update ${ref}.bytes ${bytes}`]),
    ...(tip === undefined ? [] : [`update ${ref}.tip ${tip}`]),
    ...beside,
  ];
  await updateRefs(checkout.root, lines);
  return ref;
}

/** All of them or none: `update <ref> <object>` each. */
export async function updateRefs(root: string, lines: readonly string[]): Promise<void> {
  const args = ["update-ref", "--stdin"];
  const input = `start\n${lines.join("\n")}\ncommit\n`;
  const done = await askStanding(root, { args, input, end: "commit: ok\n" });
  if (done === undefined) await git(root, args, { input });
}

/** As saveState, under a name that is not taken by another state: nothing that was saved before is lost. */
export async function saveBackup(
  checkout: Checkout,
  name: string,
  state: SavedState & { readonly isNew: boolean },
): Promise<string> {
  for (let number = 1, ref = refFor(checkout.runId, name); ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    const saved = await readSaved(checkout, candidate);
    if (saved === undefined) return number > 1 && !state.isNew ? ref : await saveState(checkout, candidate, state);
    ref = refFor(checkout.runId, candidate);
    if (isEqual(saved, state)) return ref;
  }
}

/** Keeps for good a state whose files cannot be restored, and says where. */
export async function keepLost(
  checkout: Checkout,
  { tree, bytes }: SavedState,
  files: readonly string[],
  name: string,
): Promise<FilesLost> {
  return { files, ref: await saveBackup(checkout, `${name}-yours-given-back`, { tree, bytes, isNew: true }) };
}

function isEqual(one: SavedState, other: SavedState): boolean {
  const indexOf = ({ index, tree }: SavedState): string => index ?? tree;
  return one.tree === other.tree && indexOf(one) === indexOf(other) && one.tip === other.tip;
}

export async function readSaved(checkout: Checkout, name: string): Promise<SavedState | undefined> {
  const ref = refFor(checkout.runId, name);
  const format = "--format=%(refname) %(objectname)";
  const listed = await git(checkout.root, ["for-each-ref", format, ref, `${ref}.index`, `${ref}.tip`]);
  const found = new Map(listed.split("\n").map((line) => line.split(" ") as [string, string]));
  const tree = found.get(ref);
  return tree === undefined ? undefined : { tree, index: found.get(`${ref}.index`), tip: found.get(`${ref}.tip`) };
}

export async function takenBack({ root, runId }: Checkout, name: string): Promise<readonly TakenBack[]> {
  const listed = await git(root, ["for-each-ref", "--format=%(refname) %(objectname)", `${refFor(runId, name)}*`]);
  const found = listed.split("\n").map((line) => line.split(" "));
  return found.flatMap(([ref = "", tree = ""]) => (isTakenBack(ref) && !ref.includes(".") ? [{ ref, tree }] : []));
}

/** Removes what nobody goes back to any more. What was taken back stays, until the person removes it. */
export function forgetStates({ root, runId }: Checkout): Promise<void> {
  return forgetRun(root, runId, isTakenBack);
}

/** By the names that backups have: see their callers. */
const isTakenBack = (ref: string): boolean =>
  /(?:-given-up|-given-back|-refused)(?:[-_]\d+)?(?:\.\w+)?$|\.tip$/.test(ref);
