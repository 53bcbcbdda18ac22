// Undoes agents' work, and nothing of the person's (E3b): only its files, and what is staged of them. A commit of ours that contains the work
// is removed with it. What it made that no tree can hold is moved beside the run's journal.

import type { State, UncommittedWork, UndoOutcome } from "../../../../core/flow/repository.ts";
import { statIfOpen } from "../capture/file-identity.ts";
import type { Checkout } from "../place/checkout.ts";
import { onDisk, toBytes } from "../process/paths.ts";
import { git } from "../process/run.ts";
import { stateWithout } from "../tree/anchor-without.ts";
import { look } from "../tree/look.ts";
import { restore } from "./restore.ts";
import { moveAside } from "./restore-files.ts";

export async function undoWork(checkout: Checkout, work: UncommittedWork, name: string): Promise<UndoOutcome> {
  const here = await look(checkout);
  const isOurs = work.commit !== undefined && here.sha === work.commit;
  const sha = isOurs ? (await git(checkout.root, ["rev-parse", `${here.sha}^`])).trim() : here.sha;
  const { excludes } = work.start;
  const back = await stateWithout(checkout, { ...here, sha, ...(excludes ? { excludes } : {}) }, work);
  const undone = await restore(checkout, asNew(back, work), name);
  if (here.index === undefined && work.start.index !== undefined) await unstage(checkout.root, work.start.index, work);
  const made = newIn(here, work).filter((path) => undone.leftAlone.includes(path));
  const asideIn = (await moveAside(checkout, made, name)) ?? undone.asideIn;
  const isMoved = (path: string): boolean =>
    made.includes(path) && statIfOpen(onDisk(checkout.root, toBytes(path))) === undefined;
  const leftAlone = undone.leftAlone.filter((path) => !isMoved(path));
  return { ...undone, leftAlone, found: here.tree, ...(asideIn === undefined ? {} : { asideIn }) };
}

/** What is in no tree now, and was not there before the work, or in one. */
const newIn = ({ leftAlone }: State, { files, start }: UncommittedWork): readonly string[] =>
  leftAlone.filter((path) => files.includes(path) && !start.leftAlone.includes(path));

/** A file that the work replaced by something that no tree can hold is restored like any other. */
function asNew(state: State, work: UncommittedWork): State {
  const made = new Set(newIn(state, work));
  return { ...state, leftAlone: state.leftAlone.filter((path) => !made.has(path)) };
}

/** While the person merges, the index has conflicts and is no tree: it stays as it is, but for the files of the work. */
async function unstage(root: string, index: string, { files }: UncommittedWork): Promise<void> {
  if (files.length === 0) return;
  const args = ["reset", "--quiet", index, "--pathspec-from-file=-", "--pathspec-file-nul"];
  const input = files.map((path) => `${toBytes(path)}\0`).join("");
  await git(root, args, { input, environment: { GIT_LITERAL_PATHSPECS: "1" } });
}
