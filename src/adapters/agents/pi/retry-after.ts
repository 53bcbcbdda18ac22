// When a provider will accept requests again, read from the words that pi passes on: a duration, or a point in time.

/** Milliseconds from now; undefined when nothing is said, or a time that has passed. */
export function retryAfter(message: string, now: number): number | undefined {
  const waited = requested.exec(message)?.[1] ?? duration.exec(message)?.[1];
  if (waited !== undefined) return durationMs(waited);
  const milliseconds = plainMs.exec(message)?.[1];
  if (milliseconds !== undefined) return Number(milliseconds);
  const at = moment.exec(message)?.[1] ?? epoch.exec(message)?.[1];
  const left = at === undefined ? Number.NaN : momentMs(at) - now;
  return left >= 0 ? left : undefined;
}

/** How pi words a `retry-after` header that asks for more than pi itself will wait. */
const requested = /requested (\d{1,9}(?:\.\d+)?s) retry delay/i;

const unit = "(?:ms|milli[a-z]*|s|sec[a-z]*|m|min[a-z]*|h|hrs?|hours?|d|days?)(?![a-z])";
const one = String.raw`\d{1,9}(?:\.\d{1,9})?\s?${unit}`;

/** `retry-after: 7`, `try again in 1h2m3.5s`, `Resets in 2 hours 30 minutes`, `"retryDelay":"34s"`, `Try again in ~214 min`. */
const duration = new RegExp(
  String.raw`(?:retry.?(?:after|delay|in)|try again (?:in|after)|resets? (?:in|after))["':=~\s]*(${one}(?:,?\s?(?:and )?${one})*|\d{1,8}(?:\.\d{1,9})?)(?![-:/\d])`,
  "i",
);

const plainMs = /retry.?after.?ms["':=\s]*(\d{1,12})/i;

/** `"resets_at":1790000000`, `resetsAt: "2026-11-15T12:00:00Z"`, `retry-after: Sun, 15 Nov 2026 12:00:00 GMT`. */
const moment =
  /(?:resets?.?at|reset.?time|retry.?(?:after|at))["':=\s]*(\d{10,13}\b|\d{4}-\d\d-\d\dT[\d:.]{5,16}(?:Z|[+-]\d\d:?\d\d)|[a-z]{3}, \d\d? [a-z]{3} \d{4} [\d:]{5,8} GMT)/i;

/** `usage limit reached|1790000000`. */
const epoch = /limit reached\|(\d{10,13})\b/i;

/** Seconds, unless a unit says otherwise. */
function durationMs(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s?([a-z]*)/gi)];
  return Math.round(parts.reduce((sum, [, value, name = ""]) => sum + Number(value) * unitMs(name.toLowerCase()), 0));
}

function unitMs(name: string): number {
  if (name === "ms" || name.startsWith("milli")) return 1;
  if (name.startsWith("m")) return 60_000;
  if (name.startsWith("h")) return 3_600_000;
  return name.startsWith("d") ? 86_400_000 : 1_000;
}

/** Providers count the seconds or the milliseconds of an epoch. */
function momentMs(at: string): number {
  if (!/^\d+$/.test(at)) return Date.parse(at);
  return at.length > 10 ? Number(at) : Number(at) * 1_000;
}
