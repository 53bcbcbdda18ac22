// Undoes what an interrupted agent or check did to the tree, to what is staged and around them (E3). The person is asked first if they
// seem to have worked since.

import { readerTexts } from "../../../core/flow/put-back.ts";
import type { Question } from "../../../core/flow/question.ts";
import {
  type Anchor,
  type Head,
  isSameState,
  type RestoreOutcome,
  type State,
  stagedIn,
} from "../../../core/flow/repository.ts";
import { listed } from "../../../core/text/format.ts";
import type { Note, Recalled } from "../../../ports/journal.ts";
import type { Repo } from "../../../ports/repo.ts";
import { warnBeside } from "../../asking/asides.ts";
import { putTextsBack } from "../given-documents.ts";
import { note, type Recording } from "../recorder.ts";
import { processId, refName } from "../requests.ts";
import type { World } from "../world.ts";

/** An agent or a check that was begun and has no outcome. */
export interface Interrupted {
  readonly key: string;
  readonly past: Recalled;
  /** Who it was, as a sentence says it after "The". */
  readonly role: string;
}

export function noteUndone(world: Recording, key: string, files: readonly string[], backupRef: string): Promise<void> {
  return note(world, key, { type: "undone", files: files.slice(0, 100), backupRef });
}

/** Takes back what an interrupted agent or check did, unless the person wants to keep it. */
export async function undoInterrupted(
  world: World,
  work: Interrupted,
  ask: (question: Question) => Promise<string>,
): Promise<void> {
  const { anchor, place: id } = work.past;
  if (anchor === undefined) return;
  const place = await world.places.at(id);
  await undoAround(world, place.repo, { ...work, anchor });
  const isUndone = await undoFiles(world, place.repo, { ...work, anchor }, ask);
  // A branch that HEAD was on can go only now.
  await undoAround(world, place.repo, { ...work, anchor });
  if (isUndone) await putTextsBack(world, place, { key: work.key, ...work.past }, "undone");
}

/** What the agent did to branches, stashes and git's own files is named. It stays when nobody knows when the agent ended: it may be the person's. */
async function undoAround(world: World, repo: Repo, work: Interrupted & { readonly anchor: Anchor }): Promise<void> {
  const goneAt = await whenGone(world, work);
  const { key, past, role, anchor } = work;
  const warn = (text: string): Promise<void> => warnBeside(world, text, `${key}-${past.seq}-${text}`);
  if (goneAt === undefined) {
    const changed = await repo.changedAround(anchor);
    if (changed === undefined) return await warn(unknownText(role));
    return changed.length === 0 ? undefined : await warn(undatedText(role, changed));
  }
  const back = await repo.undoAround(anchor, goneAt, `${refName({ key, seq: past.seq })}-interrupted`);
  if (back === undefined) return await warn(unknownText(role));
  for (const text of readerTexts(role, back)) await warn(text);
}

function undatedText(role: string, changed: readonly string[]): string {
  const what =
    "Changes since its start to branches, tags, stashes, git's own files or files that superteam cannot restore were kept";
  return `It is unknown when the ${role} ended. ${what}, because they may be yours: ${listed(changed)}. Check them.`;
}

function unknownText(role: string): string {
  const what = "branches, tags, stashes and git's own files (configuration, hooks)";
  return `The state of ${what} before the ${role} began is lost, so its changes to them stay. Check them: git branch -a, git config --list --local, ls .git/hooks`;
}

/** False when the person wants to keep what is there. */
async function undoFiles(
  world: World,
  repo: Repo,
  work: Interrupted & { readonly anchor: Anchor },
  ask: (question: Question) => Promise<string>,
): Promise<boolean> {
  const { anchor } = work;
  const isNew = (path: string): boolean => !anchor.leftAlone.includes(path);
  const now = await repo.look();
  if (isSameState(now, anchor) && !now.leftAlone.some(isNew)) return true;
  const goneAt = await whenGone(world, work);
  const seen = await signOfPerson(repo, anchor, goneAt);
  const changed = seen === undefined ? [] : await changedSince(repo, anchor, now);
  if (seen !== undefined && (await ask(restoreQuestion(work, { seen, changed, head: now }))) === "keep") return false;
  const undone = await repo.restore(anchor, `${refName({ key: work.key, seq: work.past.seq })}-interrupted`);
  await tellUndone(world, work, { ...undone, staged: await stagedBetween(repo, anchor, now) });
  return true;
}

export interface Undone extends RestoreOutcome {
  /** Paths that were staged otherwise. */
  readonly staged: readonly string[];
}

