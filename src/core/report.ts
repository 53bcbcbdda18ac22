// What a run came to, as data and as text. Cost and time are known to the ledger and the clock alone, so they are
// given by whoever has them.

import { z } from "zod";
import { RunDocuments } from "./slug.ts";

/** What a task came to. */
export const Settled = z.object({
  task: z.int(),
  title: z.string(),
  status: z.enum(["complete", "skipped"]),
  commit: z.string().nullable(),
  /** Fix rounds, over all attempts. */
  rounds: z.int(),
  /** Whether the person had to decide about it. */
  escalated: z.boolean(),
  files: z.array(z.string()),
  /** Findings that were recorded and did not block, each with the reason. */
  deferred: z.array(z.string()),
  waivers: z.array(z.string()),
});
export type Settled = z.infer<typeof Settled>;

export const Report = z.object({ goal: z.string(), documents: RunDocuments, tasks: z.array(Settled) });
export type Report = z.infer<typeof Report>;

export interface Totals {
  readonly costUsd: number;
  readonly elapsedMs: number;
}

export function reportText({ goal, documents, tasks }: Report, totals?: Totals): string {
  return `${[
    "# Workflow Complete",
    goal.trim(),
    `## Tasks\n${tasks.map(taskLine).join("\n")}`,
    `## Stats\n${list(stats(tasks, totals))}`,
    part(
      "Deferred Findings",
      tasks.flatMap((task) => task.deferred.map((finding) => `Task ${task.task}: ${finding}`)),
    ),
    part(
      "Waivers",
      tasks.flatMap((task) => task.waivers.map((waiver) => `Task ${task.task}: ${waiver}`)),
    ),
    part("Changed Files", changedFiles(tasks)),
    part("Documents", [documents.design, documents.plan, documents.progress]),
    part("Undo", undo(tasks)),
  ]
    .filter((text) => text !== "")
    .join("\n\n")}\n`;
}

export function changedFiles(tasks: readonly Settled[]): readonly string[] {
  return [...new Set(tasks.flatMap((task) => task.files))].sort();
}

function taskLine({ status, title, commit, rounds }: Settled): string {
  if (status === "skipped") return `⏭️ ${title} (skipped)`;
  const fixes = rounds === 0 ? "" : `, ${rounds} fix ${rounds === 1 ? "round" : "rounds"}`;
  return `✅ ${title} (${commit === null ? "no commit" : short(commit)}${fixes})`;
}

function stats(tasks: readonly Settled[], totals: Totals | undefined): readonly string[] {
  const counts = [
    `${tasks.filter((task) => task.status === "complete").length} completed`,
    `${tasks.filter((task) => task.status === "skipped").length} skipped`,
    `${tasks.filter((task) => task.escalated).length} escalated`,
    `Fix rounds: ${tasks.reduce((sum, task) => sum + task.rounds, 0)}`,
  ];
  if (!totals) return counts;
  return [...counts, `Total cost: $${totals.costUsd.toFixed(2)}`, `Time: ${duration(totals.elapsedMs)}`];
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** Newest first: that is the order in which reverting never conflicts with itself. */
function undo(tasks: readonly Settled[]): readonly string[] {
  const commits = tasks.flatMap((task) => (task.commit === null ? [] : [{ task, sha: short(task.commit) }])).reverse();
  if (commits.length === 0) return [];
  return [
    `All of it: \`git revert --no-edit ${commits.map(({ sha }) => sha).join(" ")}\``,
    ...commits.map(({ task, sha }) => `Task ${task.task} alone: \`git revert --no-edit ${sha}\``),
  ];
}

function part(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `## ${title}\n${list(lines)}`;
}

const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join("\n");
const short = (sha: string): string => sha.slice(0, 10);
