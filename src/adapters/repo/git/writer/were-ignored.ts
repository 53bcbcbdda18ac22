// Files that git ignored when a writer began and that it sees now, because the writer changed the rules or staged them by force. What was
// there before is the person's (S1), such as keys in `.env`, and no work. What the writer made in such a place is work like any other, except
// copies of the person's untracked files.

import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Anchor } from "../../../../core/flow/repository.ts";
import type { Checkout } from "../place/checkout.ts";
import { type BytePath, foldersAbove, onDisk, toText } from "../process/paths.ts";
import { git } from "../process/run.ts";
import type { Comparison } from "../tree/compare.ts";
import { withIndexOf } from "../tree/index-file.ts";
import { takenNs } from "../tree/look.ts";
import { type Difference, diffTrees } from "../tree/trees.ts";

/** `found` leads from what the writer was given. */
export async function wereIgnored(
  checkout: Checkout,
  given: Anchor,
  { differences, index }: Pick<Comparison, "differences" | "index">,
): Promise<ReadonlySet<BytePath>> {
  const couldBe = index !== given.index || differences.some(({ path }) => isRules(path));
  const added = couldBe ? differences.filter(({ change }) => change === "added").map(({ path }) => path) : [];
  const old = await bornBefore(checkout, added, takenNs(checkout, given));
  return old.length === 0 ? new Set() : await ignoredBy(checkout, given.tree, old);
}

const isRules = (path: BytePath): boolean => /(^|\/)\.gitignore$/.test(path);

/** A file that was only moved is as old as ever: its age alone says nothing. Where the moment is not known, all may be. */
async function bornBefore(
  { root }: Checkout,
  paths: readonly BytePath[],
  moment: bigint | undefined,
): Promise<readonly BytePath[]> {
  if (moment === undefined) return paths;
  const old: BytePath[] = [];
  for (const path of paths) {
    const seen = await lstat(onDisk(root, path), { bigint: true }).catch(() => undefined);
    if (seen !== undefined && seen.birthtimeNs < moment) old.push(path);
  }
  return old;
}

/** By the rules of a tree. git reads rules from files alone, so they are laid out in a folder of their own. */
async function ignoredBy(checkout: Checkout, tree: string, paths: readonly BytePath[]): Promise<ReadonlySet<BytePath>> {
  const folder = join(checkout.gitDir, "superteam", `rules-${randomUUID()}`);
  const folders = new Set(["", ...paths.flatMap((path) => [...foldersAbove(path)].map((above) => `${above}/`))]);
  const rules = [...folders].map((above) => `${above}.gitignore`);
  mkdirSync(folder, { recursive: true });
  try {
    await withIndexOf(checkout, tree, (index) => layOut(checkout.root, index, rules, folder));
    const environment = { GIT_DIR: checkout.gitDir, GIT_WORK_TREE: folder };
    const input = paths.map((path) => `${path}\0`).join("");
    const args = ["check-ignore", "--no-index", "-z", "--stdin"];
    return new Set((await git(folder, args, { environment, input, answers: [1] })).split("\0").filter(Boolean));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Those that the index has. All of them, or nobody could say what was ignored. */
async function layOut(root: string, index: string, paths: readonly BytePath[], folder: string): Promise<void> {
  const wanted = new Set(paths);
  const there = (await git(root, ["ls-files", "-z"], { index })).split("\0").filter((path) => wanted.has(path));
  if (there.length === 0) return;
  const input = there.map((path) => `${path}\0`).join("");
  await git(root, ["checkout-index", `--prefix=${folder}/`, "-q", "-z", "--stdin"], { index, input });
}

/**
 * New files that are, byte for byte, an untracked file of the person's: a writer moved or copied it there, and a key must not enter a commit under
 * another name. What a commit has already, and a few bytes that could be equal by chance, are no sign of that. `ours` are not the person's.
 */
export async function copiedFiles(
  { root }: Checkout,
  given: Anchor,
  { differences, ours }: { readonly differences: readonly Difference[]; readonly ours: readonly string[] },
): Promise<ReadonlySet<BytePath>> {
  const added = differences.filter(({ change }) => change === "added");
  if (added.length === 0) return new Set();
  const isOurs = new Set(ours);
  const untracked = (await diffTrees(root, given.sha, given.tree)).filter(({ change }) => change === "added");
  const theirs = new Set(untracked.filter(({ path }) => !isOurs.has(toText(path))).map(({ newHash }) => newHash));
  const equal = added.filter(({ newHash }) => theirs.has(newHash));
  const committed = equal.length === 0 ? "" : await git(root, ["ls-tree", "-r", given.sha]);
  const found = new Set<BytePath>();
  for (const { path, newHash } of equal)
    if (!committed.includes(` ${newHash}\t`) && (await isLong(root, path))) found.add(path);
  return found;
}

const fewBytes = 32;

async function isLong(root: string, path: BytePath): Promise<boolean> {
  const seen = await lstat(onDisk(root, path)).catch(() => undefined);
  return seen !== undefined && seen.size >= fewBytes;
}
