// The fold from journal entries to what a person sees. It takes each entry once, in order, and each costs the same
// however long the run is. The view is changed in place and given back; entries and their texts are shared, not copied.

import type { Fact } from "../../../core/flow/fact.ts";
import { aboutRun, isInside, readAside } from "../../../core/flow/keys.ts";
import { unitRaised } from "../../../core/money/budget.ts";
import type { Entry } from "../../../ports/journal.ts";
import { entryOf } from "../facts/facts.ts";
import { bookBegin, bookModel, bookOutcome, bookTime, bookUsage } from "./ledger.ts";
import { applyOutcome, dispatchOutcome, dropWithin } from "./outcomes.ts";
import { BrainstormView, fieldsOf, idOf, type OpenRequest, put, RunView, tell } from "./shape.ts";
import { moveOn, resetTask } from "./tasks.ts";
import { isWithin, pathInPart, phaseNamed, type Where, whereIsRequest, whereIsScope } from "./where.ts";

type Of<T extends Entry["type"]> = Extract<Entry, { readonly type: T }>;

/** Folds a journal so far. */
export function viewOf(entries: readonly Entry[]): RunView {
  return entries.reduce(applyEntry, new RunView());
}

export function applyEntry(view: RunView, entry: Entry): RunView {
  if (view.lastAt > 0 && entry.type !== "session") view.activeMs += Math.max(0, entry.at - view.lastAt);
  view.seq = entry.seq;
  view.lastAt = entry.at;
  view.subject = { kind: "none" };
  // The table gives each type its own fold; that they belong together is more than the compiler can follow.
  const fold = folds[entry.type] as ((view: RunView, entry: Entry) => void) | undefined;
  fold?.(view, entry);
  return view;
}

const folds: { readonly [T in Entry["type"]]: (view: RunView, entry: Of<T>) => void } = {
  run: startRun,
  session: openSession,
  limits: (view, { limits }) => put(view, { limits }),
  enter: enterScope,
  leave: leaveScope,
  restart: restartScope,
  begin,
  note,
  settle,
  end: endRun,
};

function startRun(view: RunView, { header }: Of<"run">): void {
  view.runId = header.runId;
  view.pipeline = { ...view.pipeline, ...header.pipeline };
  const input = fieldsOf(header.input);
  view.goal = typeof header.input === "string" ? header.input : String(input["goal"] ?? "");
  const documents = Object.entries(fieldsOf(input["documents"]));
  view.documents = Object.fromEntries(
    documents.filter((path): path is [string, string] => typeof path[1] === "string"),
  );
  view.skipsBrainstorm = fieldsOf(input["wishes"])["skipBrainstorm"] === true;
  view.startedAt = header.startedAt;
  view.startedBy = header.startedBy ?? "person";
  tell(view, "Workflow started");
}

/** A process that opens a run finds no agent of an earlier one alive: the engine has ended them. */
function openSession(view: RunView): void {
  view.sessions += 1;
  view.ending = null;
  view.running.clear();
  // Not the last thing that happened: whoever comes back a second time wants to know what was done, not that they came back.
  if (view.sessions > 1) view.log.push({ at: view.lastAt, text: "Workflow resumed" });
}

function enterScope(view: RunView, entry: Of<"enter">): void {
  const where = whereIsScope(entry.scope);
  const scope = { scope: entry.scope, kind: entry.kind, where, at: entry.at };
  view.scopes.set(entry.scope, scope);
  view.subject = { kind: "scope", scope };
  if (entry.kind === "phase") view.phase = where.scope.split("/").at(-1) ?? null;
  if (entry.kind === "task" && where.task !== null) startTask(view, where, where.task);
}

function startTask(view: RunView, where: Where, id: string): void {
  moveOn(view, id);
  const task = view.tasks.get(id);
  if (!task || task.startedAt !== null) return;
  task.where = where;
  task.startedAt = view.lastAt;
  tell(view, `Task ${task.number} started`);
}

function leaveScope(view: RunView, entry: Of<"leave">): void {
  const scope = view.scopes.get(entry.scope);
  if (!scope) return;
  view.scopes.delete(entry.scope);
  view.subject = { kind: "scope", scope };
}

