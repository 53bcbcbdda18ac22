// Long texts are kept beside the journal, in blobs/<sha256>, and the record names them: {"$blob": "<sha256>", ...}.
//
// A key of a real object that could be mistaken for such a reference ($blob, $$blob, ...) gets one more $ on the way out
// and loses it on the way in. A blob is on disk for good, and so is its name in the folder, before a record names it (E1).

import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, withoutWaiting } from "../files/present.ts";

/** A text is long when its UTF-8 takes more bytes than this. */
export const longText = 8 * 1024;

/** Stands in the JSON of every value that holds a reference, or a key that could be mistaken for one. */
export const blobMark = '$blob"';

export interface Blob {
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * Takes the long texts out of a value that came from JSON; `json` is its text, and often all that is needed. Gives the JSON
 * with references in the place of long texts.
 */
export function extract(value: unknown, json: string): { readonly json: string; readonly blobs: readonly Blob[] } {
  if (!isLong(json) && !json.includes(blobMark)) return { json, blobs: [] };
  const blobs: Blob[] = [];
  const shorten = (text: string): unknown => (isLong(text) ? refer(text, blobs) : text);
  const escaped: Rebuild = (entries) => Object.fromEntries(entries.map(([key, item]) => [escapeKey(key), item]));
  return { json: JSON.stringify(mapJson(value, escaped, shorten)), blobs };
}

/** The names of the blobs a stored value refers to. */
export function namesIn(value: unknown): readonly string[] {
  const names: string[] = [];
  mapJson(value, (entries) => {
    const reference = asReference(entries);
    if (reference) names.push(reference.$blob);
    return null;
  });
  return names;
}

/** The long texts of entries. Each is held once: the record of every agent has the plan that it was given. */
export type KnownTexts = Map<string, string>;

/** Puts the long texts back. Every blob the value refers to must be in `blobs`. */
export function resolve(value: unknown, blobs: ReadonlyMap<string, Buffer>, known: KnownTexts): unknown {
  return mapJson(value, (entries) => {
    const reference = asReference(entries);
    if (!reference) return Object.fromEntries(entries.map(([key, item]) => [unescapeKey(key), item]));
    const bytes = blobs.get(reference.$blob);
    if (!bytes) throw new Error(`blob ${reference.$blob} was not loaded`);
    return heldOnce(bytes.toString(reference.encoding), known);
  });
}

/** The same value, with the known text in the place of each long text that is equal to it. */
export function withKnown<T>(value: T, known: KnownTexts): T {
  const same: Rebuild = (entries) => Object.fromEntries(entries);
  // The cast: a text is replaced by its equal.
  return mapJson(value, same, (text) => (isLong(text) ? heldOnce(text, known) : text)) as T;
}

function heldOnce(text: string, known: KnownTexts): string {
  const held = known.get(text) ?? text;
  known.set(held, held);
  return held;
}

/** Those that are whole, and what is wrong with each of the others. */
export async function loadBlobs(folder: string, names: Iterable<string>) {
  const whole = new Map<string, Buffer>();
  const bad = new Map<string, string>();
  const left = [...names];
  const worker = async (): Promise<void> => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      const blob = await loadBlob(join(folder, name), name);
      if (typeof blob === "string") bad.set(name, blob);
      else whole.set(name, blob);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return { whole, bad };
}

/** The bytes of a blob, or what is wrong with it. */
async function loadBlob(path: string, name: string): Promise<Buffer | string> {
  try {
    const bytes = await readFile(path, { flag: withoutWaiting });
    return hash("sha256", bytes) === name ? bytes : `names a text that is damaged (${path})`;
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return `names a text that is missing (${path})`;
    throw cause;
  }
}

interface Reference {
  readonly $blob: string;
  /** utf16le where the text has lone surrogates, which UTF-8 cannot carry. */
  readonly encoding: "utf8" | "utf16le";
}

/** What takes the place of an object with these fields. */
type Rebuild = (entries: readonly (readonly [string, unknown])[]) => unknown;

function mapJson(value: unknown, rebuild: Rebuild, text: (text: string) => unknown = (same) => same): unknown {
  if (typeof value === "string") return text(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapJson(item, rebuild, text));
  return rebuild(Object.entries(value).map(([key, item]) => [key, mapJson(item, rebuild, text)] as const));
}

function isLong(text: string): boolean {
  return text.length * 3 > longText && Buffer.byteLength(text) > longText;
}

function refer(text: string, blobs: Blob[]): Reference {
  const encoding = text.isWellFormed() ? "utf8" : "utf16le";
  const bytes = Buffer.from(text, encoding);
  const name = hash("sha256", bytes);
  blobs.push({ name, bytes });
  return { $blob: name, encoding };
}

const escapable = /^\$+blob$/;
const blobName = /^[0-9a-f]{64}$/;

function escapeKey(key: string): string {
  return escapable.test(key) ? `$${key}` : key;
}

function unescapeKey(key: string): string {
  return escapable.test(key) ? key.slice(1) : key;
}

function asReference(entries: readonly (readonly [string, unknown])[]): Reference | undefined {
  const { $blob, encoding } = Object.fromEntries(entries);
  if (typeof $blob !== "string" || !blobName.test($blob)) return undefined;
  return { $blob, encoding: encoding === "utf16le" ? "utf16le" : "utf8" };
}
