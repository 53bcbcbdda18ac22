// Restores an anchor (E3). What is there now is saved under a ref first; then files, branch and index are restored. Each step
// starts from what it finds, so running an interrupted restore again finishes it. What was written or committed during a pass is saved first by
// another one.

import { type Anchor, type Head, type RestoreOutcome, type State, stagedIn } from "../../../../core/flow/repository.ts";
import { addEntries, removeEntries } from "../capture/add-entries.ts";
import { capture } from "../capture/capture.ts";
import { type Checkout, pointHead, readHead } from "../place/checkout.ts";
import { putOperationBack } from "../place/operation.ts";
import { type BytePath, toText } from "../process/paths.ts";
import { GitFailed, git, tryGit } from "../process/run.ts";
import { closeAgain } from "../tree/closed.ts";
import { compare, compareCaptured, stillThere } from "../tree/compare.ts";
import { conflictsIn } from "../tree/conflicts.ts";
import { restoreExcludes } from "../tree/excludes.ts";
import { writeIndex } from "../tree/index-file.ts";
import { saveBackup } from "../tree/saved.ts";
import { diffTrees, putEntries } from "../tree/trees.ts";
import { type Around, savedAround } from "../writer/around.ts";
import { checkOutPaths, ignoredAmong } from "./checkout-paths.ts";
import { lookOpened } from "./open-folders.ts";
import { allMeanwhile, type Pass, Passes } from "./passes.ts";
import { restoreReplaced } from "./restore-replaced.ts";
import { seeFiles } from "./see-files.ts";

/** Where nobody knows what was around it, as for a state that was only looked at, a merge in progress and its index stay. */
export async function restore(checkout: Checkout, to: State | Anchor, name: string): Promise<RestoreOutcome> {
  const around = "around" in to ? await savedAround(checkout, to) : undefined;
  await restoreExcludes(checkout, to);
  const { opened } = await lookOpened(checkout, to, () => capture(checkout));
  const passes = new Passes((isLast) => makePass(checkout, { to, around, isLast }, name));
  let last = await passes.make();
  const { moved } = last;
  const restored = new Set(last.restored);
  // With the anchor's ignore rules back, files that other rules had hidden are seen, kept and removed: they were made since,
  // or are in the way. They may be rules themselves, so this repeats until nothing new turns up.
  for (let before = -1; !last.isComplete && before < restored.size; ) {
    before = restored.size;
    last = await passes.make();
    for (const path of last.restored) restored.add(path);
  }
  const left = [...new Set([...last.leftAlone, ...last.blocked])].sort();
  const { restored: replaced, ...rest } = await restoreReplaced(checkout, to, left.map(toText), name);
  const all = new Set([...[...restored].map(toText), ...replaced, ...closeAgain(checkout.root, to)]);
  const open = opened.length === 0 ? {} : { opened: opened.map(toText).sort() };
  const beside = { ...rest, ...open, ...allMeanwhile([rest, passes]) };
  return { restored: [...all].sort(), backupRef: last.backupRef, moved, ...beside };
}

interface AnchorPass extends Pass {
  /** Not restored, because something is in the way. */
  readonly blocked: readonly BytePath[];
  readonly leftAlone: readonly BytePath[];
  /** Nothing is blocked, and the tree holds no file that the anchor does not. */
  readonly isComplete: boolean;
  readonly moved: boolean;
}

interface Target {
  readonly to: State;
  readonly around: Around | undefined;
}

interface PassTarget extends Target {
  /** What changes all the time is left as it is. */
  readonly isLast: boolean;
}

