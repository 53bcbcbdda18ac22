// The range of agents' work: where it begins, which files it is in, and how it is rolled back (E3b). Every writer is dispatched from here. The
// person may work in the tree while a run waits: their changes stay, and if these cannot be told apart from an agent's work, they are asked.

import {
  anchorWithout,
  type CommitRequest,
  changes,
  difference,
  type Flow,
  head,
  undoWork,
} from "../../core/flow/flow.ts";
import { mixedIn, type Owners, personsIn, withMixedAs } from "../../core/flow/ownership.ts";
import { restoreTexts } from "../../core/flow/put-back.ts";
import type { Anchor, Changes, CommitOutcome, UncommittedWork, WriterTraces } from "../../core/flow/repository.ts";
import { listed } from "../../core/text/format.ts";
import { type Consultation, engage, warn } from "./consult.ts";
import { leftOutText, type Obstacle } from "./escalation.ts";
import { headQuestion, mixedQuestion } from "./git-questions.ts";
import { escalate } from "./respond.ts";
import { attempt, type Finished } from "./trouble.ts";

export interface WorkRange extends Owners {
  /** The state before the work. It stays where it is once an agent has worked on it. */
  start: Anchor;
  /** The tree for which `ours` and `theirs` are known: what differs from it by now is the person's. */
  known: string;
  /** Files of the agents' work. */
  ours: ReadonlySet<string>;
  /** Files that the person changed since the work began, or had changed before. */
  theirs: ReadonlySet<string>;
  isBuiltOn: boolean;
  /** What the last writer was given that changed files of the person's: their own version of them is in there. */
  overlaid: Anchor | null;
  /** A commit of ours that is not the end of the work. */
  commit: string | null;
  /** Files of the person's that the last writer changed: they are as they were. */
  givenBack: readonly string[];
  /** What agents made or changed and no commit can hold. */
  unheld: ReadonlySet<string>;
}

/** What was there before the first of these agents: files of work that is part of theirs, the tree with it, and what no commit can hold. */
interface Before {
  readonly files?: readonly string[];
  readonly known?: string;
  readonly unheld?: readonly string[];
}

export function rangeFrom(start: Anchor, { files, known = start.tree, unheld }: Before = {}): WorkRange {
  const none = { theirs: new Set<string>(), isBuiltOn: false, overlaid: null, commit: null, givenBack: [] };
  return { start, known, ours: new Set(files), unheld: new Set(unheld), ...none };
}

export type WriterOrder = Omit<Consultation, "access" | "ours">;

/** A writer that is done, and what it was given: with all that the person did before. */
export interface Written {
  readonly text: string;
  readonly given: Anchor;
  readonly traces: WriterTraces;
}

/** What a failed writer left was undone before anybody is asked. Without a range its work is nobody's: see `undoWriter`. */
export function* sendWriter(order: WriterOrder, range: WorkRange | null): Flow<Written> {
  const outcome = yield* engage({ ...order, access: "write", ...(range ? { ours: [...range.ours] } : {}) });
  const { text, start: given, traces } = outcome;
  if (!given || !traces) throw new Error(`the outcome of ${order.name} does not say what the writer was given`);
  if (range) {
    yield* extendRange(range, { ...outcome, start: given, traces });
    range.givenBack = traces.putBack.files;
  }
  return { text, given, traces };
}

/** Takes back what one writer wrote. */
export function* undoWriter(name: string, { given, traces }: Written): Flow<string> {
  const files = [...traces.changed, ...(traces.unheld ?? [])];
  const undone = yield* undoWork(name, { start: given, files });
  for (const text of restoreTexts(undone)) yield* warn(text);
  return undone.backupRef;
}

/** The work of one writer alone. */
export function rangeOf({ given, traces: { left, changed, dirty, unheld = [] } }: Written): WorkRange {
  const work = {
    unheld: new Set(unheld),
    known: left.tree,
    ours: new Set(changed),
    theirs: new Set(dirty),
    isBuiltOn: true,
  };
  return { ...rangeFrom(given), ...work, overlaid: dirty.length === 0 ? null : given };
}

/** What a writer said at its end, and the files it changed. */
export interface WriterEnd {
  readonly text: string;
  readonly changed: readonly string[];
}

