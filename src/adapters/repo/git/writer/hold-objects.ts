// Keeps the objects that HEAD, branches, tags and stashes lead to while agents work (E3b). Otherwise nothing could be restored after an agent
// that deletes refs and has git prune. The refs name commits that others name as well, so `git log --all` shows nothing new; they are removed
// with the run.

import type { Head } from "../../../../core/flow/repository.ts";
import { type Checkout, refFor } from "../place/checkout.ts";
import { missingAmong } from "../tree/trees.ts";
import { type Around, isSymbolic, ownRefs, stashesIn } from "./around.ts";

/** Beyond this they take longer than they are worth; tags come last. */
const most = 300;

/** As updates of refs, for the same transaction that saves the state; `done` when that is made. */
export interface Holding {
  readonly lines: readonly string[];
  readonly done: () => void;
}

/** What is held already costs nothing. */
export async function toHold(checkout: Checkout, { sha }: Head, around: Around): Promise<Holding> {
  const { root, commonDir, runId } = checkout;
  const key = `${commonDir} ${runId}`;
  const known = held.get(key) ?? new Set<string>();
  const fresh = [...new Set([sha, ...stashesIn(around), ...tipsOf(around)])].slice(0, most);
  const wanted = fresh.filter((each) => !known.has(each));
  const missing = wanted.length === 0 ? known : await missingAmong(root, wanted);
  const there = wanted.filter((each) => !missing.has(each));
  return {
    lines: there.map((each) => `update ${refFor(runId, `held-${each}`)} ${each}`),
    done: () => void held.set(key, new Set([...known, ...wanted])),
  };
}

/** By run: what is held, and what was not there to be held. */
const held = new Map<string, ReadonlySet<string>>();

function tipsOf({ refs }: Around): readonly string[] {
  const own = Object.entries(refs).filter(([ref, at]) => !isSymbolic(at) && ownRefs.some((each) => isIn(each, ref)));
  const order = ([ref]: [string, string]): number => Number(isIn("refs/tags", ref));
  return own.sort((one, other) => order(one) - order(other)).map(([, at]) => at);
}

const isIn = (folder: string, ref: string): boolean => ref.startsWith(`${folder}/`);
