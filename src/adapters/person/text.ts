// Text as a terminal shows it: harmless, measured in columns, cut and wrapped by what is seen.
//
// What is shown may come from a repository or a model. Nothing in it may move the cursor, colour the screen or
// reorder the line, so everything passes through `clean` before it is laid out, and styles are put on afterwards.

import { stripVTControlCharacters } from "node:util";

const tab = "    ";

/** Without escape sequences, control characters and direction overrides; lines are separated by LF alone. */
export function clean(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\r\n?/g, "\n")
    .replaceAll("\t", tab)
    .replace(/[\u2028\u2029]/g, "\n")
    .replace(/[\0-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}

/** Clean, and on one line. */
export function oneLine(text: string): string {
  return clean(text).replace(/\s*\n\s*/g, " ");
}

/** Columns that clean text takes. */
export function widthOf(text: string): number {
  if (isAscii(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** At most `columns` wide; what was cut shows as an ellipsis. */
export function truncate(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (columns < 1) return "";
  const [head] = split(text, columns - 1);
  return widthOf(head) < columns ? `${head.trimEnd()}…` : "…";
}

/** Broken at spaces where possible; a list item's further lines stand under its text. Lines that fit are left as they are. */
export function wrap(text: string, columns: number): readonly string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(columns, 1)));
}

function wrapLine(line: string, columns: number): readonly string[] {
  if (widthOf(line) <= columns) return [line.trimEnd()];
  const margin = /^\s*(?:(?:[-*•+]|\d{1,3}[.)])\s+)?/.exec(line)?.[0] ?? "";
  // Beside the margin there must be room for the widest character, or the rest would never get shorter.
  const room = columns - widthOf(margin);
  const hang = room < Math.max(2, columns / 2) ? "" : " ".repeat(widthOf(margin));
  const lines: string[] = [];
  const first = hang === "" ? "" : margin;
  let current = first;
  for (const word of line.slice(hang === "" ? 0 : margin.length).split(/(?<=\s)(?=\S)/)) {
    if (widthOf(current + word.trimEnd()) > columns && current !== first && current !== hang) {
      lines.push(current.trimEnd());
      current = hang;
    }
    current += word;
    while (widthOf(current.trimEnd()) > columns) {
      const [head, tail] = split(current, columns);
      lines.push(head);
      current = hang + tail;
    }
  }
  return [...lines, current.trimEnd()];
}

/** The part that fits (at least one character, so that a cut always makes progress) and the rest. */
function split(text: string, columns: number): readonly [string, string] {
  let width = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    width += graphemeWidth(segment);
    if (width > columns && index > 0) return [text.slice(0, index), text.slice(index)];
  }
  return [text, ""];
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

function graphemeWidth(grapheme: string): number {
  if (/\p{Emoji_Presentation}|\ufe0f/u.test(grapheme)) return 2;
  if (wide.test(grapheme)) return 2;
  return /^[\p{Mark}\p{Format}]+$/u.test(grapheme) ? 0 : 1;
}