/** A writer whose work is judged. `done` gets its end; `again` is what a retry does after it gave up. */
export function* tryWriter(
  order: WriterOrder,
  range: WorkRange,
  { done, again }: { readonly done: (end: WriterEnd) => void; readonly again: NonNullable<Obstacle<"agent">["again"]> },
): Flow<Obstacle<"agent"> | undefined> {
  const written = yield* attempt(sendWriter({ ...order, mayGiveUp: true }, range));
  if ("trouble" in written) return { kind: "agent", trouble: written.trouble, again };
  const { text, traces } = written.value;
  done({ text, changed: traces.changed });
  return undefined;
}

/** What a writer was given and what it did. */
export interface WriterSpan extends Pick<Finished, "isMixed"> {
  readonly start: Anchor;
  readonly traces: Pick<WriterTraces, "left" | "changed" | "dirty" | "unheld">;
}

/**
 * Extends the range by what a writer did. All that came before the first work is the person's, and the work starts from there;
 * so is what came between two writers. What is in a tree that the person wanted to keep as it was may be anybody's.
 */
export function* extendRange(range: WorkRange, { start, isMixed = false, traces }: WriterSpan): Flow<void> {
  const { left, changed, dirty, unheld = [] } = traces;
  if (isMixed) {
    const kept = yield* changedSince(range, start.tree);
    range.ours = range.ours.union(yield* withoutBranch(range, start, kept));
    range.theirs = range.theirs.union(kept);
  } else if (range.ours.size === 0 && start.branch === range.start.branch) {
    [range.start, range.theirs] = [start, new Set()];
  } else if (range.isBuiltOn || start.branch !== range.start.branch) yield* noteTheirs(range, start.tree);
  else {
    const work = { start: range.start, files: [...range.ours] };
    range.start = yield* anchorWithout("carried", start, work);
  }
  range.theirs = range.theirs.union(new Set(dirty).difference(range.ours));
  range.ours = range.ours.union(new Set(changed));
  range.unheld = range.unheld.union(new Set(unheld));
  range.known = left.tree;
  range.isBuiltOn = true;
  if (changed.some((path) => range.theirs.has(path))) range.overlaid = start;
}

/** Where the person kept a tree on another branch, what that branch has committed is no agent's. */
function* withoutBranch(
  { start: { branch } }: WorkRange,
  here: Anchor,
  kept: ReadonlySet<string>,
): Flow<ReadonlySet<string>> {
  if (here.branch === branch || kept.size === 0) return kept;
  return kept.intersection(new Set(yield* difference("uncommitted", here.sha, here.tree)));
}

/** What differs from the tree that was known is the person's: no writer ran. */
function* noteTheirs(range: WorkRange, tree: string): Flow<void> {
  range.theirs = range.theirs.union(yield* changedSince(range, tree));
  range.known = tree;
}

function* changedSince({ known }: WorkRange, tree: string): Flow<ReadonlySet<string>> {
  return new Set(tree === known ? [] : yield* difference("meanwhile", known, tree));
}

/** The work is in a commit of ours; when that is not the end of it, the commit can be undone. Hooks may have joined in. */
function coverCommit(range: WorkRange, { sha, tree, files }: Extract<CommitOutcome, { status: "committed" }>): void {
  range.commit = sha;
  range.known = tree;
  range.ours = range.ours.union(new Set(files));
}

export interface RangeNames {
  /** How its requests are named. */
  readonly name: string;
  /** How its questions begin, such as `execute.task.1`. */
  readonly step: string;
}

/**
 * What the agents have changed, without what is the person's. Where both changed a file, the person says whose it is. They may go on
 * working meanwhile: what is given is of a tree in which everything was known to be somebody's.
 */
export function* findWork(range: WorkRange, names: RangeNames): Flow<Changes> {
  for (;;) {
    const seen = yield* changes(names.name, range.start, personsIn(range));
    const before = range.theirs.size;
    yield* noteTheirs(range, seen.tree);
    const wasMixed = yield* settleMixed(range, names);
    if (range.theirs.size === before && !wasMixed) return seen;
  }
}

type CommitWork = Omit<CommitRequest, "do" | "since" | "leaveOut">;

