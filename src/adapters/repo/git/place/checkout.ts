// The working tree that one run works on, and where its HEAD stands.

import { join } from "node:path";
import type { Head } from "../../../../core/flow/repository.ts";
import type { GitIdentity } from "../../../files/git-identity.ts";
import { firstBytes } from "../../../files/small-file.ts";
import { type BytePath, toText } from "../process/paths.ts";
import { git } from "../process/run.ts";
import type { WorkingTree } from "./locate.ts";

export interface Checkout extends WorkingTree {
  readonly runId: string;
  /** Of git's folders when the checkout was opened. */
  readonly identity: GitIdentity;
  /** superteam's own files and the run's documents: in no tree, no restore, no task's commit. */
  readonly isHidden: (path: BytePath) => boolean;
  /** Folders that the run's documents are in. */
  readonly documentFolders: ReadonlySet<BytePath>;
}

/** From git's own files, without a process, where they are as they usually are. */
export async function readHead(place: WorkingTree): Promise<Head> {
  const text = readText(join(place.gitDir, "HEAD"));
  const [, name] = /^ref: refs\/heads\/(.+)\n$/.exec(text) ?? [];
  if (name === undefined) return isHash(text) ? { sha: text.trim(), branch: null } : await askHead(place.root);
  const found = readRef(place, `refs/heads/${name}`);
  return found === undefined ? await askHead(place.root) : { sha: found, branch: toText(name) };
}

/** undefined where there is none, or where it is not in a file of its own or in the list of refs. */
export function readRef(place: WorkingTree, ref: string): string | undefined {
  const loose = readText(join(place.commonDir, toText(ref)));
  if (loose === "") return packedRef(place, ref);
  return isHash(loose) ? loose.trim() : undefined;
}

/**
 * Bytes; empty when there is no such file. An agent may have put a pipe or a device in its place: nobody reads one. Read in one go: git's own files
 * are small, and a thread that reads one takes longer to wake than the reading takes.
 */
export function readText(path: string): string {
  try {
    return firstBytes(path, Number.POSITIVE_INFINITY).toString("latin1");
  } catch {
    return "";
  }
}

const isHash = (text: string): boolean => /^[0-9a-f]{40,64}\n$/.test(text);

export function packedRef({ commonDir }: WorkingTree, ref: string): string | undefined {
  const line = readText(join(commonDir, "packed-refs"))
    .split("\n")
    .find((each) => each.endsWith(` ${ref}`));
  return line?.slice(0, line.indexOf(" "));
}

export async function askHead(root: string): Promise<Head> {
  const [sha = "", name = ""] = (await git(root, ["rev-parse", "HEAD", "--symbolic-full-name", "HEAD"])).split("\n");
  return { sha, branch: name.startsWith("refs/heads/") ? toText(name.slice(11)) : null };
}

/** Moves what HEAD points to, if it is still where it was. Files and index stay. */
export async function moveHead(root: string, to: string, from: string): Promise<void> {
  await git(root, ["update-ref", "-m", "superteam", "HEAD", to, from]);
}

/** Puts HEAD on this branch, or on the commit where there was none. The branch itself, files and index stay. */
export async function pointHead(root: string, { sha, branch }: Head): Promise<void> {
  const why = ["-m", "superteam: back to where it began"];
  if (branch === null) await git(root, ["update-ref", ...why, "--no-deref", "HEAD", sha]);
  else await git(root, ["symbolic-ref", ...why, "HEAD", `refs/heads/${branch}`]);
}

/** `refs/superteam/<run>/<name>`; whatever a ref may not hold is percent-encoded, so that names stay apart. */
export function refFor(runId: string, name: string): string {
  return `refs/superteam/${encode(runId)}/${encode(name)}`;
}

function encode(part: string): string {
  const encoded = encodeURIComponent(part.toWellFormed());
  return encoded.replace(/[.!~*'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
