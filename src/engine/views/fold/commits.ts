// The commits of a run that are on its branch. A commit takes the place of what was committed since its anchor, and a
// restore takes it back: neither leaves a commit that somebody could revert.

import type { CommitRequest } from "../../../core/flow/flow.ts";
import type { CommitOutcome } from "../../../core/flow/repository.ts";
import type { CommitLine, RunView } from "./shape.ts";
import { isWithin, type Where } from "./where.ts";

/** What the outcome of a commit does to them. One that is refused, or finds another tree, leaves all as it was. */
export function foldCommit(view: RunView, { request, where }: Committing, outcome: CommitOutcome | undefined): void {
  const documents = request.documents !== undefined;
  const { sha: since } = request.since;
  // Documents go on top of whatever there is.
  if (!documents && (outcome?.status === "committed" || outcome?.status === "nothing")) dropSince(view, since);
  if (outcome?.status !== "committed") return;
  const { sha, files } = outcome;
  view.commits.push({ sha, since, task: request.task ?? null, subject: subjectOf(request), documents, files, where });
}

export interface Committing {
  readonly request: CommitRequest;
  readonly where: Where;
}

export function subjectOf({ message }: CommitRequest): string {
  return message.split("\n", 1)[0] ?? "";
}

/** HEAD goes back to this commit: what was made when it was there, and all after it, is on no branch any more. */
export function dropSince(view: RunView, sha: string): void {
  const first = view.commits.findIndex((commit) => commit.since === sha);
  if (first >= 0) view.commits.splice(first);
}

/** A scope starts again from the tree before its first agent. */
export function dropWithin(view: RunView, scope: string): void {
  view.commits = view.commits.filter((commit) => commit.documents || !isWithin(commit.where, scope));
}

/** All that was done, without the documents. */
export function workIn({ commits }: RunView): readonly CommitLine[] {
  return commits.filter((commit) => !commit.documents);
}

export function changedFiles(view: RunView): readonly string[] {
  return [...new Set(workIn(view).flatMap((commit) => commit.files))].toSorted();
}
