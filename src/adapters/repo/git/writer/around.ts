// Everything besides HEAD, files and index that an agent with a shell can change (E3b): branches, tags, stashes, and git's configuration, hooks
// and rules of this clone. It is read from git's own files, without a process, and kept beside the run's journal under a name made from its
// content, so that a state that has not changed costs nothing.
//
// If refs are in another format than files, git is asked for branches, and stashes are not restored.

import { createHash } from "node:crypto";
import { type Dirent, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Anchor } from "../../../../core/flow/repository.ts";
import { refuseReplaced } from "../../../files/git-identity.ts";
import { readIfPresent } from "../../../files/present.ts";
import { identity, statOf } from "../capture/file-identity.ts";
import { type Checkout, readText } from "../place/checkout.ts";
import { isMovedAway, readFiles, type SavedFiles } from "../place/git-files.ts";
import { readHooks, readOutside } from "../place/hooks.ts";
import { readOperation } from "../place/operation.ts";
import { toText } from "../process/paths.ts";
import { git } from "../process/run.ts";
import type { Identities } from "../tree/unsaved.ts";

/** What is known of index and files that were given, beside their trees. */
export interface Before {
  /** Entries that git does not compare with their files, as `capture` gives them. */
  readonly flagged?: readonly string[] | undefined;
  readonly index?: { readonly hash: string; readonly identity: string } | undefined;
  /** As `announcedIn` gives them. */
  readonly announced?: readonly string[] | undefined;
  /** Of what is in no tree. */
  readonly unsaved?: Identities | undefined;
}

export const identityOfIndex = ({ gitDir }: Checkout): string => identity(statOf(join(gitDir, "index")));

export interface Around extends Before {
  /** Branches of this repository and of others, tags, notes and replacements, by their full names in bytes. */
  readonly refs: Readonly<Record<string, string>>;
  readonly stash: SavedFiles;
  readonly settings: SavedFiles;
  /** Settings of git outside the repository; not there when git does not say. */
  readonly outside?: readonly string[];
  /** A merge, rebase or similar in progress. */
  readonly operation: SavedFiles;
  /** The index itself, as bytes, when it has conflicts: then no tree holds what is staged. */
  readonly conflicts?: string;
}

/** Gives the name under which it is kept. */
export async function saveAround(checkout: Checkout, around: Around): Promise<string> {
  const text = JSON.stringify(around);
  const name = nameOf(text);
  const file = fileOf(checkout, name);
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    // A configuration may hold secrets.
    writeFileSync(file, text, { mode: 0o600 });
  }
  if (!savedTimes.has(file)) savedTimes.set(file, await timeOf(file));
  remember(file, text);
  return name;
}

const nameOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 40);

/** By file. An agent can change or touch the file, but not these. */
const savedTimes = new Map<string, bigint>();
const savedTexts = new Map<string, string>();
/** Agents at work are compared with one of the last; each may be large. */
const mostTexts = 8;

function remember(file: string, text: string): void {
  savedTexts.delete(file);
  savedTexts.set(file, text);
  for (const oldest of [...savedTexts.keys()].slice(0, -mostTexts)) savedTexts.delete(oldest);
}

/** The disk's time at which it was saved first, or earlier. */
export async function savedNs(checkout: Checkout, { around }: Anchor): Promise<bigint> {
  if (around === undefined) return 0n;
  const file = fileOf(checkout, around);
  return savedTimes.get(file) ?? (await timeOf(file));
}

async function timeOf(file: string): Promise<bigint> {
  return (await stat(file, { bigint: true }).catch(() => undefined))?.mtimeNs ?? 0n;
}

/** As it was at the anchor; undefined when it is not known any more. */
export async function savedAround(checkout: Checkout, { around }: Anchor): Promise<Around | undefined> {
  if (around === undefined) return undefined;
  const file = fileOf(checkout, around);
  const text = savedTexts.get(file) ?? (await readIfPresent(file).catch(() => undefined)) ?? "";
  return nameOf(text) === around ? (JSON.parse(text) as Around) : undefined;
}

const fileOf = ({ commonDir, runId }: Checkout, name: string): string =>
  join(commonDir, "superteam", "runs", runId, "around", `${name}.json`);

