// Files of git's own folder, as bytes and mode: saved and restored. A link is saved as a link. Nothing is written or removed through a link
// that was not there before: an agent may have made it, and what lies behind it is not ours.

import { randomUUID } from "node:crypto";
import { readlinkSync, statSync } from "node:fs";
import { chmod, lstat, mkdir, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, resolve } from "node:path";
import { OutsideFailure } from "../../../../ports/failure.ts";
import type { GitFile, GitFiles } from "../../../../ports/repo.ts";
import { codeOf } from "../../../files/present.ts";
import { firstBytes } from "../../../files/small-file.ts";

/** By path in the folder, or by a whole path outside it: null where there is no such file. A folder is here only while it is a link. */
export type SavedFiles = GitFiles;

export function readFiles(folder: string, paths: readonly string[]): SavedFiles {
  const above = [...new Set(paths.flatMap((path) => foldersOf(folder, path)))].sort();
  const links = above.map((path) => [path, linkAt(resolve(folder, path))] as const);
  const linked = links.flatMap(([path, link]) => (link === undefined ? [] : [[path, { link }] as const]));
  const files = paths.map(
    (path) => [path, isAbsolute(path) ? readOutside(path) : readOne(resolve(folder, path))] as const,
  );
  return Object.fromEntries([...linked, ...files]);
}

/** The nearest last. Of a path outside the folder those that are beside it, and else the nearest. */
function foldersOf(folder: string, path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  const all = parts.map((_, at) => parts.slice(0, at + 1).join("/"));
  if (!isAbsolute(path)) return all;
  const tree = `${dirname(folder)}/`;
  return path.startsWith(tree) ? all.filter((each) => each.startsWith(tree)) : all.slice(-1);
}

export const linkAt = (file: string): string | undefined => unlessFailed(() => readlinkSync(file, "latin1"));

/** No file of git's is longer unless somebody made it so. Its text could be more than memory, or a line of JSON, can hold. */
const largest = 16 * 1024 * 1024;
const largestOutside = 1024 * 1024;

/** Read in one go, as `readText` does. */
function readOne(file: string, most = largest): GitFile | null {
  const link = linkAt(file);
  const linked = link === undefined ? {} : { link };
  const seen = unlessFailed(() => statSync(file));
  if (seen?.isFile() && seen.size > most) return { large: `${seen.ino} ${seen.size} ${seen.ctimeMs}`, ...linked };
  const text = seen?.isFile()
    ? unlessFailed(() => firstBytes(file, Number.POSITIVE_INFINITY).toString("latin1"))
    : undefined;
  if (text === undefined) return link === undefined ? null : linked;
  return { text, mode: (seen?.mode ?? 0) & 0o777, ...linked };
}

/** Outside git's folder a link is only compared: what it leads to may be anybody's. */
function readOutside(file: string): GitFile | null {
  const link = linkAt(file);
  return link === undefined ? readOne(file, largestOutside) : { link };
}

function unlessFailed<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    // What cannot be read counts as not there.
    return undefined;
  }
}

/** Makes the files of a folder what they were. Gives the paths of those that differed. One that was too long to be kept stays. */
export async function putFilesBack(folder: string, before: SavedFiles, now: SavedFiles): Promise<readonly string[]> {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const links = await putLinksBack(folder, paths, { before, now });
  // Behind another link there are other files.
  const found = links.length === 0 ? now : readFiles(folder, paths);
  const changed = paths.filter((path) => !isSame(before[path], found[path]) && before[path]?.large === undefined);
  const forbidden = new Set<string>();
  for (const path of changed) {
    try {
      // Nobody keeps a copy of it.
      if (found[path]?.large !== undefined) await moveAway(resolve(folder, path));
      await putOneBack(folder, path, before[path] ?? null);
    } catch (cause) {
      if (!isAbsolute(path) || !isForbidden(cause)) throw cause;
      forbidden.add(path);
    }
  }
  return [...new Set([...links, ...changed])].filter((path) => !forbidden.has(path));
}

/** Outside git's folder files may be the system's, which no agent can have changed. */
const isForbidden = (cause: unknown): boolean => ["EACCES", "EPERM", "EROFS"].includes(codeOf(cause));

const isSame = (one: GitFile | null | undefined, other: GitFile | null | undefined): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Folders come before what is in them. */
async function putLinksBack(
  folder: string,
  paths: readonly string[],
  { before, now }: { readonly before: SavedFiles; readonly now: SavedFiles },
): Promise<readonly string[]> {
  const changed = paths.filter((path) => before[path]?.link !== now[path]?.link).sort();
  for (const path of changed) {
    const file = resolve(folder, path);
    const link = before[path]?.link;
    const there = linkAt(file);
    if (there !== undefined && link === undefined) refuseMoved(folder, path, there);
    if (there !== undefined) await rm(file);
    if (link === undefined) continue;
    await makeRoom(folder, path);
    await moveAway(file);
    await symlink(Buffer.from(link, "latin1"), file);
  }
  return changed;
}

/** Git's own folders that hold what exists nowhere else: without the link nobody would find it. */
const vital: readonly string[] = ["objects", "refs"];

function refuseMoved(folder: string, path: string, link: string): void {
  if (!vital.includes(path)) return;
  const [file, target] = [resolve(folder, path), resolve(folder, Buffer.from(link, "latin1").toString("utf8"))];
  const what = `${file} was replaced by a link to ${target} while an agent was at work. Your commits and branches may be there, so nothing was restored.`;
  const advice = `If that is git's own folder, move it back: rm ${file} && mv ${target} ${file}\nThen: superteam resume`;
  throw new OutsideFailure("disturbed", `${what}\n${advice}`);
}

async function putOneBack(folder: string, path: string, wanted: GitFile | null): Promise<void> {
  const file = resolve(folder, path);
  if (wanted === null) return rm(file, { force: true });
  if (wanted.text === undefined) return;
  await makeRoom(folder, path);
  // Its own link, as the person made it, leads to the file. Anything else is replaced: it may have a second name elsewhere.
  const target = wanted.link === undefined ? `${file}.superteam-${randomUUID()}` : file;
  await writeFile(target, wanted.text, "latin1");
  await chmod(target, wanted.mode ?? 0o644);
  if (target === file) return;
  if ((await lstat(file).catch(() => undefined))?.isDirectory()) await moveAway(file);
  await rename(target, file);
}

/** For the folders above a path. */
async function makeRoom(folder: string, path: string): Promise<void> {
  for (const above of foldersOf(folder, path)) {
    const seen = await stat(resolve(folder, above)).catch(() => undefined);
    if (seen !== undefined && !seen.isDirectory()) await moveAway(resolve(folder, above));
  }
  await mkdir(dirname(resolve(folder, path)), { recursive: true });
}

/** What is in the way may be somebody's: it gets another name beside. */
export async function moveAway(file: string): Promise<void> {
  if ((await lstat(file).catch(() => undefined)) !== undefined)
    await rename(file, `${file}${movedAway}${randomUUID()}`);
}

const movedAway = ".put-back-";
export const isMovedAway = (name: string): boolean => name.includes(movedAway);
