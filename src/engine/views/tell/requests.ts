// What a request says when it begins, and when it has its outcome.

import type { DispatchOutcome } from "../../../core/flow/dispatch.ts";
import type { Fact } from "../../../core/flow/fact.ts";
import type { CheckRequest, CommitRequest, DispatchRequest } from "../../../core/flow/flow.ts";
import { isFirst } from "../../../core/flow/keys.ts";
import { answerText, asShown, deciders, type Question } from "../../../core/flow/question.ts";
import type { RestoreOutcome } from "../../../core/flow/repository.ts";
import { planPath } from "../../../core/plan/path.ts";
import type { ScheduleEntry } from "../../../core/run/schedule.ts";
import { count, duration, firstLine, oneLine, sentence, shortSha, wordsOf } from "../../../core/text/format.ts";
import type { Entry } from "../../../ports/journal.ts";
import { entryOf } from "../facts/facts.ts";
import { checkOutcome, commitOutcome, dispatchOutcome } from "../fold/outcomes.ts";
import type { OpenRequest, RunView } from "../fold/shape.ts";
import { lastMoved, placeOf } from "../fold/tasks.ts";
import { phaseNamed, roleNamed, type Where, whereIsRequest } from "../fold/where.ts";
import { alsoUsd } from "../show/money.ts";
import type { Telling } from "./telling.ts";
import { testFirstText } from "./test-first.ts";

export function begun({ key, request, tries, at }: Entry & { readonly type: "begin" }, view: RunView): Telling {
  switch (request.do) {
    case "record":
      return tries === 1 ? recorded(request.fact, view) : {};
    case "ask": {
      const { id, title } = request.question;
      return {
        log: `asked ${id}: ${oneLine(title, 120)}`,
        show: tries === 1 ? beforeQuestion(request.question, view) : undefined,
        event: { type: "question.asked", key, id, question: asShown(request.question) },
      };
    }
    case "dispatch": {
      const { role, name } = request;
      const { phase, task } = whereIsRequest(key);
      return {
        log: `${role} started (${key}${tries > 1 ? `, try ${tries}` : ""})`,
        show: isFirst(key) ? workBegun(phaseNamed(view, phase), name, view) : undefined,
        event: { type: "dispatch.started", key, role, name, tries, phase, task },
      };
    }
    case "wait": {
      const until = request.until ?? (view.open.get(key)?.at ?? at) + request.ms;
      const suspends = request.away === true;
      return { event: { type: "wait.started", key, until: new Date(until).toISOString(), suspends } };
    }
    default:
      return {};
  }
}

function recorded(fact: Fact, view: RunView): Telling {
  const { log, show, warn, event } = entryOf(fact) ?? {};
  return { log: log?.(fact, view), show: show?.(fact, view), warn: warn?.(fact, view), event: event?.(fact, view) };
}

/** A failure that superteam itself tries again is no question, and needs nobody to resume. */
function beforeQuestion({ id, title }: Question, view: RunView): string | undefined {
  if (id === "execute.checkpoint") return checkpoint(view);
  return id.endsWith(".failed") ? `⏸ ${title} — if you leave, use superteam resume to retry from this step` : undefined;
}

/** `⏸ Checkpoint after task 2/7 — if you leave, superteam resume continues` */
function checkpoint(view: RunView): string {
  const task = lastMoved(view);
  const after = task ? ` after task ${placeOf(view, task)}` : "";
  return `⏸ Checkpoint${after} — if you leave, superteam resume continues`;
}

/** For a plan it also says where. */
function workBegun(phase: ScheduleEntry | undefined, name: string, { documents, part }: RunView): string | undefined {
  const text = phase?.begun?.[name];
  if (text === undefined || !phase?.produces?.includes("plan")) return text;
  const { plan } = documents;
  return `${text}${plan === undefined ? "..." : ` → ${planPath(plan, part?.part ?? 1)}`}`;
}

export function settled(open: OpenRequest, entry: Entry & { readonly type: "settle" }, view: RunView): Telling {
  const { outcome, by } = entry;
  const { key, request } = open;
  switch (request.do) {
    case "dispatch":
      return dispatched(open, request, outcome, view);
    case "ask": {
      const { id } = request.question;
      const answer = String(outcome);
      return {
        // A choice by an agent has numbers for keys, which alone say nothing.
        log: `answered ${id}: ${oneLine(answerText(request.question, answer), 120)}${by === undefined ? "" : ` (${deciders[by]})`}`,
        event: { type: "question.answered", key, id, answer, by: by ?? "person" },
      };
    }
    case "check":
      return checked(key, request, outcome);
    case "commit":
      return committed(key, request, outcome);
    case "wait":
      return { event: { type: "wait.finished", key } };
    case "restore":
    case "undo-work":
      return { show: undoneText(outcome) };
    default:
      return {};
  }
}

