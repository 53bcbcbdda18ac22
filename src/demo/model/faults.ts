// How each fault looks on the wire, and the one way to have a fault that passes.

import type { DialectName, ModelRefusal } from "./dialect.ts";
import type { Fault, Turn } from "./play.ts";

/** A refused request, or null when the fault strikes later than the status line. */
export function refusalOf(fault: Fault, dialect: DialectName): ModelRefusal | null {
  switch (fault.kind) {
    case "rate-limited":
      return { status: 429, type: "rate_limit_error", message: "This request would exceed your rate limit." };
    case "overloaded":
      return { status: 529, type: "overloaded_error", message: "Overloaded" };
    case "server-error":
      return { status: 500, type: "api_error", message: "Internal server error" };
    case "auth":
      return { status: 401, type: "authentication_error", message: "invalid x-api-key" };
    case "billing":
      return billingRefusal(fault.status, dialect);
    default:
      return null;
  }
}

function billingRefusal(status: 400 | 402 | 429, dialect: DialectName): ModelRefusal {
  if (status === 429) {
    const message = "You exceeded your current quota, please check your plan and billing details.";
    return { status, type: "insufficient_quota", message };
  }
  const message = "Your credit balance is too low. Please go to Plans & Billing to purchase credits.";
  if (status === 402) return { status, type: "billing_error", message };
  return { status, type: dialect === "anthropic" ? "invalid_request_error" : "insufficient_balance", message };
}

/** Gives a fault the first `times` times that one turn of one dispatch is asked, then nothing. */
export type CountedFault = (turn: Turn) => Fault | undefined;

/**
 * The server keeps no state, so "fail, then succeed" has to count somewhere: here, in the test that holds this value.
 * The count is kept by run, step, attempt and turn, so concurrent dispatches do not use up each other's faults.
 */
export function failFirst(times: number, fault: Fault): CountedFault {
  const seen = new Map<string, number>();
  return ({ header, turn }) => {
    const key = JSON.stringify([header?.run, header?.step, header?.attempt, turn]);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count <= times ? fault : undefined;
  };
}
