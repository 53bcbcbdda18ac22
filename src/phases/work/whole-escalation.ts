// What can block the finished work: what the person reads about it, and what they can choose.

import type { Flow } from "../../core/flow/flow.ts";
import type { Option } from "../../core/flow/question.ts";
import { count } from "../../core/text/format.ts";
import { lastOutput, regressionText } from "../suite/failed-tests.ts";
import type { AbortableQuestion } from "./ask.ts";
import {
  aloneText,
  blockedText,
  claimsText,
  type Disputes,
  type Fixable,
  hookedText,
  type Obstacle,
  putToPerson,
  type Rows,
  rowOf,
  unnamed,
  withSides,
} from "./escalation.ts";
import type { ShowDiff } from "./respond.ts";
import { ofTrouble, plainRetry } from "./trouble.ts";

/** A commit of the whole that is refused is asked about where it is made. */
type WholeKind = Exclude<Obstacle["kind"], "nothing" | "unproved" | "refused">;
export type WholeObstacle = Obstacle<WholeKind>;
export type WholeFixable = Extract<Fixable, WholeObstacle>;
type WholeWay = "fix" | "again" | "accept" | "retry";

const fix: Option<"fix"> = { key: "fix", label: "Fix", hint: "an implementer fixes it, then it is reviewed again" };
const accept = (loss: string): Option<"accept"> => {
  return { key: "accept", label: "Accept", hint: `${loss}recorded as your decision` };
};
const again = (label: string): Option<"again"> => ({ key: "again", label });
const losesFix = "undoes the uncommitted fix; ";

interface WholeAtIssue extends Disputes {
  /** Fixes in all. */
  readonly fixes: number;
}

/** Nothing is recommended: every way out waives something or costs something. */
const wholeRows: Rows<WholeKind, WholeAtIssue, WholeWay> = {
  blocked: (obstacle) =>
    ofWhole(`The final fix${blockedText(obstacle)}`, [
      { key: "fix", label: "Answer", hint: "tell the implementer, and it tries again" },
      accept(losesFix),
    ]),
  validation: (obstacle, { fixes }) => {
    const what = fixes === 0 ? "finished work" : "final fix";
    return ofWhole(`The ${what} fails validation${after(fixes)}.\n${lastOutput(obstacle)}`, [fix, accept(losesFix)]);
  },
  regression: (obstacle, { fixes }) => {
    const what = fixes === 0 ? "finished work" : "final fix";
    return ofWhole(`The ${what} breaks tests${after(fixes)}.\n${regressionText(obstacle)}`, [fix, accept(losesFix)]);
  },
  findings: ({ open }, work) => {
    const { fixes } = work;
    const asks = `The final review ${fixes === 0 ? "" : "still "}asks for changes${after(fixes)}:`;
    return ofWhole([asks, ...withSides(open, work)].join("\n"), [fix, accept("")]);
  },
  claims: ({ claims }) => ofWhole(`The finished work${claimsText(claims)}`, [fix, accept("")]),
  inconclusive: ({ summary, noted }, { fixes }) => {
    const doubt = `The final review is inconclusive${after(fixes)}. The reviewer does not pass the work, ${unnamed(summary, noted)}`;
    return ofWhole(doubt, [again("Review again"), accept("")]);
  },
  moved: () =>
    ofWhole(
      "The tree changed while the final fixes were being checked. Leave the tree alone, then have them checked again.",
      [again("Check again"), accept(losesFix)],
    ),
  alone: (obstacle) =>
    ofWhole(`The final fixes are committed. ${aloneText(obstacle)}`, [
      again("Check again"),
      accept("undoes the final fixes; "),
    ]),
  hooked: (obstacle) =>
    ofWhole(`The final fixes are committed. ${hookedText(obstacle)}`, [
      again("Commit again"),
      accept("undoes the final fixes; "),
    ]),
  agent: ({ trouble }) => ofTrouble(trouble, [plainRetry, accept("without the fix; ")]),
};

const after = (fixes: number): string => (fixes === 0 ? "" : ` after ${count(fixes, "fix")}`);

function ofWhole(message: string, options: readonly Option<WholeWay>[]): AbortableQuestion<WholeWay> {
  return { id: "finalize.fix", title: "Final Review", message, options };
}

/** What the person does about the whole. */
export function escalateWhole(obstacle: WholeObstacle, work: WholeAtIssue, diff: ShowDiff): Flow<WholeWay> {
  return putToPerson(obstacle, rowOf(wholeRows, obstacle, work), { where: "at the final review", diff });
}
