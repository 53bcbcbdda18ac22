// The end of a reader (R6). Tool lists are the first barrier, the comparison is the proof.

import type { DispatchOutcome } from "../../../core/flow/dispatch.ts";
import type { Anchor, AroundPutBack, State } from "../../../core/flow/repository.ts";
import type { DocumentTexts } from "../../../ports/journal.ts";
import type { Place } from "../../../ports/place.ts";
import { putTextsBack } from "../given-documents.ts";
import { type Begun, refName } from "../requests.ts";
import type { World } from "../world.ts";
import type { SideBySide } from "./side-by-side.ts";

interface EndedReader {
  readonly world: World;
  readonly place: Place;
  readonly begun: Begun;
  readonly anchor: Anchor;
  readonly documents?: DocumentTexts;
  readonly readers?: SideBySide;
}

type Left = Pick<DispatchOutcome, "touched" | "restored" | "around">;

/** One that could write is compared like a writer, and all it did is put back. */
export async function afterReader({ world, place, anchor, begun, documents, readers }: EndedReader): Promise<Left> {
  await putTextsBack(world, place, { key: begun.key, ...(documents ? { documents } : {}) }, { wrote: [] });
  const compare = () => place.repo.afterReader(anchor, `${refName(begun)}-reader`);
  const { touched, around } = await (readers?.inTurn(compare) ?? compare());
  return { touched, restored: touched.length > 0, ...(isNothing(around) ? {} : { around }) };
}

/** Beside any other, somebody else moved the tree. */
export async function movedMeanwhile({ repo }: Place, before: State): Promise<readonly string[]> {
  const [tree, head] = await Promise.all([repo.tree(), repo.head()]);
  const files = tree === before.tree ? [] : await repo.difference(before.tree, tree);
  const isMoved = head.sha !== before.sha || head.branch !== before.branch;
  return isMoved ? ["HEAD", ...files] : files;
}

function isNothing({
  refs,
  settings,
  operation,
  filesKept,
  pushed,
  outside = [],
  staged = [],
  leftAlone = [],
  opened = [],
  filesLost,
  unsaved,
}: AroundPutBack): boolean {
  const isEmpty = [refs, settings, pushed, outside, staged, leftAlone, opened].every((each) => each.length === 0);
  return isEmpty && [operation, filesKept, filesLost, unsaved].every((each) => each === undefined);
}
