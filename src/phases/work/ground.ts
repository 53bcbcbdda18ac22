// The ground that agents' work stands on: where it begins, how far it reaches, and how it leaves the tree or the branch
// again. The person may work in the tree while a run waits: what is theirs stays, and where it cannot they are asked.

import { anchorWithout, ask, changes, type Flow, fail, restore, snapshot } from "../../core/flow/flow.ts";
import type { Question } from "../../core/flow/question.ts";
import type { Anchor, Head } from "../../core/flow/repository.ts";
import { type Finished, warn } from "./consult.ts";

export interface Ground {
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

export function groundAt(start: Anchor, carried: readonly string[] = []): Ground {
  return { start, tip: start.sha, carried, isBuiltOn: false, hasCommits: false };
}

/**
 * Takes in what a writer was given and what it left. All that came before the first one is the person's, and the work
 * starts from there. Commits that came later are above the tip, which stays below them: a commit that would melt them
 * is refused.
 */
export function* stand(ground: Ground, { start, isMixed = false, head }: Finished): Flow<void> {
  const given = start ?? { ...ground.start, sha: ground.tip };
  if (start && !ground.isBuiltOn && !isMixed && start.branch === ground.start.branch) {
    const work = { start: ground.start, files: ground.carried };
    ground.start = ground.carried.length === 0 ? start : yield* anchorWithout("carried", start, work);
    ground.tip = head;
  } else if (given.sha === ground.tip) ground.tip = head;
  if (head !== given.sha) ground.hasCommits = true;
  ground.isBuiltOn = true;
}

/** The work is in a commit of ours; when that is not the end of it, it can be taken off again. */
export function standInCommit(ground: Ground, sha: string): void {
  ground.tip = sha;
  ground.hasCommits = true;
}

export interface RollbackNames {
  /** How its requests are named. */
  readonly name: string;
  /** The id of its question. */
  readonly question: string;
}

/** Takes the work back. Before the first agent is done there is none: what a failed one had left was taken back at once. */
export function* rollBack(ground: Ground, place: RollbackNames): Flow<void> {
  if (!ground.isBuiltOn && ground.carried.length === 0) return;
  const { here, isTheirs } = yield* lookAtHead(ground, place);
  const back = isTheirs || !ground.isBuiltOn ? yield* stateWithout(ground, here, place.name) : ground.start;
  yield* restore(place.name, back);
  Object.assign(ground, groundAt(back));
}

/** Takes commits of the agents' own off the branch; the work stays in the tree. From then on it starts from there. */
export function* undoCommits(ground: Ground, place: RollbackNames): Flow<void> {
  const { here, isTheirs } = yield* lookAtHead(ground, place);
  const { sha, branch } = ground.start;
  if (isTheirs) ground.start = yield* stateWithout(ground, here, place.name);
  else if (here.sha !== sha || here.branch !== branch) yield* restore(place.name, { ...here, sha, branch });
  if (here.branch !== branch)
    yield* warn(
      `The work started on ${placeOf(ground.start)} and HEAD was on ${placeOf(here)}. It is back; the work is in the tree.`,
    );
}

function* stateWithout({ start, carried, isBuiltOn }: Ground, here: Anchor, name: string): Flow<Anchor> {
  const files = isBuiltOn ? (yield* changes(name, start)).files.map(({ path }) => path) : carried;
  return yield* anchorWithout(name, here, { start, files });
}

interface Sight {
  readonly here: Anchor;
  /** HEAD is on commits of the person's, and no agent has committed: it can stay there. */
  readonly isTheirs: boolean;
}

/** Commits of the person's on top of an agent's cannot stay while those go: the person has to part them first. */
function* lookAtHead(ground: Ground, { name, question: id }: RollbackNames): Flow<Sight> {
  for (;;) {
    const here = yield* snapshot(name);
    if (here.sha === ground.tip || here.sha === ground.start.sha) return { here, isTheirs: false };
    if (!ground.hasCommits && here.branch === ground.start.branch) return { here, isTheirs: true };
    const question = headQuestion(ground, here, id);
    if ((yield* ask(question)) === "abort")
      fail({ kind: "aborted", step: id, detail: "the person ended the run at commits on top of an agent's" });
  }
}

function headQuestion({ start, tip }: Ground, here: Head, id: string): Question {
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
    kind: "select",
    title: "Commits In The Way",
    message: [...advice, "Then choose Retry."].join("\n"),
    options: [
      { key: "retry", label: "Retry", hint: "after you have parted them" },
      { key: "abort", label: "Abort workflow" },
    ],
  };
}

const placeOf = ({ branch, sha }: Head): string => branch ?? `no branch (${sha.slice(0, 10)})`;
