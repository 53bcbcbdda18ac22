// A box around a few lines, measured in the columns of a terminal.

import { truncate, widthOf } from "../../../core/text/width.ts";

/**
 * ┌─ title ───┐
 * │  line     │
 * └───────────┘
 */
export function boxed(title: string, lines: readonly string[], width: number): readonly string[] {
  const inside = Math.max(width - 2, 8);
  const head = `─ ${truncate(title, inside - 4)} `;
  return [
    `┌${head}${"─".repeat(inside - widthOf(head))}┐`,
    ...lines.map((line) => `│${padded(`  ${line}`, inside)}│`),
    `└${"─".repeat(inside)}┘`,
  ];
}

function padded(text: string, columns: number): string {
  const fitting = truncate(text, columns - 1);
  return fitting + " ".repeat(columns - widthOf(fitting));
}
