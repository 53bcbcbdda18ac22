// The range of agents' work: where it begins, how far it reaches, and how it is rolled back. Whoever has an agent change the
// tree sends it from here. The person may work in the tree while a run waits: what is theirs stays, and where it cannot they
// are asked.

import { anchorWithout, changes, type Flow, restore, snapshot } from "../../core/flow/flow.ts";
import type { Anchor, Head } from "../../core/flow/repository.ts";
import { type AbortableQuestion, askOrAbort } from "./ask.ts";
import { type Consultation, engage, warn } from "./consult.ts";
import type { Obstacle } from "./escalation.ts";
import { attempt, type Finished } from "./trouble.ts";

export interface WorkRange {
  /** The state before the work. It stays where it is once an agent has worked on it. */
  start: Anchor;
  /** HEAD when the last writer was done: what is on top of it by then is not ours. */
  tip: string;
  /** Files of work that was there before the first of these agents, and is part of theirs. */
  carried: readonly string[];
  isBuiltOn: boolean;
  /** Whether there are commits of it: agents' own, or ours. */
  hasCommits: boolean;
}

export function rangeFrom(start: Anchor, carried: readonly string[] = []): WorkRange {
  return { start, tip: start.sha, carried, isBuiltOn: false, hasCommits: false };
}

export type WriterOrder = Omit<Consultation, "access">;

/**
 * What the writer said, and the tree it was given, with all that the person did before. What a failed one left is undone
 * before anybody is asked. Without a range, whoever sent the writer restores that tree by itself.
 */
export function* sendWriter(
  order: WriterOrder,
  range: WorkRange | null,
): Flow<{ readonly text: string; readonly given: Anchor }> {
  const { text, start: given, ...finished } = yield* engage({ ...order, access: "write" });
  if (!given) throw new Error(`the outcome of ${order.name} does not say what the writer was given`);
  if (range) yield* extendRange(range, { ...finished, start: given });
  return { text, given };
}

/** A writer whose work is judged. `done` gets its answer; `again` is what a retry does after it gave up. */
export function* tryWriter(
  order: WriterOrder,
  range: WorkRange,
  { done, again }: { readonly done: (text: string) => void; readonly again: NonNullable<Obstacle<"agent">["again"]> },
): Flow<Obstacle<"agent"> | undefined> {
  const written = yield* attempt(sendWriter({ ...order, mayGiveUp: true }, range));
  if ("trouble" in written) return { kind: "agent", trouble: written.trouble, again };
  done(written.value.text);
  return undefined;
}

/** What a writer was given and where it left HEAD. */
export interface WriterSpan extends Pick<Finished, "isMixed" | "head"> {
  readonly start: Anchor;
}

/**
 * Extends the range by what a writer did. All that came before the first one is the person's, and the work starts from
 * there. Commits that came later are above the tip, which stays below them: a commit that would swallow them is refused.
 */
export function* extendRange(range: WorkRange, { start, isMixed = false, head }: WriterSpan): Flow<void> {
  if (!range.isBuiltOn && !isMixed && start.branch === range.start.branch) {
    const work = { start: range.start, files: range.carried };
    range.start = range.carried.length === 0 ? start : yield* anchorWithout("carried", start, work);
    range.tip = head;
  } else if (start.sha === range.tip) range.tip = head;
  if (head !== start.sha) range.hasCommits = true;
  range.isBuiltOn = true;
}

/** The work is in a commit of ours; when that is not the end of it, the commit can be undone. */
export function coverCommit(range: WorkRange, sha: string): void {
  range.tip = sha;
  range.hasCommits = true;
}

export interface RollbackNames {
  /** How its requests are named. */
  readonly name: string;
  /** The id of its question. */
  readonly question: string;
}

/** Rolls the work back. Before the first writer is done there is none: what a failed one left was undone at once. */
export function* rollBack(range: WorkRange, place: RollbackNames): Flow<void> {
  if (!range.isBuiltOn && range.carried.length === 0) return;
  const { here, isTheirs } = yield* findHead(range, place);
  const back = isTheirs || !range.isBuiltOn ? yield* stateWithout(range, here, place.name) : range.start;
  yield* restore(place.name, back);
  Object.assign(range, rangeFrom(back));
}

/** Undoes commits that agents made themselves; the work stays in the tree, and starts from there from then on. */
export function* undoCommits(range: WorkRange, place: RollbackNames): Flow<void> {
  const { here, isTheirs } = yield* findHead(range, place);
  const { sha, branch } = range.start;
  if (isTheirs) range.start = yield* stateWithout(range, here, place.name);
  else if (here.sha !== sha || here.branch !== branch) yield* restore(place.name, { ...here, sha, branch });
  if (here.branch !== branch)
    yield* warn(
      `The work started on ${placeOf(range.start)} and HEAD was on ${placeOf(here)}. It is back; the work is in the tree.`,
    );
}

function* stateWithout({ start, carried, isBuiltOn }: WorkRange, here: Anchor, name: string): Flow<Anchor> {
  const files = isBuiltOn ? (yield* changes(name, start)).files.map(({ path }) => path) : carried;
  return yield* anchorWithout(name, here, { start, files });
}

interface HeadState {
  readonly here: Anchor;
  /** HEAD is on commits of the person's, and no agent has committed: it can stay there. */
  readonly isTheirs: boolean;
}

/** Commits of the person's on top of an agent's cannot stay while those go: the person has to part them first. */
function* findHead(range: WorkRange, { name, question: id }: RollbackNames): Flow<HeadState> {
  for (;;) {
    const here = yield* snapshot(name);
    if (here.sha === range.tip || here.sha === range.start.sha) return { here, isTheirs: false };
    if (!range.hasCommits && here.branch === range.start.branch) return { here, isTheirs: true };
    yield* askOrAbort(headQuestion(range, here, id), "the person ended the run at commits on top of an agent's");
  }
}

function headQuestion({ start, tip }: WorkRange, here: Head, id: string): AbortableQuestion {
  const to = tip.slice(0, 10);
  const advice =
    here.branch === start.branch
      ? [
          `${placeOf(here)} has commits that no agent of this task made, on top of an agent's own, which has to leave the branch: they would go with it.`,
          `To keep them apart, on a branch of their own: git branch mine && git reset --keep ${to}`,
          `To make them part of the work: git reset --soft ${to}`,
        ]
      : [
          `The work started on ${placeOf(start)}, and HEAD is on ${placeOf(here)} now, which has other commits.`,
          `Go back: git switch ${start.branch ?? `--detach ${to}`}`,
        ];
  return {
    id,
    title: "Commits In The Way",
    message: [...advice, "Then choose Retry."].join("\n"),
    options: [{ key: "retry", label: "Retry", hint: "after you have parted them" }],
  };
}

const placeOf = ({ branch, sha }: Head): string => branch ?? `no branch (${sha.slice(0, 10)})`;
