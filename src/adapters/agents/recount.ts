// What an agent used whose superteam was killed before it could note it: read again from the raw stream it left.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentOrder, TurnUsage } from "../../ports/agents.ts";
import type { StreamReader } from "./supervise.ts";

/** What of an order a reader may look at. */
export type ReadOrder = Pick<AgentOrder, "system" | "context" | "prompt" | "model" | "environment">;

/** The prompt is all that is known of the order the agent had. */
export async function recount(
  folder: string,
  readerFor: (order: ReadOrder) => StreamReader,
): Promise<readonly TurnUsage[]> {
  const [prompt, stream] = await Promise.all([kept(folder, "prompt.md"), kept(folder, "stream.jsonl")]);
  const unknown = { system: "", context: "", model: null, environment: [] };
  const reader = readerFor({ ...unknown, prompt: prompt.toString("utf8") });
  const killed = { exit: { how: "killed", signal: "SIGKILL" }, stop: undefined, stderr: "" } as const;
  const events = [...reader.read(stream), ...reader.close(killed)];
  return events.flatMap((event) => (event.type === "usage" ? [{ model: event.model, usage: event.usage }] : []));
}

/** A file that is not there says nothing: the agent had not come so far. */
function kept(folder: string, name: string): Promise<Buffer> {
  return readFile(join(folder, name)).catch(() => Buffer.alloc(0));
}