/** Forgets what the scope's earlier epoch said; what it cost stays. */
function restartScope(view: RunView, entry: Of<"restart">): void {
  const where = whereIsScope(entry.scope);
  const { scope } = where;
  for (const things of [view.open, view.scopes, view.running]) forget(things, scope);
  dropWithin(view, scope);
  voidFacts(view, view.waivers, entry.scope);
  voidFacts(view, view.deferred, entry.scope);
  const produced = phaseNamed(view, where.phase)?.produces ?? [];
  if (scope === "" || (scope === where.phase && produced.includes("design"))) view.brainstorm = new BrainstormView();
  if (pathInPart(scope) === "" || produced.includes("plan")) view.planReviews.clear();
  for (const task of view.tasks.values()) {
    if (task.where !== null && isWithin(task.where, scope)) resetTask(task);
  }
  tell(view, `Started again: ${scope === "" ? "the whole run" : scope}`);
}

/** What an older epoch let pass or put off is not the new one's. */
function voidFacts<T extends object>({ recordedAs }: RunView, items: T[], scope: string): void {
  const valid = items.filter((item) => !isInside(recordedAs.get(item) ?? "", scope));
  items.splice(0, items.length, ...valid);
}

/** A question of the engine's own belongs to no scope: it waits on, whatever starts again. */
function forget(things: Map<string, { readonly where: Where }>, scope: string): void {
  for (const [key, { where }] of things) {
    if (isWithin(where, scope) && readAside(key)?.about !== aboutRun) things.delete(key);
  }
}

function begin(view: RunView, { key, request, tries, at }: Of<"begin">): void {
  const where = whereIsRequest(key);
  if (request.do === "record") {
    // Once per key: a record that was interrupted is begun again with a higher count.
    if (tries === 1) keepFact(view, key, request.fact);
    return;
  }
  // A wait counts from its first begin, over all lives of the run.
  const since = request.do === "wait" ? (view.open.get(key)?.at ?? at) : at;
  const open: OpenRequest = { key, request, where, at: since, model: null };
  view.open.set(key, open);
  view.subject = { kind: "request", request: open };
  if (request.do === "ask") forgetAnswers(view, request.question.id);
  if (request.do !== "dispatch") return;
  const { role, name } = request;
  view.running.set(key, Object.assign(open, { role, name }));
  bookBegin(view.spend, { key, request, where, at });
}

function keepFact(view: RunView, key: string, fact: Fact): void {
  const [waivers, deferred] = [view.waivers.length, view.deferred.length];
  const entry = entryOf(fact);
  entry?.keep(view, fact);
  const moment = entry?.moment?.(fact, view);
  if (moment !== undefined) tell(view, moment);
  for (const item of [...view.waivers.slice(waivers), ...view.deferred.slice(deferred)]) view.recordedAs.set(item, key);
}

function note(view: RunView, { key, note: noted, at }: Of<"note">): void {
  const open = view.open.get(key);
  if (open) view.subject = { kind: "request", request: open };
  // A later process notes what it finds of an agent that has been gone for long.
  if (view.running.has(key)) bookTime(view.spend, key, at);
  if (noted.type === "gone") view.running.delete(key);
  if (noted.type === "started") {
    if (open) open.model = noted.model;
    bookModel(view.spend, key, noted.model);
  }
  if (noted.type === "usage") bookUsage(view.spend, { ...noted, key, where: whereIsRequest(key) });
}

/** Who goes back to a question gives up what was answered from there on. */
function forgetAnswers({ brainstorm }: RunView, id: string): void {
  const number = /^brainstorm\.question\.(\d+)$/.exec(id)?.[1];
  if (number === undefined) return;
  for (const question of brainstorm.questions.slice(Number(number) - 1)) brainstorm.answers.delete(idOf(question));
}

function settle(view: RunView, { key, outcome, by }: Of<"settle">): void {
  const open = view.open.get(key);
  if (!open) return;
  view.subject = { kind: "request", request: open };
  view.open.delete(key);
  view.running.delete(key);
  if (open.request.do === "dispatch") bookOutcome(view.spend, key, dispatchOutcome(outcome));
  if (open.request.do === "ask") {
    raise(view, key, Number(outcome));
    const { id } = open.request.question;
    if (by === undefined || by === "person") view.decidedBy.delete(id);
    else view.decidedBy.set(id, by);
  }
  applyOutcome(view, open, outcome);
}

/** The key says what the amount is of. A question that was taken back is settled with no number. */
function raise({ raised }: RunView, key: string, amount: number): void {
  const unit = unitRaised(key);
  if (unit !== undefined && amount > raised[unit]) raised[unit] = amount;
}

function endRun(view: RunView, { ending }: Of<"end">): void {
  view.ending = ending;
  view.running.clear();
  if (ending.how === "finished") tell(view, "Workflow finished");
  if (ending.how === "failed") tell(view, `Workflow failed: ${ending.failure.step}: ${ending.failure.detail}`);
  if (ending.how === "aborted") tell(view, `Workflow aborted: ${ending.detail}`);
}
