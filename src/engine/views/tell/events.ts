// The lines of `--json`: one object per thing that happened, with the journal entry it comes from. What an agent does in
// between is not journaled; such events carry the number of the last entry before them.

import { asShown } from "../../../core/flow/question.ts";
import { eventVersion } from "../../../core/run/event-version.ts";
import type { ToolCall } from "../../../ports/agents.ts";
import type { Entry } from "../../../ports/journal.ts";
import { pendingQuestion, type RunView } from "../fold/shape.ts";
import { tellingOf } from "./entries.ts";
import type { EventBody, EventDraft } from "./output-event.ts";
import { formatToolAction } from "./tool-text.ts";

/** What an entry means to a program that follows the run. The view is the one this entry was just folded into. */
export function toEvents(entry: Entry, view: RunView): readonly EventDraft[] {
  const { event } = tellingOf(entry, view);
  return event === undefined ? [] : [stamp(view, entry.at, event)];
}

/** A tool an agent uses right now. */
export function toolEvent(view: RunView, at: number, use: ToolCall & Omit<ToolUse, "type" | "action">): EventDraft {
  const { key, role, state, name, failed } = use;
  return stamp(view, at, { type: "tool", key, role, state, name, action: formatToolAction(use), failed });
}

type ToolUse = Extract<EventBody, { readonly type: "tool" }>;

/** Something to know that is in no entry: an agent is silent, a line could not be read. */
export function warningEvent(view: RunView, at: number, text: string): EventDraft {
  return stamp(view, at, { type: "warning", text });
}

/** The run has stopped and can be resumed; `why` is the reason, and a question that waits comes with it. */
export function suspendedEvent(view: RunView, at: number, why: string): EventDraft {
  const pending = pendingQuestion(view)?.question;
  const question = pending ? asShown(pending) : null;
  return stamp(view, at, { type: "run.suspended", why, question, costUsd: view.spend.total.costUsd });
}

function stamp(view: RunView, at: number, body: EventBody): EventDraft {
  return { v: eventVersion, entry: view.seq, ts: new Date(at).toISOString(), runId: view.runId, ...body };
}
