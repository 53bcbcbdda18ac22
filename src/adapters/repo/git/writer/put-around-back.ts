// Restores HEAD and everything around it after an agent (E3b, R6): branches, stashes, git's own files, a merge in progress. The files of the
// tree and the index stay as they are.

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Anchor, PutBack, State } from "../../../../core/flow/repository.ts";
import { type Checkout, readHead } from "../place/checkout.ts";
import { putFilesBack, type SavedFiles } from "../place/git-files.ts";
import { changedOutside, readOutside } from "../place/hooks.ts";
import { operationIn, putOperationBack } from "../place/operation.ts";
import { asideFolder } from "../place/put-aside.ts";
import { git } from "../process/run.ts";
import { tipRef } from "../tree/saved.ts";
import { missingAmong } from "../tree/trees.ts";
import { type Around, alternates, type Before, readAround, readSettings, savedAround, stashesIn } from "./around.ts";
import { makeIndex, makeUsable, refuseForgotten } from "./make-usable.ts";
import { type Moves, putHeadBack } from "./put-head-back.ts";

export interface AroundBack {
  readonly back: Omit<PutBack, "files" | "staged">;
  /** The index itself as it was given, when it had conflicts. */
  readonly conflicts: string | undefined;
  /** For `seeBehindIndex`. */
  readonly before: Before;
  /** For `findSwitches`. */
  readonly moves: Moves;
}

export async function putAroundBack(checkout: Checkout, given: Anchor, name: string): Promise<AroundBack> {
  const broken = await makeUsable(checkout, given);
  const before = await savedAround(checkout, given);
  const [head, now] = await Promise.all([readHead(checkout), readAround(checkout, before)]);
  const own = ownOperation(checkout, before);
  // git reads its configuration whenever it is asked anything.
  const { refs, refsLost, settings, refsKept, ...kept } = await putSettingsBack(
    checkout,
    { before, now, broken },
    name,
  );
  const index = await makeIndex(checkout, given, broken);
  await refuseForgotten(checkout, given);
  const moves = { head, before, now };
  const heads = await putHeadBack(checkout, given, moves, name);
  const operation = before === undefined ? [] : await putOperationBack(checkout, before.operation);
  const back = {
    ...heads,
    refs: [...heads.refs, ...refs],
    ...allLost(heads.refsLost, refsLost),
    ...kept,
    settings: [...settings, ...index, ...(own === undefined ? operation : [])],
    ...(own === undefined ? {} : { operation: own }),
    refsKept: [...heads.refsKept, ...refsKept],
  };
  return { back, conflicts: before?.conflicts, before: before ?? {}, moves };
}

/** Settings outside the repository before a check. */
const outsideAt = new WeakMap<SavedFiles, readonly string[]>();

/** Before a check. */
export async function gitFiles(checkout: Checkout): Promise<SavedFiles> {
  const [files, outside] = await Promise.all([readSettings(checkout), readOutside(checkout)]);
  if (outside !== undefined) outsideAt.set(files, outside);
  return files;
}

/** After a check: what it did to branches and stashes stays. */
export async function restoreGitFiles(
  checkout: Checkout,
  { since, files }: { readonly since: State; readonly files: SavedFiles },
  name: string,
): Promise<Pick<PutBack, "settings" | "settingsKept" | "outside">> {
  const broken = await makeUsable(checkout, since);
  const now = await readSettings(checkout, files);
  const put = await putFilesBack(checkout.commonDir, withAddedAlternates(files, now), now);
  const settings = [...new Set([...broken, ...put, ...(await makeIndex(checkout, since, broken))])];
  const outside = await namedOutside(checkout, outsideAt.get(files));
  return { settings, ...(await keepSettings(checkout, { settings, now }, name)), ...outside };
}

/** A merge or rebase that was not there before it began. One that was there is the person's, and is put back as it was. */
function ownOperation(checkout: Checkout, before: Around | undefined): string | undefined {
  const isTheirs = before === undefined || Object.keys(before.operation).length > 0;
  return isTheirs ? undefined : operationIn(checkout)?.command;
}

