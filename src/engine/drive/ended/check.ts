// A check (E3b, T6): what it does to the tree, to what is staged, to HEAD and to git's own files is undone, also when it is stopped. Its
// receipt is for the tree it was given.

import type { CheckOutcome } from "../../../core/flow/check.ts";
import type { CheckRequest } from "../../../core/flow/flow.ts";
import { outsideText, settingsText } from "../../../core/flow/put-back.ts";
import { type Anchor, type Head, isSameState, type State } from "../../../core/flow/repository.ts";
import type { Journal, Recalled } from "../../../ports/journal.ts";
import type { Place } from "../../../ports/place.ts";
import type { Repo } from "../../../ports/repo.ts";
import { warnBeside } from "../../asking/asides.ts";
import { type Halt, Suspended } from "../halt.ts";
import { note } from "../recorder.ts";
import { processId, refName } from "../requests.ts";
import type { World } from "../world.ts";
import { stagedBetween, tellUndone, type Undone } from "./interrupted.ts";

interface Checking {
  readonly world: World;
  readonly place: Place;
  readonly halt: Halt;
  readonly key: string;
  /** Of its begin record. */
  readonly seq: number;
  readonly given: Anchor;
}

/** After "The". */
export const checkWords = ({ command }: CheckRequest): string => `check \`${command}\``;

export async function runCheck(request: CheckRequest, checking: Checking): Promise<CheckOutcome> {
  const { world, place, halt, seq, given } = checking;
  const { command, tests, only = [] } = request;
  const { repo } = place;
  const name = refName(checking);
  const gitFiles = await repo.gitFiles();
  const folder = world.dispatches.folder(processId({ seq, request }));
  const ran = await place.checks.run(command, halt.now, { tests: tests === true, only, folder });
  // git reads them whenever it is asked anything.
  const { settings, ...kept } = await repo.restoreGitFiles(given, gitFiles, name);
  const git = { ...(settings.length === 0 ? {} : { settings }), ...kept };
  const { left, undone } = await undo(repo, given, name);
  // A check that was stopped says nothing about the tree: it runs again when the run is resumed.
  if (halt.now.aborted) return await stop(request, checking, { git, undone });
  const passed = ran.exitCode === 0 && ran.signal === null && !ran.timedOut;
  if (undone === undefined) return { ...ran, ...git, tree: left.tree, passed };
  const isStill = (await repo.tree()) === given.tree;
  return { ...ran, ...git, tree: isStill ? given.tree : null, passed, ...namesOf(given, left, undone) };
}

interface Found {
  /** What it left. */
  readonly left: State;
  /** Not there when that is what it was given. */
  readonly undone: CheckUndone | undefined;
}

interface CheckUndone extends Undone {
  /** All that was changed. */
  readonly changed: readonly string[];
}

/** What no tree can hold may stand in the place of a file, and the tree be the same. */
async function undo(repo: Repo, given: Anchor, name: string): Promise<Found> {
  const left = await repo.look();
  const isNew = (path: string): boolean => !given.leftAlone.includes(path);
  const added = left.leftAlone.filter(isNew);
  if (isSameState(left, given) && added.length === 0) return { left, undone: undefined };
  const [files, staged] = await Promise.all([
    left.tree === given.tree ? [] : repo.difference(given.tree, left.tree),
    stagedBetween(repo, given, left),
  ]);
  const withFiles = { ...left, tree: given.tree, closed: closedOnce(files, given, left) };
  const isOfFiles = isSameState(withFiles, given) && added.length === 0;
  const back = isOfFiles ? await repo.restoreFiles(given, files, name) : await repo.restore(given, name);
  // Somebody may have gone on after it was looked at: whatever was taken from the tree is named.
  const changed = [...new Set([...files, ...back.restored])];
  return { left, undone: { ...back, changed, staged: staged.filter((path) => !changed.includes(path)) } };
}

/** The modes once these files are restored. */
function closedOnce(files: readonly string[], { closed = {} }: State, left: State): NonNullable<State["closed"]> {
  const back = Object.entries(closed).filter(([path]) => files.includes(path));
  return { ...left.closed, ...Object.fromEntries(back) };
}

function namesOf(given: Anchor, { sha, branch }: Head, undone: CheckUndone): Partial<CheckOutcome> {
  const { changed, staged, backupRef, asideIn, meanwhile } = undone;
  const leftAlone = undone.leftAlone.filter((path) => !given.leftAlone.includes(path));
  const isMoved = sha !== given.sha || branch !== given.branch;
  return {
    changed,
    ...(isMoved ? { movedTo: { sha, branch } } : {}),
    backupRef,
    ...(staged.length === 0 ? {} : { staged }),
    ...(leftAlone.length === 0 ? {} : { leftAlone }),
    ...(asideIn === undefined ? {} : { filesKept: asideIn }),
    ...(meanwhile ? { meanwhile } : {}),
  };
}

interface Stopped {
  readonly git: Pick<CheckOutcome, "settings" | "settingsKept" | "outside">;
  readonly undone: Undone | undefined;
}

/** Names what was undone here: it has no outcome to say so. What is changed from now on is the person's. */
async function stop(request: CheckRequest, { world, key, given }: Checking, { git, undone }: Stopped): Promise<never> {
  const past = world.journal.recall(key);
  if (past !== undefined && undone !== undefined)
    await tellUndone(world, { key, past: { ...past, anchor: given }, role: checkWords(request) }, undone);
  const texts = { settings: settingsText(git), outside: outsideText(git) };
  for (const [what, text] of Object.entries(texts))
    if (text !== false) await warnBeside(world, `The ${checkWords(request)} ${text}`, `${key}-${past?.seq}-${what}`);
  await note(world, key, { type: "gone", at: world.clock.now() });
  throw new Suspended();
}

/** Whether its last try was stopped, and what it did was undone then. */
export const wasUndone = ({ entries }: Journal, key: string, { seq }: Pick<Recalled, "seq">): boolean =>
  entries.slice(seq).some((entry) => entry.type === "note" && entry.key === key && entry.note.type === "gone");
