// What a tool call does, in a person's words: as a status that goes on, and as a short line of an agent's activity.

import { oneLine } from "../show/format.ts";

/** `⚡ implementer: running npm test...`, for an action as `formatToolAction` words it. */
export function actionLine(role: string, action: string): string {
  return `⚡ ${role}: ${action.endsWith("...") ? action : `${action}...`}`;
}

/** `reading src/a.ts`, `running npm test`, `searching for limit` */
export function formatToolAction(tool: string, args: unknown): string {
  switch (tool) {
    case "read":
      return action("reading", pathOf(args));
    case "bash":
      return action("running", text(args, "command"));
    case "write":
      return action("writing", pathOf(args));
    case "edit":
      return action("editing", pathOf(args));
    case "grep":
      return action("searching for", text(args, "pattern"));
    case "find":
      return "finding files...";
    default:
      return oneLine(tool, 40);
  }
}

/** `read src/a.ts`, `bash: npm test`, `grep "limit" src` */
export function formatToolLine(tool: string, args: unknown): string {
  const name = oneLine(tool, 40);
  switch (tool) {
    case "bash":
      return joined(`${name}:`, text(args, "command"));
    case "grep":
      return joined(name, `"${oneLine(text(args, "pattern"), 40)}"`, pathOf(args));
    case "find":
      return joined(name, text(args, "pattern"), pathOf(args));
    default:
      return joined(name, pathOf(args));
  }
}

/** The command of a bash call; empty for all else. */
export function commandOf(tool: string, args: unknown): string {
  return tool === "bash" ? text(args, "command") : "";
}

function pathOf(args: unknown): string {
  return text(args, "path", "file_path");
}

function action(verb: string, object: string): string {
  return object === "" ? `${verb}...` : `${verb} ${oneLine(object, 60)}`;
}

function joined(...parts: readonly string[]): string {
  return oneLine(parts.filter((part) => part !== "").join(" "), 100);
}

function text(args: unknown, ...names: readonly string[]): string {
  if (typeof args !== "object" || args === null) return "";
  const found = Object.entries(args).find(([name, value]) => names.includes(name) && typeof value === "string");
  return found ? String(found[1]) : "";
}
