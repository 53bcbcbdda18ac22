// Undoes agents' work, and nothing of the person's (E3b): only its files, and what is staged of them. A commit of ours that contains the work
// is removed with it.

import type { UncommittedWork, UndoOutcome } from "../../../../core/flow/repository.ts";
import type { Checkout } from "../place/checkout.ts";
import { toBytes } from "../process/paths.ts";
import { git } from "../process/run.ts";
import { stateWithout } from "../tree/anchor-without.ts";
import { look } from "../tree/look.ts";
import { restore } from "./restore.ts";

export async function undoWork(checkout: Checkout, work: UncommittedWork, name: string): Promise<UndoOutcome> {
  const here = await look(checkout);
  const isOurs = work.commit !== undefined && here.sha === work.commit;
  const sha = isOurs ? (await git(checkout.root, ["rev-parse", `${here.sha}^`])).trim() : here.sha;
  const { excludes } = work.start;
  const back = await stateWithout(checkout, { ...here, sha, ...(excludes ? { excludes } : {}) }, work);
  const undone = await restore(checkout, back, name);
  if (here.index === undefined && work.start.index !== undefined) await unstage(checkout.root, work.start.index, work);
  return { ...undone, found: here.tree };
}

/** While the person merges, the index has conflicts and is no tree: it stays as it is, but for the files of the work. */
async function unstage(root: string, index: string, { files }: UncommittedWork): Promise<void> {
  if (files.length === 0) return;
  const args = ["reset", "--quiet", index, "--pathspec-from-file=-", "--pathspec-file-nul"];
  const input = files.map((path) => `${toBytes(path)}\0`).join("");
  await git(root, args, { input, environment: { GIT_LITERAL_PATHSPECS: "1" } });
}
