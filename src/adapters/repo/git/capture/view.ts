// A working tree as its folders show it, without git: the index, the names in every folder that git does not ignore, and of each
// file its inode, size, mode and times. While two views are the same, so is what git would make of the tree. Whatever is odd
// (a repository in the repository, a very large tree, tracked files in an ignored folder) has no view, and git is asked.

import { createHash, type Hash } from "node:crypto";
import { type BigIntStats, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Checkout } from "../place/checkout.ts";
import { type BytePath, onDisk, within } from "../process/paths.ts";
import { diskNow, identity, settledNs, statIfOpen, statOf } from "./file-identity.ts";
import { askIgnored, askRules, isAttributes, type Rules, type StoredForm, storedForm } from "./rules.ts";

export interface TreeView {
  readonly content: string;
  /** The disk's time after which no file of it can change unseen: see file-identity.ts. */
  readonly settledNs: bigint;
  /** Not looked into. */
  readonly ignored: ReadonlySet<BytePath>;
  /** What each is, as file-identity.ts has it: everything but folders. */
  readonly files: ReadonlyMap<BytePath, string>;
  /** Of the files that decide what git ignores and what it makes of a file's bytes. */
  readonly rules: string;
  readonly form: StoredForm;
  /** The index itself. */
  readonly index: Buffer;
}

/** Of a walk that was sure. */
interface Known extends Rules {
  /** Of the rules' files, and of each .gitignore and .gitattributes. */
  readonly content: string;
  readonly form: StoredForm;
}

/** Beyond this git is faster. */
const most = 2_000;
const known = new WeakMap<Checkout, Known | "too large">();

/** Waits a moment for a file that was written just now. */
export async function viewOf(checkout: Checkout): Promise<TreeView | "too large" | undefined> {
  const view = await lookAround(checkout);
  if (view === "too large") return view;
  const leftMs = view === undefined ? -1 : Number(view.settledNs - diskNow(checkout)) / 1_000_000;
  if (leftMs < 0 || leftMs > longestWaitMs) return view;
  await pause(leftMs + tickMs);
  return lookAround(checkout);
}

/** More than a usual disk needs, and less than one that counts seconds does. */
const longestWaitMs = 30;
/** The disk's clock stands still for so long. */
const tickMs = 5;

async function lookAround(checkout: Checkout): Promise<TreeView | "too large" | undefined> {
  const rules = known.get(checkout);
  if (rules === "too large") return rules;
  const seen = rules && walk(checkout, rules);
  if (seen === undefined && rules !== undefined) return undefined;
  if (rules !== undefined && seen !== undefined && seen !== "too large" && seen.rules === rules.content)
    return { ...seen, form: rules.form };
  return await learn(checkout);
}

/** Asks git what it ignores, and makes sure that it is still so after the view. */
async function learn(checkout: Checkout): Promise<TreeView | "too large" | undefined> {
  known.delete(checkout);
  const rules = await askRules(checkout);
  if (rules === undefined) return undefined;
  const seen = walk(checkout, rules);
  if (seen === "too large") known.set(checkout, seen);
  if (seen === undefined || seen === "too large") return seen;
  const [now, again] = [diskNow(checkout), await askIgnored(checkout)];
  const isSure = now > seen.settledNs && [...rules.ignored].join("\0") === again?.join("\0");
  if (!isSure) return undefined;
  const form = storedForm(checkout, rules.settings, [...seen.files.keys()].filter(isAttributes));
  known.set(checkout, { ...rules, content: seen.rules, form });
  return { ...seen, form };
}

/** Whether no file of it can change unseen from now on. */
export const isSettled = (checkout: Checkout, view: TreeView): boolean => diskNow(checkout) > view.settledNs;

/** Undefined where there is something that only git can judge. */
function walk(
  checkout: Checkout,
  { ignored, files: deciding }: Rules,
): Omit<TreeView, "form"> | "too large" | undefined {
  const [content, rules] = [createHash("sha256"), createHash("sha256")];
  const files = new Map<BytePath, string>();
  let [count, settled] = [0, 0n];
  const note = (name: string, file: BigIntStats | undefined, ...into: readonly Hash[]): string => {
    const is = identity(file);
    for (const hash of into) hash.update(`${name}\0${is}\0`, "latin1");
    const own = settledNs(file);
    if (own > settled) settled = own;
    return is;
  };
  for (const file of deciding) note(file, statOf(file), content, rules);
  const folders: BytePath[] = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (ignored.has(folder)) continue;
    const above = folder === "" ? "" : `${folder}/`;
    const entries = namesIn(checkout.root, folder);
    if (entries === undefined) return undefined;
    for (const entry of entries) {
      const isGit = entry.name === ".git";
      if (isGit && folder !== "") return undefined;
      const path = above + entry.name;
      // A folder is not superteam's own because it has the name of a file of its own.
      if (isGit || checkout.isHidden(entry.isDirectory() ? `${path}/` : path)) continue;
      if (++count > most) return "too large";
      if (entry.isDirectory()) {
        content.update(`${path}/\0`, "latin1");
        folders.push(path);
        continue;
      }
      const decides = entry.name === ".gitignore" || isAttributes(path);
      const file = statIfOpen(onDisk(checkout.root, path));
      // It is gone meanwhile, or may not be looked at: git says which.
      if (file === undefined || file === "closed") return undefined;
      files.set(path, note(path, file, content, ...(decides ? [rules] : [])));
    }
  }
  const index = readOrNothing(join(checkout.gitDir, "index"));
  content.update(index);
  const found = { files, ignored, index, settledNs: settled };
  return { ...found, content: content.digest("hex"), rules: rules.digest("hex") };
}

/** In the order of their names, whatever the disk's is. */
function namesIn(root: string, folder: BytePath) {
  try {
    const entries = readdirSync(onDisk(root, folder), { withFileTypes: true, encoding: "latin1" });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // It is gone meanwhile, or may not be read: git says which.
    return undefined;
  }
}

function readOrNothing(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    // A repository without an index has nothing in it.
    return Buffer.alloc(0);
  }
}

/** A file that is tracked in a folder that is not looked into would not be seen. */
export function seesAll({ ignored }: TreeView, tracked: Iterable<BytePath>): boolean {
  const isUnseen = within(ignored);
  return !Iterator.from(tracked).some(isUnseen);
}
