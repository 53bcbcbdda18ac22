// Several that ought to do the same take turns: each case is tried with one of them. `npm run test:slow` tries every case with all.

import { isLongForm } from "./property.ts";
import { isSampled } from "./sample.ts";

/** Whether the next case is to be tried with the one at this place, of so many. */
export function turnOf(place: number, count: number): () => boolean {
  let next = 0;
  return () => isLongForm || isSampled(next++ * count + place, count);
}
