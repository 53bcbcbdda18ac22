// What the checks saw and the commit does not contain: changes of the person's, and what agents made or changed and no commit can hold, such as a
// file over 10 MB. Checks that pass only with it prove nothing of the commit (T1).

import { anchorWithout, type Flow, snapshot } from "../../core/flow/flow.ts";
import type { Committed, LeftOut } from "../../core/flow/repository.ts";
import type { WorkRange } from "./work-range.ts";

/** With the state in which the checks can run without it; undefined where there is nothing of it. */
export function* leftOutOf(range: WorkRange, { leftOut, files }: Committed): Flow<LeftOut | undefined> {
  const unheld = [...range.unheld].filter((path) => !files.includes(path));
  if (unheld.length === 0) return leftOut;
  const here = leftOut?.alone ?? (yield* snapshot("alone"));
  const alone = yield* anchorWithout("alone", here, { start: range.start, files: unheld });
  return { files: leftOut?.files ?? [], unheld, alone };
}
