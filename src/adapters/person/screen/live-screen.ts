// A screen that draws in place: widgets and one status line at the bottom, redrawn at most ten times a second, with a
// sign that always moves. Lines that stay are printed above.
//
// The area is drawn over line by line, not cleared first, and each line is cut to the terminal's width: so it does not
// flicker, and its height is known. After a resize the terminal may have broken the lines drawn before, so the height is
// counted from what was drawn, at the width there is now.

import { clean, oneLine } from "../../../core/text/format.ts";
import { truncate, widthOf } from "../../../core/text/width.ts";
import { columnsOf, type Output, type OutputStyle, rowsOf, styleOf } from "../output.ts";
import type { Screen, Stage } from "./screen.ts";

const drawEveryMs = 100;
const spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
/** A status older than this is shown with its age. */
const standingMs = 3_000;

const hideCursor = "\x1b[?25l";
const showCursor = "\x1b[?25h";
const restOfLine = "\x1b[K";
const below = "\x1b[J";

export class LiveScreen implements Screen {
  readonly #out: Output;
  readonly #style: OutputStyle;
  readonly #slots = new Map<string, string>();
  readonly #widgets = new Map<string, readonly string[]>();
  #keys = "";
  #statusSince = 0;
  /** The lines on the screen, top first. */
  #drawn: readonly string[] = [];
  #columns = 0;
  #hidden = false;
  /** Lines that were printed while a dialog has the screen. */
  #held: string[] | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #leave = (): void => this.#hide();

  constructor(out: Output) {
    this.#out = out;
    this.#style = styleOf(out);
  }

  print(lines: readonly string[]): void {
    if (this.#held) this.#held.push(...lines);
    else this.#printAbove(lines);
  }

  status(slot: string, text: string | undefined): void {
    const line = text === undefined ? undefined : oneLine(text);
    if (this.#slots.get(slot) === line) return;
    this.#statusSince = Date.now();
    if (line === undefined) this.#slots.delete(slot);
    else this.#slots.set(slot, line);
    this.#schedule();
  }

  widget(id: string, lines: readonly string[] | undefined): void {
    if (lines === undefined || lines.length === 0) this.#widgets.delete(id);
    else this.#widgets.set(id, clean(lines.join("\n")).split("\n"));
    this.#schedule();
  }

  keys(hint: string | undefined): void {
    this.#keys = hint ?? "";
    this.#schedule();
  }

  stage(): Stage {
    this.#held = [];
    this.#hide();
    return {
      print: (lines) => this.#printAbove(lines),
      end: () => {
        this.#release();
        this.#hidden = false;
        this.#schedule();
      },
    };
  }

  close(): void {
    this.#hide();
    this.#release();
  }

  #release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#printAbove(held);
  }

  #printAbove(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.#out.write(`${this.#toTop()}${drawing(lines)}\n${below}`);
    this.#drawn = [];
    if (!this.#hidden) this.#draw();
  }

  #hide(): void {
    this.#hidden = true;
    this.#stop();
    if (this.#drawn.length > 0) this.#out.write(this.#toTop() + below);
    this.#drawn = [];
  }

  #isEmpty(): boolean {
    return this.#slots.size === 0 && this.#widgets.size === 0;
  }

  /** The first drawing of an area is at once; from then on the timer draws. */
  #schedule(): void {
    if (this.#hidden || this.#timer || (this.#isEmpty() && this.#drawn.length === 0)) return;
    this.#timer = setInterval(() => this.#draw(), drawEveryMs).unref();
    this.#out.write(hideCursor);
    process.once("exit", this.#leave);
    this.#draw();
  }

  #stop(): void {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    process.off("exit", this.#leave);
    this.#out.write(showCursor);
  }

  #draw(): void {
    const lines = this.#compose();
    if (drawing(lines) !== drawing(this.#drawn)) {
      this.#out.write(this.#toTop() + (this.#isResized() ? below : "") + drawing(lines) + below);
      this.#drawn = lines;
    }
    if (this.#isEmpty()) this.#stop();
  }

  /** Lines the terminal has broken are remembered by it as one until they are cleared. */
  #isResized(): boolean {
    const before = this.#columns;
    this.#columns = columnsOf(this.#out);
    return before !== this.#columns;
  }

  /** From the end of the last line to the start of the first one. */
  #toTop(): string {
    const columns = columnsOf(this.#out);
    const rows = this.#drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0);
    return rows > 1 ? `\r\x1b[${rows - 1}A` : "\r";
  }

  #compose(): readonly string[] {
    if (this.#isEmpty()) return [];
    const columns = columnsOf(this.#out) - 1;
    const room = Math.max(0, rowsOf(this.#out) - 4);
    const widgets = [...this.#widgets.values()].flat();
    const shown = widgets.length > room ? [...widgets.slice(0, Math.max(0, room - 1)), "…"] : widgets;
    const lines = shown.slice(0, room).map((line) => truncate(line, columns));
    return ["", ...lines, ...(this.#slots.size > 0 ? [this.#statusLine(columns)] : [])];
  }

  #statusLine(columns: number): string {
    const now = Date.now();
    const sign = spinner[Math.floor(now / drawEveryMs) % spinner.length] ?? "";
    const standing = now - this.#statusSince;
    const stood = standing < standingMs ? "" : `  ${Math.floor(standing / 1000)}s`;
    const text = truncate([...this.#slots.values()].join(" · "), columns - 2 - stood.length);
    const width = 2 + widthOf(text) + stood.length;
    const keys = this.#keys !== "" && width + 3 + widthOf(this.#keys) <= columns ? `   ${this.#keys}` : "";
    return `${this.#style.paint("cyan", sign)} ${text}${this.#style.paint("dim", stood + keys)}`;
  }
}

function drawing(lines: readonly string[]): string {
  return lines.map((line) => line + restOfLine).join("\n");
}
