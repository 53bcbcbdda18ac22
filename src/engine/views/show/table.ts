// A table for a terminal: columns as wide as they have to be, numbers to the right, nothing at the end of a line.

import { widthOf } from "../../../core/text/width.ts";

export interface Column {
  readonly head: string;
  readonly align: "left" | "right";
}

export const left = (head: string): Column => ({ head, align: "left" });
export const right = (head: string): Column => ({ head, align: "right" });

export function tableLines(columns: readonly Column[], rows: readonly (readonly string[])[]): readonly string[] {
  const cells = [columns.map(({ head }) => head), ...rows];
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => widthOf(row[index] ?? ""))));
  const line = (row: readonly string[]): string =>
    columns.map(({ align }, index) => padded(row[index] ?? "", widths[index] ?? 0, align)).join("  ");
  return cells.map((row) => line(row).trimEnd());
}

function padded(text: string, width: number, align: Column["align"]): string {
  const space = " ".repeat(Math.max(0, width - widthOf(text)));
  return align === "left" ? text + space : space + text;
}