/** `before`: what it will be compared with, if anything. */
export async function readAround(checkout: Checkout, before?: Around): Promise<Around> {
  const { commonDir } = checkout;
  await refuseReplaced(checkout.identity);
  // What is compared is asked for once git's configuration is back.
  const outside = before === undefined ? await readOutside(checkout) : undefined;
  return {
    refs: await readRefs(checkout),
    stash: readFiles(commonDir, ["refs/stash", "logs/refs/stash"]),
    settings: await readSettings(checkout, before?.settings),
    operation: readOperation(checkout),
    ...(outside === undefined ? {} : { outside }),
  };
}

/** `before`: what they will be compared with, if anything. */
export async function readSettings(checkout: Checkout, before?: SavedFiles): Promise<SavedFiles> {
  const { commonDir } = checkout;
  const hooks = entriesIn(join(commonDir, "hooks")).map(({ name }) => name);
  const used = hooks.filter((name) => !name.endsWith(".sample") && !isMovedAway(name));
  const names = used.map((name) => `hooks/${name}`).sort();
  const own = readFiles(commonDir, [...settingFiles, ...linkedFiles(checkout), ...names]);
  return { ...own, ...(await readHooks(checkout, before)) };
}

/** Repositories whose objects this one borrows. */
export const alternates = "objects/info/alternates";

/** What is ignored, shown in a diff or checked out is said in `info/`, which no commit has. */
const ownOfTree = ["config.worktree", "info/sparse-checkout"];
const settingFiles = ["config", ...ownOfTree, "info/attributes", "info/exclude", "info/grafts", alternates, "shallow"];

/** A linked worktree has some of them in a folder of its own. */
function linkedFiles({ gitDir, commonDir }: Checkout): readonly string[] {
  const folder = relative(commonDir, gitDir);
  return folder.startsWith("worktrees/") ? ownOfTree.map((name) => `${folder}/${name}`) : [];
}

/** What is put back. */
export const ownRefs = ["refs/heads", "refs/tags", "refs/notes", "refs/replace"];
const watched = [...ownRefs, "refs/remotes"];

async function readRefs({ root, commonDir, gitDir }: Checkout): Promise<Record<string, string>> {
  const head = readText(join(gitDir, "HEAD"));
  if (head.includes("refs/heads/.invalid")) {
    const listed = await git(root, ["for-each-ref", "--format=%(objectname) %(refname)", ...watched]);
    return sorted(listed.split("\n").filter(Boolean));
  }
  const packed = readText(join(commonDir, "packed-refs")).split("\n");
  const lines = packed.filter((line) => watched.some((folder) => line.includes(` ${folder}/`)));
  const loose = watched.flatMap((folder) => looseRefs(commonDir, folder));
  return sorted([...lines, ...loose]);
}

/** `<hash> <name>` each; of one name the last counts. */
function sorted(lines: readonly string[]): Record<string, string> {
  const refs = new Map(lines.map((line) => [line.slice(line.indexOf(" ") + 1), line.slice(0, line.indexOf(" "))]));
  return Object.fromEntries([...refs].sort());
}

/** Whether a ref is only another name for one. */
export const isSymbolic = (at: string | undefined): boolean => at?.startsWith("@") ?? false;

const refText = /^(?:([0-9a-f]{40,64})|ref: (refs\/\S+))\n$/;

/** Whether this is what git has in the file of a ref. */
export const isRefText = (text: string): boolean => refText.test(text);

function looseRefs(commonDir: string, folder: string): readonly string[] {
  return entriesIn(join(commonDir, toText(folder))).flatMap((entry): readonly string[] => {
    const name = `${folder}/${Buffer.from(entry.name).toString("latin1")}`;
    if (entry.isDirectory()) return looseRefs(commonDir, name);
    const text = readText(join(commonDir, toText(name)));
    const [, sha, other] = refText.exec(text) ?? [];
    if (sha === undefined && other === undefined) return [];
    return [`${sha ?? `@${other}`} ${name}`];
  });
}

/** The log has a line for each: the commit before it, its own, and who made it when. */
export function stashesIn({ stash }: Around): readonly string[] {
  const lines = stash["logs/refs/stash"]?.text?.split("\n") ?? [];
  return lines.flatMap((line) => /^[0-9a-f]+ ([0-9a-f]+) /.exec(line)?.[1] ?? []);
}

/** Nothing where there is no such folder. */
export function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