async function makePass(checkout: Checkout, { to, around, isLast }: PassTarget, name: string): Promise<AnchorPass> {
  const [now, head] = await Promise.all([seeFiles(checkout, () => compare(checkout, to, "all")), readHead(checkout)]);
  const moved = !isSameHead(head, to);
  const other = await otherTip(checkout.root, head, to);
  const tips = [...new Set([head.sha, other].filter((each) => each !== undefined && each !== to.sha))];
  // A restore that was interrupted has saved the whole, this one the rest.
  const index = now.index ?? (await conflictsIn(checkout, head));
  const isNew = moved || now.differences.length > 0 || index !== stagedIn(to);
  const backup = { tree: now.seen, index, tip: tips[0], isNew };
  const backupRef = await saveBackup(checkout, `${name}-given-up`, backup);
  if (tips[1] !== undefined) await saveBackup(checkout, `${name}-other-given-up`, { ...backup, tip: tips[1] });
  const { restored, blocked, changed } = await checkOutPaths(checkout, to, now);
  const left = isLast ? [...blocked, ...changed] : blocked;
  const found = { restored, changed, blocked: left, leftAlone: now.leftAlone, backupRef, tip: tips[0], moved };
  const overtaken = { ...found, isOvertaken: true, isComplete: false };
  if (changed.length > 0 && !isLast) return overtaken;
  const isBack = await restoreHead(checkout, to, { head, tip: head.branch === to.branch ? head.sha : other });
  if (!isBack) return overtaken;
  if (around !== undefined) await putOperationBack(checkout, around.operation);
  await restoreIndex(checkout, now.index, { to, around });
  const isUncovered = await trackAgain(checkout, to);
  return { ...found, isOvertaken: false, isComplete: left.length === 0 && !isUncovered };
}

/** `tip`: of the branch that HEAD goes back to, if there is one. False when somebody committed or switched meanwhile. */
async function restoreHead(
  checkout: Checkout,
  to: Head,
  { head, tip }: { readonly head: Head; readonly tip: string | undefined },
): Promise<boolean> {
  if (isSameHead(head, to)) return true;
  if (!isSameHead(await readHead(checkout), head)) return false;
  if (head.branch !== to.branch) await pointHead(checkout.root, to);
  if (head.branch !== to.branch && to.branch === null) return true;
  const before = tip ?? "0".repeat(to.sha.length);
  const args = ["update-ref", "-m", "superteam: back to the anchor", "HEAD", to.sha, before];
  const answer = await tryGit(checkout.root, args);
  if (answer.code === 0) return true;
  if (isSameHead(await readHead(checkout), { sha: before, branch: to.branch })) throw new GitFailed(args, answer);
  return false;
}

/** Only entries that differ are touched, so that all others keep what git knows of them. */
async function restoreIndex(checkout: Checkout, now: string | undefined, { to, around }: Target): Promise<void> {
  const { root } = checkout;
  if (to.index === undefined)
    return around?.conflicts === undefined ? undefined : writeIndex(checkout, around.conflicts);
  if (now === undefined) return void (await git(root, ["read-tree", "--reset", to.index]));
  if (now === to.index) return;
  await putEntries(root, undefined, await diffTrees(root, now, to.index));
  // Exit code 1 says that a file differs from its entry: that is not asked here.
  await tryGit(root, ["update-index", "-q", "--refresh"]);
}

const isSameHead = (one: Head, other: Head): boolean => one.sha === other.sha && one.branch === other.branch;

/** The tip of the anchor's branch, when HEAD is on another one by now. */
async function otherTip(root: string, head: Head, to: Head): Promise<string | undefined> {
  if (to.branch === null || head.branch === to.branch) return undefined;
  const answer = await tryGit(root, ["rev-parse", "--verify", "--quiet", `refs/heads/${to.branch}`]);
  return answer.code === 0 ? answer.out.trim() : undefined;
}

/**
 * A file that git ignores is in the tree only while it is tracked, so it is tracked again if it was in the anchor's index, and
 * no longer if it was not in its tree. Says whether there are files now that the anchor does not have: the anchor's rules show them, and
 * others hid them before.
 */
async function trackAgain(checkout: Checkout, to: State): Promise<boolean> {
  const { differences } = await compareCaptured(checkout, to, []);
  const ignored = await ignoredAmong(checkout.root, differences);
  const unseen = await stillThere(checkout.root, differences);
  await addEntries(checkout.root, undefined, await trackedAt(checkout.root, to, unseen));
  await removeEntries(checkout.root, undefined, [...ignored]);
  return differences.some(({ path, change }) => change === "added" && !ignored.has(path));
}

/** What other rules showed at the anchor, and nobody had staged, is left as it is. */
async function trackedAt(
  root: string,
  { index, tree }: State,
  paths: readonly BytePath[],
): Promise<readonly BytePath[]> {
  if (index === undefined || paths.length === 0) return paths;
  const untracked = (await diffTrees(root, index, tree)).filter(({ change }) => change === "added");
  return paths.filter((path) => !untracked.some((each) => each.path === path));
}
