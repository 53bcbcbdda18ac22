// What is told on the screen as a run goes on: one short line for what has just happened, nothing for what only
// matters to the engine. Questions are not told here: they are on the screen themselves.

import type { Fact } from "../../../core/flow/fact.ts";
import { isFirst } from "../../../core/flow/keys.ts";
import type { RestoreOutcome } from "../../../core/flow/repository.ts";
import { planPath } from "../../../core/plan/path.ts";
import { count, duration, firstLine, oneLine, shortSha, usd, wordsOf } from "../../../core/text/format.ts";
import type { Entry, Note } from "../../../ports/journal.ts";
import { entryOf } from "../facts/facts.ts";
import { checkOutcome, commitOutcome, dispatchOutcome } from "../fold/outcomes.ts";
import type { OpenRequest, RunView } from "../fold/shape.ts";
import { lastMoved, placeOf } from "../fold/tasks.ts";
import { phaseNamed, whereIsScope } from "../fold/where.ts";
import { footer } from "../show/status.ts";

/** One thing that is told on the screen and stays there. */
export interface Notice {
  readonly text: string;
  readonly level: "info" | "warning";
}

const info = (text: string): Notice => ({ text, level: "info" });
const warning = (text: string): Notice => ({ text, level: "warning" });

/** The view is the one this entry was just folded into. */
export function narrate(entry: Entry, view: RunView): Notice | undefined {
  switch (entry.type) {
    case "enter":
      return entered(entry.scope, entry.kind, view);
    case "begin":
      return begun(entry, view);
    case "settle":
      return view.subject.kind === "request" ? settled(view.subject.request, entry.outcome) : undefined;
    case "note":
      if (entry.note.type !== "undone") return undefined;
      return warning(interruptedWork(entry.note));
    case "restart":
      return info(`↻ ${entry.scope || "the whole run"} starts again`);
    case "end":
      return entry.ending.how === "finished" ? info(footer(view)) : undefined;
    default:
      return undefined;
  }
}

function entered(scope: string, kind: string, view: RunView): Notice | undefined {
  const where = whereIsScope(scope);
  if (kind === "phase") return info(`── ${phaseNamed(view, where.phase)?.label ?? where.phase ?? scope} ──`);
  const task = kind === "task" && where.task !== null ? view.tasks.get(where.task) : undefined;
  return task ? info(`🔨 Task ${placeOf(view, task)}: ${oneLine(task.title, 100)}`) : undefined;
}

function begun({ request, tries, key }: Extract<Entry, { type: "begin" }>, view: RunView): Notice | undefined {
  if (request.do === "record") return tries === 1 ? factTold(request.fact, view) : undefined;
  if (request.do === "ask")
    return request.question.id === "execute.checkpoint" && tries === 1 ? info(checkpoint(view)) : undefined;
  if (request.do !== "dispatch" || !isFirst(key)) return undefined;
  if (request.role === "scout") return info("🔍 Scouting codebase...");
  if (request.role === "planner" && request.name === "plan") {
    const { plan } = view.documents;
    return info(`📝 Drafting plan${plan === undefined ? "..." : ` → ${planPath(plan, view.part?.part ?? 1)}`}`);
  }
  return request.role === "final-reviewer" ? info("📊 Final review...") : undefined;
}

function factTold(fact: Fact, view: RunView): Notice | undefined {
  const entry = entryOf(fact);
  const text = entry?.show?.(fact, view);
  if (text !== undefined) return info(text);
  const alarm = entry?.warn?.(fact, view);
  return alarm === undefined ? undefined : warning(alarm);
}

/** Whoever was at work there beside the agent finds their own among them. */
function interruptedWork({ files, backupRef }: Extract<Note, { readonly type: "undone" }>): string {
  const named = files.slice(0, 8).join(", ");
  const more = files.length > 8 ? ` and ${files.length - 8} more` : "";
  return [
    `↩ took back ${count(files.length, "file")} that changed while the interrupted agent was at work: ${named}${more}`,
    `If some of it is yours: git restore --source=${backupRef} -- <file>`,
  ].join("\n");
}

