// Restores an anchor (E3). What is there now is saved under a ref first; then files, branch and index are restored. Each step
// starts from what it finds, so running an interrupted restore again finishes it.

import type { Anchor, Head, RestoreOutcome } from "../../../../core/flow/repository.ts";
import { type Checkout, readHead } from "../place/checkout.ts";
import { type BytePath, toText } from "../process/paths.ts";
import { git, tryGit } from "../process/run.ts";
import { addEntries, removeEntries } from "../tree/capture.ts";
import { compare, compareCaptured, stillThere } from "../tree/compare.ts";
import { restoreExcludes } from "../tree/excludes.ts";
import { saveBackup } from "../tree/trees.ts";
import { checkOutPaths, ignoredAmong } from "./checkout-paths.ts";

export async function restore(checkout: Checkout, to: Anchor, name: string): Promise<RestoreOutcome> {
  await restoreExcludes(checkout, to);
  let last = await makePass(checkout, to, name);
  const { moved } = last;
  const restored = new Set(last.restored);
  // With the anchor's ignore rules back, files that other rules had hidden are seen, kept and removed: they were made since,
  // or are in the way. They may be rules themselves, so this repeats until nothing new turns up.
  for (let before = -1; !last.isComplete && before < restored.size; ) {
    before = restored.size;
    last = await makePass(checkout, to, name);
    for (const path of last.restored) restored.add(path);
  }
  return {
    restored: [...restored].sort().map(toText),
    backupRef: last.backupRef,
    moved,
    leftAlone: [...new Set([...last.leftAlone, ...last.blocked])].sort().map(toText),
  };
}

interface Pass {
  readonly restored: readonly BytePath[];
  /** Not restored, because something is in the way. */
  readonly blocked: readonly BytePath[];
  readonly leftAlone: readonly BytePath[];
  /** Nothing is blocked, and the tree holds no file that the anchor does not. */
  readonly isComplete: boolean;
  readonly backupRef: string;
  readonly moved: boolean;
}

async function makePass(checkout: Checkout, to: Anchor, name: string): Promise<Pass> {
  const [now, head] = await Promise.all([compare(checkout, to, "all"), readHead(checkout.root)]);
  const moved = !isSameHead(head, to);
  const tips = [head.sha, await otherTip(checkout.root, head, to)].filter((each) => each !== undefined);
  // A restore that was interrupted has saved the whole, this one the rest.
  const isNew = moved || now.differences.length > 0;
  const backup = { tree: now.seen, parents: [...new Set(tips)], isNew };
  const backupRef = await saveBackup(checkout, `${name}-given-up`, backup);
  const { restored, blocked } = await checkOutPaths(checkout, to.tree, now.differences);
  await returnToBranch(checkout.root, head, to);
  await git(checkout.root, ["reset", "--quiet", "--refresh", "--mixed", to.sha]);
  const isUncovered = await trackAgain(checkout, to);
  const isComplete = blocked.length === 0 && !isUncovered;
  return { restored, blocked, leftAlone: now.leftAlone, isComplete, backupRef, moved };
}

const isSameHead = (one: Head, other: Head): boolean => one.sha === other.sha && one.branch === other.branch;

/** The tip of the anchor's branch, when HEAD is on another one by now. */
async function otherTip(root: string, head: Head, to: Anchor): Promise<string | undefined> {
  if (to.branch === null || head.branch === to.branch) return undefined;
  const answer = await tryGit(root, ["rev-parse", "--verify", "--quiet", `refs/heads/${to.branch}`]);
  return answer.code === 0 ? answer.out.trim() : undefined;
}

async function returnToBranch(root: string, head: Head, to: Anchor): Promise<void> {
  if (head.branch === to.branch) return;
  const why = ["-m", "superteam: back to the anchor"];
  if (to.branch === null) await git(root, ["update-ref", ...why, "--no-deref", "HEAD", to.sha]);
  else await git(root, ["symbolic-ref", ...why, "HEAD", `refs/heads/${to.branch}`]);
}

/**
 * A file that git ignores is in the tree only while it is tracked, so it is tracked again if it was in the anchor's tree, and
 * no longer if it was not. Says whether there are files now that the anchor does not have: the anchor's rules show them, and
 * others hid them before.
 */
async function trackAgain(checkout: Checkout, to: Anchor): Promise<boolean> {
  const { differences } = await compareCaptured(checkout, to, []);
  const ignored = await ignoredAmong(checkout.root, differences);
  await addEntries(checkout.root, undefined, await stillThere(checkout.root, differences));
  await removeEntries(checkout.root, undefined, [...ignored]);
  return differences.some(({ path, change }) => change === "added" && !ignored.has(path));
}
