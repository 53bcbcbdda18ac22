// The checks of a commit itself (E3b). They passed while tracked files had changes of the person's, which no commit of the run contains: here
// they run without these changes, in a place of their own.

import { type Flow, record } from "../../core/flow/flow.ts";
import type { LeftOut } from "../../core/flow/repository.ts";
import { namesIn, readResults } from "../../core/validation/results.ts";
import type { Obstacle } from "../work/escalation.ts";
import { placeId, runElsewhere, type ScratchRun } from "./scratch-run.ts";
import { type Checked, dueCommands, type Suite } from "./suite.ts";

/** `name`: whose commit it is, for people who look for the place. */
export function* checkAlone(
  { files, alone }: LeftOut,
  checked: Checked,
  name: string,
): Flow<Obstacle<"alone"> | undefined> {
  for (const [nth, command] of dueCommands(checked).entries()) {
    const place = `${name}-alone-${nth + 1}`;
    const order = { place, name: place, command, loss };
    const first = yield* runElsewhere(alone, order);
    // What fails by chance passes the second time.
    const run =
      first === null || passes(first, checked.suite)
        ? first
        : yield* runElsewhere(alone, { ...order, name: `${place}-again` });
    if (run === null) {
      yield* record({ type: "waiver", step: placeId, what: `The tests could not run in a worktree: ${loss}` });
      return undefined;
    }
    if (!passes(run, checked.suite)) return { kind: "alone", command, files, output: run.said };
  }
  return undefined;
}

const loss = "nothing shows that the commit passes without your uncommitted changes";

/** A test that was red before the work, or is red with the changes too, says nothing about them. */
function passes({ passed, exitCode, results }: ScratchRun, suite: Suite | null): boolean {
  if (passed || suite === null || suite.latest === null) return passed;
  const { latest, known } = suite;
  if (results === undefined || latest.results === undefined) return exitCode === latest.exitCode;
  const red = new Set([...namesIn(latest.results, "failed"), ...namesIn(readResults(known.results ?? ""), "failed")]);
  const failing = namesIn(results, "failed");
  return failing.length > 0 && failing.every((name) => red.has(name));
}
