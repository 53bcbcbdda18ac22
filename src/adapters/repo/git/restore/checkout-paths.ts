// Makes files equal to a tree again, path by path (E3): only the named ones are touched. Ignored files, nested repositories and anything else
// that blocks a path are never removed (S1); the path is reported as blocked instead.
//
// Ignore rules are restored first. A file that was ignored before the rules changed, or that was added by force, looks new, and may be
// anything: the person's keys, or all their dependencies.

import { chmod, lstat, readdir, rmdir, stat, unlink } from "node:fs/promises";
import type { Checkout } from "../place/checkout.ts";
import { type BytePath, type DiskPath, foldersAbove, onDisk } from "../process/paths.ts";
import { git } from "../process/run.ts";
import { withIndexOf } from "../tree/index-file.ts";
import { type Difference, repositoryMode } from "../tree/trees.ts";
import { type KeptFiles, putBytes } from "./bytes.ts";
import { openFolders } from "./open-folders.ts";

export interface PathsCheckedOut {
  readonly restored: readonly BytePath[];
  /** Something that must not be removed is in the way. */
  readonly blocked: readonly BytePath[];
}

/** `differences` lead from the tree to what is on disk now. */
export async function checkOutPaths(
  checkout: Checkout,
  state: KeptFiles,
  differences: readonly Difference[],
): Promise<PathsCheckedOut> {
  const files = differences.filter((each) => each.oldMode !== repositoryMode && each.newMode !== repositoryMode);
  const rules = files.filter(({ path }) => /(^|\/)\.gitignore(\/|$)/.test(path));
  await checkOutThese(checkout, state, rules);
  const ignored = await ignoredAmong(checkout.root, files);
  const chosen = files.filter(({ path }) => !ignored.has(path));
  // By these git writes the others.
  const [attributes, others] = [chosen.filter(isAttributes), chosen.filter((each) => !isAttributes(each))];
  const inTheWay = await checkOutThese(checkout, state, attributes);
  const blocked = new Set([...inTheWay, ...(await checkOutThese(checkout, state, others))]);
  const restored = chosen.map(({ path }) => path).filter((path) => !blocked.has(path));
  return { restored, blocked: [...blocked] };
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

async function checkOutThese(
  checkout: Checkout,
  state: KeptFiles,
  files: readonly Difference[],
): Promise<readonly BytePath[]> {
  const paths = files.map(({ path }) => path);
  const { isDenied, close } = await openFolders(checkout.root, paths);
  try {
    const blocked = await checkOutOpen(
      checkout,
      state,
      files.filter(({ path }) => !isDenied(path)),
    );
    return [...paths.filter(isDenied), ...blocked];
  } finally {
    await close();
  }
}

async function checkOutOpen(
  checkout: Checkout,
  state: KeptFiles,
  files: readonly Difference[],
): Promise<readonly BytePath[]> {
  for (const { path, change } of files) if (change === "added") await remove(checkout.root, path);

  const wanted: BytePath[] = [];
  const blocked: BytePath[] = [];
  for (const { path, change } of files) {
    if (change === "added") continue;
    ((await isFree(checkout.root, path)) ? wanted : blocked).push(path);
  }
  await write(checkout, state, wanted);
  return blocked;
}

/** Removes a file and the folders that it leaves empty. */
async function remove(root: string, path: BytePath): Promise<void> {
  const file = onDisk(root, path);
  const seen = await lstat(file).catch(() => undefined);
  if (seen !== undefined && !seen.isDirectory()) await unlink(file);
  for (const folder of foldersAbove(path)) {
    const isRemoved = await removeIfEmpty(onDisk(root, folder));
    if (!isRemoved) return;
  }
}

async function removeIfEmpty(folder: DiskPath): Promise<boolean> {
  return await rmdir(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code === "ENOENT",
  );
}

/** Whether a file can be written here without taking anything away but the file itself. */
async function isFree(root: string, path: BytePath): Promise<boolean> {
  for (const folder of foldersAbove(path)) {
    const above = await lstat(onDisk(root, folder)).catch(() => undefined);
    if (above !== undefined && !above.isDirectory()) return false;
  }
  const seen = await lstat(onDisk(root, path)).catch(() => undefined);
  return !seen?.isDirectory() || (await removeEmptyFolders(root, path));
}

/** Removes a folder that holds nothing but empty folders. */
async function removeEmptyFolders(root: string, path: BytePath): Promise<boolean> {
  const folder = onDisk(root, path);
  const entries = await readdir(folder, { withFileTypes: true, encoding: "latin1" });
  for (const entry of entries) {
    if (!entry.isDirectory()) return false;
    if (!(await removeEmptyFolders(root, `${path}/${entry.name}`))) return false;
  }
  return await removeIfEmpty(folder);
}

async function write(checkout: Checkout, state: KeptFiles, paths: readonly BytePath[]): Promise<void> {
  if (paths.length === 0) return;
  const input = paths.map((path) => `${path}\0`).join("");
  const closed = await closedTo(checkout.root, paths);
  await withIndexOf(checkout, state.tree, (index) =>
    git(checkout.root, ["checkout-index", "--force", "-z", "--stdin"], { index, input }),
  );
  await putBytes(checkout.root, state, paths);
  for (const { file, others } of closed) await chmod(file, ((await stat(file)).mode & 0o700) | others);
}

/** git makes files anew, readable for all. One that others could not read stays so. */
async function closedTo(root: string, paths: readonly BytePath[]) {
  const found: { readonly file: DiskPath; readonly others: number }[] = [];
  for (const file of paths.map((path) => onDisk(root, path))) {
    const seen = await lstat(file).catch(() => undefined);
    if (seen?.isFile() && (seen.mode & 0o044) !== 0o044) found.push({ file, others: seen.mode & 0o077 });
  }
  return found;
}
