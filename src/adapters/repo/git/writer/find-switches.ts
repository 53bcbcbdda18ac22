// Where HEAD was put while a writer worked (E3b): by `git switch`, `git reset --hard` or a pull, on a commit that no writer made. Or by a
// stash, which leaves the files as they are in the commit below it. What commits were made from there is work.
//
// The refs under which an end of the writer keeps its commits are read as well: one that was interrupted has put HEAD back already.

import type { Anchor } from "../../../../core/flow/repository.ts";
import { type Checkout, readRef } from "../place/checkout.ts";
import { tryGit } from "../process/run.ts";
import { tipRef } from "../tree/saved.ts";
import { isSymbolic, stashesIn } from "./around.ts";
import { type Moves, wasPushed } from "./put-head-back.ts";

/** The commits, all of which were there before. Those that the writer built on where it began are not among them. */
export async function findSwitches(
  checkout: Checkout,
  given: Anchor,
  moves: Moves,
  name: string,
): Promise<readonly string[]> {
  const tip = moves.head.sha === given.sha ? readRef(checkout, tipRef(checkout, name)) : moves.head.sha;
  const stashes = keptStashes(checkout, name).map((stash) => `${stash}^`);
  if (tip === undefined && stashes.length === 0) return [];
  const known = knownBefore(checkout, given, moves);
  const at = tip === undefined ? undefined : await forkOf(checkout, tip, known);
  const below = await Promise.all(stashes.map((each) => forkOf(checkout, each, known)));
  return [...new Set([at === given.sha ? undefined : at, ...below].filter((sha) => sha !== undefined))];
}

function keptStashes(checkout: Checkout, name: string): readonly string[] {
  const found: string[] = [];
  for (let nth = 0; ; nth++) {
    const sha = readRef(checkout, tipRef(checkout, `${name}-stash`, nth));
    if (sha === undefined) return found;
    found.push(sha);
  }
}

/** What is fetched nobody has made here, unless it was pushed from here. */
function knownBefore(checkout: Checkout, { sha }: Anchor, { before, now }: Moves): readonly string[] {
  const fetched = Object.entries(now.refs).filter(([ref]) => ref.startsWith("refs/remotes/"));
  const others = fetched.flatMap(([ref, at]) => (wasPushed(checkout, ref, at) ? [] : [at]));
  const all = [
    sha,
    ...Object.values(before?.refs ?? {}),
    ...(before === undefined ? [] : stashesIn(before)),
    ...others,
  ];
  return [...new Set(all)].filter((each) => !isSymbolic(each));
}

/**
 * The last commit on the way to this one that was there before. A merge is on the way by its first parent: what it brought in is work.
 * undefined where there is none, or nobody can tell.
 */
async function forkOf({ root }: Checkout, tip: string, known: readonly string[]): Promise<string | undefined> {
  const found = await tryGit(root, ["rev-parse", "--verify", "--quiet", `${tip}^{commit}`]);
  if (found.code !== 0) return undefined;
  const start = found.out.trim();
  const input = [start, ...known.map((sha) => `^${sha}`)].map((line) => `${line}\n`).join("");
  const how = ["rev-list", "--first-parent", "--parents", "--ignore-missing", "--stdin"];
  const { code, out } = await tryGit(root, how, { input });
  if (code !== 0) return undefined;
  const oldest = out.trimEnd().split("\n").at(-1) ?? "";
  return oldest === "" ? start : oldest.split(" ")[1];
}
