// How much room there is, and whether colours are welcome: NO_COLOR, FORCE_COLOR and pipes are respected.

import { styleText } from "node:util";

/** Where people's text goes. A terminal also says how big it is, and when that changes. */
export type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

export type Colour = "bold" | "dim" | "red" | "green" | "yellow" | "cyan" | "gray" | "blue";

export interface OutputStyle {
  /** Columns to write prose in; without end where the output is no terminal, as a log is not wrapped. */
  readonly columns: number;
  paint(colour: Colour, text: string): string;
}

/** Longer lines than this are hard to read, however wide the terminal is. */
const proseColumns = 100;

export function styleOf(out: Output): OutputStyle {
  return {
    get columns() {
      return out.isTTY ? Math.min(columnsOf(out), proseColumns) : Number.POSITIVE_INFINITY;
    },
    paint: (colour, text) => (text === "" ? "" : styleText(colour, text, { stream: out })),
  };
}

/** A terminal that does not know its size says 0. */
export function columnsOf(out: Output): number {
  return out.columns || 80;
}

export function rowsOf(out: Output): number {
  return out.rows || 24;
}

/** Whether lines may be drawn over: a terminal that understands cursor movements. */
export function canRedraw(out: Output, term: string | undefined): boolean {
  return out.isTTY === true && term !== "dumb";
}
