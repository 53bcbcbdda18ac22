// One readable line per entry for `superteam log`: when, what, to what, at which cost. Entries that only matter to the
// engine have none.

import { count, duration, firstLine, oneLine, shortSha, usd } from "../../../core/text/format.ts";
import type { Entry } from "../../../ports/journal.ts";
import { entryOf } from "../facts/facts.ts";
import { checkOutcome, commitOutcome, dispatchOutcome } from "../fold/outcomes.ts";
import type { OpenRequest, RunView } from "../fold/shape.ts";
import { testFirstText } from "./test-first.ts";

/** The view is the one this entry was just folded into. */
export function logLine(entry: Entry, view: RunView): string | undefined {
  const what = describe(entry, view);
  return what === undefined ? undefined : `${new Date(entry.at).toISOString().slice(0, 19).replace("T", " ")}  ${what}`;
}

function describe(entry: Entry, view: RunView): string | undefined {
  switch (entry.type) {
    case "run":
      return `run ${view.runId} started: ${oneLine(view.goal, 160)}`;
    case "session":
      return view.sessions > 1 ? `resumed by process ${entry.pid}` : undefined;
    case "limits":
      return `budget: ${usd(entry.limits.hard.usd)}, asks at ${usd(entry.limits.warnUsd)}`;
    case "enter":
      return entry.kind === "step" ? undefined : `${entry.kind} ${entry.scope} started`;
    case "leave":
      return left(entry, view);
    case "restart":
      return `${entry.scope || "the whole run"} starts again (epoch ${entry.epoch})`;
    case "begin":
      return begun(entry);
    case "note":
      return noted(entry);
    case "settle":
      return view.subject.kind === "request" ? settled(view.subject.request, entry) : undefined;
    case "end":
      return ended(entry, view);
  }
}

function left({ scope, result }: Extract<Entry, { type: "leave" }>, { subject, spend }: RunView): string | undefined {
  if (subject.kind !== "scope" || subject.scope.kind === "step") return undefined;
  const { kind, where } = subject.scope;
  if (!result.ok) return `${kind} ${scope} failed: ${oneLine(result.failure.detail, 200)}`;
  const spent = kind === "task" ? spend.tasks.get(where.task ?? "") : spend.phases.get(where.phase ?? "");
  return `${kind} ${scope} finished, ${usd(spent?.costUsd ?? 0)} in all`;
}

function begun({ key, request, tries }: Extract<Entry, { type: "begin" }>): string | undefined {
  const again = tries > 1 ? `, try ${tries}` : "";
  switch (request.do) {
    case "dispatch":
      return `${request.role} dispatched (${key}${again})`;
    case "ask":
      return `asked ${request.question.id}: ${oneLine(request.question.title, 120)}`;
    case "record":
      return tries === 1 ? entryOf(request.fact)?.log?.(request.fact) : undefined;
    default:
      return undefined;
  }
}

function noted({ key, note }: Extract<Entry, { type: "note" }>): string | undefined {
  if (note.type === "undone")
    return `took back ${count(note.files.length, "file")} of ${key}, kept at ${note.backupRef}`;
  if (note.type === "gone") return `${key} was stopped`;
  return undefined;
}

function settled(
  { key, request }: OpenRequest,
  { outcome, by }: Extract<Entry, { type: "settle" }>,
): string | undefined {
  switch (request.do) {
    case "dispatch":
      return dispatched(request.role, key, outcome);
    case "ask":
      return `${by === "model" ? "a model answered" : "answered"} ${request.question.id}: ${oneLine(String(outcome), 120)}`;
    case "check": {
      const check = checkOutcome(outcome);
      return `check ${request.name} ${check?.passed ? "passed" : `failed (exit code ${check?.exitCode ?? "none"})`}: ${oneLine(request.command, 100)}`;
    }
    case "commit":
      return committed(request.name, request.message, outcome);
    default:
      return undefined;
  }
}

function dispatched(role: string, key: string, settledWith: unknown): string {
  const outcome = dispatchOutcome(settledWith);
  if (!outcome) return `${role} ended (${key})`;
  const bill = `${duration(outcome.durationMs)}, ${usd(outcome.usage.costUsd)}, ${outcome.model ?? "no model"}`;
  const guarded = testFirstText(outcome.testFirst);
  const guard = guarded === undefined ? "" : `; test first: ${guarded}`;
  if (outcome.status === "finished") return `${role} finished (${key}; ${bill})${guard}`;
  return `${role} failed, ${outcome.kind}: ${oneLine(outcome.detail, 200)} (${key}; ${bill})${guard}`;
}

function committed(name: string, message: string, settledWith: unknown): string {
  const outcome = commitOutcome(settledWith);
  if (outcome?.status === "committed") return `committed ${shortSha(outcome.sha)}: ${oneLine(firstLine(message), 120)}`;
  if (outcome?.status === "moved")
    return `commit ${name} waits: the tree is not the one that was judged (${oneLine(outcome.detail, 200)})`;
  if (outcome?.status === "refused") return `commit ${name} was refused: ${oneLine(outcome.detail, 200)}`;
  return `nothing to commit for ${name}`;
}

function ended({ ending }: Extract<Entry, { type: "end" }>, view: RunView): string {
  const cost = usd(view.spend.total.costUsd);
  if (ending.how === "finished") return `run finished, ${cost}`;
  if (ending.how === "failed")
    return `run failed in ${ending.failure.step}: ${oneLine(ending.failure.detail, 200)}, ${cost}`;
  return `run aborted: ${oneLine(ending.detail, 200)}, ${cost}`;
}
