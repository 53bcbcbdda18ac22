// The command line pi is started with. Both system texts are always given, and as files: a text that is missing would
// let a stray SYSTEM.md or APPEND_SYSTEM.md in, and one in the arguments is open for all to read.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentOrder } from "../../../ports/agents.ts";
import { piTools } from "./tools.ts";

/** Everything of an order that is fixed when the process starts. */
export type Seat = Pick<
  AgentOrder,
  "role" | "model" | "thinking" | "capabilities" | "system" | "context" | "cwd" | "environment" | "testFirst"
>;

/** Writes the system texts into `folder` and says how pi is called. */
export async function piArguments(seat: Seat, folder: string): Promise<readonly string[]> {
  const system = join(folder, "system.md");
  const context = join(folder, "context.md");
  const tools = piTools(seat.capabilities);
  await Promise.all([writeFile(system, seat.system), writeFile(context, seat.context)]);
  return [
    ...isolated,
    "--thinking",
    seat.thinking,
    "--system-prompt",
    system,
    "--append-system-prompt",
    context,
    ...(tools.length === 0 ? ["--no-tools"] : ["--tools", tools.join(",")]),
    ...(seat.model === null ? [] : ["--model", seat.model]),
    ...(seat.testFirst === undefined ? [] : ["--skill", skill]),
    ...(seat.testFirst === "guarded" ? ["-e", guard] : []),
  ];
}

/** Two orders with the same key can be served by the same process. */
export function seatKey(seat: Seat): string {
  const { role, model, thinking, capabilities, system, context, cwd, environment, testFirst } = seat;
  return JSON.stringify([role, model, thinking, capabilities, system, context, cwd, environment, testFirst]);
}

/** `skills/` of the package: four folders up, from the sources as from what is published. */
const skill = fileURLToPath(new URL("../../../../skills/test-driven-development/", import.meta.url));

/** Beside this file, and like it a source or built: pi loads both. */
const guard = fileURLToPath(import.meta.url).replace(/command(\.\w+)$/, join("guard", "extension$1"));

const isolated = [
  "--mode",
  "json",
  "-p",
  "--no-session",
  "--no-extensions",
  "--no-skills",
  "--no-prompt-templates",
  "--no-themes",
  "--no-context-files",
  "--no-approve",
] as const;
