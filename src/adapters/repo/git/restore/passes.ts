// Restores again until nobody wrote or committed meanwhile (E3). Each pass saves what is there first, so that what came in between is kept,
// and it is named.

import type { Meanwhile } from "../../../../core/flow/repository.ts";
import { type BytePath, toText } from "../process/paths.ts";

export interface Pass {
  readonly restored: readonly BytePath[];
  /** Changed after they were saved, so they are as somebody left them. */
  readonly changed: readonly BytePath[];
  /** Something changed, so that another pass has to follow. */
  readonly isOvertaken: boolean;
  readonly backupRef: string;
  /** The commit that no branch has afterwards. */
  readonly tip?: string | undefined;
}

/** In the last one, files that change all the time are left alone. */
const mostPasses = 5;

export class Passes<P extends Pass> {
  readonly #make: (isLast: boolean) => Promise<P>;
  readonly #files = new Set<string>();
  readonly #refs = new Set<string>();

  constructor(make: (isLast: boolean) => Promise<P>) {
    this.#make = make;
  }

  /** As many as it takes. What is gone is in the backup of the first. */
  async make(): Promise<P> {
    const first = await this.#make(false);
    const restored = new Set(first.restored);
    let last = first;
    for (let number = 2; last.isOvertaken; number++) {
      const next = await this.#make(number >= mostPasses);
      this.#note(last, next);
      for (const path of next.restored) restored.add(path);
      last = next;
    }
    return { ...last, restored: [...restored], backupRef: first.backupRef };
  }

  #note({ changed, tip }: Pass, next: Pass): void {
    for (const path of changed) this.#files.add(toText(path));
    if (changed.length > 0) this.#refs.add(next.backupRef);
    if (next.tip === undefined || next.tip === tip) return;
    this.#files.add("HEAD");
    this.#refs.add(`${next.backupRef}.tip`);
  }

  get meanwhile(): Meanwhile | undefined {
    return this.#files.size === 0 ? undefined : { files: [...this.#files].sort(), refs: [...this.#refs] };
  }
}

/** Of several restores. */
export function allMeanwhile(outcomes: readonly ({ readonly meanwhile?: Meanwhile | undefined } | undefined)[]): {
  readonly meanwhile?: Meanwhile;
} {
  const all = outcomes.flatMap((each) => each?.meanwhile ?? []);
  const together = (lists: readonly (readonly string[])[]): readonly string[] => [...new Set(lists.flat())];
  if (all.length === 0) return {};
  return { meanwhile: { files: together(all.map(({ files }) => files)), refs: together(all.map(({ refs }) => refs)) } };
}