function dispatched(open: OpenRequest, request: DispatchRequest, settledWith: unknown, view: RunView): Telling {
  const { key, where } = open;
  const { role, name } = request;
  const outcome = dispatchOutcome(settledWith);
  if (!outcome) return { log: `${role} ended (${key})` };
  const { status, model, usage, durationMs, testFirst } = outcome;
  const failure = outcome.status === "failed" ? { kind: outcome.kind, detail: outcome.detail } : null;
  const end = failure ? `failed, ${failure.kind}: ${oneLine(failure.detail, 200)}` : "finished";
  const bill = `${duration(durationMs)}${alsoUsd(usage.costUsd)}`;
  const guarded = testFirstText(testFirst);
  const { phase, task } = where;
  const guard = testFirst && { testFirst };
  const answer = outcome.status === "finished" && name === "scout" && { answer: outcome.text };
  const what = { key, role, name, phase, task };
  return {
    log: `${role} ${end} (${key}; ${bill}, ${model ?? "no model"})${guarded === undefined ? "" : `; test first: ${guarded}`}`,
    ...(outcome.status === "failed"
      ? { warn: failureText(role, outcome, bill) }
      : { show: workDone(request, where, bill, view) }),
    event: { type: "dispatch.finished", ...what, status, failure, model, usage, durationMs, ...guard, ...answer },
  };
}

/** In short: what the person has to decide is asked with all there is to know. */
function failureText(role: string, failed: DispatchOutcome & { readonly status: "failed" }, bill: string): string {
  const { kind, detail, output } = failed;
  return [
    sentence(`${role} agent failed (${kind}; ${bill})`),
    ...(detail === "" ? [] : [`  Error: ${oneLine(detail, 120)}`]),
    // What pi could not do at all is both.
    ...(output === "" || detail.includes(output.trim()) ? [] : [`  Output: '${oneLine(output, 80)}'`]),
  ].join("\n");
}

/** A reviewer's verdict says it already. */
function workDone({ role, name }: DispatchRequest, { phase }: Where, bill: string, view: RunView): string | undefined {
  if (roleNamed(view, role)?.review !== undefined) return undefined;
  const work = phaseNamed(view, phase)?.finished?.[name];
  if (work !== undefined) return `✓ ${work} (${bill})`;
  // Whether the answer can be used is seen only now.
  return `${role} answered${role === name ? "" : `: ${wordsOf(name)}`} (${bill})`;
}

/** Of a run of the tests only what it means for the work is shown: some may have been red before. */
function checked(key: string, { name, command, tests }: CheckRequest, settledWith: unknown): Telling {
  const outcome = checkOutcome(settledWith);
  const { passed = false, exitCode = null, durationMs = 0 } = outcome ?? {};
  const how = passed ? "passed" : `failed (exit code ${exitCode ?? "none"})`;
  const what = `${name}: ${oneLine(command, 80)}`;
  return {
    log: `check ${name} ${how}: ${oneLine(command, 100)}`,
    show: passed && !tests ? `✓ ${what} (${duration(durationMs)})` : undefined,
    warn: outcome && !passed && !tests ? `✗ ${what} ${how}` : undefined,
    event: { type: "check.finished", key, name, command, passed, exitCode, durationMs },
  };
}

function committed(key: string, { name, message, task }: CommitRequest, settledWith: unknown): Telling {
  const outcome = commitOutcome(settledWith);
  if (outcome === undefined || outcome.status === "nothing") return { log: `nothing to commit for ${name}` };
  if (outcome.status === "committed") {
    const { sha, files, lines } = outcome;
    const subject = firstLine(message);
    return {
      log: `committed ${shortSha(sha)}: ${oneLine(subject, 120)}`,
      show: `📦 ${shortSha(sha)} ${oneLine(subject, 100)}`,
      event: { type: "commit.made", key, sha, task: task ?? null, message, files, ...(lines && { lines }) },
    };
  }
  const why = oneLine(outcome.detail, 200);
  if (outcome.status === "refused") {
    return {
      log: `commit ${name} was refused: ${why}`,
      warn: `✗ commit refused: ${why}`,
      event: { type: "warning", text: `the commit ${name} was refused: ${outcome.detail}` },
    };
  }
  const text = `not committed yet: ${outcome.detail}`;
  return {
    log: `commit ${name} waits: ${why}`,
    warn: `${why} It is checked again.`,
    event: { type: "warning", text },
  };
}

/** What was undone is kept, and the person must know where. */
function undoneText(outcome: unknown): string | undefined {
  const { restored = [], moved = false, backupRef = "" } = (outcome ?? {}) as Partial<RestoreOutcome>;
  if (restored.length === 0 && !moved) return undefined;
  const what = restored.length === 0 ? "HEAD" : count(restored.length, "file");
  return `↩ restored ${what}; what was changed is kept at ${backupRef}`;
}
