// A call of one of the tools as pi hands it over, and what pi takes for its result.

import type { AgentToolResult, AgentToolUpdateCallback } from "@earendil-works/pi-coding-agent";
import { tokensOf, type Usage } from "../../../core/flow/dispatch.ts";

export interface ModelCall {
  /** What the model said, as the tool's parameters have it. */
  readonly given: unknown;
  /** Aborted by Escape. */
  readonly signal: AbortSignal | undefined;
  readonly onUpdate: AgentToolUpdateCallback<unknown> | undefined;
}

export function asResult(text: string): AgentToolResult<undefined> {
  return { content: [{ type: "text", text }], details: undefined };
}

/** What agents have used, as pi adds it to the totals of its session. Only the sum of the cost is known. */
export function sessionUsage(used: Usage): NonNullable<AgentToolResult<undefined>["usage"]> {
  const { input, output, cacheRead, cacheWrite, costUsd } = used;
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: costUsd };
  return { input, output, cacheRead, cacheWrite, totalTokens: tokensOf(used), cost };
}
