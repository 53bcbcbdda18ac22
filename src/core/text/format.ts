// How money, times, counts and texts are written wherever a person reads them. Times are UTC.

export function usd(amount: number): string {
  return amount > 0 && amount < 0.005 ? "<$0.01" : exactUsd(amount, 2);
}

/** A round amount without its cents: a limit, `$20`. */
export function shortUsd(amount: number): string {
  return Number.isInteger(amount) ? `$${amount}` : usd(amount);
}

/** For tables whose lines are to add up: one agent call may cost less than a cent. */
export function exactUsd(amount: number, digits = 4): string {
  return `$${amount.toFixed(digits)}`;
}

export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${twoDigits(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h ${twoDigits(minutes % 60)}m`;
}

/** `1 task`, `3 tasks`, `2 dispatches` */
export function count(amount: number, noun: string): string {
  if (amount === 1) return `1 ${noun}`;
  return `${amount} ${noun}${/(?:ch|sh|s|x)$/.test(noun) ? "es" : "s"}`;
}

/** `HH:MM` */
export function clockTime(at: number): string {
  return new Date(at).toISOString().slice(11, 16);
}

/** `YYYY-MM-DD HH:MM UTC` */
export function dateTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** `YYYYMMDD-HHMMSS`, for names of files: sorted as text they are in the order of time. */
export function fileTime(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
}

export function shortSha(sha: string): string {
  return sha.slice(0, 7);
}

/** A word as a shell takes it: quoted where it has to be. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Without escape sequences, control characters and direction overrides; lines are separated by LF alone. What comes from a
 * repository or a model must not move the cursor, colour the screen or reorder the line: styles are put on afterwards.
 */
export function clean(text: string): string {
  return text
    .replace(escapeSequence, "")
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replaceAll("\t", tab)
    .replace(/[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}

/** What agents and files say, fit for one line of a terminal: clean, single-spaced, at most `max` characters. */
export function oneLine(text: string, max = Number.POSITIVE_INFINITY): string {
  // A tool's output can be megabytes long: only the part that can be shown is cleaned.
  return shorten(
    clean(text.slice(0, max * 4))
      .replace(/\s+/g, " ")
      .trim(),
    max,
  );
}

/** A line of its own: with a capital and a full stop. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

export function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

/** The first `max` characters of a text that may be long, and a mark where there is more. */
export function preview(text: string, max: number): string {
  return text.length <= max ? text.trimEnd() : `${text.slice(0, max)}…`;
}

/** At most `max` characters, the mark included that says something was cut. */
export function shorten(text: string, max: number, mark = "…"): string {
  if (text.length <= max) return text;
  // A character is one or two UTF-16 units, and is never cut in half.
  const characters = [...text.slice(0, 2 * max + 2)];
  return characters.length <= max ? text : `${characters.slice(0, max - mark.length).join("")}${mark}`;
}

/**
 * The name of a file or a test in a text for people or agents. One that could be mistaken for more of that text (it has a line break, a
 * fence, a mark that reorders the line) or for another name (it has a sign that nobody sees) is quoted, as in JSON.
 */
export function nameText(name: string): string {
  if (!/[\0-\x1f\x7f-\x9f\u2028\u2029\p{Cf}]|`{3}|~{3}|^\s|\s$/u.test(name)) return name;
  const code = (mark: string): string =>
    mark
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join("");
  return JSON.stringify(name).replace(/[\x7f-\x9f\u2028\u2029\p{Cf}]/gu, code);
}

/** `spec-review` is `spec review` to a person. */
export function wordsOf(name: string): string {
  return oneLine(name.replaceAll("-", " "), 60);
}

const tab = "    ";

/** Commands that end with a letter (CSI), and titles and links that end with BEL or ST (OSC). */
const escapeSequence = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)/g;

function twoDigits(amount: number): string {
  return String(amount).padStart(2, "0");
}

/** `512 B`, `3.4 KB`, `12 MB`. */
export function bytes(size: number): string {
  const units = ["B", "KB", "MB", "GB"];
  const step = Math.min(units.length - 1, size < 1 ? 0 : Math.floor(Math.log2(size) / 10));
  const value = size / 1024 ** step;
  return `${step === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
}

/** For a sentence: the first few, and how many more. */
export function listed(names: readonly string[], most = 10): string {
  const more = names.length > most ? ` and ${names.length - most} more` : "";
  return `${names.slice(0, most).map(nameText).join(", ")}${more}`;
}