/** Commits the work, without what is the person's. `make` performs it, or asks when it is refused. */
export function* commitRange(
  range: WorkRange,
  what: string,
  request: CommitWork,
  make: (request: Omit<CommitRequest, "do">) => Flow<CommitOutcome>,
): Flow<CommitOutcome> {
  const leaveOut = personsIn(range);
  const outcome = yield* make({ ...request, since: range.start, ...(leaveOut.length === 0 ? {} : { leaveOut }) });
  if (outcome.status !== "committed") return outcome;
  coverCommit(range, outcome);
  const tracked = new Set(outcome.leftOut?.files);
  yield* tellLeftOut(
    leaveOut.filter((path) => !tracked.has(path)),
    what,
  );
  yield* tellStaged(outcome, what);
  return outcome;
}

function* tellStaged({ staged }: CommitOutcome & { readonly status: "committed" }, what: string): Flow<void> {
  if (staged === undefined) return;
  const where = `Your version is kept: git show ${staged.ref}:<file>`;
  yield* warn(`What you had staged of ${listed(staged.files)} is not what the commit of ${what} contains. ${where}`);
}

/** Says what a commit leaves out; of tracked files `checkAlone` says more. */
function* tellLeftOut(files: readonly string[], what: string): Flow<void> {
  if (files.length > 0) yield* warn(leftOutText(files, what));
}

/**
 * Rolls the work back, and says where it is kept. Before the first writer is done there is none: what a failed one left was
 * undone at once.
 */
export function* rollBack(range: WorkRange, names: RangeNames): Flow<string> {
  if (!range.isBuiltOn && range.ours.size === 0) return "";
  yield* findHead(range, names);
  const { tree } = yield* changes(names.name, range.start);
  yield* noteTheirs(range, tree);
  yield* settleMixed(range, names);
  const { start, ours, unheld, commit } = range;
  const work = { start, files: [...ours.union(unheld)], ...(commit === null ? {} : { commit }) };
  const undone = yield* undoWork(names.name, work);
  const { backupRef, found, leftAlone } = undone;
  for (const text of restoreTexts(undone)) yield* warn(text);
  yield* tellLate(work, { seen: tree, found, backupRef });
  // What was there before, and was changed, cannot be restored.
  const stays = [...unheld].filter((path) => start.leftAlone.includes(path) || leftAlone.includes(path));
  Object.assign(range, rangeFrom(start, { unheld: stays }));
  return backupRef;
}

interface LastLook {
  readonly seen: string;
  readonly found: string;
  readonly backupRef: string;
}

/** The person may change a file of the work after the last look at it. An undo that was interrupted finds files as they were before. */
function* tellLate({ start, files }: UncommittedWork, { seen, found, backupRef }: LastLook): Flow<void> {
  if (found === seen) return;
  const since = (yield* difference("late", seen, found)).filter((path) => files.includes(path));
  if (since.length === 0) return;
  const left = new Set(yield* difference("late", start.tree, found));
  const late = since.filter((path) => left.has(path));
  if (late.length > 0)
    yield* warn(
      `You changed ${listed(late)} while it was rolled back. Your version is kept: git show ${backupRef}:<file>`,
    );
}

/** One question about all files that both changed. Says whether there were any. */
function* settleMixed(range: WorkRange, { step }: RangeNames): Flow<boolean> {
  const mixed = mixedIn(range);
  if (mixed.length === 0) return false;
  const kept = yield* keepTheirVersion(range);
  const ended = "the person ended the run at files that both had changed";
  const choice = yield* escalate("files-of-both", mixedQuestion(mixed, kept, step), { ended });
  Object.assign(range, withMixedAs(choice === "task" ? "ours" : "theirs", range));
  return true;
}

/** The ref of it, for good: the states that writers were given are forgotten with the run. */
function* keepTheirVersion(range: WorkRange): Flow<string | null> {
  const { overlaid } = range;
  if (overlaid === null) return null;
  range.overlaid = null;
  return (yield* anchorWithout("before-given-up", overlaid, { start: overlaid, files: [] })).ref;
}

/**
 * HEAD has to be on the branch of the work, and a commit of ours that is to go must be the last one, with nothing in progress on top
 * of it. Otherwise a merge of the person's stays as it is beside what is taken back.
 */
function* findHead(range: WorkRange, { step }: RangeNames): Flow<void> {
  for (;;) {
    const here = yield* head();
    const isOnBranch = here.branch === range.start.branch;
    const isLast = here.sha === range.commit && here.inProgress === undefined;
    if (isOnBranch && (range.commit === null || isLast)) return;
    const ended = "the person ended the run at commits on top of ours";
    yield* escalate("commits-in-the-way", headQuestion(range, here, `${step}.head`), { ended });
  }
}
