// One call of the tool `team`: the roles work while it lasts, what they do is shown, and their answers are its result.

import type { AgentToolResult, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { answerIn, type Question } from "../../../core/flow/question.ts";
import type { LiveEvent } from "../../../engine/drive/recorder.ts";
import { Tally } from "../../../engine/money/tally.ts";
import { Problem, toldOf } from "../../../runs/problem.ts";
import { teamOrder } from "../../../runs/team/order.ts";
import { runTeam, type TeamRun } from "../../../runs/team/team.ts";
import { type TeamDetails, teamDetails, teamText } from "../../../runs/team/text.ts";
import { runsAt } from "../../wiring/runs-at.ts";
import { workplaceAt } from "../../wiring/workplace-at.ts";
import { personAt, piHost, type Session, sessionOf } from "../host.ts";
import { type LiveRun, liveRun, occupy, runAtWork } from "../kept.ts";
import { inPi } from "../wording.ts";
import { asResult, type ModelCall, sessionUsage } from "./model-call.ts";
import { TeamScreen } from "./team-screen.ts";

/** pi marks what is thrown as failed: calls that were refused, and trouble. */
export async function runTeamTool(call: ModelCall, context: ExtensionContext): Promise<AgentToolResult<TeamDetails>> {
  try {
    const session = sessionOf(context);
    const run = await worked(call, session, context.sessionManager.getSessionId());
    const text = inPi(await teamText(run, await runsAt(session.cwd)));
    return { ...asResult(text), details: teamDetails(run), usage: sessionUsage(run.view.spend.total) };
  } catch (error) {
    throw new Error(inPi(toldOf(error).text));
  }
}

async function worked({ given, signal, onUpdate }: ModelCall, session: Session, id: string): Promise<TeamRun> {
  const input = teamOrder(given);
  const show = (text: string): void => onUpdate?.(asResult(text));
  await runAtWork();
  refuseBeside(liveRun());
  return occupy({ isActive: false, signal }, async (stay) => {
    const host = piHost(session, stay);
    const screen = new TeamScreen({ session, input, show, columns: host.columns });
    const watch = (sight: LiveEvent): void => {
      if (sight.type === "entry") tally.take(sight.entry);
      screen.see(sight);
    };
    try {
      const mayWrite = (question: Question) => allowsWriters(session, id, question, stay.away);
      const order = { input, spent: tally.spent, signal: stay.away, mayWrite, watch };
      return await runTeam(await workplaceAt(session.cwd), order, host);
    } finally {
      screen.close();
    }
  });
}

/** A run that is only starting, or asks whether to, does not hold the tree yet. */
function refuseBeside(live: LiveRun | undefined): void {
  if (live === undefined) return;
  throw new Problem(
    `A ${live.isActive ? "run" : "team"} is at work in this pi and must not be disturbed. Nothing was started. Wait for its end, or have the person stop it: superteam stop`,
    "not-possible",
  );
}

/** Asked once per session, in a dialog; where there is none the answer is no. */
async function allowsWriters(session: Session, id: string, question: Question, away: AbortSignal): Promise<boolean> {
  if (writing.has(id)) return true;
  if (!session.hasUI || answerIn(await personAt(session).ask(question, away)) !== "yes") return false;
  writing.add(id);
  return true;
}

const writersPlace = Symbol.for("superteam.team-writers");
const place = Symbol.for("superteam.team-spent");
const kept = globalThis as { [place]?: Tally; [writersPlace]?: Set<string> };
/** Sessions in which the person lets roles write. */
const writing = kept[writersPlace] ?? new Set<string>();
kept[writersPlace] = writing;
/** Of all calls in this process: kept with it, as pi loads an extension again for each session. */
const tally = kept[place] ?? new Tally();
kept[place] = tally;
