// A working tree as its folders show it, without git: the index, the names in every folder that git does not ignore, and of each
// file its inode, size, mode and times. While two views are the same, so is what git would make of the tree. Whatever is odd
// (a repository in the repository, a very large tree, tracked files in an ignored folder) has no view, and git is asked.

import { createHash, type Hash } from "node:crypto";
import { type BigIntStats, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Checkout } from "../place/checkout.ts";
import { type BytePath, onDisk, toText, within } from "../process/paths.ts";
import { tryGit } from "../process/run.ts";
import { identity, settledNs } from "./file-identity.ts";

export interface TreeView {
  readonly content: string;
  /** The disk's time after which no file of it can change unseen: see file-identity.ts. */
  readonly settledNs: bigint;
  /** Not looked into. */
  readonly ignored: ReadonlySet<BytePath>;
}

/** What git ignores, and the files that decide it. */
interface Rules {
  readonly ignored: ReadonlySet<BytePath>;
  readonly files: readonly string[];
  /** Of those files, and of each .gitignore. */
  readonly content: string;
}

/** Beyond this git is faster. */
const most = 2_000;
const known = new WeakMap<Checkout, Rules | "too large">();

/** Waits a moment for a file that was written just now. */
export async function viewOf(checkout: Checkout): Promise<TreeView | undefined> {
  const view = await lookAround(checkout);
  const ageMs = view === undefined ? 0 : Number(view.settledNs / 1_000_000n) - Date.now();
  if (ageMs <= 0 || ageMs > shortMs) return view;
  await pause(ageMs + 1);
  return lookAround(checkout);
}

/** More than the tick of a usual disk. */
const shortMs = 25;

async function lookAround(checkout: Checkout): Promise<TreeView | undefined> {
  const rules = known.get(checkout);
  if (rules === "too large") return undefined;
  const seen = rules && walk(checkout, rules);
  if (seen === undefined && rules !== undefined) return undefined;
  if (seen !== undefined && seen !== "too large" && seen.rules === rules?.content) return seen.view;
  return await learn(checkout);
}

/** Asks git what it ignores, and makes sure that it is still so after the view. */
async function learn(checkout: Checkout): Promise<TreeView | undefined> {
  known.delete(checkout);
  const [ignored, files] = await Promise.all([askIgnored(checkout), askFiles(checkout)]);
  if (ignored === undefined || files === undefined) return undefined;
  const rules = { ignored: new Set(ignored), files };
  const seen = walk(checkout, rules);
  if (seen === "too large") known.set(checkout, seen);
  if (seen === undefined || seen === "too large") return undefined;
  const [now, again] = [diskNow(checkout), await askIgnored(checkout)];
  const isSure = now > seen.view.settledNs && ignored.join("\0") === again?.join("\0");
  if (isSure) known.set(checkout, { ...rules, content: seen.rules });
  return isSure ? seen.view : undefined;
}

/** The disk's time, which may be another one than ours, when this file was made; 0 when there is none. */
export const madeAt = (file: string): bigint => statOf(file)?.ctimeNs ?? 0n;

function diskNow({ gitDir }: Checkout): bigint {
  const file = join(gitDir, "superteam", `clock-${process.pid}`);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "");
    return madeAt(file);
  } catch {
    // Nothing is settled then, and git is asked.
    return 0n;
  } finally {
    rmSync(file, { force: true });
  }
}

/** Undefined where there is something that only git can judge. */
function walk(
  checkout: Checkout,
  { ignored, files }: Pick<Rules, "ignored" | "files">,
): { readonly view: TreeView; readonly rules: string } | "too large" | undefined {
  const [content, rules] = [createHash("sha256"), createHash("sha256")];
  let [count, settled] = [0, 0n];
  const note = (name: string, file: BigIntStats | undefined, ...into: readonly Hash[]): void => {
    for (const hash of into) hash.update(`${name}\0${identity(file)}\0`, "latin1");
    const own = settledNs(file);
    if (own > settled) settled = own;
  };
  for (const file of files) note(file, statOf(file), content, rules);
  const folders: BytePath[] = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const above = folder === "" ? "" : `${folder}/`;
    const entries = namesIn(checkout.root, folder);
    if (entries === undefined) return undefined;
    for (const entry of entries) {
      if (entry.name === ".git") {
        if (folder !== "") return undefined;
        continue;
      }
      const path = above + entry.name;
      if (checkout.isHidden(path)) continue;
      if (++count > most) return "too large";
      if (entry.isDirectory()) {
        content.update(`${path}/\0`, "latin1");
        if (!ignored.has(path)) folders.push(path);
        continue;
      }
      const file = statOf(onDisk(checkout.root, path));
      note(path, file, content);
      if (entry.name === ".gitignore") note(path, file, rules);
    }
  }
  content.update(readOrNothing(join(checkout.gitDir, "index")));
  return { view: { content: content.digest("hex"), settledNs: settled, ignored }, rules: rules.digest("hex") };
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

function statOf(file: string | Buffer): BigIntStats | undefined {
  return lstatSync(file, { bigint: true, throwIfNoEntry: false });
}

function readOrNothing(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    // A repository without an index has nothing in it.
    return Buffer.alloc(0);
  }
}

/** Folders, without what is in them. Undefined when git does not say. */
async function askIgnored({ root }: Checkout): Promise<readonly BytePath[] | undefined> {
  const args = ["ls-files", "-z", "-o", "-i", "--exclude-standard", "--directory"];
  const { code, out } = await tryGit(root, args);
  return code === 0 ? out.split("\0").flatMap((path) => (path.endsWith("/") ? [path.slice(0, -1)] : [])) : undefined;
}

/** The files that say what is ignored and how a file is read, but for those in the tree. */
async function askFiles({ root, commonDir, gitDir }: Checkout): Promise<readonly string[] | undefined> {
  const { code, out } = await tryGit(root, ["config", "-z", "--list", "--show-origin", "--includes"]);
  if (code !== 0) return undefined;
  const fields = toText(out).split("\0");
  const origins = fields.flatMap((field) => (field.startsWith("file:") ? [resolve(root, field.slice(5))] : []));
  const named = fields.flatMap((field) => /^core\.(?:excludes|attributes)file\n(.+)$/is.exec(field)?.[1] ?? []);
  const inside = ["info/exclude", "info/attributes", "info/sparse-checkout", "config"];
  const files = [
    ...inside.map((name) => join(commonDir, name)),
    ...["info/sparse-checkout", "config.worktree"].map((name) => join(gitDir, name)),
    ...usualFiles(),
    ...origins,
    ...named.map((file) => resolve(root, file.replace(/^~(?=\/)/, homedir()))),
  ];
  return [...new Set(files)].sort();
}

/** Also those that are not there yet. */
function usualFiles(): readonly string[] {
  const home = process.env["HOME"] ?? homedir();
  const own = join(process.env["XDG_CONFIG_HOME"] || join(home, ".config"), "git");
  const chosen = [process.env["GIT_CONFIG_GLOBAL"], process.env["GIT_CONFIG_SYSTEM"]];
  return [
    join(home, ".gitconfig"),
    ...["config", "ignore", "attributes"].map((name) => join(own, name)),
    ...["/etc/gitconfig", "/etc/gitattributes"],
    ...chosen.filter((file) => file !== undefined),
  ];
}

/** A file that is tracked in a folder that is not looked into would not be seen. */
export function seesAll({ ignored }: TreeView, tracked: readonly BytePath[]): boolean {
  const isUnseen = within(ignored);
  return !tracked.some(isUnseen);
}
