// The lines of `--json`: one object per thing that happened, with the number and the time of the journal entry it comes
// from. What an agent does in between is not journaled; such events carry the number of the last entry before them.
// Several events may share one number.

import type { CommitOutcome } from "../../../core/flow/repository.ts";
import type { ToolCall } from "../../../ports/agents.ts";
import type { Entry } from "../../../ports/journal.ts";
import { entryOf } from "../facts/facts.ts";
import { checkOutcome, commitOutcome, dispatchOutcome } from "../fold/outcomes.ts";
import { type OpenRequest, type OpenScope, pendingQuestion, type RunView } from "../fold/shape.ts";
import type { EventBody, OutputEvent } from "./output-event.ts";
import { formatToolAction } from "./tool-text.ts";

/** What an entry means to a program that follows the run. The view is the one this entry was just folded into. */
export function toEvents(entry: Entry, view: RunView): readonly OutputEvent[] {
  return bodies(entry, view).map((body) => stamp(view, entry.at, body));
}

/** A tool an agent uses right now. */
export function toolEvent(
  view: RunView,
  at: number,
  use: ToolCall & {
    readonly key: string;
    readonly role: string;
    readonly state: "start" | "end";
    readonly failed: boolean;
  },
): OutputEvent {
  const { key, role, state, name, failed } = use;
  return stamp(view, at, { type: "tool", key, role, state, name, action: formatToolAction(use), failed });
}

/** Something to know that is in no entry: an agent is silent, a line could not be read. */
export function warningEvent(view: RunView, at: number, text: string): OutputEvent {
  return stamp(view, at, { type: "warning", text });
}

/** The run has stopped and can go on; `why` is the reason, and a question that waits comes with it. */
export function suspendedEvent(view: RunView, at: number, why: string): OutputEvent {
  const question = pendingQuestion(view)?.question ?? null;
  return stamp(view, at, { type: "run.suspended", why, question, costUsd: view.spend.total.costUsd });
}

function stamp(view: RunView, at: number, body: EventBody): OutputEvent {
  return { seq: view.seq, ts: new Date(at).toISOString(), runId: view.runId, ...body };
}

function bodies(entry: Entry, view: RunView): readonly EventBody[] {
  switch (entry.type) {
    case "run":
      return [{ type: "run.started", pipeline: view.pipeline.name, goal: view.goal, resumed: false }];
    case "session":
      return view.sessions > 1
        ? [{ type: "run.started", pipeline: view.pipeline.name, goal: view.goal, resumed: true }]
        : [];
    case "limits":
      return [];
    case "enter":
      return view.subject.kind === "scope" ? entered(view, view.subject.scope) : [];
    case "leave":
      return view.subject.kind === "scope" ? left(view.subject.scope, entry) : [];
    case "restart":
      return [{ type: "warning", text: `started again at epoch ${entry.epoch}: ${entry.scope || "the whole run"}` }];
    case "begin":
      return begun(entry, view);
    case "note":
      return noted(entry, view);
    case "settle":
      return view.subject.kind === "request" ? settled(view.subject.request, entry) : [];
    case "end":
      return [{ type: "run.finished", ...entry.ending, costUsd: view.spend.total.costUsd }];
  }
}

function entered(view: RunView, { kind, where, scope }: OpenScope): readonly EventBody[] {
  if (kind === "phase") return [{ type: "phase.started", phase: where.phase, scope }];
  if (kind !== "task" || where.task === null) return [];
  return [{ type: "task.started", task: where.task, title: view.tasks.get(where.task)?.title ?? null }];
}

function left(scope: OpenScope, { at, result }: Extract<Entry, { type: "leave" }>): readonly EventBody[] {
  if (scope.kind !== "phase") return [];
  const failure = result.ok ? null : result.failure;
  const durationMs = at - scope.at;
  return [{ type: "phase.finished", phase: scope.where.phase, scope: scope.scope, ok: result.ok, failure, durationMs }];
}

function begun({ key, request, tries }: Extract<Entry, { type: "begin" }>, view: RunView): readonly EventBody[] {
  if (request.do === "record") {
    const event = tries === 1 ? entryOf(request.fact)?.event?.(request.fact, view) : undefined;
    return event === undefined ? [] : [event];
  }
  if (request.do === "ask")
    return [{ type: "question.asked", key, id: request.question.id, question: request.question }];
  if (request.do !== "dispatch" || view.subject.kind !== "request") return [];
  const { phase, task } = view.subject.request.where;
  return [{ type: "dispatch.started", key, role: request.role, name: request.name, tries, phase, task }];
}

function noted({ key, note }: Extract<Entry, { type: "note" }>, view: RunView): readonly EventBody[] {
  if (note.type === "undone") {
    const text = `what an interrupted agent had left was taken back and is kept at ${note.backupRef}: ${note.files.join(", ")}`;
    return [{ type: "warning", text }];
  }
  if (note.type !== "usage") return [];
  const { subject, spend } = view;
  const asked = subject.kind === "request" ? subject.request.request : null;
  const role = asked?.do === "dispatch" ? asked.role : null;
  return [{ type: "usage", key, role, model: note.model, usage: note.usage, totalUsd: spend.total.costUsd }];
}

function settled(open: OpenRequest, { outcome, by }: Extract<Entry, { type: "settle" }>): readonly EventBody[] {
  const { key, request } = open;
  switch (request.do) {
    case "dispatch":
      return dispatched(open, outcome);
    case "ask":
      return [{ type: "question.answered", key, id: request.question.id, answer: String(outcome), by: by ?? "person" }];
    case "check": {
      const { passed = false, exitCode = null, durationMs = 0 } = checkOutcome(outcome) ?? {};
      return [
        { type: "check.finished", key, name: request.name, command: request.command, passed, exitCode, durationMs },
      ];
    }
    case "commit":
      return committed(open, commitOutcome(outcome));
    default:
      return [];
  }
}

function dispatched({ key, request, where }: OpenRequest, settledWith: unknown): readonly EventBody[] {
  const outcome = dispatchOutcome(settledWith);
  if (request.do !== "dispatch" || !outcome) return [];
  const { model, usage, durationMs, testFirst } = outcome;
  const guard = testFirst === undefined ? {} : { testFirst };
  const failure = outcome.status === "failed" ? { kind: outcome.kind, detail: outcome.detail } : null;
  const what = { key, role: request.role, name: request.name, phase: where.phase, task: where.task };
  return [{ type: "dispatch.finished", ...what, status: outcome.status, failure, model, usage, durationMs, ...guard }];
}

function committed({ key, request }: OpenRequest, outcome: CommitOutcome | undefined): readonly EventBody[] {
  if (request.do !== "commit" || !outcome || outcome.status === "nothing") return [];
  if (outcome.status === "refused") {
    return [{ type: "warning", text: `the commit ${request.name} was refused: ${outcome.detail}` }];
  }
  if (outcome.status === "moved") {
    return [
      { type: "warning", text: `not committed yet, for the tree is not the one that was judged: ${outcome.detail}` },
    ];
  }
  const { sha, files } = outcome;
  return [{ type: "commit.made", key, sha, task: request.task ?? null, message: request.message, files }];
}
