// Makes files equal to a tree again, path by path (E3): only the named ones are touched. Ignored files, nested repositories and anything else
// that blocks a path are never removed (S1); the path is reported as blocked instead.
//
// A file that was written since it was seen stays as it is and is reported (E3).
//
// Ignore rules are restored first. A file that was ignored before the rules changed, or that was added by force, looks new, and may be
// anything: the person's keys, or all their dependencies. Attributes are next.

import { type Dirent, readdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as others } from "node:timers/promises";
import { codeOf, isMissing } from "../../../files/present.ts";
import type { Checkout } from "../place/checkout.ts";
import { putAside } from "../place/put-aside.ts";
import { type BytePath, type DiskPath, foldersAbove, onDisk, toText } from "../process/paths.ts";
import { git } from "../process/run.ts";
import { type Difference, repositoryMode } from "../tree/trees.ts";
import type { KeptFiles } from "./bytes.ts";
import { withLaidOut } from "./lay-out.ts";
import { openFolders } from "./open-folders.ts";
import { type Replaced, replaceFile } from "./replace-file.ts";
import { fileAt, type SeenFiles } from "./see-files.ts";

export interface PathsCheckedOut {
  readonly restored: readonly BytePath[];
  /** Something that must not be removed is in the way. */
  readonly blocked: readonly BytePath[];
  /** Changed since they were seen. */
  readonly changed: readonly BytePath[];
}

/** `differences` lead from the tree to what is on disk now. */
export async function checkOutPaths(
  checkout: Checkout,
  state: KeptFiles,
  { differences, identities }: SeenFiles,
): Promise<PathsCheckedOut> {
  const files = differences.filter((each) => each.oldMode !== repositoryMode && each.newMode !== repositoryMode);
  const checkOut = (some: readonly Difference[]): Promise<ReadonlyMap<BytePath, Fate>> =>
    checkOutThese(checkout, state, { differences: some, identities });
  const rules = files.filter(({ path }) => /(^|\/)\.gitignore(\/|$)/.test(path));
  const first = await checkOut(rules);
  const ignored = await ignoredAmong(checkout.root, files);
  const chosen = files.filter(({ path }) => !ignored.has(path));
  const rest = chosen.filter((each) => !rules.includes(each));
  // By these git writes the others.
  const second = await checkOut(rest.filter(isAttributes));
  const third = await checkOut(rest.filter((each) => !isAttributes(each)));
  const fates = new Map([...first, ...second, ...third]);
  const withFate = (fate: Fate): readonly BytePath[] =>
    chosen.map(({ path }) => path).filter((path) => fates.get(path) === fate);
  return { restored: withFate("done"), blocked: withFate("blocked"), changed: withFate("changed") };
}

const isAttributes = ({ path }: Difference): boolean => /(^|\/)\.gitattributes$/.test(path);

/** New files that git would ignore if they were not tracked. */
export async function ignoredAmong(root: string, files: readonly Difference[]): Promise<ReadonlySet<BytePath>> {
  const added = files.filter(({ change }) => change === "added");
  if (added.length === 0) return new Set();
  const input = added.map(({ path }) => `${path}\0`).join("");
  const out = await git(root, ["check-ignore", "--no-index", "-z", "--stdin"], { input, answers: [1] });
  return new Set(out.split("\0").filter(Boolean));
}

type Fate = Exclude<Replaced, object>;

async function checkOutThese(
  checkout: Checkout,
  state: KeptFiles,
  { differences, identities }: SeenFiles,
): Promise<ReadonlyMap<BytePath, Fate>> {
  const paths = differences.map(({ path }) => path);
  if (paths.length === 0) return new Map();
  const { isDenied, close } = await openFolders(checkout.root, paths);
  try {
    const open = differences.filter(({ path }) => !isDenied(path));
    const fates = await checkOutOpen(checkout, state, { differences: open, identities });
    return new Map([...paths.filter(isDenied).map((path) => [path, "blocked"] as const), ...fates]);
  } finally {
    await close();
  }
}

async function checkOutOpen(
  checkout: Checkout,
  state: KeptFiles,
  { differences, identities }: SeenFiles,
): Promise<readonly (readonly [BytePath, Fate])[]> {
  const isAdded = ({ change }: Difference): boolean => change === "added";
  const [added, wanted] = [differences.filter(isAdded), differences.filter((each) => !isAdded(each))];
  const paths = wanted.map(({ path }) => path);
  return await withLaidOut(checkout, state, paths, async (folder) => {
    const fates: (readonly [BytePath, Fate])[] = [];
    // What is new first: it may be in the way of the rest.
    for (const { path, change } of [...added, ...wanted]) {
      const seen = identities.get(path);
      const how = change === "added" ? remove(checkout.root, path, seen) : put(checkout.root, path, { folder, seen });
      fates.push([path, await settled(checkout, path, how)]);
      if (fates.length % batch === 0) await others();
    }
    return fates;
  });
}

/** So many files at once: all else waits that long. */
const batch = 200;

/** Where two files appeared in its place, one after the other, the first is kept beside the run's journal. */
async function settled(checkout: Checkout, path: BytePath, how: Replaced): Promise<Fate> {
  if (typeof how === "string") return how;
  await putAside(checkout, how.aside, join("meanwhile", "files", toText(path).toWellFormed()));
  return "changed";
}

/** Removes a file and the folders that it leaves empty. */
function remove(root: string, path: BytePath, seen: string | undefined): Replaced {
  const done = replaceFile(root, path, { from: undefined, seen });
  if (done !== "done") return done;
  for (const folder of foldersAbove(path)) if (!removeIfEmpty(onDisk(root, folder))) break;
  return done;
}

function removeIfEmpty(folder: DiskPath): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return codeOf(error) === "ENOENT";
  }
}

interface Wanted {
  /** Where it is laid out. */
  readonly folder: string;
  readonly seen: string | undefined;
}

function put(root: string, path: BytePath, { folder, seen }: Wanted): Replaced {
  return isFree(root, path) ? replaceFile(root, path, { from: onDisk(folder, path), seen }) : "blocked";
}

/** Whether a file can be written here without taking anything away but the file itself. */
function isFree(root: string, path: BytePath): boolean {
  // Anything but a folder that is above it.
  if (foldersAbove(path).some((folder) => fileAt(root, folder) !== undefined)) return false;
  return removeEmptyFolders(root, path);
}

/** Removes a folder that holds nothing but empty folders. What is no folder is no matter. */
function removeEmptyFolders(root: string, path: BytePath): boolean {
  const folder = onDisk(root, path);
  const entries = fileAt(root, path) === undefined ? entriesIn(folder) : [];
  if (entries === undefined || entries.some((entry) => !entry.isDirectory())) return false;
  if (!entries.every(({ name }) => removeEmptyFolders(root, `${path}/${name}`))) return false;
  return fileAt(root, path) !== undefined || removeIfEmpty(folder);
}

/** Undefined where nobody can tell. */
function entriesIn(folder: DiskPath): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true, encoding: "latin1" });
  } catch (error) {
    return isMissing(error) ? [] : undefined;
  }
}
