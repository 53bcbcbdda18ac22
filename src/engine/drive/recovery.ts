// Cleans up after an earlier process of the run: agents that still run are ended, and what an interrupted agent did to
// the tree is undone. The person is asked first if they seem to have worked since.

import { startPlace } from "../../core/flow/flow.ts";
import { asideFact } from "../../core/flow/keys.ts";
import { leftTexts, readerTexts } from "../../core/flow/put-back.ts";
import type { Question } from "../../core/flow/question.ts";
import type { Anchor, Head } from "../../core/flow/repository.ts";
import { reservationUsd } from "../../core/money/reservation.ts";
import { count, listed, usd } from "../../core/text/format.ts";
import type { Leftovers } from "../../ports/agents.ts";
import type { Entry, Journal, Note, Recalled } from "../../ports/journal.ts";
import type { Repo } from "../../ports/repo.ts";
import type { Dispatches } from "../../ports/runs.ts";
import { openKeys, warnBeside } from "../asking/asides.ts";
import { type PriceSources, soundTurn } from "../money/pricing.ts";
import type { Tally } from "../money/tally.ts";
import { dispatchId } from "./dispatching.ts";
import { putTextsBack } from "./given-documents.ts";
import { note, type Recording } from "./recorder.ts";
import { refName } from "./requests.ts";
import type { World } from "./world.ts";

/** Where traces of agents from earlier lives are found. */
export interface Traces extends Recording, Pick<PriceSources, "history"> {
  readonly clock: Pick<World["clock"], "now">;
  readonly agents: Leftovers & PriceSources["agents"];
  readonly dispatches: Pick<Dispatches, "folder" | "besides">;
}

/** Before anything new, also before the end: no agent of an earlier life runs, and what each has used is in the ledger. */
export async function settleEarlierLives(world: Traces, tally: Tally): Promise<void> {
  const open = openDispatches(world.journal);
  for (const interrupted of open) await endLeftovers(world, interrupted);
  for (const interrupted of open) await settleAccounts(world, tally, interrupted);
  await countLost(world, tally);
}

/** M2: what a damaged journal no longer names was paid for all the same. */
async function countLost(world: Traces, tally: Tally): Promise<void> {
  const { entries } = world.journal;
  const named = entries.flatMap((entry) =>
    entry.type === "begin" && entry.request.do === "dispatch" ? [dispatchId(entry.seq, entry.request.role)] : [],
  );
  const counted = new Set(entries.flatMap((entry) => (entry.type === "note" ? [entry.key] : [])));
  const before = tally.spent.usd;
  const lost = (await world.dispatches.besides(new Set(named))).filter((id) => !counted.has(asideFact("lost", id)));
  for (const id of lost) {
    const role = /^\d+-(.+?)(?:-lost-.*)?$/.exec(id)?.[1] ?? id;
    await enterRecount(world, tally, {
      key: asideFact("lost", id),
      role,
      folder: world.dispatches.folder(id),
      noted: 0,
    });
  }
  const amount = tally.spent.usd - before;
  if (amount > 0) world.watch({ type: "told", text: lostText(lost.length, amount) });
}

function lostText(dispatches: number, amount: number): string {
  const what = `The journal no longer has ${count(dispatches, "agent call")} that cost ${usd(amount)}.`;
  return `${what} It is counted as spent, and their work may have to be paid for again.`;
}

/**
 * What a life put back just before it was killed is named now: it had no time to say so. Refs tell what it was. Where somebody has
 * changed a file since, that is not it.
 */
export async function nameTakenBack(world: World): Promise<void> {
  for (const key of openKeys(world.journal)) {
    const past = world.journal.recall(key);
    // In a place of its own there is nothing of the person's, and it may be gone.
    if (past?.place !== startPlace || !puttingBack.includes(past.request.do)) continue;
    const { repo } = await world.places.at(past.place);
    const kept = (await repo.takenBack(refName({ key, seq: past.seq }))).filter(({ ref }) => !isNamed(past, ref));
    for (const { ref, tree } of kept) {
      const gone = await repo.difference(await repo.tree(), tree);
      const changed = past.anchor && new Set(await repo.difference(past.anchor.tree, tree));
      const files = gone.filter((path) => changed?.has(path) ?? true);
      if (files.length > 0) await noteUndone(world, key, files, ref);
    }
  }
}

const puttingBack: readonly string[] = ["dispatch", "check", "restore", "undo-work"];

const isNamed = ({ notes }: Pick<Recalled, "notes">, ref: string): boolean =>
  notes.some((one) => one.type === "undone" && one.backupRef === ref);

export function noteUndone(world: Recording, key: string, files: readonly string[], backupRef: string): Promise<void> {
  return note(world, key, { type: "undone", files: files.slice(0, 100), backupRef });
}

/** A dispatch that was begun and has no outcome. */
export interface Interrupted {
  readonly key: string;
  readonly past: Recalled;
  readonly role: string;
}

