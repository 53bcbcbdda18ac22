// Paths inside this adapter are bytes: strings that hold one byte per character (latin1), because git allows any bytes in
// a name, and a name that is not UTF-8 would be another file after a round trip through text. They become text at the port.

import { listed } from "../../../../core/text/format.ts";
import { temporaryFiles } from "../../../files/atomic.ts";

/** A path relative to the tree's root, in bytes, with `/` between its parts. */
export type BytePath = string;

export const toBytes = (path: string): BytePath => Buffer.from(path, "utf8").toString("latin1");
export const toText = (path: BytePath): string => Buffer.from(path, "latin1").toString("utf8");

/** For the file system: the absolute path. */
export const onDisk = (root: string, path: BytePath): Buffer => Buffer.from(`${toBytes(root)}/${path}`, "latin1");

/** `a/b/c` gives `a/b`, `a`: the folders above, nearest first. */
export function* foldersAbove(path: BytePath): Generator<BytePath> {
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) yield path.slice(0, end);
}

/** Whether a path is one of these, or lies in one of them. */
export function within(paths: Iterable<BytePath>): (path: BytePath) => boolean {
  const known = new Set(paths);
  if (known.size === 0) return () => false;
  return (path) => known.has(path) || foldersAbove(path).some((folder) => known.has(folder));
}

/** For a sentence: the first few, and how many more. */
export function someOf(paths: readonly BytePath[]): string {
  return listed(paths.map(toText));
}

const [temporaryStart = "", temporaryEnd = ""] = temporaryFiles.split("*");

/** Where git's folder is on another file system than a file, its new text is written beside it first. */
function isTemporary(path: BytePath): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.startsWith(temporaryStart) && name.endsWith(temporaryEnd);
}

const ownFolder = ".superteam";
const ownFile = ".superteam-workflow.json";

/** superteam's own files, as lines of a gitignore file. */
export const ownPatterns = [`/${ownFile}*`, `/${ownFolder}/`, temporaryFiles];

/** What only a commit of documents may see: superteam's own files and the run's documents. */
export function hiddenPaths(documents: readonly string[]): (path: BytePath) => boolean {
  const isDocument = within(documents.map((path) => toBytes(path.replace(/\/$/, ""))));
  const isInOwnFolder = within([ownFolder]);
  const isOwnFile = (path: BytePath): boolean => path.startsWith(ownFile) && !path.includes("/");
  return (path) => isDocument(path) || isInOwnFolder(path) || isOwnFile(path) || isTemporary(path);
}
