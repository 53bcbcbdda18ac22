// The output of a run during a model's call, and the usage of its agents.

import { addUsage, noUsage, type Usage } from "../../core/flow/dispatch.ts";
import { clean } from "../../core/text/format.ts";
import type { LiveEvent } from "../../engine/drive/recorder.ts";

/** What fits into a model's attention. */
const linesKept = 80;

export class Narrative {
  readonly #lines: string[] = [];
  readonly #grown: (text: string) => void;
  readonly #wording: (text: string) => string;
  #known: string | undefined;
  used: Usage = noUsage;

  /** `wording` says it in the host's own commands. */
  constructor(grown: (text: string) => void, wording: (text: string) => string) {
    this.#grown = grown;
    this.#wording = wording;
  }

  /** What need not be said again. */
  know(text: string): void {
    this.#known = text;
  }

  add(text: string): void {
    if (text === this.#known) return;
    this.#lines.push(...clean(this.#wording(text)).trimEnd().split("\n"));
    this.#grown(this.text());
  }

  see(sight: LiveEvent): void {
    if (sight.type !== "entry" || sight.entry.type !== "note") return;
    const { note } = sight.entry;
    if (note.type === "usage") this.used = addUsage(this.used, note.usage);
  }

  text(): string {
    const left = this.#lines.length - linesKept;
    return [...(left > 0 ? [`(${left} lines before this)`] : []), ...this.#lines.slice(-linesKept)].join("\n");
  }
}
