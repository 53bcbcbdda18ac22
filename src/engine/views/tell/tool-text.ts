// What a tool call does, in a person's words: as a status that goes on, and as a short line of an agent's activity.

import { oneLine } from "../../../core/text/format.ts";
import type { ToolCall } from "../../../ports/agents.ts";

/** `⚡ implementer: running npm test...`, for an action as `formatToolAction` words it. */
export function actionLine(role: string, action: string): string {
  return `⚡ ${role}: ${action.endsWith("...") ? action : `${action}...`}`;
}

/** `reading src/a.ts`, `running npm test`, `searching for limit` */
export function formatToolAction({ does, name, path, command, pattern }: ToolCall): string {
  switch (does) {
    case "read":
      return action("reading", path);
    case "run":
      return action("running", command);
    case "write":
      return action("writing", path);
    case "edit":
      return action("editing", path);
    case "search":
      return action("searching for", pattern);
    case "find":
      return "finding files...";
    case "other":
      return oneLine(name, 40);
  }
}

/** `read src/a.ts`, `bash: npm test`, `grep "limit" src` */
export function formatToolLine({ does, name: tool, path = "", command = "", pattern = "" }: ToolCall): string {
  const name = oneLine(tool, 40);
  switch (does) {
    case "run":
      return joined(`${name}:`, command);
    case "search":
      return joined(name, `"${oneLine(pattern, 40)}"`, path);
    case "find":
      return joined(name, pattern, path);
    default:
      return joined(name, path);
  }
}

function action(verb: string, object = ""): string {
  return object === "" ? `${verb}...` : `${verb} ${oneLine(object, 60)}`;
}

function joined(...parts: readonly string[]): string {
  return oneLine(parts.filter((part) => part !== "").join(" "), 100);
}
