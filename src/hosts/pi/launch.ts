// Runs in the background of this pi, so that pi stays usable and takes other commands.

import type { RunHandle } from "../../runs/handle.ts";
import type { Host } from "../../runs/host.ts";
import { statusText } from "../../runs/look/status.ts";
import { toldOf } from "../../runs/problem.ts";
import { exitCodeOf, exitCodes } from "../exit-code.ts";
import { runsAt } from "../wiring/runs-at.ts";
import { piHost, type Session, tellIn } from "./host.ts";
import { type LiveRun, liveRun, occupy, runAtWork, type Stay } from "./kept.ts";

export async function launch(session: Session, act: (host: Host) => Promise<RunHandle | undefined>): Promise<void> {
  if (await isBusy(session)) return;
  // What was asked before may have been answered after the session, and another command may have been faster.
  if (session.ended.aborted) return;
  if (liveRun()) return launch(session, act);
  const atRest = goOn(session, undefined, (stay) =>
    act(piHost(session, stay))
      .then((run) => run?.ended)
      .then((ended) => ended && leaveWith(session, exitCodeOf(ended)))
      .catch((error: unknown) => tellTrouble(session, error)),
  ).catch(nobodyThere);
  // A pi that only prints would end with its command.
  if (!session.hasUI) await atRest;
}

/** Runs it in this pi until it ends or is suspended. */
export function goOn<T>(
  session: Session,
  signal: AbortSignal | undefined,
  act: (stay: Stay) => Promise<T>,
): Promise<T> {
  session.ui.setStatus("workflow", "⚡ Workflow: starting...");
  return occupy({ isActive: true, signal }, (stay) =>
    act(stay).finally(() => session.ui.setStatus("workflow", undefined)),
  );
}

/** A session that has ended can show nothing; the run itself has stopped. */
const nobodyThere = (): void => undefined;

/** Whether a run or a team is running in this pi; says so if there is one. */
export async function isBusy(session: Session): Promise<boolean> {
  const live = await runAtWork();
  if (live === undefined) return false;
  tellIn(session, await busyText(live, () => runsAt(session.cwd).then((runs) => statusText(runs, Date.now()))), "info");
  return true;
}

export async function busyText({ isActive }: LiveRun, standing: () => Promise<string>): Promise<string> {
  return isActive ? `A run is already at work in this pi.\n${await standing()}` : teamAtWork;
}

const teamAtWork =
  "The model has a team at work in this pi, so nothing else can start. Wait until it is done, or stop it: Escape, or /workflow stop.";

/** Only a bug is an error: the person can fix anything else. */
export function tellTrouble(session: Session, error: unknown): void {
  const { text, kind } = toldOf(error);
  tellIn(session, text, kind === "failed" ? "error" : "warning");
  leaveWith(session, exitCodes[kind]);
}

/** A pi that only prints exits as the command line does: its own code would say that all went well. */
function leaveWith({ hasUI }: Session, code: number): void {
  if (!hasUI) process.exitCode = code;
}
