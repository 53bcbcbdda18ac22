// Sends events to programs: each event gets its number, is kept with the run, and is printed as a line with --json.

import type { Redact } from "../../core/text/secrets.ts";
import { EventLines } from "../../engine/views/tell/event-lines.ts";
import type { EventDraft } from "../../engine/views/tell/output-event.ts";
import { reasonOf } from "../../ports/failure.ts";
import type { Entry } from "../../ports/journal.ts";
import type { EventLog } from "../../ports/runs.ts";

export interface EventTellerOptions {
  readonly log: EventLog;
  /** What happened before this process: what was not told of it is kept now. */
  readonly past: readonly Entry[];
  /** Where lines go; undefined when nobody asked for them. */
  readonly json: ((line: string) => void) | undefined;
  readonly redact: Redact;
  readonly trouble: (text: string) => void;
}

export class EventTeller {
  readonly #options: EventTellerOptions;
  readonly #lines = new EventLines();
  #isKept = true;

  constructor(options: EventTellerOptions) {
    this.#options = options;
    this.#lines.kept(options.log.lines);
    this.#lines.journaled(options.past);
    for (const line of this.#lines.made()) this.#keep(options.redact(line));
  }

  tell(event: EventDraft): void {
    const line = this.#options.redact(this.#lines.next(event));
    this.#keep(line);
    this.#options.json?.(line);
  }

  /** A run does not fail because nobody can follow it. */
  #keep(line: string): void {
    if (!this.#isKept) return;
    try {
      this.#options.log.append(line);
    } catch (cause) {
      this.#isKept = false;
      this.#options.trouble(
        `The run's events can no longer be saved: ${reasonOf(cause)}. The run continues, but superteam log --json will miss what agents do from now on.`,
      );
    }
  }
}
