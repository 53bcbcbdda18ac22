// The plan's reviewers: both read the design and the plan with their tools, and judge what they have read. The architect
// looks at how tasks depend on each other, the spec reviewer at what the design asks for.

import type { z } from "zod";
import { readPlan } from "../../core/plan/document.ts";
import type { Task } from "../../core/plan/plan.ts";
import type { Finding, Resolution, Review } from "../../core/review/review.ts";
import type { Turn } from "../model/play.ts";
import { answerWith } from "../model/texts.ts";
import { forgotten } from "./plan-text.ts";
import { documentPath, findingIds, requirementsIn } from "./prompt.ts";
import { looks, read, type Scene, scene } from "./scene.ts";

type Found = z.input<typeof Finding>;

interface Reading {
  /** The ids of the design's requirements. */
  readonly required: readonly string[];
  readonly plan: string;
  readonly tasks: readonly Task[];
}

/** Two tasks that change the same file have to come in an order. */
export const architectScene: Scene = planReview(({ tasks }) =>
  tasks.flatMap((task) => unordered(task, tasks).map((other) => withoutDependency(task, other))),
);

/** Every requirement is covered, and every task can be held against something. */
export const planSpecScene: Scene = planReview(({ required, tasks }) => [
  ...required.filter((id) => !tasks.some((task) => task.covers.includes(id))).map(uncovered),
  ...tasks.filter((task) => task.criteria.length === 0).map(unprovable),
]);

function planReview(judge: (reading: Reading) => readonly Found[]): Scene {
  return (turn) => {
    const [design, plan] = [documentPath(turn.prompt, "design"), documentPath(turn.prompt, "plan")];
    if (design === null || plan === null) return { text: "I was not told where the design and the plan are." };
    const moves = [looks("I read the design and the plan.", read(design), read(plan))];
    return scene(moves, (seen) => verdictOn(seen, judge))(turn);
  };
}

function verdictOn(turn: Turn, judge: (reading: Reading) => readonly Found[]): string {
  const reading = readingOf(turn);
  if (reading === null) return "I cannot judge this: what I read is not a design with a plan.";
  const answered = findingIds(turn.prompt, "Your open findings");
  const resolutions = answered.map((id) => resolutionOf(id, reading));
  // What is answered as still open is not found again.
  const findings = answered.length > 0 ? [] : judge(reading);
  const passed = findings.length === 0 && resolutions.every(({ state }) => state === "resolved");
  const summary = passed ? "The plan can be built as it is." : "The plan needs one more look.";
  const answer: z.input<typeof Review> = { passed, findings: [...findings], resolutions, summary };
  return answerWith("superteam-json", answer, "I have read the design and the plan.");
}

function readingOf({ history }: Turn): Reading | null {
  const [design, plan] = history[0]?.results ?? [];
  const required = requirementsIn(design?.text ?? "");
  const reading = readPlan(plan?.text ?? "", required);
  return reading.ok && required.length > 0 ? { required, plan: plan?.text ?? "", tasks: reading.plan.tasks } : null;
}

/** Earlier tasks that share a file with this one, and that it does not depend on. */
function unordered(task: Task, tasks: readonly Task[]): readonly Task[] {
  const earlier = tasks.slice(0, tasks.indexOf(task));
  const sharing = earlier.filter((other) => other.files.some((file) => task.files.includes(file)));
  return sharing.filter((other) => !task.dependsOn.includes(other.id));
}

function withoutDependency(task: Task, other: Task): Found {
  const shared = other.files.filter((file) => task.files.includes(file)).join(", ");
  return {
    rule: "dependency",
    severity: "high",
    anchor: { requirement: `T${task.id}` },
    what: `Task ${task.id} changes ${shared} after task ${other.id} and tests what that builds, but does not depend on it.`,
    fix: `Add ${other.id} to the dependencies of task ${task.id}.`,
  };
}

function uncovered(id: string): Found {
  return { rule: "missing", severity: "high", anchor: { requirement: id }, what: `No task covers ${id}.` };
}

function unprovable({ id }: Task): Found {
  const anchor = { requirement: `T${id}` };
  return { rule: "unclear", severity: "medium", anchor, what: `Task ${id} does not say when it is done.` };
}

function resolutionOf(id: string, { plan }: Reading): z.input<typeof Resolution> {
  const mended = plan.includes(forgotten.mended);
  return { id, state: mended ? "resolved" : "still-open", quote: (mended ? forgotten.mended : forgotten.draft).trim() };
}
