// The state of a place: HEAD, files and index (E3). A snapshot saves it, with what is around it.

import { type Anchor, type State, stagedIn } from "../../../../core/flow/repository.ts";
import { announcedIn } from "../capture/announced.ts";
import { capture } from "../capture/capture.ts";
import { diskNow } from "../capture/file-identity.ts";
import { type Checkout, readHead } from "../place/checkout.ts";
import { toText } from "../process/paths.ts";
import { saveBytes } from "../restore/bytes.ts";
import { type Before, identityOfIndex, readAround, saveAround } from "../writer/around.ts";
import { toHold } from "../writer/hold-objects.ts";
import { readClosed } from "./closed.ts";
import { conflictsIn } from "./conflicts.ts";
import { readExcludes } from "./excludes.ts";
import { readIndex } from "./index-file.ts";
import { saveState } from "./saved.ts";
import { identitiesOf } from "./unsaved.ts";

export async function look(checkout: Checkout): Promise<State> {
  return (await lookWithIndex(checkout)).state;
}

async function lookWithIndex(checkout: Checkout): Promise<{ state: State; before: Before }> {
  const identity = identityOfIndex(checkout);
  const [head, { tree, index, leftAlone, flagged, indexHash, isRaw }] = await Promise.all([
    readHead(checkout),
    capture(checkout),
  ]);
  const announced = await announcedIn(checkout);
  const bytes = isRaw ? undefined : await saveBytes(checkout, { ...head, tree });
  const closed = await readClosed(checkout.root, { ...head, tree });
  const excludes = readExcludes(checkout);
  const state = {
    ...head,
    tree,
    ...(index === undefined ? { conflicts: await conflictsIn(checkout, head) } : { index }),
    ...(bytes === undefined ? {} : { bytes }),
    ...(Object.keys(closed).length === 0 ? {} : { closed }),
    leftAlone: leftAlone.map(toText),
    ...(excludes.length === 0 ? {} : { excludes }),
  };
  const unsaved = leftAlone.length === 0 ? {} : { unsaved: identitiesOf(checkout, leftAlone) };
  return { state, before: { flagged, index: { hash: indexHash, identity }, announced, ...unsaved } };
}

export async function snapshot(checkout: Checkout, name: string): Promise<Anchor> {
  const moment = diskNow(checkout);
  const [{ state, before }, around] = await Promise.all([lookWithIndex(checkout), readAround(checkout)]);
  const conflicts = state.index === undefined ? { conflicts: readIndex(checkout) } : {};
  const holding = await toHold(checkout, state, around);
  const [kept, ref] = await Promise.all([
    saveAround(checkout, { ...around, ...conflicts, ...before }),
    saveState(checkout, name, { ...state, index: stagedIn(state) }, holding.lines),
  ]);
  holding.done();
  noteTaken(checkout, ref, moment);
  return { ...state, around: kept, ref };
}

const taken = new Map<string, bigint>();
/** Agents at work are compared with one of the last. */
const mostTaken = 64;

/** `moment`: the disk's time before it was looked at; 0 where that is not known. */
export function noteTaken({ gitDir }: Checkout, ref: string, moment: bigint): void {
  taken.delete(`${gitDir} ${ref}`);
  if (moment > 0n) taken.set(`${gitDir} ${ref}`, moment);
  for (const oldest of [...taken.keys()].slice(0, -mostTaken)) taken.delete(oldest);
}

/** The disk's time when it was taken: what was born before was there. Of one of an earlier life nothing is known. */
export const takenNs = ({ gitDir }: Checkout, { ref }: Anchor): bigint | undefined => taken.get(`${gitDir} ${ref}`);
