// Trees and commits as objects: comparing them, making one from another, and keeping one under a ref.

import { type Checkout, refFor } from "../place/checkout.ts";
import { type BytePath, toBytes, toText } from "../process/paths.ts";
import { git, tryGit } from "../process/run.ts";
import { withIndexOf } from "./index-file.ts";

/** One path that differs between two trees. */
export interface Difference {
  readonly path: BytePath;
  readonly change: "added" | "modified" | "deleted";
  readonly oldMode: string;
  readonly newMode: string;
  readonly newHash: string;
}

export const repositoryMode = "160000";

/** A renamed file is one deleted and one added. */
export async function diffTrees(root: string, from: string, to: string): Promise<readonly Difference[]> {
  if (from === to) return [];
  const fields = (await git(root, ["diff-tree", "-r", "-z", "--raw", "--no-renames", from, to])).split("\0");
  const found: Difference[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = "", newMode = "", , newHash = "", letter = ""] = (fields[at] ?? "").slice(1).split(" ");
    const change = letter === "A" ? "added" : letter === "D" ? "deleted" : "modified";
    found.push({ path: fields[at + 1] ?? "", change, oldMode, newMode, newHash });
  }
  return found;
}

const longestPatch = 200 * 1024;

/** The difference as a patch for people and agents; what is too long is cut at a line, and the last line says so. */
export async function patchOf(
  root: string,
  trees: { readonly from: string; readonly to: string },
  without: readonly BytePath[],
): Promise<string> {
  const how = ["-r", "-p", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv"];
  const names = ["--src-prefix=a/", "--dst-prefix=b/", trees.from, trees.to];
  const left = without.length === 0 ? [] : ["--", ".", ...without.map((path) => `:(exclude,literal)${toText(path)}`)];
  const { out, cut } = await tryGit(root, ["diff-tree", ...how, ...names, ...left], { limit: longestPatch });
  if (!cut) return toText(out);
  const whole = out.slice(0, longestPatch);
  const lines = whole.slice(0, whole.lastIndexOf("\n") + 1);
  return `${toText(lines)}[cut here: the diff is longer than ${longestPatch / 1024} KB]\n`;
}

/** The tree of `base` with these differences applied to it. */
export function applyDifferences(
  checkout: Checkout,
  base: string,
  differences: readonly Difference[],
): Promise<string> {
  return withIndexOf(checkout, base, async (index) => {
    // Deletions first: a folder may have become a file, or the other way round.
    const ordered = [...differences].sort((a, b) => Number(b.change === "deleted") - Number(a.change === "deleted"));
    const lines = ordered.map(({ path, newMode, newHash }) => `${Number(newMode)} ${newHash}\t${path}\0`);
    await git(checkout.root, ["update-index", "--replace", "-z", "--index-info"], { index, input: lines.join("") });
    return (await git(checkout.root, ["write-tree"], { index })).trim();
  });
}

export async function treeOf(root: string, commit: string): Promise<string> {
  return (await git(root, ["rev-parse", "--verify", `${commit}^{tree}`])).trim();
}

/** Keeps a tree and the commits it stands on under a ref of the run. The same content gives the same commit. */
export async function saveTree(
  checkout: Checkout,
  name: string,
  /** `note`: more lines for the commit's message, in bytes. */
  what: { readonly tree: string; readonly parents: readonly string[]; readonly note?: string },
): Promise<string> {
  const ref = refFor(checkout.runId, name);
  const parents = what.parents.flatMap((parent) => ["-p", parent]);
  const message = `superteam keeps: ${toBytes(name)}\n\n${what.note ?? ""}\n`;
  const args = ["commit-tree", "--no-gpg-sign", ...parents, what.tree];
  const commit = await git(checkout.root, args, { environment: saver, input: message });
  await git(checkout.root, ["update-ref", ref, commit.trim()]);
  return ref;
}

/** As saveTree, and what was saved under this name before stays reachable; it stays as it is when nothing is new. */
export async function saveBackup(
  checkout: Checkout,
  name: string,
  now: { readonly tree: string; readonly parents: readonly string[]; readonly isNew: boolean },
): Promise<string> {
  const earlier = await savedCommit(checkout, name);
  if (earlier === undefined) return await saveTree(checkout, name, now);
  if (!now.isNew) return refFor(checkout.runId, name);
  return await saveTree(checkout, name, { tree: now.tree, parents: [...new Set([...now.parents, earlier])] });
}

/** The commit a ref of the run points to. */
export async function savedCommit(checkout: Checkout, name: string): Promise<string | undefined> {
  const ref = refFor(checkout.runId, name);
  const answer = await tryGit(checkout.root, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  return answer.code === 0 ? answer.out.trim() : undefined;
}

const saver = {
  GIT_AUTHOR_NAME: "superteam",
  GIT_AUTHOR_EMAIL: "superteam@localhost",
  GIT_AUTHOR_DATE: "1000000000 +0000",
  GIT_COMMITTER_NAME: "superteam",
  GIT_COMMITTER_EMAIL: "superteam@localhost",
  GIT_COMMITTER_DATE: "1000000000 +0000",
};
