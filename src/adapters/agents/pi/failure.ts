// Tells the kinds of failure apart by what pi says: it passes on the provider's status and words, and exits 0.

import type { DispatchFailureKind } from "../../../core/flow/dispatch.ts";
import { retryAfter } from "./retry-after.ts";

export interface Diagnosis {
  readonly kind: DispatchFailureKind;
  readonly retryAfterMs?: number;
}

/** An account that is refilled at a known time is a quota, not a lack of money, whatever the provider calls it. */
export function diagnose(message: string, now: number): Diagnosis {
  const kind = kindOf(message);
  const retryAfterMs = passing.has(kind) ? retryAfter(message, now) : undefined;
  if (retryAfterMs === undefined) return { kind };
  return { kind: kind === "overloaded" || kind === "unreachable" ? kind : "rate-limited", retryAfterMs };
}

/** Only of these does a time say when they end. */
const passing: ReadonlySet<DispatchFailureKind> = new Set([
  "rate-limited",
  "overloaded",
  "unreachable",
  "billing",
  "crashed",
]);

/** Money first: providers report an empty account as 400, 402, 403 or 429. */
function kindOf(message: string): DispatchFailureKind {
  if (billingWords.test(message)) return "billing";
  const status = Number(
    /^\W*(?:error\W+)?(\d{3})\b/i.exec(message)?.[1] ?? /status(?: code)?\W+(\d{3})\b/i.exec(message)?.[1],
  );
  if (status === 401 || status === 403) return "auth";
  if (status === 402) return "billing";
  if (status === 429) return "rate-limited";
  if (status === 404 && /model/i.test(message)) return "wrong-model";
  if (status >= 500) return "overloaded";
  if (rateWords.test(message)) return "rate-limited";
  if (unreachableWords.test(message)) return "unreachable";
  if (loadWords.test(message) || isCut(message)) return "overloaded";
  if (authWords.test(message)) return "auth";
  if (modelWords.test(message)) return "wrong-model";
  return "crashed";
}

/** The request was sent, and its answer broke off or never came. Whatever the provider did for it may have to be paid. */
export function isCut(message: string): boolean {
  return cutWords.test(message);
}

const billingWords =
  /billing|credit balance|insufficient.?(?:quota|credit|fund|balance)|quota exceeded|exceeded your current quota|out of (?:budget|credits)|payment required|usage limit|UsageLimitError|available balance/i;
const rateWords = /rate.?limit|too many requests|resource.?exhausted|retry delay/i;
const loadWords = /overloaded|high demand|service.?unavailable|internal.?(?:server.?)?error|api_error|server.?error/i;
/** Temporary, like an overload, and another provider may work meanwhile. */
const unreachableWords =
  /connection error|network error|fetch failed|ECONNREFUSED|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/i;
/** How pi and its transports say it: a reset, an end without a stop reason, a web page in place of a stream, silence. */
const cutWords =
  /^terminated$|stream ended (?:without|before)|premature close|other side closed|socket hang up|ECONNRESET|request timed out|unexpected end of (?:JSON|file)/i;
const authWords =
  /no api key|invalid.{0,10}api.?key|api.?key.{0,20}(?:invalid|missing|not found)|unauthori[sz]ed|authentication|forbidden|permission.?denied|no models available|\/login/i;
const modelWords = /model\b.{0,80}\bnot found|unknown (?:provider|model)|model is ambiguous/i;