/** `⏸ Checkpoint after task 2/7 — if you leave, superteam resume continues` */
function checkpoint(view: RunView): string {
  const task = lastMoved(view);
  const after = task ? ` after task ${placeOf(view, task)}` : "";
  return `⏸ Checkpoint${after} — if you leave, superteam resume continues`;
}

function settled({ request }: OpenRequest, outcome: unknown): Notice | undefined {
  if (request.do === "dispatch") return dispatched(request.role, request.name, outcome);
  if (request.do === "check") return checked(request.name, request.command, outcome);
  if (request.do === "commit") return committed(request.message, outcome);
  if (request.do === "restore") return undoneText(outcome);
  return undefined;
}

/** Whatever is taken back can be had again, and the person has to know where. */
function undoneText(outcome: unknown): Notice | undefined {
  const { restored = [], moved = false, backupRef = "" } = (outcome ?? {}) as Partial<RestoreOutcome>;
  if (restored.length === 0 && !moved) return undefined;
  return info(`↩ took back ${count(restored.length, "file")}; what was there is kept at ${backupRef}`);
}

/** A reviewer's work is told by its verdict. */
function dispatched(role: string, name: string, settledWith: unknown): Notice | undefined {
  const outcome = dispatchOutcome(settledWith);
  if (!outcome) return undefined;
  const bill = `${duration(outcome.durationMs)}, ${usd(outcome.usage.costUsd)}`;
  if (outcome.status === "failed") return warning(failure(role, outcome, bill));
  if (role === "architect" || role.endsWith("-reviewer")) return undefined;
  const work = role === "implementer" ? works[name] : undefined;
  if (work !== undefined) return info(`✓ ${work} (${bill})`);
  // Whether the answer can be used is seen only now.
  return info(`${role} answered${role === name ? "" : `: ${wordsOf(name)}`} (${bill})`);
}

const works: Readonly<Record<string, string>> = {
  implement: "Implemented",
  fix: "Fixed",
  "final-fix": "Fixed what the final review found",
  docs: "Documentation updated",
};

interface FailedDispatch {
  readonly kind: string;
  readonly detail: string;
  readonly output: string;
}

/** In short: what the person has to decide is asked with all there is to know. */
function failure(role: string, { kind, detail, output }: FailedDispatch, bill: string): string {
  const who = `${role.charAt(0).toUpperCase()}${role.slice(1)}`;
  return [
    `${who} agent failed (${kind}; ${bill}).`,
    ...(detail === "" ? [] : [`  Error: ${oneLine(detail, 120)}`]),
    ...(output === "" ? [] : [`  Output: '${oneLine(output, 80)}'`]),
    "  Use superteam resume to retry from this step.",
  ].join("\n");
}

function checked(name: string, command: string, settledWith: unknown): Notice | undefined {
  const check = checkOutcome(settledWith);
  if (!check) return undefined;
  if (check.passed) return info(`✓ ${name}: ${oneLine(command, 80)} (${duration(check.durationMs)})`);
  return warning(`✗ ${name}: ${oneLine(command, 80)} failed (exit code ${check.exitCode ?? "none"})`);
}

function committed(message: string, settledWith: unknown): Notice | undefined {
  const outcome = commitOutcome(settledWith);
  if (outcome?.status === "committed") return info(`📦 ${shortSha(outcome.sha)} ${oneLine(firstLine(message), 100)}`);
  if (outcome?.status === "moved")
    return warning(`The tree changed after it was judged: ${oneLine(outcome.detail, 200)}. It is judged again.`);
  return outcome?.status === "refused" ? warning(`✗ commit refused: ${oneLine(outcome.detail, 200)}`) : undefined;
}
