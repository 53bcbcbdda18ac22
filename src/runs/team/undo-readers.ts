// What a reader that was stopped in the middle of its work has changed. A reader that ends is judged by the engine; one
// that is stopped would be when its run continues, which a team's never does.

import { nthRequest, stepIn } from "../../core/flow/keys.ts";
import type { Anchor } from "../../core/flow/repository.ts";
import { couldWrite } from "../../core/run/capability.ts";
import { listed } from "../../core/text/format.ts";
import { type Interrupted, undoInterrupted } from "../../engine/drive/ended/interrupted.ts";
import { openDispatches } from "../../engine/drive/recovery.ts";
import type { World } from "../../engine/drive/world.ts";
import { accessOf, team } from "../../pipelines/team.ts";

/** Says what the person has to know of it. */
export async function undoReaders(world: World): Promise<readonly string[]> {
  const first = await firstArmedReader(world);
  if (first === undefined) return [];
  const told: string[] = [];
  const anchor = sharedBy(world) ?? first.past.anchor;
  const past = anchor === undefined ? first.past : { ...first.past, anchor };
  await undoInterrupted(world, { ...first, past }, async () => {
    told.push(
      `The tree is not as it was before the ${first.role}, which may only read and was stopped. Other changes seem to have been made since, so nothing was restored: git diff ${anchor?.ref} shows what is different.`,
    );
    return "keep";
  });
  const undone = world.journal.recall(first.key)?.notes.findLast(({ type }) => type === "undone");
  if (undone?.type === "undone")
    told.push(
      `The ${first.role} may only read, but had changed ${listed(undone.files)}. That was undone; the changes are kept at ${undone.backupRef}.`,
    );
  return told;
}

/** The first that was begun and has no outcome: its tree is the oldest. */
async function firstArmedReader(world: World): Promise<Interrupted | undefined> {
  for (const stopped of openDispatches(world.journal)) {
    const isReader = accessOf(stopped.role) === "read";
    if (isReader && couldWrite(await world.roles.resolve(stopped.role, {}))) return stopped;
  }
  return undefined;
}

const before = nthRequest(stepIn(team.name, "before", "snapshot"), 1);

/** What readers side by side were all given. */
function sharedBy({ journal }: World): Anchor | undefined {
  const taken = journal.recall(before);
  // The engine settles a snapshot with its anchor.
  return taken?.settled ? (taken.outcome as Anchor) : undefined;
}
