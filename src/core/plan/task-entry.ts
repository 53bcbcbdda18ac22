// One task as it stands in the block: what code needs. The text under its heading is its description.

import { z } from "zod";
import { fit } from "../text/fit.ts";
import { pathIn, plainPath } from "./path.ts";
import { Task } from "./plan.ts";

/** A description in the block as well is not lost. */
const TaskEntry = Task.extend({ description: Task.shape.description.optional() });
export type TaskEntry = z.infer<typeof TaskEntry>;

const Entries = z.strictObject({ tasks: z.array(TaskEntry).min(1) });

export type EntriesReading =
  | { readonly ok: true; readonly entries: readonly TaskEntry[] }
  | { readonly ok: false; readonly problems: readonly string[] };

export function readEntries(value: unknown): EntriesReading {
  const list = Array.isArray(value) ? { tasks: value } : value;
  const fitted = fit(Entries, list);
  const checked = Entries.safeParse(withTasks(fitted.value));
  if (checked.success && fitted.problems.length === 0) return { ok: true, entries: checked.data.tasks };
  const issues = checked.success ? [] : checked.error.issues.map((issue) => told(issue, fitted.value));
  return { ok: false, problems: [...fitted.problems, ...issues] };
}

/** A problem of one task, by its number and field. */
function told({ path, message, code }: z.core.$ZodIssue, value: unknown): string {
  const [, index, field, place] = path;
  if (index === undefined || typeof index !== "number") return `the tasks block: ${message}.`;
  const task = (value as { tasks?: readonly { id?: unknown }[] }).tasks?.[index]?.id ?? `number ${index + 1}`;
  if (field === undefined) return `task ${task}: ${message}${code === "unrecognized_keys" ? `. ${knownFields}` : ""}`;
  return `task ${task}, ${String(field)}${typeof place === "number" ? ` ${place + 1}` : ""}: ${message}.`;
}

const knownFields = `The fields are ${Object.keys(Task.shape)
  .filter((name) => name !== "description")
  .join(", ")}; everything else stands under the heading.`;

function withTasks(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("tasks" in value) || !Array.isArray(value.tasks)) return value;
  return { ...value, tasks: value.tasks.map(plainEntry) };
}

function plainEntry(entry: unknown): unknown {
  if (typeof entry !== "object" || entry === null) return entry;
  const fields = Object.entries(entry).map(([name, value]) => [name, plainField(name, value)]);
  return Object.fromEntries(fields);
}

function plainField(name: string, value: unknown): unknown {
  if (name === "id") return taskNumber(value);
  if (name === "title" && typeof value === "string") return oneLine(value);
  if (typeof value === "string" || typeof value === "boolean")
    return otherWords[name]?.[`${value}`.toLowerCase()] ?? value;
  if (!Array.isArray(value)) return value;
  if (name === "dependsOn") return value.flatMap(separate).filter(saysSomething).map(taskNumber);
  if (name === "covers") return value.flatMap(separate).filter(saysSomething).map(requirementId);
  if (name === "files") return value.flatMap(sorted).map((path) => (typeof path === "string" ? plainPath(path) : path));
  return value.map((text) => (typeof text === "string" ? withoutBox(oneLine(text)) : text));
}

/** Words of planners for ours. */
const otherWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  complexity: { low: "easy", simple: "easy", small: "easy", moderate: "medium", high: "hard", complex: "hard" },
  tdd: { true: "required", yes: "required", "test-first": "required" },
};

/** Files by what happens to them, `create: [a.ts]`, or each with more about it, `path: a.ts`. */
function sorted(said: unknown): readonly unknown[] {
  const value = pathIn(said);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [value];
  const isKnown = Object.keys(value).every((verb) =>
    /^(create|add|new|modify|change|update|edit|tests?|delete|remove)$/i.test(verb),
  );
  return isKnown ? Object.values(value).flat() : [value];
}

const withoutBox = (text: string): string => text.replace(/^\[[ xX]\]\s+/, "");

const oneLine = (text: string): string => text.trim().replaceAll(/\s*[\n\r]+\s*/g, " ");

const separate = (value: unknown): readonly unknown[] =>
  typeof value === "string" ? value.split(/\s*(?:,|;|\band\b|&)\s*/) : [value];

const saysSomething = (value: unknown): boolean =>
  typeof value !== "string" || !/^(none|nothing|n\/a|-|–|—)?$/i.test(value.trim());

/** `T1`, `Task 1`, `task-1`, `#1`. */
function taskNumber(value: unknown): unknown {
  const number = typeof value === "string" && /^(?:t|task)?[\s#_-]*(\d+)$/i.exec(value.trim())?.[1];
  return number ? Number(number) : value;
}

/** What is said behind an id is a remark. */
function requirementId(value: unknown): unknown {
  return typeof value === "string" ? (/^(R\d+)\b/i.exec(value.trim())?.[1]?.toUpperCase() ?? value) : value;
}
