// Files whose bytes git changes on their way into a tree and does not give back: by line endings (`* text=auto`, `core.autocrlf`), or by a
// filter that leaves something out, such as the output in notebooks. Of what no commit holds the bytes themselves are kept as well,
// in a tree of their own (E3, E3b). Of files that git takes for unchanged it has what it has.

import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import type { State } from "../../../../core/flow/repository.ts";
import { firstBytes } from "../../../files/small-file.ts";
import type { Checkout } from "../place/checkout.ts";
import { type BytePath, type DiskPath, onDisk } from "../process/paths.ts";
import { git, tryGit } from "../process/run.ts";
import { applyDifferences, type Difference, diffTrees, emptyTree } from "../tree/trees.ts";

/** Of the tree that is on disk. Undefined where it is what the files are, byte for byte. */
export async function saveBytes(
  checkout: Checkout,
  { sha, tree }: Pick<State, "sha" | "tree">,
): Promise<string | undefined> {
  const uncommitted = (await diffTrees(checkout.root, sha, tree)).filter(isPlain);
  const differing = uncommitted.filter((each) => isOther(checkout.root, each));
  const kept = await hashBoth(checkout.root, differing);
  return kept.length === 0 ? undefined : await applyDifferences(checkout, emptyTree(tree), kept);
}

/** A file, whose path is one line: git is given such a list, and takes a quotation mark at the beginning for its own. */
const isPlain = ({ path, newMode }: Difference): boolean => newMode.startsWith("100") && /^(?!")[^\n]+$/.test(path);

/** Read in one go: there are few, and they are small. */
function isOther(root: string, { path, newHash }: Difference): boolean {
  const bytes = readOrNothing(onDisk(root, path));
  if (bytes === undefined) return false;
  const kind = newHash.length === 40 ? "sha1" : "sha256";
  return createHash(kind).update(`blob ${bytes.length}\0`).update(bytes).digest("hex") !== newHash;
}

function readOrNothing(file: DiskPath): Buffer | undefined {
  try {
    return firstBytes(file, Number.POSITIVE_INFINITY);
  } catch {
    // It went, or is something else by now.
    return undefined;
  }
}

/** One that has changed since the tree was made is another matter. */
async function hashBoth(root: string, files: readonly Difference[]): Promise<readonly Difference[]> {
  if (files.length === 0) return [];
  const input = files.map(({ path }) => `${path}\n`).join("");
  const [filtered, plain] = await Promise.all([
    tryGit(root, ["hash-object", "--stdin-paths"], { input }),
    tryGit(root, ["hash-object", "-w", "--no-filters", "--stdin-paths"], { input }),
  ]);
  if (filtered.code !== 0 || plain.code !== 0) return files.length === 1 ? [] : await hashEach(root, files);
  const [through, itself] = [filtered.out.split("\n"), plain.out.split("\n")];
  return files.flatMap((file, at) => {
    const newHash = itself[at] ?? "";
    return through[at] === file.newHash && newHash !== file.newHash ? [{ ...file, change: "added", newHash }] : [];
  });
}

/** One of them went meanwhile. */
async function hashEach(root: string, files: readonly Difference[]): Promise<readonly Difference[]> {
  const found: Difference[] = [];
  for (const file of files) found.push(...(await hashBoth(root, [file])));
  return found;
}

/** What is in such a tree, by path. */
export async function bytesIn(root: string, bytes: string | undefined): Promise<readonly Difference[]> {
  return bytes === undefined ? [] : await diffTrees(root, emptyTree(bytes), bytes);
}

/** A state of which files are written. Without a commit nothing is known of their bytes. */
export type KeptFiles = Pick<State, "tree" | "bytes" | "closed"> & Partial<Pick<State, "sha">>;

/** `paths` were written to `folder` by git just now, through its filters. What no commit has gets its own bytes. */
export async function putBytes(
  root: string,
  { sha, tree, bytes }: KeptFiles,
  paths: readonly BytePath[],
  folder: string,
): Promise<void> {
  if (sha === undefined || paths.length === 0) return;
  const wanted = new Set(paths);
  const own = new Map((await bytesIn(root, bytes)).map((each) => [each.path, each]));
  const uncommitted = (await diffTrees(root, sha, tree)).filter((each) => wanted.has(each.path) && isPlain(each));
  for (const each of uncommitted.map((one) => own.get(one.path) ?? one)) {
    if (!isOther(folder, each)) continue;
    const content = await git(root, ["cat-file", "blob", each.newHash]);
    await writeFile(onDisk(folder, each.path), content, "latin1");
  }
}
