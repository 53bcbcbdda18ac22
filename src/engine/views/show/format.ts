// How money, times, counts and texts are written wherever a person sees them. Times are UTC.

export { count, duration, usd } from "../../../core/text/amount.ts";

/** `HH:MM` */
export function clockTime(at: number): string {
  return new Date(at).toISOString().slice(11, 16);
}

/** `YYYY-MM-DD HH:MM UTC` */
export function dateTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

export function shortSha(sha: string): string {
  return sha.slice(0, 7);
}

/** `spec ✓` */
export function reviewMark({ role, verdict }: { readonly role: string; readonly verdict: string }): string {
  return `${role.replace(/-reviewer$/, "")} ${verdict === "approved" ? "✓" : "✗"}`;
}

/** What agents and files say, made fit for one line of a terminal: no line breaks, no control characters, bounded. */
export function oneLine(text: string, max = 80): string {
  const flat = text
    .slice(0, max * 4)
    .replace(/\u001b\[[0-?]*[ -/]*[@-~]/g, "")
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, " ")
    .trim();
  const characters = [...flat];
  return characters.length <= max ? flat : `${characters.slice(0, max - 1).join("")}…`;
}
