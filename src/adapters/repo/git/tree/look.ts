// The state of a place: HEAD, files and index (E3). A snapshot saves it, with what is around it.

import type { Anchor, State } from "../../../../core/flow/repository.ts";
import { type Checkout, readHead } from "../place/checkout.ts";
import { toText } from "../process/paths.ts";
import { readAround, saveAround } from "../writer/around.ts";
import { capture } from "./capture.ts";
import { readExcludes } from "./excludes.ts";
import { readIndex } from "./index-file.ts";
import { saveState } from "./saved.ts";

export async function look(checkout: Checkout): Promise<State> {
  const [head, { tree, index, leftAlone }, excludes] = await Promise.all([
    readHead(checkout),
    capture(checkout),
    readExcludes(checkout),
  ]);
  return {
    ...head,
    tree,
    ...(index === undefined ? {} : { index }),
    leftAlone: leftAlone.map(toText),
    ...(excludes.length === 0 ? {} : { excludes }),
  };
}

export async function snapshot(checkout: Checkout, name: string): Promise<Anchor> {
  const [state, around] = await Promise.all([look(checkout), readAround(checkout)]);
  const conflicts = state.index === undefined ? { conflicts: await readIndex(checkout) } : {};
  const [kept, ref] = await Promise.all([
    saveAround(checkout, { ...around, ...conflicts }),
    saveState(checkout, name, state),
  ]);
  return { ...state, around: kept, ref };
}
