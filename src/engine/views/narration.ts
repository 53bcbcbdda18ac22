// What is told on the screen as a run goes on: one short line for what has just happened, nothing for what only
// matters to the engine. Questions are not told here: they are on the screen themselves.

import type { Fact } from "../../core/fact.ts";
import type { Entry } from "../../ports/journal.ts";
import { checkOutcome, commitOutcome, dispatchOutcome } from "./apply-outcome.ts";
import { count, duration, oneLine, shortSha, usd } from "./format.ts";
import type { OpenRequest, RunView } from "./shape.ts";
import { whereIsScope } from "./where.ts";

export interface Told {
  readonly text: string;
  readonly level: "info" | "warning";
}

/** The view is the one this entry was just folded into. */
export function narrate(entry: Entry, view: RunView): Told | undefined {
  switch (entry.type) {
    case "enter":
      return entered(entry.scope, entry.kind, view);
    case "begin":
      return entry.request.do === "record" && entry.tries === 1 ? fact(entry.request.fact) : undefined;
    case "settle":
      return view.subject.kind === "request" ? settled(view.subject.request, entry.outcome) : undefined;
    case "note":
      if (entry.note.type !== "undone") return undefined;
      return warning(
        `↩ took back ${count(entry.note.files.length, "file")} an interrupted agent had changed; kept at ${entry.note.keptAt}`,
      );
    case "restart":
      return info(`↻ ${entry.scope || "the whole run"} starts again`);
    default:
      return undefined;
  }
}

const phaseNames: Readonly<Record<string, string>> = {
  brainstorm: "Brainstorm",
  "plan-write": "Plan",
  "plan-review": "Plan approval",
  execute: "Execute",
  finalize: "Finalize",
};

function entered(scope: string, kind: string, view: RunView): Told | undefined {
  const where = whereIsScope(scope);
  if (kind === "phase") return info(`── ${phaseNames[where.phase ?? ""] ?? where.phase ?? scope} ──`);
  const task = kind === "task" && where.task !== null ? view.tasks.get(where.task) : undefined;
  return task ? info(`🔨 Task ${task.number}/${view.tasks.size}: ${oneLine(task.title, 100)}`) : undefined;
}

function fact(told: Fact): Told | undefined {
  switch (told.type) {
    case "design.written":
      return info(`📄 Design: ${told.path}`);
    case "plan.written":
      return info(`📄 Plan: ${told.path} (${count(told.tasks.length, "task")})`);
    case "review.finished":
      return reviewed(told);
    case "task.settled":
      return told.status === "complete" ? undefined : warning(`– task ${told.task} ${told.status}`);
    case "waiver":
      return warning(`waived (${told.step}): ${told.what}`);
    case "warning":
      return warning(told.text);
    default:
      return undefined;
  }
}

function reviewed(told: Fact & { readonly type: "review.finished" }): Told {
  const name = told.role.replace("-reviewer", " review");
  if (told.verdict === "approved") return info(`✓ ${name} passed`);
  const findings = told.findings.map((finding) => `\n    ${oneLine(finding, 160)}`).join("");
  return warning(
    `✗ ${name}: ${told.verdict === "inconclusive" ? "no clear verdict" : count(told.findings.length, "finding")}${findings}`,
  );
}

function settled({ request }: OpenRequest, outcome: unknown): Told | undefined {
  if (request.do === "dispatch") return dispatched(request.role, request.name, outcome);
  if (request.do === "check") return checked(request.name, request.command, outcome);
  if (request.do === "commit") return committed(request.message, outcome);
  return undefined;
}

function dispatched(role: string, name: string, settledWith: unknown): Told | undefined {
  const outcome = dispatchOutcome(settledWith);
  if (!outcome) return undefined;
  const who = role === name ? role : `${role}: ${name.replaceAll("-", " ")}`;
  const bill = `${duration(outcome.durationMs)}, ${usd(outcome.usage.costUsd)}`;
  if (outcome.status === "finished") return info(`✓ ${who} (${bill})`);
  return warning(`✗ ${who} failed, ${outcome.kind}: ${oneLine(outcome.detail, 160)} (${bill})`);
}

function checked(name: string, command: string, settledWith: unknown): Told | undefined {
  const check = checkOutcome(settledWith);
  if (!check) return undefined;
  if (check.passed) return info(`✓ ${name}: ${oneLine(command, 80)} (${duration(check.durationMs)})`);
  return warning(`✗ ${name}: ${oneLine(command, 80)} failed (exit code ${check.exitCode ?? "none"})`);
}

function committed(message: string, settledWith: unknown): Told | undefined {
  const outcome = commitOutcome(settledWith);
  if (outcome?.status === "committed")
    return info(`● ${shortSha(outcome.sha)} ${oneLine(message.split("\n", 1)[0] ?? "", 100)}`);
  return outcome?.status === "refused" ? warning(`✗ commit refused: ${oneLine(outcome.detail, 200)}`) : undefined;
}

const info = (text: string): Told => ({ text, level: "info" });
const warning = (text: string): Told => ({ text, level: "warning" });