/** The one that was begun first comes first. */
export function openDispatches(journal: Journal): readonly Interrupted[] {
  return openKeys(journal).flatMap((key) => {
    const past = journal.recall(key);
    return past?.request.do === "dispatch" ? [{ key, past, role: past.request.role }] : [];
  });
}

/** Ends the processes of a dispatch, most of them long gone: nobody writes into the tree behind a resumed run. */
async function endLeftovers(world: Traces, { key, past, role }: Interrupted): Promise<void> {
  const marks = past.notes.flatMap((one) => (one.type === "spawned" ? [one.process] : []));
  const folder = world.dispatches.folder(dispatchId(past.seq, role));
  const ended = await Promise.all(marks.map((mark) => world.agents.end(mark, folder)));
  for (const text of new Set(ended.flatMap(({ strays }) => strays))) world.watch({ type: "told", text });
  if (ended.some(({ wasAlive }) => wasAlive)) await note(world, key, { type: "gone", at: world.clock.now() });
}

/** Enters what an interrupted agent used and superteam was killed before it could note. */
export async function settleAccounts(world: Traces, tally: Tally, { key, past, role }: Interrupted): Promise<void> {
  // Entries are counted from 1 without gaps.
  const since = world.journal.entries.slice(past.seq);
  const isNoted = (entry: Entry): boolean => entry.type === "note" && entry.key === key && entry.note.type === "usage";
  const noted = since.filter(isNoted).length;
  const folder = world.dispatches.folder(dispatchId(past.seq, role));
  await enterRecount(world, tally, { key, role, folder, noted });
}

interface Recount {
  readonly key: string;
  readonly role: string;
  readonly folder: string;
  /** How many of its turns are in the ledger. */
  readonly noted: number;
}

async function enterRecount(world: Traces, tally: Tally, { key, role, folder, noted }: Recount): Promise<void> {
  const used = await world.agents.recount(folder);
  const expectedUsd = reservationUsd({ role, ...noKind }, tally.view.spend.samples.get(role) ?? []);
  const dispatch = { role, backend: lastBackend(world.journal), model: null, cwd: folder, expectedUsd };
  for (const turn of used.slice(noted)) {
    await note(world, key, { type: "usage", ...(await soundTurn(world, tally, turn, dispatch)) });
  }
}

/** Whoever ran agents last knows prices. */
function lastBackend({ entries }: Journal): string {
  const last = entries.findLast((entry) => entry.type === "note" && entry.note.type === "spawned");
  return last?.type === "note" && last.note.type === "spawned" ? last.note.process.backend : "";
}

const noKind = { difficulty: null, model: null };

/** Takes back what an interrupted dispatch did, unless the person wants to keep it. */
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
  const what = "Changes since its start to branches, tags, stashes or git's own files were kept";
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
  const { tree, leftAlone, ...head } = await repo.look();
  const isSame = tree === anchor.tree && head.sha === anchor.sha && head.branch === anchor.branch;
  if (isSame && !leftAlone.some(isNew)) return true;
  const goneAt = await whenGone(world, work);
  const seen = await signOfPerson(repo, anchor, goneAt);
  const changed = seen === undefined ? [] : await changedSince(repo, anchor, { tree, head });
  if (seen !== undefined && (await ask(restoreQuestion(work, { seen, changed, head }))) === "keep") return false;
  const undone = await repo.restore(anchor, `${refName({ key: work.key, seq: work.past.seq })}-interrupted`);
  const { restored, moved, backupRef, asideIn } = undone;
  if (restored.length > 0 || moved) await noteUndone(world, work.key, restored, backupRef);
  const left = { leftAlone: undone.leftAlone.filter(isNew), ...(asideIn === undefined ? {} : { filesKept: asideIn }) };
  for (const text of leftTexts(work.role, left)) await warnBeside(world, text, `${work.key}-${work.past.seq}-${text}`);
  return true;
}

/** On another branch, what that branch has committed is no change. */
async function changedSince(
  repo: Repo,
  anchor: Anchor,
  { tree, head }: { readonly tree: string; readonly head: Head },
): Promise<readonly string[]> {
  const changed = await repo.difference(anchor.tree, tree);
  if (head.branch === anchor.branch) return changed;
  const uncommitted = new Set(await repo.difference(head.sha, tree));
  return changed.filter((path) => uncommitted.has(path));
}

async function signOfPerson(repo: Repo, anchor: Anchor, goneAt: number | undefined): Promise<string | undefined> {
  const sign = await repo.personAtWork(anchor, goneAt ?? Number.POSITIVE_INFINITY);
  if (sign !== undefined || goneAt !== undefined) return sign;
  return "it is unknown when the agent ended, so some of these changes may be yours";
}

/** When the last of the agent's processes was gone, if known. */
async function whenGone(world: World, { past, role }: Interrupted): Promise<number | undefined> {
  const gone = ofLastTry(past).findLast(({ type }) => type === "gone");
  if (gone?.type === "gone") return gone.at;
  return world.dispatches.goneAt(dispatchId(past.seq, role));
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
      { key: "keep", label: "Keep the tree as it is", hint: "the agent starts from what is there now" },
    ],
  };
}
