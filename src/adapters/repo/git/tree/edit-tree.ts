// A tree made from another one, entry by entry, without an index: only the folders on the way to what changes are read and
// written. Two gits that stay do it (standing.ts).

import type { BytePath } from "../process/paths.ts";
import { askStanding } from "../process/standing.ts";

/** What is at a path afterwards; null for nothing. A folder that becomes empty is gone, as in every commit. */
export interface TreeEdit {
  readonly path: BytePath;
  readonly entry: { readonly mode: string; readonly hash: string } | null;
}

/** Undefined when no git stays to be asked. */
export async function editTree(root: string, base: string, edits: readonly TreeEdit[]): Promise<string | undefined> {
  if (edits.length === 0) return base;
  try {
    return (await editFolder(root, base, edits)) ?? (await writeFolder(root, []));
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}

class NoAnswer extends Error {}

interface Entry {
  readonly name: BytePath;
  readonly mode: string;
  readonly hash: string;
}

/** Undefined when nothing is left in it. */
async function editFolder(
  root: string,
  base: string | undefined,
  edits: readonly TreeEdit[],
): Promise<string | undefined> {
  const before = base === undefined ? [] : await readFolder(root, base);
  const entries = new Map(before.map((entry) => [entry.name, entry]));
  for (const { path, entry } of edits) {
    const isGone = entry === null && !path.includes("/") && entries.get(path)?.mode !== folderMode;
    if (isGone) entries.delete(path);
  }
  for (const [name, inside] of Map.groupBy(edits.filter(isInside), ({ path }) => path.slice(0, path.indexOf("/")))) {
    const old = entries.get(name);
    const below = inside.map(({ path, entry }) => ({ path: path.slice(name.length + 1), entry }));
    const folder = old?.mode === folderMode ? old.hash : undefined;
    // Nothing is taken out of what is no folder.
    if (folder === undefined && below.every(({ entry }) => entry === null)) continue;
    const hash = await editFolder(root, folder, below);
    if (hash === undefined) entries.delete(name);
    else entries.set(name, { name, mode: folderMode, hash });
  }
  for (const { path, entry } of edits)
    if (entry !== null && !path.includes("/")) entries.set(path, { name: path, ...entry });
  return entries.size === 0 ? undefined : await writeFolder(root, [...entries.values()]);
}

const folderMode = "40000";
const repositoryMode = "160000";
const isInside = ({ path }: TreeEdit): boolean => path.includes("/");

async function readFolder(root: string, tree: string): Promise<readonly Entry[]> {
  const end = "superteam-end missing\n";
  const input = `${tree}\nsuperteam-end\n`;
  const answer = await askStanding(root, { args: ["cat-file", "--batch"], input, end });
  const [head = ""] = /^[0-9a-f]{40,64} tree \d+\n/.exec(answer ?? "") ?? [];
  if (answer === undefined || head === "") throw new NoAnswer();
  const bytes = answer.slice(head.length, head.length + Number(head.split(" ")[2]));
  const entries: Entry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [space, zero] = [bytes.indexOf(" ", at), bytes.indexOf("\0", at)];
    const next = zero + 1 + tree.length / 2;
    const hash = Buffer.from(bytes.slice(zero + 1, next), "latin1").toString("hex");
    entries.push({ mode: bytes.slice(at, space), name: bytes.slice(space + 1, zero), hash });
    at = next;
  }
  return entries;
}

async function writeFolder(root: string, entries: readonly Entry[]): Promise<string> {
  const lines = entries.map(({ mode, hash, name }) => `${mode} ${kindOf(mode)} ${hash}\t${name}\0`);
  const question = { args: ["mktree", "--batch", "-z"], input: `${lines.join("")}\0`, end: "\n" };
  const answer = await askStanding(root, question);
  if (answer === undefined || !/^[0-9a-f]{40,64}$/.test(answer)) throw new NoAnswer();
  return answer;
}

function kindOf(mode: string): string {
  if (mode === folderMode) return "tree";
  return mode === repositoryMode ? "commit" : "blob";
}
