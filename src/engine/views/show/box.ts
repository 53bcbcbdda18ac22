// A box around a few lines, measured in the columns of a terminal.

/**
 * ┌─ title ───┐
 * │  line     │
 * └───────────┘
 */
export function boxed(title: string, lines: readonly string[], width: number): readonly string[] {
  const inside = Math.max(width - 2, 8);
  const head = `─ ${cut(title, inside - 4)} `;
  return [
    `┌${head}${"─".repeat(inside - columnsOf(head))}┐`,
    ...lines.map((line) => `│${padded(`  ${line}`, inside)}│`),
    `└${"─".repeat(inside)}┘`,
  ];
}

/** At most `columns` wide; what was cut shows as an ellipsis. */
export function cut(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    width += graphemeColumns(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** How many columns a terminal needs for a text without control characters. */
export function columnsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  return [...graphemes.segment(text)].reduce((sum, { segment }) => sum + graphemeColumns(segment), 0);
}

function padded(text: string, columns: number): string {
  const fitting = cut(text, columns - 1);
  return fitting + " ".repeat(columns - columnsOf(fitting));
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;

function graphemeColumns(grapheme: string): number {
  if (/\p{Emoji_Presentation}|\ufe0f/u.test(grapheme) || wide.test(grapheme)) return 2;
  return /^[\p{Mark}\p{Format}]+$/u.test(grapheme) ? 0 : 1;
}
