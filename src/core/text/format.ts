// How money, times, counts and texts are written wherever a person reads them. Times are UTC.

export function usd(amount: number): string {
  return amount > 0 && amount < 0.005 ? "<$0.01" : `$${amount.toFixed(2)}`;
}

export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${twoDigits(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h ${twoDigits(minutes % 60)}m`;
}

export function count(amount: number, noun: string, plural = `${noun}s`): string {
  return `${amount} ${amount === 1 ? noun : plural}`;
}

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

/** `spec-review` is `spec review` to a person. */
export function wordsOf(name: string): string {
  return oneLine(name.replaceAll("-", " "), 60);
}

function twoDigits(amount: number): string {
  return String(amount).padStart(2, "0");
}
