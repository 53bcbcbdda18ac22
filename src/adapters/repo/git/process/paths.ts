// Paths inside this adapter are bytes: strings that hold one byte per character (latin1), because git allows any bytes in
// a name, and a name that is not UTF-8 would be another file after a round trip through text. They become text at the port.

import { listed } from "../../../../core/text/format.ts";
import { temporaryFiles } from "../../../files/atomic.ts";

/** A path relative to the tree's root, in bytes, with `/` between its parts. */
export type BytePath = string;

/** Of a path as `toText` gives it. */
export function toBytes(path: string): BytePath {
  if (path.isWellFormed()) return Buffer.from(path, "utf8").toString("latin1");
  return [...path].map((sign) => byteOf(sign) ?? Buffer.from(sign, "utf8").toString("latin1")).join("");
}

/**
 * A byte that is in no character is half a surrogate pair, which no text has of itself: so each name has a text of its own, and
 * comes back from it. Two files whose names are not UTF-8 must not look like one, nor like none.
 */
export function toText(path: BytePath): string {
  const bytes = Buffer.from(path, "latin1");
  const text = bytes.toString("utf8");
  return text.includes("\ufffd") ? escaped(bytes) : text;
}

const firstEscape = 0xdc00;

function byteOf(sign: string): BytePath | undefined {
  const byte = sign.charCodeAt(0) - firstEscape;
  return sign.length === 1 && byte >= 0x80 && byte <= 0xff ? String.fromCharCode(byte) : undefined;
}

function escaped(bytes: Buffer): string {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const rest = [1, 2, 3, 4].map((length) => bytes.subarray(at, at + length));
    const found = rest.find(isCharacter);
    text += found?.toString("utf8") ?? String.fromCharCode(firstEscape + (bytes[at] ?? 0));
    at += found?.length ?? 1;
  }
  return text;
}

function isCharacter(bytes: Buffer): boolean {
  const text = bytes.toString("utf8");
  return [...text].length === 1 && Buffer.from(text, "utf8").equals(bytes);
}

/** What git says or shows, for people and agents. What is no character is lost. */
export const toWords = (said: string): string => Buffer.from(said, "latin1").toString("utf8");

/** For the file system: the absolute path. As text where that is the same: a look at the file then takes a third less. */
export function onDisk(root: string, path: BytePath): DiskPath {
  const isSame = plainText.test(path) && root.isWellFormed();
  return isSame ? `${root}/${path}` : Buffer.from(`${toBytes(root)}/${path}`, "latin1");
}

export type DiskPath = string | Buffer;

const plainText = /^[ -~]*$/;

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
export const ownFile = ".superteam-workflow.json";

/** superteam's own files, as lines of a gitignore file. */
export const ownPatterns = [`/${ownFile}*`, `/${ownFolder}/`, temporaryFiles];

/** What only a commit of documents may see: superteam's own files and the run's documents. */
export function hiddenPaths(documents: readonly string[]): (path: BytePath) => boolean {
  const isDocument = within(documents.map((path) => toBytes(path.replace(/\/$/, ""))));
  const isInOwnFolder = within([ownFolder]);
  const isOwnFile = (path: BytePath): boolean => path.startsWith(ownFile) && !path.includes("/");
  return (path) => isDocument(path) || isInOwnFolder(path) || isOwnFile(path) || isTemporary(path);
}
