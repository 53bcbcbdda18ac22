// pi's own tools: which ones each capability gives an agent, and what a call of one does.

import { type Capability, capabilities } from "../../../core/run/capability.ts";
import type { ToolCall } from "../../../ports/agents.ts";
import { asObject, asText } from "./unknown-json.ts";

const toolsOf: Readonly<Record<Capability, readonly string[]>> = {
  read: ["read"],
  search: ["grep", "find", "ls"],
  run: ["bash"],
  write: ["edit", "write"],
};

/** In one order, however the capabilities are given: agents with the same tools share what a provider caches. */
export function piTools(given: readonly Capability[]): readonly string[] {
  return capabilities.filter((capability) => given.includes(capability)).flatMap((capability) => toolsOf[capability]);
}

/** About how much of a request describes one of pi's tools to the model. */
const perTool = 750;

export function toolCharacters(given: readonly Capability[]): number {
  return piTools(given).length * perTool;
}

const actions: Readonly<Record<string, ToolCall["does"]>> = {
  read: "read",
  grep: "search",
  find: "find",
  bash: "run",
  powershell: "run",
  write: "write",
  edit: "edit",
};

/** Arguments come from a model: what is no text is left out. */
export function piToolCall(name: string, given: unknown): ToolCall {
  const args = asObject(given);
  const { command, pattern } = args;
  const path = args["path"] ?? args["file_path"];
  return {
    name,
    does: actions[name] ?? "other",
    ...(asText(path) === "" ? {} : { path: asText(path) }),
    ...(asText(command) === "" ? {} : { command: asText(command) }),
    ...(asText(pattern) === "" ? {} : { pattern: asText(pattern) }),
  };
}
