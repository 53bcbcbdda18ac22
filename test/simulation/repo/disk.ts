// The working tree on disk: files with their texts and times, and folders, empty ones too, as hands and git leave them behind.

import { type Content, contentAt } from "./content.ts";
import { foldersAbove, isAtOrIn } from "./paths.ts";

export interface Disk {
  readonly files: ReadonlyMap<string, DiskFile>;
  /** When something last appeared in the folder or left it. The root has no time: nobody asks for it. */
  readonly folders: ReadonlyMap<string, number>;
}

export interface DiskFile {
  readonly content: Content;
  /** When it was last written or moved here. */
  readonly at: number;
  /** The same for as long as it is the same file, wherever it is moved to. */
  readonly born: object;
}

/** A disk while it changes. */
export interface Draft {
  readonly files: Map<string, DiskFile>;
  readonly folders: Map<string, number>;
  readonly now: number;
}

export const emptyDisk: Disk = { files: new Map(), folders: new Map() };

/** A copy of the disk after this change, made now. The disk itself stays as it is. */
export function changeDisk(disk: Disk, now: number, change: (draft: Draft) => void): Disk {
  const draft = { files: new Map(disk.files), folders: new Map(disk.folders), now };
  change(draft);
  return { files: draft.files, folders: draft.folders };
}

export function writeFile(draft: Draft, path: string, text: string): void {
  if (!draft.files.has(path)) makeRoomFor(draft, path);
  const { born = {} } = draft.files.get(path) ?? {};
  draft.files.set(path, { content: contentAt(path, text), at: draft.now, born });
}

/** As git writes a file: it makes a new one and puts it in the place of the old. */
export function replaceFile(draft: Draft, path: string, content: Content): void {
  makeRoomFor(draft, path);
  draft.files.set(path, { content, at: draft.now, born: {} });
}

/** A file, or a folder with all in it. */
export function removeAll(draft: Draft, path: string): void {
  const isThere = draft.files.has(path) || draft.folders.has(path);
  if (!isThere) return;
  for (const name of draft.files.keys()) if (isAtOrIn(name, path)) draft.files.delete(name);
  for (const name of draft.folders.keys()) if (isAtOrIn(name, path)) draft.folders.delete(name);
  touchFolderOf(draft, path);
}

/** A file moved is changed by it, a file in a folder that is moved is not. */
export function move(draft: Draft, from: string, to: string): void {
  const files = [...draft.files].filter(([path]) => isAtOrIn(path, from));
  const folders = [...draft.folders].filter(([path]) => isAtOrIn(path, from));
  if (files.length + folders.length === 0) throw new Error(`there is no ${from} to rename`);
  removeAll(draft, from);
  draft.files.delete(to);
  makeRoomFor(draft, to);
  const moved = (path: string): string => `${to}${path.slice(from.length)}`;
  for (const [path, time] of folders) draft.folders.set(moved(path), time);
  for (const [path, { content, at, born }] of files) {
    const place = moved(path);
    draft.files.set(place, { content: contentAt(place, content.text), at: path === from ? draft.now : at, born });
  }
}

/** As git removes a file: the folders that it leaves empty go too. */
export function dropFile(draft: Draft, path: string): void {
  if (draft.files.delete(path)) touchFolderOf(draft, path);
  for (const folder of foldersAbove(path)) {
    if (!isEmpty(draft, folder)) return;
    if (draft.folders.delete(folder)) touchFolderOf(draft, folder);
  }
}

/** Whether a file can be written here without taking anything away but the file itself, and folders with no file in them. */
export function isFree({ files, folders }: Disk, path: string): boolean {
  if (foldersAbove(path).some((folder) => files.has(folder))) return false;
  return !folders.has(path) || !files.keys().some((name) => isAtOrIn(name, path));
}

function isEmpty({ files, folders }: Draft, folder: string): boolean {
  const isInside = (name: string): boolean => name !== folder && isAtOrIn(name, folder);
  return !files.keys().some(isInside) && !folders.keys().some(isInside);
}

/** Makes the folders above, and removes empty folders at the path itself. */
function makeRoomFor(draft: Draft, path: string): void {
  if (!isFree(draft, path)) throw new Error(`something is in the way of ${path}`);
  if (draft.folders.has(path)) removeAll(draft, path);
  for (const folder of foldersAbove(path)) {
    if (draft.folders.has(folder)) break;
    draft.folders.set(folder, draft.now);
    touchFolderOf(draft, folder);
  }
  touchFolderOf(draft, path);
}

/** Only a folder that is there has a time. */
function touchFolderOf(draft: Draft, path: string): void {
  const folder = path.slice(0, Math.max(path.lastIndexOf("/"), 0));
  if (draft.folders.has(folder)) draft.folders.set(folder, draft.now);
}
