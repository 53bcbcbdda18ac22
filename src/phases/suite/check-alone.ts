// The checks of a commit itself (E3b). They passed while tracked files had changes of the person's, which no commit of the run contains: here
// they run without these changes, in a place of their own.

import { type Flow, record } from "../../core/flow/flow.ts";
import type { LeftOut } from "../../core/flow/repository.ts";
import { namesIn, readResults } from "../../core/validation/results.ts";
import { warn } from "../work/consult.ts";
import type { Obstacle } from "../work/escalation.ts";
import { leftOutText } from "../work/work-range.ts";
import { placeId, runElsewhere, type ScratchRun } from "./scratch-run.ts";
import { type Checked, dueCommands, type Suite } from "./suite.ts";

interface OwnCommit {
  /** Whose it is, in words. */
  readonly what: string;
  /** The same for a place, for people who look for it. */
  readonly name: string;
}

/** Names what is left out, and says whether the checks pass without it too. */
export function* checkAlone(
  leftOut: LeftOut,
  checked: Checked,
  { what, name }: OwnCommit,
): Flow<Obstacle<"alone"> | undefined> {
  const { files } = leftOut;
  const commands = dueCommands(checked);
  let seen: Seen = commands.length === 0 ? "unknown" : "passed";
  for (const [nth, command] of commands.entries()) {
    seen = yield* runAlone(leftOut, { command, suite: checked.suite, place: `${name}-alone-${nth + 1}` });
    if (seen !== "passed") break;
  }
  const verdict = seen === "passed" ? " The checks pass without your version too." : "";
  yield* warn(`${leftOutText(files, what)} Reviewers saw your version, which is not committed.${verdict}`);
  if (seen === "unknown" && commands.length > 0)
    yield* record({ type: "waiver", step: placeId, what: `No worktree could be created: ${loss}` });
  return typeof seen === "string" ? undefined : { kind: "alone", files, ...seen };
}

type Seen = "passed" | "unknown" | { readonly command: string; readonly output: string };

interface AloneOrder {
  readonly command: string;
  readonly suite: Suite | null;
  readonly place: string;
}

/** What fails by chance passes the second time. */
function* runAlone({ alone }: LeftOut, { command, suite, place }: AloneOrder): Flow<Seen> {
  let output = "";
  for (const again of ["", "-again"]) {
    const run = yield* runElsewhere(alone, { place, name: `${place}${again}`, command, loss });
    if (run === null) return "unknown";
    if (run.passed || (suite?.known.command === command && isRedAnyway(run, suite))) return "passed";
    output = run.said;
  }
  return { command, output };
}

const loss = "nothing shows that the commit passes without your uncommitted changes";

/** A test that was red before the work, or is red with the changes too, says nothing about them. */
function isRedAnyway({ exitCode, results }: ScratchRun, { known, latest }: Suite): boolean {
  if (latest === null) return false;
  if (results === undefined || latest.results === undefined) return exitCode === latest.exitCode;
  const red = new Set([...namesIn(latest.results, "failed"), ...namesIn(readResults(known.results ?? ""), "failed")]);
  const failing = namesIn(results, "failed");
  return failing.length > 0 && failing.every((name) => red.has(name));
}
