// The part of the screen that one dialog draws on. It remembers on which row, counted from the first, the cursor is:
// so the dialog can be taken away without a trace, whatever it has drawn.

import { Writable } from "node:stream";
import { columnsOf, type Output, rowsOf } from "../output.ts";

/** Line breaks, movements up and down, and the far-left movement with which the prompt library goes to its first row. */
const moves = /\n|\x1b\[999D(?:\x1b\[\d+A)?|\x1b\[(\d*)([AB])/g;

/** What the prompt library draws on, and how to take away everything that was drawn. */
export function openFrame(out: Output) {
  let row = 0;
  const output = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const text = chunk.toString();
      row = rowAfter(text, row);
      out.write(text);
      done();
    },
  });
  Object.defineProperties(output, {
    isTTY: { value: true },
    columns: { get: () => columnsOf(out) },
    rows: { get: () => rowsOf(out) },
  });
  /** The library draws anew what has changed. */
  const redraw = (): void => {
    output.emit("resize");
  };
  out.on("resize", redraw);
  return {
    output,
    redraw,
    erase(): void {
      out.off("resize", redraw);
      out.write(`\r${row > 0 ? `\x1b[${row}A` : ""}\x1b[J`);
      row = 0;
    },
  };
}

function rowAfter(text: string, before: number): number {
  let row = before;
  for (const [move, count, direction] of text.matchAll(moves)) {
    if (move === "\n") row++;
    else if (direction === undefined) row = 0;
    else row += (direction === "A" ? -1 : 1) * Number(count || 1);
    row = Math.max(0, row);
  }
  return row;
}
