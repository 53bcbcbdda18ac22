// The active run of a tree, for the person who comes back to it.

import { reasonOf } from "../../adapters/store/failure.ts";
import { recap } from "../../engine/views/recap.ts";
import { lookAt, storeOf } from "../run/look.ts";

/** Undefined when no run is active. A journal that cannot be read is told, and stops nobody. */
export async function announcement(folder: string): Promise<string | undefined> {
  try {
    const store = await storeOf(folder);
    const runId = await store.readActive();
    if (runId === undefined) return undefined;
    const { view, owner } = await lookAt(store, runId);
    const next =
      owner === undefined
        ? "/workflow goes on with it, /workflow status shows more, /workflow abort ends it."
        : `It is going on in process ${owner.pid}: /workflow status shows more.`;
    return `${recap(view)}\n${next}`;
  } catch (error) {
    return `A superteam run is active in this tree and cannot be read: ${reasonOf(error)}`;
  }
}
