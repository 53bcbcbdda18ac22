// What one thing that happened says, in each form.

import type { EventBody } from "./output-event.ts";

export interface Telling {
  /** Its line in `superteam log`. */
  readonly log?: string | undefined;
  /** A line on the screen that stays, as news or as a warning. */
  readonly show?: string | undefined;
  readonly warn?: string | undefined;
  /** The event for a program that follows the run. Details of another event have none. */
  readonly event?: EventBody | undefined;
}