/** Names what was taken back of interrupted work, and what it left. */
export async function tellUndone(
  world: Recording,
  { key, past: { seq, anchor }, role }: Interrupted,
  { restored, moved, backupRef, ...undone }: Undone,
): Promise<void> {
  if (restored.length > 0 || moved) await noteUndone(world, key, restored, backupRef);
  const { filesLost, opened = [] } = undone;
  const isNamed = (path: string): boolean =>
    anchor?.leftAlone.includes(path) || filesLost?.files.includes(path) || false;
  const beside = {
    staged: undone.staged.filter((path) => !restored.includes(path)),
    leftAlone: undone.leftAlone.filter((path) => !isNamed(path)),
    opened,
    ...(filesLost === undefined ? {} : { filesLost }),
    ...(undone.asideIn === undefined ? {} : { filesKept: undone.asideIn }),
    ...(undone.meanwhile ? { meanwhile: undone.meanwhile } : {}),
  };
  const around = { refs: [], settings: [], pushed: [], refsKept: [backupRef], ...beside };
  for (const text of readerTexts(role, around)) await warnBeside(world, text, `${key}-${seq}-${text}`);
}

/** Paths of which something else is staged. */
export async function stagedBetween(repo: Repo, one: State, other: State): Promise<readonly string[]> {
  const [from, to] = [stagedIn(one), stagedIn(other)];
  return from === undefined || to === undefined || from === to ? [] : await repo.difference(from, to);
}

/** On another branch, what that branch has committed is no change. */
async function changedSince(repo: Repo, anchor: Anchor, now: State): Promise<readonly string[]> {
  const files = await repo.difference(anchor.tree, now.tree);
  const changed = [...new Set([...files, ...(await stagedBetween(repo, anchor, now))])];
  if (now.branch === anchor.branch) return changed;
  const uncommitted = new Set(await repo.difference(now.sha, now.tree));
  return changed.filter((path) => uncommitted.has(path));
}

async function signOfPerson(repo: Repo, anchor: Anchor, goneAt: number | undefined): Promise<string | undefined> {
  const sign = await repo.personAtWork(anchor, goneAt ?? Number.POSITIVE_INFINITY);
  if (sign !== undefined || goneAt !== undefined) return sign;
  return "it is unknown when the agent ended, so some of these changes may be yours";
}

/** When the last of the agent's processes was gone, if known. */
async function whenGone(world: World, { past }: Interrupted): Promise<number | undefined> {
  const gone = ofLastTry(past).findLast(({ type }) => type === "gone");
  if (gone?.type === "gone") return gone.at;
  return world.dispatches.goneAt(processId(past));
}

/** What was noted since the last process was started: earlier tries have had their own end. */
function ofLastTry({ notes }: Recalled): readonly Note[] {
  return notes.slice(notes.findLastIndex(({ type }) => type === "spawned") + 1);
}

interface Found {
  /** The sign that the person has been at work. */
  readonly seen: string;
  readonly changed: readonly string[];
  readonly head: Head;
}

/** Nobody can tell whose changes and commits these are: the person who keeps the tree keeps them too, and must know which. */
function restoreQuestion({ role, past: { anchor } }: Interrupted, { seen, changed, head }: Found): Question {
  const from = anchor?.sha.slice(0, 7);
  const back = `git switch ${anchor?.branch ?? `--detach ${from}`}`;
  const isMoved = anchor !== undefined && anchor.sha !== head.sha;
  const isElsewhere = anchor !== undefined && anchor.branch !== head.branch;
  return {
    id: "run.restore",
    kind: "select",
    title: "Interrupted work",
    message: [
      `The ${role} was interrupted and is about to start again from the tree it was given (${from}).`,
      `But you seem to have worked here since: ${seen.replace(/\.$/, "")}.`,
      ...(changed.length > 0 ? [`Changed since then, by the agent or by you: ${listed(changed)}.`] : []),
      ...(isElsewhere
        ? [`HEAD is on ${head.branch ?? "no branch"} now. If you want to keep the tree, go back first: ${back}`]
        : []),
      ...(isMoved ? [`There are commits since, the agent's or yours: git log ${from}..HEAD shows them.`] : []),
      "The current state is kept under refs/superteam either way.",
    ].join("\n"),
    options: [
      { key: "undo", label: "Go back to that tree", hint: "your changes since are kept under a ref" },
      { key: "keep", label: "Keep the tree as it is", hint: "it starts from what is there now" },
    ],
  };
}
