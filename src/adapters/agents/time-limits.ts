// How long an agent may be silent, stuck or at work at all. Any event of its stream is a sign, and so is a tool that runs.

import type { AgentOrder } from "../../ports/agents.ts";

export type TimeVerdict =
  | { readonly type: "fine" }
  | { readonly type: "silent"; readonly forMs: number }
  | { readonly type: "stuck" | "timed-out" };

export function timeLimitsOf(order: Pick<AgentOrder, "timeoutMs" | "stuckMs" | "silentMs">, start: number) {
  let heard = start;
  let warned = start;
  /** Something was heard. */
  const sign = (now: number): void => {
    heard = now;
    warned = now;
  };
  return {
    sign,
    /** How long to wait for a sign before judging again. */
    wait(now: number, busy: boolean): number {
      const end = start + order.timeoutMs;
      if (busy) return end - now;
      return Math.min(end, heard + order.stuckMs, warned + order.silentMs) - now;
    },
    judge(now: number, busy: boolean): TimeVerdict {
      if (now >= start + order.timeoutMs) return { type: "timed-out" };
      if (busy) sign(now);
      if (now >= heard + order.stuckMs) return { type: "stuck" };
      if (now < warned + order.silentMs) return { type: "fine" };
      warned = now;
      return { type: "silent", forMs: Math.round(now - heard) };
    },
  };
}
