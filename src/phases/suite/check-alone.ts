// The checks of a commit itself (E3b, T1). They passed while there was what the commit does not contain: changes of the person's in tracked files,
// or what agents made and no commit can hold. Here they run without, in a place of their own.

import { type Flow, record } from "../../core/flow/flow.ts";
import type { LeftOut } from "../../core/flow/repository.ts";
import { namesIn, readResults } from "../../core/validation/results.ts";
import { warn } from "../work/consult.ts";
import { leftOutText, leftOutWords, type Obstacle } from "../work/escalation.ts";
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
  const { alone: _, ...without } = leftOut;
  const commands = dueCommands(checked);
  let seen: Seen = commands.length === 0 ? "unknown" : "passed";
  for (const [nth, command] of commands.entries()) {
    seen = yield* runAlone(leftOut, { command, suite: checked.suite, place: `${name}-alone-${nth + 1}` });
    if (seen !== "passed") break;
  }
  const told = toldOf(without, what, seen === "passed");
  if (told !== "") yield* warn(told);
  if (seen === "unknown" && commands.length > 0)
    yield* record({ type: "waiver", step: placeId, what: `No worktree could be created: ${lossOf(leftOut)}` });
  return typeof seen === "string" ? undefined : { kind: "alone", ...without, ...seen };
}

/** What no commit can hold was named before the review: here only that the checks do not need it. */
function toldOf({ files, unheld = [] }: Omit<LeftOut, "alone">, what: string, isPassed: boolean): string {
  const passes = `The checks of ${what} pass without ${leftOutWords({ files, unheld })} too.`;
  if (files.length === 0) return isPassed ? passes : "";
  const left = `${leftOutText(files, what)} Reviewers saw your version, which is not committed.`;
  if (!isPassed) return left;
  return unheld.length === 0 ? `${left} The checks pass without your version too.` : `${left} ${passes}`;
}

type Seen = "passed" | "unknown" | { readonly command: string; readonly output: string };

interface AloneOrder {
  readonly command: string;
  readonly suite: Suite | null;
  readonly place: string;
}

/** What fails by chance passes the second time. */
function* runAlone(leftOut: LeftOut, { command, suite, place }: AloneOrder): Flow<Seen> {
  let output = "";
  for (const again of ["", "-again"]) {
    const run = yield* runElsewhere(leftOut.alone, { place, name: `${place}${again}`, command, loss: lossOf(leftOut) });
    if (run === null) return "unknown";
    if (run.passed || (suite?.known.command === command && isRedAnyway(run, suite))) return "passed";
    output = run.said;
  }
  return { command, output };
}

const lossOf = ({ unheld = [] }: LeftOut): string =>
  `nothing shows that the commit passes without ${unheld.length === 0 ? "your uncommitted changes" : "what it does not contain"}`;

/** A test that was red before the work, or is red with the changes too, says nothing about them. */
function isRedAnyway({ exitCode, results }: ScratchRun, { known, latest }: Suite): boolean {
  if (latest === null) return false;
  if (results === undefined || latest.results === undefined) return exitCode === latest.exitCode;
  const red = new Set([...namesIn(latest.results, "failed"), ...namesIn(readResults(known.results ?? ""), "failed")]);
  const failing = namesIn(results, "failed");
  return failing.length > 0 && failing.every((name) => red.has(name));
}
