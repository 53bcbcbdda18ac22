// What `superteam run` does about a run that is active already: it asks, where there is somebody to ask.

import { type ActiveRun, activeQuestion, nothingStarted } from "../../runs/host.ts";
import { exitCodes, Problem } from "../../runs/problem.ts";
import type { Asking } from "./people.ts";

/** What the person wants. Throws a Problem that says what can be done when nobody is there, or the question was closed. */
export async function askAboutActive(active: ActiveRun, asking: Asking): Promise<"resume" | "start"> {
  if (asking.answers !== undefined || asking.yes || !process.stdin.isTTY) throw nothingStarted(active);
  const { terminalPerson } = await import("../../adapters/person/terminal/terminal.ts");
  let interrupted = false;
  const person = terminalPerson({
    onInterrupt: () => {
      interrupted = true;
    },
    plain: asking.json === true,
  });
  try {
    if (!person.canAsk) throw nothingStarted(active);
    const answer = await person.confirm(activeQuestion(active), new AbortController().signal);
    if (interrupted) throw new Problem("Nothing was started.", exitCodes.interrupted);
    if (answer === undefined) throw nothingStarted(active);
    return answer === "yes" ? "start" : "resume";
  } finally {
    person.close();
  }
}
