// Which facts are told on the screen as they happen, and how.

import type { Fact } from "../../../core/flow/fact.ts";
import type { Verdict } from "../../../core/review/review.ts";
import { roundLimits } from "../fold/rounds.ts";
import { planReviewers, type ReviewLine, type RunView } from "../fold/shape.ts";
import { countTasks } from "../fold/task-progress.ts";
import { budgetOf, budgetText } from "../show/budget.ts";
import { forecastText } from "../show/forecast.ts";
import { count, oneLine } from "../show/format.ts";
import { info, type Notice, warning } from "./notice.ts";
import { wordsOf } from "./step-status.ts";

type Of<T extends Fact["type"]> = Extract<Fact, { readonly type: T }>;

/** The view is the one this fact was just folded into. */
export function narrateFact(fact: Fact, view: RunView): Notice | undefined {
  switch (fact.type) {
    case "triaged":
      return info(triageText(fact));
    case "part.started":
      return info(`── Part ${fact.part} of ${fact.of}: ${oneLine(fact.title, 100)} ──`);
    case "forecast":
      return info(forecastTold(fact, view));
    case "design.written":
      return info(`📄 Design: ${fact.path}`);
    case "plan.written":
      return fact.path === null ? undefined : info(planText(fact, view));
    case "plan.loaded":
      return info(`📄 Plan: ${fact.path}, task ${fact.task.id} of ${fact.of}`);
    case "plan.reviewed":
      return planReviewed(fact, view);
    case "task.status":
      return fact.status === "fixing" ? info(fixText(fact.round, view)) : undefined;
    case "review.finished":
      return reviewed(titleOf(fact.role), fact);
    case "final.reviewed":
      return reviewed("Final review", fact);
    case "task.settled":
      return fact.status === "complete" ? undefined : warning(`– task ${fact.task} ${fact.status}`);
    case "waiver":
      return warning(`waived (${fact.step}): ${fact.what}`);
    case "warning":
      return warning(fact.text);
    default:
      return undefined;
  }
}

/** `⚖ Mode: quick (the scout proposed standard: it touches three files)` */
function triageText({ mode, proposed, reason, breadth, parts }: Of<"triaged">): string {
  const why = oneLine(reason, 200);
  const by = mode === proposed ? why : `the scout proposed ${proposed}: ${why}`;
  return `⚖ Mode: ${mode} (${by})${breadth === "one" ? "" : `, in ${count(parts.length, "part")}, as ${breadth}`}`;
}

/** What is ahead, against what there is to spend. */
function forecastTold({ forecast }: Of<"forecast">, view: RunView): string {
  const budget = budgetOf(view);
  const against = budget === null ? "" : `\n  Budget: ${budgetText(budget)}`;
  return `💰 ${forecastText(forecast)}, for ${count(countTasks(view).left.length, "task")}${against}`;
}

/** The tasks are listed once; a revision says how many there are now. */
function planText({ path, tasks }: Of<"plan.written">, { plansWritten }: RunView): string {
  if (plansWritten > 1) return `📄 Plan revised: ${path} (${count(tasks.length, "task")})`;
  const lines = tasks.map(({ title }, index) => `  ${index + 1}. ${oneLine(title, 120)}`);
  return [`${count(tasks.length, "task")} found:`, ...lines].join("\n");
}

/** Told once per cycle, when every reviewer has looked: `📋 Plan review: architect ✓, spec-reviewer ✓`. */
function planReviewed({ cycle }: Of<"plan.reviewed">, { planReviews }: RunView): Notice | undefined {
  const reviews = planReviewers.flatMap((role) => planReviews.get(role) ?? []);
  if (reviews.length < planReviewers.length || reviews.some((review) => review.round !== cycle)) return undefined;
  const marks = reviews.map(({ role, verdict }) => `${role} ${verdict === "approved" ? "✓" : "✗"}`).join(", ");
  const findings = reviews.flatMap(planFindings);
  const text = [`📋 Plan review: ${marks}`, ...findings].join("\n");
  return reviews.every(({ verdict }) => verdict === "approved") ? info(text) : warning(text);
}

function planFindings({ role, verdict, findings }: ReviewLine): readonly string[] {
  if (verdict === "approved") return [];
  if (verdict === "inconclusive") return [`  ${role}: no clear verdict`];
  return findings.map((finding) => `  ${role}: ${oneLine(finding, 160)}`);
}

/** `🔧 Fix attempt 1/3...`; a person may grant more than there are. */
function fixText(round: number, view: RunView): string {
  const { task: limit } = roundLimits(view);
  return `🔧 Fix attempt ${round}${limit === undefined || round > limit ? "" : `/${limit}`}...`;
}

/** `spec-reviewer` makes a `Spec review`. */
function titleOf(role: string): string {
  const words = wordsOf(role.replace(/-reviewer$/, "-review"));
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** One finding stands beside the title, several stand below. */
function reviewed(
  title: string,
  { verdict, findings }: { readonly verdict: Verdict; readonly findings: readonly string[] },
): Notice {
  if (verdict === "approved") return info(`✓ ${title} passed`);
  if (verdict === "inconclusive") return warning(`✗ ${title}: no clear verdict`);
  const [only] = findings;
  if (findings.length === 1 && only !== undefined) return warning(`✗ ${title}: ${oneLine(only, 160)}`);
  const list = findings.map((finding) => `  ${oneLine(finding, 160)}`);
  return warning([`✗ ${title}: ${count(findings.length, "finding")}`, ...list].join("\n"));
}
