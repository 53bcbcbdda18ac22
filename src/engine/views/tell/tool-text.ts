// What a tool call does, in a person's words: as a status while it runs, and as a short line of an agent's activity.

import { oneLine } from "../../../core/text/format.ts";
import type { ToolCall } from "../../../ports/agents.ts";

/** `⚡ implementer: running npm test...`, for an action as `formatToolAction` words it. */
export function actionLine(role: string, action: string): string {
  return `⚡ ${role}: ${action.endsWith("...") ? action : `${action}...`}`;
}

/** `reading src/a.ts`, `running npm test`, `searching for limit` */
export function formatToolAction({ does, name, path = "", command = "", pattern = "" }: ToolCall): string {
  if (does === "other") return oneLine(name, 40);
  const object = { read: path, run: command, write: path, edit: path, search: pattern, find: "" }[does];
  return object === "" ? `${verbs[does]}...` : `${verbs[does]} ${oneLine(object, 60)}`;
}

const verbs = {
  read: "reading",
  run: "running",
  write: "writing",
  edit: "editing",
  search: "searching for",
  find: "finding files",
} as const;

/** `read src/a.ts`, `bash: npm test`, `grep "limit" src` */
export function formatToolLine({ does, name: tool, path = "", command = "", pattern = "" }: ToolCall): string {
  const name = oneLine(tool, 40);
  if (does === "run") return joined(`${name}:`, command);
  if (does === "search") return joined(name, `"${oneLine(pattern, 40)}"`, path);
  return does === "find" ? joined(name, pattern, path) : joined(name, path);
}

function joined(...parts: readonly string[]): string {
  return oneLine(parts.filter((part) => part !== "").join(" "), 100);
}
