// Plans as documents, and who writes them, for tests.

import { stringify } from "yaml";
import { Task } from "../../src/core/plan/plan.ts";
import type { PlanText } from "../../src/core/plan/revision.ts";
import { fenced } from "../../src/core/text/block.ts";
import type { PlanJob } from "../../src/phases/plan/write.ts";
import type { Agent } from "./flow.ts";

export const planPath = "docs/plans/x-plan.md";
export const designPath = "docs/plans/x-design.md";
export const planJob: PlanJob = {
  mode: "standard",
  goal: "Add rate limiting",
  map: "A small library.",
  design: "# Design\n\nA bucket.",
  path: planPath,
  requirements: [{ id: "R1", text: "It must." }],
};

/** Writes one text after the other, the last again and again; an empty one is not written. */
export const writesPlan =
  (...texts: string[]): Agent =>
  ({ files, nth }) => {
    const text = texts[nth - 1] ?? texts.at(-1);
    if (text) files.set(planPath, text);
    return "I wrote the plan.";
  };

/** What a planner says that leaves the plan as it is, for this reason. */
export const disputing = (ids: readonly string[], why = "The design wants it so."): string =>
  fenced("superteam-json", JSON.stringify({ disputed: ids.map((id) => ({ id, why })) }));

/** A plan with these titles. */
export const planOf = (...titles: string[]): string =>
  planDocument(titles.map((title, index) => ({ id: index + 1, title })));

export type DraftTask = Partial<Task> & Pick<Task, "id">;

export const planHeader = "# Plan\n\n**Goal:** limit\n**Architecture:** a bucket\n**Tech Stack:** TypeScript\n";

/** A task with everything it needs; what a test says of it wins. */
export function taskOf({ id, ...more }: DraftTask): Task {
  const title = `Title ${id}`;
  const proof = { criteria: [`It does ${id}.`], commands: [`npm test ${id}`] };
  return Task.parse({
    id,
    title,
    description: `Do ${id}.`,
    files: [`src/${id}.ts`],
    covers: ["R1"],
    ...proof,
    ...more,
  });
}

/** A plan's document: a header, a heading with its description for each task, and the block. */
export function planDocument(drafts: readonly DraftTask[]): string {
  const tasks = drafts.map(taskOf);
  const headed = tasks.map(({ id, title, description }) => `### Task ${id}: ${title}\n\n${description}\n`);
  const listed = tasks.map(({ description, ...entry }) => entry);
  return [planHeader, ...headed, `${fenced("superteam-tasks", stringify(listed).trimEnd())}\n`].join("\n");
}

export function planText(drafts: readonly DraftTask[]): PlanText {
  return { text: planDocument(drafts), plan: { tasks: drafts.map(taskOf) } };
}
