// Puts HEAD, branches and tags back to where a writer found them (E3b). Files stay: the work is in the tree. What it committed is
// kept under refs of the run.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Anchor, Head, PutBack } from "../../../../core/flow/repository.ts";
import { commitsBetween } from "../commit/log.ts";
import { type Checkout, pointHead, readText, refFor } from "../place/checkout.ts";
import { toBytes, toText } from "../process/paths.ts";
import { git } from "../process/run.ts";
import { type Around, isSymbolic, ownRefs } from "./around.ts";

type HeadTraces = Pick<PutBack, "moved" | "commits" | "branch" | "refs" | "pushed" | "refsKept">;

export interface Moves {
  readonly head: Head;
  readonly before: Around | undefined;
  readonly now: Around;
}

export async function putHeadBack(checkout: Checkout, given: Anchor, moves: Moves, name: string): Promise<HeadTraces> {
  const { head, before, now } = moves;
  const { root, runId } = checkout;
  const refs = await movedRefs(checkout, given, moves);
  const isMoved = head.sha !== given.sha;
  const commits = isMoved ? await commitsBetween(root, given.sha, head.sha) : [];
  const kept: string[] = [];
  const keep = (sha: string): string => {
    const ref = `${refFor(runId, kept.length === 0 ? name : `${name}-${kept.length + 1}`)}.tip`;
    kept.push(ref);
    return `update ${ref} ${sha}`;
  };
  const lines = [
    ...(isMoved ? [keep(head.sha)] : []),
    ...refs.flatMap(({ ref, from, to }) => [
      ...(from !== undefined && from !== head.sha && !isSymbolic(from) ? [keep(from)] : []),
      // The ref itself, where an agent made it another name for one.
      "option no-deref",
      to === undefined ? `delete ${ref}${isSymbolic(from) ? "" : ` ${from}`}` : `update ${ref} ${to}`,
    ]),
  ];
  if (head.branch !== given.branch || (given.branch === null && isMoved)) await pointHead(root, given);
  if (lines.length > 0) await git(root, ["update-ref", "--stdin"], { input: `${lines.join("\n")}\n` });
  const own = given.branch === null ? undefined : `refs/heads/${toBytes(given.branch)}`;
  const others = refs.filter(({ ref }) => ref !== own && ref !== `refs/heads/${toBytes(head.branch ?? "")}`);
  const isElsewhere = head.branch !== given.branch;
  return {
    moved: isMoved,
    commits: commits.map(({ subject }) => subject),
    ...(isElsewhere ? { branch: head.branch ?? "no branch" } : {}),
    refs: others.map(({ ref }) => refText(ref)),
    pushed: pushedIn(before, now, [head.sha, given.sha]),
    refsKept: kept,
  };
}

/** A branch by its name alone. */
export const refText = (ref: string): string => toText(ref.replace(/^refs\/(?:heads\/)?/, ""));

interface MovedRef {
  readonly ref: string;
  /** undefined where there was none. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

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

/** A fetch moves such branches as well, but not to the commit that HEAD is on here. */
function pushedIn(before: Around | undefined, now: Around, own: readonly string[]): readonly string[] {
  if (before === undefined) return [];
  const moved = Object.entries(now.refs).filter(([ref, sha]) => before.refs[ref] !== sha && own.includes(sha));
  return moved
    .map(([ref]) => ref)
    .filter((ref) => ref.startsWith("refs/remotes/"))
    .map((ref) => toText(ref.slice(13)));
}
