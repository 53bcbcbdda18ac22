// Has a run go on in the background of this pi, so that pi stays usable and hears other commands.

import type { Host } from "../run/host.ts";
import { exitCodes } from "../run/problem.ts";
import { statusText } from "../run/status.ts";
import { toldOf } from "../run/trouble.ts";
import { piHost, type Session, type Stay, tellIn } from "./host.ts";
import { keep, runAtWork } from "./live.ts";

export async function launch(session: Session, act: (host: Host) => Promise<number>): Promise<void> {
  if (await isBusy(session)) return;
  const away = new AbortController();
  const stay: Stay = { away: away.signal, leaving: false };
  session.ui.setStatus("workflow", "⚡ Workflow: starting...");
  const atRest = act(piHost(session, stay))
    .catch((error: unknown) => tellTrouble(session, error))
    .then(() => session.ui.setStatus("workflow", undefined));
  keep({ stop: () => away.abort(), atRest, isLeaving: () => stay.leaving });
  // A pi that only prints would end with its command.
  if (!session.hasUI) await atRest;
}

/** Whether a run goes on in this pi: that is told. */
export async function isBusy(session: Session): Promise<boolean> {
  if ((await runAtWork()) === undefined) return false;
  tellIn(session, `A run is going on in this pi already.\n${await statusText(session.cwd)}`, "info");
  return true;
}

/** Only a bug is an error: all else is a person's to put right. */
export function tellTrouble(session: Session, error: unknown): void {
  const { text, exitCode } = toldOf(error);
  tellIn(session, text, exitCode === exitCodes.failed ? "error" : "warning");
}
