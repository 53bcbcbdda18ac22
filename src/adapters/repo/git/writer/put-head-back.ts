// Restores HEAD, branches and tags to where a writer found them (E3b). Files stay: the work is in the tree. The writer's commits are
// kept under refs of the run.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Anchor, Head, PutBack } from "../../../../core/flow/repository.ts";
import { commitsBetween } from "../commit/log.ts";
import { type Checkout, pointHead, readText } from "../place/checkout.ts";
import { toBytes, toText } from "../process/paths.ts";
import { git } from "../process/run.ts";
import { tipRef, updateRefs } from "../tree/saved.ts";
import { missingAmong } from "../tree/trees.ts";
import { type Around, isSymbolic, ownRefs } from "./around.ts";
import { type MovedRef, putRefsBack } from "./put-refs-back.ts";

type HeadTraces = Pick<PutBack, "moved" | "commits" | "branch" | "refs" | "refsLost" | "pushed" | "refsKept">;

export interface Moves {
  readonly head: Head;
  readonly before: Around | undefined;
  readonly now: Around;
}

export async function putHeadBack(checkout: Checkout, given: Anchor, moves: Moves, name: string): Promise<HeadTraces> {
  const { head, before, now } = moves;
  const { root } = checkout;
  const isMoved = head.sha !== given.sha;
  const refs = await movedRefs(checkout, given, moves);
  const missing = refs.length > 0 || isMoved ? await missingAmong(root, [head.sha, ...refs.flatMap(objectsOf)]) : none;
  const isHere = isMoved && !missing.has(head.sha);
  const commits = isHere ? await commitsBetween(root, given.sha, head.sha) : [];
  const left = refs.flatMap(({ from }) => (from === undefined || isSymbolic(from) ? [] : [from]));
  const keep = [...(isHere ? [head.sha] : []), ...left.filter((sha) => sha !== head.sha && !missing.has(sha))];
  // The first name is that of HEAD's: see find-switches.ts.
  const kept = keep.map((_, nth) => tipRef(checkout, name, isHere ? nth : nth + 1));
  if (keep.length > 0)
    await updateRefs(
      root,
      keep.map((sha, nth) => `update ${kept[nth]} ${sha}`),
    );
  if (head.branch !== given.branch || (given.branch === null && isMoved)) await pointHead(root, given);
  const lost = await putRefsBack(checkout, refs, { missing, name });
  const own = given.branch === null ? undefined : `refs/heads/${toBytes(given.branch)}`;
  // Nothing can follow without it: git says why.
  if (own !== undefined && lost.has(own)) await git(root, ["update-ref", own, given.sha]);
  const isOther = ({ ref }: MovedRef) => ref !== own && ref !== `refs/heads/${toBytes(head.branch ?? "")}`;
  const isElsewhere = head.branch !== given.branch;
  return {
    moved: isMoved,
    commits: commits.map(({ subject }) => subject),
    ...(isElsewhere ? { branch: head.branch ?? "no branch" } : {}),
    refs: refs.filter((each) => isOther(each) && !lost.has(each.ref)).map(({ ref }) => refText(ref)),
    ...(lost.size === 0 ? {} : { refsLost: [...lost].map(refText) }),
    pushed: pushedIn(checkout, { before, now }, [head.sha, given.sha]),
    refsKept: kept,
  };
}

const none: ReadonlySet<string> = new Set();

const objectsOf = ({ from, to }: MovedRef): readonly string[] =>
  [from, to].flatMap((each) => (each === undefined || isSymbolic(each) ? [] : [each]));

/** A branch by its name alone. */
export const refText = (ref: string): string => toText(ref.replace(/^refs\/(?:heads\/)?/, ""));

/** The branch the work is on, other branches and tags, but for those that are checked out in other worktrees: the person works there. */
async function movedRefs(checkout: Checkout, given: Anchor, { before, now }: Moves): Promise<readonly MovedRef[]> {
  const own = given.branch === null ? {} : { [`refs/heads/${toBytes(given.branch)}`]: given.sha };
  const wanted: Readonly<Record<string, string>> = { ...before?.refs, ...own };
  const names =
    before === undefined ? Object.keys(own) : [...new Set([...Object.keys(wanted), ...Object.keys(now.refs)])];
  const moved = names
    .filter((ref) => ownRefs.some((folder) => ref.startsWith(`${folder}/`)) && wanted[ref] !== now.refs[ref])
    // git has no command in one step for another name of a ref that is gone.
    .filter((ref) => !isSymbolic(wanted[ref]))
    .map((ref): MovedRef => ({ ref, from: now.refs[ref], to: wanted[ref] }));
  if (moved.length === 0) return [];
  const elsewhere = await branchesElsewhere(checkout);
  return moved.filter(({ ref }) => ref in own || !elsewhere.has(ref));
}

async function branchesElsewhere({ commonDir, gitDir }: Checkout): Promise<ReadonlySet<string>> {
  const folder = join(commonDir, "worktrees");
  const names = await readdir(folder).catch(() => []);
  const folders = [commonDir, ...names.map((name) => join(folder, name))].filter((each) => each !== gitDir);
  const heads = folders.map((each) => readText(join(each, "HEAD")));
  return new Set(heads.map((text) => text.replace(/^ref: /, "").trim()));
}

/** A fetch moves such branches as well, but not to the commit that HEAD is on here, unless it was a pull. */
function pushedIn(
  checkout: Checkout,
  { before, now }: Pick<Moves, "before" | "now">,
  own: readonly string[],
): readonly string[] {
  if (before === undefined) return [];
  const moved = Object.entries(now.refs).filter(([ref, sha]) => before.refs[ref] !== sha && own.includes(sha));
  return moved
    .filter(([ref, sha]) => ref.startsWith("refs/remotes/") && wasPushed(checkout, ref, sha))
    .map(([ref]) => toText(ref.slice(13)));
}

/** By git's own log of a branch of another repository. Where there is none, it may have been. */
export function wasPushed({ commonDir }: Checkout, ref: string, sha: string): boolean {
  const lines = readText(join(commonDir, "logs", toText(ref))).split("\n");
  const last = lines.findLast((line) => line !== "") ?? "";
  return last.split(" ", 2)[1] !== sha || last.endsWith("\tupdate by push");
}