export function allLost(...lists: readonly (readonly string[] | undefined)[]): Pick<PutBack, "refsLost"> {
  const all = lists.flatMap((list) => list ?? []);
  return all.length === 0 ? {} : { refsLost: all };
}

interface Changed {
  readonly before: Around | undefined;
  readonly now: Around;
  /** Files that were recreated already. */
  readonly broken: readonly string[];
}

/** Stashes and git's own files. */
export async function putSettingsBack(
  checkout: Checkout,
  { before, now, broken }: Changed,
  name: string,
): Promise<Pick<PutBack, "refs" | "refsLost" | "settings" | "settingsKept" | "outside" | "refsKept">> {
  if (before === undefined) return { refs: [], settings: broken, refsKept: [] };
  const wanted = withAddedAlternates(before.settings, now.settings);
  const put = await putFilesBack(checkout.commonDir, wanted, now.settings);
  const settings = [...new Set([...broken, ...put])];
  const refsKept = await keepStashes(checkout, { before, now }, name);
  const stash = await putStashesBack(checkout, before, now);
  const settingsKept = await keepSettings(checkout, { settings, now: now.settings }, name);
  return { ...stash, settings, ...settingsKept, ...(await namedOutside(checkout, before.outside)), refsKept };
}

async function namedOutside(
  checkout: Checkout,
  before: readonly string[] | undefined,
): Promise<Pick<PutBack, "outside">> {
  const outside = await changedOutside(checkout, before);
  return outside.length === 0 ? {} : { outside };
}

/** A list of stashes that are gone would be a broken one. */
async function putStashesBack(
  { root, commonDir }: Checkout,
  before: Around,
  now: Around,
): Promise<Pick<PutBack, "refs" | "refsLost">> {
  const known = new Set(stashesIn(now));
  const missing = await missingAmong(
    root,
    stashesIn(before).filter((sha) => !known.has(sha)),
  );
  if (missing.size > 0) return { refs: [], refsLost: ["stash"] };
  const changed = await putFilesBack(commonDir, before.stash, now.stash);
  return { refs: changed.length === 0 ? [] : ["stash"] };
}

/** Commits that an agent made may need the objects of a repository that it borrows from: that one stays, and those before it come back. */
function withAddedAlternates(before: SavedFiles, now: SavedFiles): SavedFiles {
  const linesOf = (files: SavedFiles) => files[alternates]?.text?.split("\n").filter(Boolean) ?? [];
  const was = linesOf(before);
  const added = linesOf(now).filter((line) => !was.includes(line));
  if (added.length === 0) return before;
  const text = [...was, ...added].map((line) => `${line}\n`).join("");
  return { ...before, [alternates]: { ...now[alternates], text } };
}

/** A file that goes may be the person's, from the same moment. It is kept beside the run's journal. */
async function keepSettings(
  checkout: Checkout,
  { settings, now }: { readonly settings: readonly string[]; readonly now: SavedFiles },
  name: string,
): Promise<Pick<PutBack, "settingsKept">> {
  const left = settings.filter((path) => now[path]?.text !== undefined);
  if (left.length === 0) return {};
  const settingsKept = join(asideFolder(checkout), name);
  for (const path of left) {
    const file = join(settingsKept, path);
    await mkdir(dirname(file), { recursive: true });
    // A configuration may hold secrets, and what an agent left as a hook is not to be run by accident.
    await writeFile(file, now[path]?.text ?? "", { encoding: "latin1", mode: 0o600 });
  }
  return { settingsKept };
}

/** A stash that goes may hold the only copy of somebody's work. */
async function keepStashes(
  checkout: Checkout,
  { before, now }: { readonly before: Around; readonly now: Around },
  name: string,
): Promise<readonly string[]> {
  const known = new Set(stashesIn(before));
  const made = stashesIn(now).filter((sha) => !known.has(sha));
  const refs = made.map((_, nth) => tipRef(checkout, `${name}-stash`, nth));
  const lines = made.map((sha, nth) => `update ${refs[nth]} ${sha}\n`);
  if (lines.length > 0) await git(checkout.root, ["update-ref", "--stdin"], { input: lines.join("") });
  return refs;
}
