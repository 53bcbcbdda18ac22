// What the outcome of a request changes in the view. Outcomes were written by the engine in the shape that belongs to
// the request; what a journal of another build holds instead is passed over.

import type { CheckOutcome } from "../../../core/flow/check.ts";
import type { DispatchOutcome } from "../../../core/flow/dispatch.ts";
import type { CheckRequest, CommitRequest, DispatchRequest } from "../../../core/flow/flow.ts";
import { readAside } from "../../../core/flow/keys.ts";
import { withdrawn } from "../../../core/flow/question.ts";
import type { CommitOutcome, FileLines } from "../../../core/flow/repository.ts";
import { firstLine, shortSha } from "../../../core/text/format.ts";
import { type CommitLine, fieldsOf, type OpenRequest, type RunView, tell } from "./shape.ts";
import { isWithin, type Where } from "./where.ts";

export function applyOutcome(view: RunView, { key, request, where }: OpenRequest, outcome: unknown): void {
  if (request.do === "dispatch") dispatched(view, request, dispatchOutcome(outcome));
  if (request.do === "ask") answered(view, request.question.id, isTakenBack(key, outcome));
  if (request.do === "check") checked(view, request, where, checkOutcome(outcome));
  if (request.do === "commit") committed(view, request, where, commitOutcome(outcome));
  if (request.do === "restore") dropSince(view, request.to.sha);
  if (request.do === "undo-work") view.commits = view.commits.filter(({ sha }) => sha !== request.work.commit);
  if (request.do === "config") view.config = outcome;
}

/** Casts to the shape the engine writes for a dispatch, once it looks like one. */
export function dispatchOutcome(outcome: unknown): DispatchOutcome | undefined {
  return withStatus<DispatchOutcome>(outcome, ["finished", "failed"]);
}

/** Casts to the shape the engine writes for a commit, once it looks like one. */
export function commitOutcome(outcome: unknown): CommitOutcome | undefined {
  return withStatus<CommitOutcome>(outcome, ["committed", "nothing", "moved", "refused"]);
}

/** Casts to the shape the engine writes for a check, once it looks like one. */
export function checkOutcome(outcome: unknown): CheckOutcome | undefined {
  const fields = fieldsOf(outcome);
  return "passed" in fields && "exitCode" in fields ? (outcome as CheckOutcome) : undefined;
}

function withStatus<T extends { readonly status: string }>(
  outcome: unknown,
  known: readonly T["status"][],
): T | undefined {
  const { status } = fieldsOf(outcome);
  return known.some((one) => one === status) ? (outcome as T) : undefined;
}

function checked(view: RunView, request: CheckRequest, { task }: Where, outcome: CheckOutcome | undefined): void {
  const { name, command, tests } = request;
  happened(view, `check ${name} ${outcome?.passed ? "passed" : "failed"}`);
  if (outcome === undefined) return;
  const { passed, tree, durationMs } = outcome;
  if (tests) view.tests.tookMs.set(`${command}\n${tree}`, durationMs);
  if (tests || name === "baseline") return;
  view.checks.set(`${task}\n${command}`, { task, command, passed, tree, durationMs });
}

/** Only the engine's own questions are ever taken back; what a flow asked is settled with an answer. */
function isTakenBack(key: string, outcome: unknown): boolean {
  return readAside(key) !== undefined && (outcome === null || outcome === withdrawn);
}

function answered(view: RunView, id: string, takenBack: boolean): void {
  // What a policy answers takes nothing from the answers that were given beforehand.
  if (!takenBack && view.decidedBy.get(id) !== "policy") view.served.set(id, (view.served.get(id) ?? 0) + 1);
  happened(view, `${takenBack ? "withdrew" : "answered"} ${id}`);
}

function dispatched(view: RunView, request: DispatchRequest, outcome: DispatchOutcome | undefined): void {
  if (outcome?.status === "failed") {
    tell(view, `${request.role} failed (${request.name}): ${outcome.kind}`);
  } else if (outcome && request.name === "scout") {
    view.brainstorm.scoutOutput = outcome.text;
    tell(view, "Scout completed");
  } else {
    happened(view, `${request.role} finished ${request.name}`);
  }
}

/** One that is refused, or finds another tree, leaves the commits as they were. */
function committed(view: RunView, request: CommitRequest, where: Where, outcome: CommitOutcome | undefined): void {
  const { documents, since, task = null } = request;
  if (outcome?.status === "refused") tell(view, `Commit ${request.name} was refused: ${outcome.detail}`);
  // Documents go on top of whatever there is.
  if (!documents && (outcome?.status === "committed" || outcome?.status === "nothing")) dropSince(view, since.sha);
  if (outcome?.status !== "committed") return;
  const { sha, files, lines } = outcome;
  view.commits.push({ sha, since: since.sha, task, documents: documents !== undefined, files, lines, where });
  happened(view, `committed ${shortSha(sha)} ${firstLine(request.message)}`);
}

/** Shown as the last thing that happened, but not kept in the progress file. */
function happened(view: RunView, text: string): void {
  view.last = { at: view.lastAt, text };
}

/** HEAD goes back to this commit: what was made when it was there, and all after it, is on no branch any more. */
function dropSince(view: RunView, sha: string): void {
  const first = view.commits.findIndex((commit) => commit.since === sha);
  for (const commit of first < 0 ? [] : view.commits.splice(first)) view.left.add(commit.sha);
}

/** A scope starts again from the tree before its first agent. */
export function dropWithin(view: RunView, scope: string): void {
  view.commits = view.commits.filter((commit) => commit.documents || !isWithin(commit.where, scope));
}

/** All that was done, without the documents. */
export function workIn({ commits }: RunView): readonly CommitLine[] {
  return commits.filter((commit) => !commit.documents);
}

/** Lines added and removed by the work, by file, summed over its commits; undefined when some were not counted. */
export function changedLines(view: RunView): ReadonlyMap<string, FileLines> | undefined {
  const all = workIn(view).map(({ lines }) => lines);
  if (all.includes(undefined)) return undefined;
  const sums = new Map<string, FileLines>();
  for (const { file, added, removed } of all.flatMap((lines) => lines ?? [])) {
    const before = sums.get(file) ?? { added: 0, removed: 0 };
    sums.set(file, { file, added: before.added + added, removed: before.removed + removed });
  }
  return sums;
}

/** `+84 −3` */
export function linesText(lines: Iterable<Omit<FileLines, "file">>): string {
  let [added, removed] = [0, 0];
  for (const one of lines) {
    added += one.added;
    removed += one.removed;
  }
  return `+${added} −${removed}`;
}

export function changedFiles(view: RunView): readonly string[] {
  return [...new Set(workIn(view).flatMap((commit) => commit.files))].toSorted();
}
