// Tables and boxes, measured in the columns of a terminal.

import { truncate, widthOf } from "../../../core/text/width.ts";

export interface Column {
  readonly head: string;
  readonly align: "left" | "right";
}

export const left = (head: string): Column => ({ head, align: "left" });
export const right = (head: string): Column => ({ head, align: "right" });

/** Columns as wide as they have to be, numbers to the right, nothing at the end of a line. One of nothing but zeros is left out. */
export function tableLines(columns: readonly Column[], rows: readonly (readonly string[])[]): readonly string[] {
  const shown = columns.flatMap(({ head, align }, index) => {
    const cells = rows.map((row) => row[index] ?? "");
    if (index > 0 && cells.every((cell) => cell === "" || cell === "0")) return [];
    const width = Math.max(...[head, ...cells].map(widthOf));
    return [[head, ...cells].map((cell) => padded(cell, width, align))];
  });
  return ["", ...rows].map((_, line) =>
    shown
      .map((cells) => cells[line] ?? "")
      .join("  ")
      .trimEnd(),
  );
}

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
    ...lines.map((line) => `│${padded(truncate(`  ${line}`, inside - 1), inside, "left")}│`),
    `└${"─".repeat(inside)}┘`,
  ];
}

function padded(text: string, width: number, align: Column["align"]): string {
  const space = " ".repeat(Math.max(0, width - widthOf(text)));
  return align === "left" ? text + space : space + text;
}
