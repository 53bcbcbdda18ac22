// What each entry says: in the log, on the screen as it happens, and to a program. Entries that only matter
// to the engine say nothing. Questions are not told on the screen: they are there themselves.

import { deciders } from "../../../core/flow/question.ts";
import { count, listed, oneLine, usd } from "../../../core/text/format.ts";
import type { Entry, Note } from "../../../ports/journal.ts";
import type { OpenScope, RunView } from "../fold/shape.ts";
import { placeOf } from "../fold/tasks.ts";
import { phaseNamed } from "../fold/where.ts";
import { footer } from "../show/status.ts";
import type { EventBody } from "./output-event.ts";
import { begun, settled } from "./requests.ts";
import type { Telling } from "./telling.ts";

/** One readable line for `superteam log`: when (UTC), what, to what, at which cost. */
export function logLine(entry: Entry, view: RunView): string | undefined {
  const { log } = tellingOf(entry, view);
  return log === undefined ? undefined : `${new Date(entry.at).toISOString().slice(0, 19).replace("T", " ")}Z  ${log}`;
}

/** What the screen shows: one short line for what has just happened. */
export function narrate(entry: Entry, view: RunView) {
  const { show, warn } = tellingOf(entry, view);
  if (show !== undefined) return { text: show, level: "info" } as const;
  return warn === undefined ? undefined : ({ text: warn, level: "warning" } as const);
}

/** The view is the one this entry was just folded into. */
export function tellingOf(entry: Entry, view: RunView): Telling {
  const { subject } = view;
  switch (entry.type) {
    case "run":
      return {
        log: `run ${view.runId} started${view.startedBy === "person" ? "" : ` ${deciders[view.startedBy]}`}: ${oneLine(view.goal, 160)}`,
        event: started(view),
      };
    case "session":
      return view.sessions > 1 ? { log: `resumed by process ${entry.pid}`, event: started(view) } : {};
    case "limits":
      return { log: `budget: ${usd(entry.limits.hard.usd)}, asks at ${usd(entry.limits.warnUsd)}` };
    case "enter":
      return subject.kind === "scope" ? entered(subject.scope, view) : {};
    case "leave":
      return subject.kind === "scope" ? left(subject.scope, entry, view) : {};
    case "restart":
      return restarted(entry.scope || "the whole run", entry.epoch);
    case "begin":
      return begun(entry, view);
    case "note":
      return noted(entry, view);
    case "settle":
      return subject.kind === "request" ? settled(subject.request, entry, view) : {};
    case "end":
      return ended(entry, view);
  }
}

function started({ pipeline, goal, sessions, startedBy: by }: RunView): EventBody {
  return { type: "run.started", pipeline: pipeline.name, goal, resumed: sessions > 1, by };
}

function entered({ kind, where, scope }: OpenScope, view: RunView): Telling {
  if (kind === "step") return {};
  const log = `${kind} ${scope} started`;
  if (kind === "phase") {
    const { label = where.phase ?? scope, stage = null, type = null } = phaseNamed(view, where.phase) ?? {};
    const event = { type: "phase.started", phase: where.phase, scope, label, stage, work: type } as const;
    return { log, show: `── ${label} ──`, event };
  }
  if (where.task === null) return { log };
  const task = view.tasks.get(where.task);
  const show = task && `🔨 Task ${placeOf(view, task)}: ${oneLine(task.title, 100)}`;
  return { log, show, event: { type: "task.started", task: where.task, title: task?.title ?? null } };
}

function left(open: OpenScope, { at, result }: Entry & { readonly type: "leave" }, { spend }: RunView): Telling {
  const { kind, where, scope } = open;
  if (kind === "step") return {};
  const spent = kind === "task" ? spend.tasks.get(where.task ?? "") : spend.phases.get(where.phase ?? "");
  const failure = result.ok ? null : result.failure;
  const { costUsd = 0 } = spent ?? {};
  const cost = costUsd === 0 ? "" : `, ${usd(costUsd)} in all`;
  const end = failure ? `failed: ${oneLine(failure.detail, 200)}` : `finished${cost}`;
  const log = `${kind} ${scope} ${end}`;
  if (kind === "task") return { log };
  const durationMs = at - open.at;
  return { log, event: { type: "phase.finished", phase: where.phase, scope, ok: result.ok, failure, durationMs } };
}

function restarted(what: string, epoch: number): Telling {
  return {
    log: `${what} starts again (attempt ${epoch})`,
    show: `↻ ${what} starts again`,
    event: { type: "warning", text: `started again (attempt ${epoch}): ${what}` },
  };
}

function noted({ key, note }: Entry & { readonly type: "note" }, { subject, spend }: RunView): Telling {
  if (note.type === "gone") return { log: `${key} was stopped` };
  if (note.type === "replaced") return replaced(key, Object.keys(note.documents));
  const asked = subject.kind === "request" ? subject.request.request : null;
  if (note.type === "undone") return undone(key, note, workers.get(asked?.do ?? "") ?? "step");
  if (note.type !== "usage") return {};
  const { model, usage } = note;
  const role = asked?.do === "dispatch" ? asked.role : null;
  return { event: { type: "usage", key, role, model, usage, totalUsd: spend.total.costUsd } };
}

const workers: ReadonlyMap<string, string> = new Map([
  ["dispatch", "agent"],
  ["check", "check"],
]);

/** A person who worked meanwhile finds their own files among them. */
function undone(key: string, { files, backupRef }: Note & { readonly type: "undone" }, what: string): Telling {
  const isHeadOnly = files.length === 0;
  const took = isHeadOnly ? "moved HEAD back" : `undid changes to ${count(files.length, "file")}`;
  const text = `${took} that an interrupted ${what} had made, kept at ${backupRef}${isHeadOnly ? "" : `: ${listed(files, files.length)}`}`;
  return {
    log: `${took} of ${key}, kept at ${backupRef}`,
    warn: [
      `↩ ${took}, made while the interrupted ${what} was at work${isHeadOnly ? "" : `: ${listed(files, 8)}`}`,
      `If some of it is yours: git restore --source=${backupRef} -- <file>`,
    ].join("\n"),
    event: { type: "warning", text },
  };
}

function replaced(key: string, paths: readonly string[]): Telling {
  const text = `${listed(paths)} was restored to its state before the agent began. The replaced text is in the journal.`;
  return { log: `restored ${listed(paths)} of ${key}`, show: `↩ ${text}`, event: { type: "warning", text } };
}

function ended({ ending }: Entry & { readonly type: "end" }, view: RunView): Telling {
  const { costUsd } = view.spend.total;
  const event: EventBody = { type: "run.finished", ...ending, costUsd };
  if (ending.how === "finished") return { log: `run finished, ${usd(costUsd)}`, show: footer(view), event };
  const how =
    ending.how === "failed"
      ? `failed in ${ending.failure.step}: ${oneLine(ending.failure.detail, 200)}`
      : `aborted: ${oneLine(ending.detail, 200)}`;
  return { log: `run ${how}, ${usd(costUsd)}`, event };
}
