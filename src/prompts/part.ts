// About one part of a goal that is built in parts: for the scout that looks before it is planned, for the planner, and for the
// reviewers of that plan.

import type { PlanScope, WorkPart } from "../core/plan/parts.ts";
import type { Part } from "../core/plan/triage.ts";
import type { Settled } from "../core/run/report.ts";
import { nameText } from "../core/text/format.ts";
import { bullets, goalText, section, sections, step } from "./parts.ts";

/** `later` are the parts after it, `done` is what the parts before it built. */
export function scoutPart(goal: string, part: WorkPart, later: readonly Part[], done: readonly Settled[]): string {
  return sections(
    goalText(goal),
    section("Done so far", bullets(done.map(settledText))),
    section(`The next part: ${part.number} of ${part.of}`, `${partText(part)}\n${requirementsText(part)}`),
    section("The parts after it", bullets(later.map(partText))),
    step("scout the next part", "Report, and reassess the remaining parts."),
  );
}

function settledText({ task, title, status, commit, files }: Settled): string {
  const where = commit === null ? "" : ` (commit ${commit.slice(0, 10)}: ${files.map(nameText).join(", ")})`;
  return `Task ${task}, ${title}: ${status}${where}`;
}

function partText({ title, scope }: Part): string {
  return `${title}: ${scope}`;
}

function requirementsText({ requirements }: WorkPart): string {
  return bullets(requirements.map(({ id, text }) => `${id} ${text}`));
}

/** For the design: which parts there are, and that its sections say where they belong. */
export function partsOfDesign(parts: readonly Part[]): string {
  if (parts.length === 0) return "";
  const listed = parts.map((part, index) => `${index + 1}. ${partText(part)}`).join("\n");
  return `The goal is built in ${parts.length} parts, each planned on top of what the one before it built:\n${listed}\nA section that states requirements also has the field \`part\`, the number of the one part it belongs to: \`"part": 1\`. Every part has at least one requirement.`;
}

/** For the planner. */
export function planScope(part: PlanScope | undefined): string {
  if (part === undefined) return "";
  const from = part.firstTask === 1 ? "" : ` Number your tasks from ${part.firstTask}.`;
  return section(`Plan part ${part.number} of ${part.of} only`, `${reviewScope(part)}${from}`);
}

/** For the reviewers of such a plan. */
export function reviewScope({ number, of, title, scope, requirements, firstTask }: PlanScope): string {
  const before = firstTask === 1 ? "" : ` Tasks below number ${firstTask} were done in earlier parts.`;
  return `${title}: ${scope}\nThe design is for all ${of} parts. This plan is for part ${number} and covers exactly ${requirements.join(", ")}; the other requirements are planned in other parts.${before}`;
}
