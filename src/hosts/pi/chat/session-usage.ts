// What agents have used, as pi adds it to the totals of its session.

import type { AgentToolResult } from "@earendil-works/pi-coding-agent";
import { tokensOf, type Usage } from "../../../core/flow/dispatch.ts";

/** Only the sum of the cost is known. */
export function sessionUsage(used: Usage): NonNullable<AgentToolResult<undefined>["usage"]> {
  const { input, output, cacheRead, cacheWrite, costUsd } = used;
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: costUsd };
  return { input, output, cacheRead, cacheWrite, totalTokens: tokensOf(used), cost };
}
