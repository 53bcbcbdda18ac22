// The plan: tasks in order, each small enough for one agent in a fresh context.

import { z } from "zod";
import { difficulties } from "../flow/dispatch.ts";
import { plainPath } from "./path.ts";

/** How a task's tests come about: written first, there already, or not at all (documents, settings). */
export const testings = ["required", "existing-tests", "none"] as const;

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\n\r]*$/, "must be one line");

/** A path below the root of the tree, with forward slashes; never git's own folder. */
export const TreePath = treePath(z.string().trim());
/** One that an agent names, without its remarks. */
export const NamedPath = treePath(z.string().overwrite(plainPath));

function treePath(said: z.ZodString): z.ZodString {
  return said
    .overwrite((path) => path.replace(/^(\.\/)+/, ""))
    .refine(isInsideTree, "must be a path inside the repository, like src/name.ts");
}

/** Strict: a field that would be dropped is reported instead. */
export const Task = z.strictObject({
  id: z.int().min(1).describe("1, 2, 3 … in order"),
  title: line(120),
  /** What stands under its heading in the document. */
  description: z.string().trim().min(1),
  files: z.array(TreePath).min(1).describe("every file the task creates or changes"),
  criteria: z.array(line(1000)).default([]).describe("what must hold when it is done, each provable"),
  commands: z.array(line(400)).default([]).describe("commands that show it works"),
  covers: z.array(z.string().trim()).default([]).describe("ids of the design's requirements"),
  dependsOn: z.array(z.int()).default([]).describe("ids of earlier tasks"),
  complexity: z.enum(difficulties).default("medium"),
  tdd: z.enum(testings).default("required").describe("required unless there is nothing new to test"),
});
export type Task = z.infer<typeof Task>;

export const Plan = z.strictObject({ tasks: z.array(Task).min(1) });
export type Plan = z.infer<typeof Plan>;

/** Tasks are cited by id in reviews of the plan: T1, T2, … */
export function taskId(id: number): string {
  return `T${id}`;
}

/** Criteria are cited by id in reviews: C1, C2, … within their task. */
export function criterionId(index: number): string {
  return `C${index + 1}`;
}

export function isInsideTree(path: string): boolean {
  if (path === "" || path.includes("\\") || path.includes("\0") || /^([A-Za-z]:|\/|~)/.test(path)) return false;
  const parts = path.split("/");
  return !parts.some((part) => part === "" || part === "." || part === "..") && parts[0]?.toLowerCase() !== ".git";
}
