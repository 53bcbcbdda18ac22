// What scripted agents of a run say. Every agent does its part well unless a scenario says otherwise.

import { stringify } from "yaml";
import type { z } from "zod";
import type { Script, ScriptedPlay } from "../../../src/adapters/agents/scripted/script.ts";
import type { Task } from "../../../src/core/plan/plan.ts";
import type { Finding, Resolution } from "../../../src/core/review/review.ts";
import { fenced } from "../../../src/core/text/block.ts";
import type { AgentOrder } from "../../../src/ports/agents.ts";
import { scouted } from "../triage.ts";
import { documentsOf } from "./run.ts";

export type TaskText = z.input<typeof Task>;

/** Where an order is in the run, as its prompt's last line says: `execute/task-2/fix`, and which try this is. */
export interface Where {
  /** Without the epochs of restarted scopes and the counts of repeated ones. */
  readonly step: string;
  readonly exact: string;
  readonly attempt: number;
  /** The task's number, 0 outside of tasks. */
  readonly task: number;
}

export function whereIs({ prompt }: Pick<AgentOrder, "prompt">): Where {
  const [, exact = "", attempt = "1"] = /\n\[superteam\] .*\bstep=(\S+) attempt=(\d+)\s*$/.exec(prompt) ?? [];
  const step = exact.replaceAll(/[@#]\d+/g, "");
  return { step, exact, attempt: Number(attempt), task: Number(/task-(\d+)/.exec(step)?.[1] ?? 0) };
}

/** Scripts by `step attempt`, by `step` (with or without counts), or by role, in this order. */
export function playFrom(scripts: Readonly<Record<string, Script>>): ScriptedPlay {
  return (order) => {
    const { step, exact, attempt } = whereIs(order);
    const names = [`${exact} ${attempt}`, exact, `${step} ${attempt}`, step, order.role];
    const name = names.find((candidate) => scripts[candidate] !== undefined);
    const script = name === undefined ? undefined : scripts[name];
    if (!script) throw new Error(`no script for ${exact} ${attempt} (${order.role})`);
    return { usage, ...script };
  };
}

export const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, costUsd: 0.01, estimated: false };

export function answer(tag: "superteam-json" | "superteam-brainstorm", value: unknown): string {
  return `So:\n\n${fenced(tag, JSON.stringify(value))}\n`;
}

export interface ReviewText {
  readonly passed?: boolean;
  readonly findings?: readonly z.input<typeof Finding>[];
  readonly resolutions?: readonly z.input<typeof Resolution>[];
}

/** A review: passed when there is nothing to say. */
export function review({ passed, findings = [], resolutions = [] }: ReviewText = {}): Script {
  const isFine = passed ?? (findings.length === 0 && resolutions.every(({ state }) => state === "resolved"));
  return { text: answer("superteam-json", { passed: isFine, findings, resolutions, summary: "As said." }) };
}

const reviewing = ["architect", "spec-reviewer", "quality-reviewer", "security-reviewer", "performance-reviewer"];

/** Every reviewer is content. */
export const contentReviewers: Readonly<Record<string, Script>> = Object.fromEntries(
  [...reviewing, "final-reviewer"].map((role) => [role, review()]),
);

export interface DesignText {
  readonly title: string;
  readonly content: string;
  readonly requirements: readonly { readonly id: string; readonly text: string }[];
}

/** A scout and a brainstormer who ask three short questions and propose two approaches: `plain` and `fancy`. */
export function brainstorming(section: DesignText): Readonly<Record<string, Script>> {
  const input = (id: string) => ({ id, text: `${id}?`, type: "input" });
  const approach = (id: string) => ({ id, title: id, summary: id, tradeoffs: "none", taskEstimate: 2 });
  const say = (value: unknown): Script => ({ text: answer("superteam-brainstorm", value) });
  return {
    "brainstorm/scout": { text: scouted("A repository with a README.") },
    "brainstorm/questions": say({ type: "questions", questions: ["q1", "q2", "q3"].map(input) }),
    "brainstorm/approaches": say({
      type: "approaches",
      approaches: ["plain", "fancy"].map(approach),
      recommendation: "plain",
      reasoning: "plain is enough",
    }),
    "brainstorm/design": say({ type: "design", sections: [{ id: "s1", ...section }] }),
  };
}

/** What a person says who agrees to everything, up to the first task. */
export const agreeing: Readonly<Record<string, readonly string[]>> = {
  "triage.mode": ["standard"],
  "brainstorm.question.*": ["one", "two", "three"],
  "brainstorm.approach": ["plain"],
  "brainstorm.section.1": ["yes"],
  "plan.approval": ["approve"],
  "configure.execution": ["auto"],
  "configure.review": ["iterative"],
  "finalize.docs": ["no"],
};

/** A plan's document. Tasks that do not say how they are proven are proven by reading. */
export function planDocument(goal: string, tasks: readonly TaskText[]): string {
  return `# ${goal}

**Goal:** ${goal}

**Architecture:** One file per task.

**Tech Stack:** Text.

${tasks.map(({ id, title, description }) => `### Task ${id}: ${title}\n\n${description}\n`).join("\n")}
${fenced("superteam-tasks", stringify(tasks.map(({ description, ...entry }) => ({ ...proof, ...entry }))).trimEnd())}
`;
}

const proof = { criteria: ["It can be read"], commands: ["cat *.txt"] } as const;

/** A planner that writes this text as the plan. */
export function writesPlan(goal: string, text: string): Script {
  return { run: heredoc(documentsOf(goal).plan, text), text: "The plan is written." };
}

/** Shell commands that write a text to a file. */
export function heredoc(path: string, text: string): string {
  return `mkdir -p "$(dirname '${path}')" && cat > '${path}' <<'END-OF-TEXT'\n${text.trimEnd()}\nEND-OF-TEXT`;
}
