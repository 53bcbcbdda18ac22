// Readers that run in one place at the same time and could write (R6). They share the record of branches, stashes and git's own files that the
// first of them was given. A reader with a record of its own could restore what another one had changed before it began.

import type { PlaceId } from "../../../core/flow/flow.ts";
import type { Anchor } from "../../../core/flow/repository.ts";

/** By place. */
export class Readers {
  readonly #groups = new Map<PlaceId, SideBySide>();

  /** Must leave again, whatever happens to it. */
  join(place: PlaceId): SideBySide {
    const group = this.#groups.get(place) ?? new SideBySide();
    this.#groups.set(place, group);
    group.count++;
    return group;
  }

  leave(place: PlaceId): void {
    const group = this.#groups.get(place);
    if (group !== undefined && --group.count === 0) this.#groups.delete(place);
  }
}

export class SideBySide {
  count = 0;
  #around: string | undefined;
  #last: Promise<unknown> = Promise.resolve();

  share(anchor: Anchor): Anchor {
    this.#around ??= anchor.around;
    return this.#around === undefined ? anchor : { ...anchor, around: this.#around };
  }

  /** Two at once would put the same thing back, and one of them would fail. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
