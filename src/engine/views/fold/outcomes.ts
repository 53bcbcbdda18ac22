// What the outcome of a request changes in the view. Outcomes were written by the engine in the shape that belongs to
// the request; what a journal of another build holds instead is passed over.

import type { CheckOutcome } from "../../../core/flow/check.ts";
import type { DispatchOutcome } from "../../../core/flow/dispatch.ts";
import type { CommitRequest, DispatchRequest } from "../../../core/flow/flow.ts";
import { readAside } from "../../../core/flow/keys.ts";
import { withdrawn } from "../../../core/flow/question.ts";
import type { CommitOutcome } from "../../../core/flow/repository.ts";
import { count, firstLine, shortSha } from "../../../core/text/format.ts";
import { type CommitLine, type OpenRequest, type RunView, tell } from "./shape.ts";
import { isWithin, type Where } from "./where.ts";

export function applyOutcome(view: RunView, { key, request, where }: OpenRequest, outcome: unknown): void {
  switch (request.do) {
    case "dispatch":
      dispatched(view, request, dispatchOutcome(outcome));
      break;
    case "ask":
      if (isTakenBack(key, outcome)) happened(view, `took back ${request.question.id}`);
      else answered(view, request.question.id);
      break;
    case "check":
      happened(view, `check ${request.name} ${checkOutcome(outcome)?.passed ? "passed" : "failed"}`);
      break;
    case "commit":
      committed(view, { request, where }, commitOutcome(outcome));
      break;
    case "restore":
      dropSince(view, request.to.sha);
      break;
    case "config":
      view.config = outcome;
  }
}

/** Casts to the shape the engine writes for a dispatch, once it looks like one. */
export function dispatchOutcome(outcome: unknown): DispatchOutcome | undefined {
  return hasStatus(outcome, ["finished", "failed"]) ? (outcome as unknown as DispatchOutcome) : undefined;
}

/** Casts to the shape the engine writes for a commit, once it looks like one. */
export function commitOutcome(outcome: unknown): CommitOutcome | undefined {
  return hasStatus(outcome, ["committed", "nothing", "moved", "refused"])
    ? (outcome as unknown as CommitOutcome)
    : undefined;
}

/** Casts to the shape the engine writes for a check, once it looks like one. */
export function checkOutcome(outcome: unknown): CheckOutcome | undefined {
  const looksLikeOne = typeof outcome === "object" && outcome !== null && "passed" in outcome && "exitCode" in outcome;
  return looksLikeOne ? (outcome as CheckOutcome) : undefined;
}

function hasStatus(outcome: unknown, known: readonly string[]): outcome is { readonly status: string } {
  if (typeof outcome !== "object" || outcome === null || !("status" in outcome)) return false;
  return typeof outcome.status === "string" && known.includes(outcome.status);
}

/** Only the engine's own questions are ever taken back; what a flow asked is settled with an answer. */
function isTakenBack(key: string, outcome: unknown): boolean {
  return readAside(key) !== undefined && (outcome === null || outcome === withdrawn);
}

function answered(view: RunView, id: string): void {
  view.served.set(id, (view.served.get(id) ?? 0) + 1);
  happened(view, `answered ${id}`);
}

function dispatched(view: RunView, request: DispatchRequest, outcome: DispatchOutcome | undefined): void {
  if (outcome?.status === "failed") {
    tell(view, `${request.role} failed (${request.name}): ${outcome.kind}`);
  } else if (outcome && request.name === "scout") {
    view.brainstorm.scoutOutput = outcome.text;
    const files = filesNamed(outcome.text);
    tell(view, files === 0 ? "Scout completed" : `Scout completed (${count(files, "file")} mapped)`);
  } else {
    happened(view, `${request.role} finished ${request.name}`);
  }
}

/** How many files a text names: paths with a folder, and names in backticks, that have an extension. */
function filesNamed(text: string): number {
  const found = text.replace(/\bhttps?:\S+/g, "").matchAll(path);
  return new Set([...found].map(([name]) => name.replace(/^\.\//, ""))).size;
}

const path = /(?<![\w@.-])(?:[\w@.-]+\/)+[\w@.-]*\.\w+|(?<=`)[\w@-][\w@.-]*\.[A-Za-z]\w*(?=[`:])/g;

function committed(view: RunView, committing: Committing, outcome: CommitOutcome | undefined): void {
  const { request } = committing;
  foldCommit(view, committing, outcome);
  if (outcome?.status === "refused") tell(view, `Commit ${request.name} was refused: ${outcome.detail}`);
  if (outcome?.status === "committed") happened(view, `committed ${shortSha(outcome.sha)} ${subjectOf(request)}`);
}

/** Shown as the last thing that happened, but not kept in the progress file. */
function happened(view: RunView, text: string): void {
  view.last = { at: view.lastAt, text };
}

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
  return firstLine(message);
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
