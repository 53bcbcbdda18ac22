// What there is to say of one thing that happened, in every form it is told in.

import type { EventBody } from "./output-event.ts";

export interface Telling {
  /** Its line in `superteam log`. */
  readonly log?: string | undefined;
  /** What is told on the screen and stays there, as news or as a warning. */
  readonly show?: string | undefined;
  readonly warn?: string | undefined;
  /** What a program that follows the run is told. Without one it is a detail of what that is told anyway. */
  readonly event?: EventBody | undefined;
}
