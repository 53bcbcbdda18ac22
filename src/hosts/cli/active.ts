// What `superteam run` does about a run that is active already: it asks, where there is somebody to ask.

import { exitCodes, Problem } from "../run/problem.ts";
import type { Asking } from "./people.ts";

/** What the person wants. Throws a Problem that says what can be done when nobody is there, or the question was closed. */
export async function askAboutActive(runId: string, asking: Asking): Promise<"resume" | "start"> {
  if (asking.answers !== undefined || asking.yes || !process.stdin.isTTY) throw nothingStarted(runId);
  const { terminalPerson } = await import("../../adapters/person/terminal/terminal.ts");
  let interrupted = false;
  const person = terminalPerson({
    onInterrupt: () => {
      interrupted = true;
    },
    plain: asking.json === true,
  });
  try {
    if (!person.canAsk) throw nothingStarted(runId);
    const answer = await person.confirm(question, new AbortController().signal);
    if (interrupted) throw new Problem("Nothing was started.", exitCodes.interrupted);
    if (answer === undefined) throw nothingStarted(runId);
    return answer === "yes" ? "start" : "resume";
  } finally {
    person.close();
  }
}

const question = {
  id: "run.active",
  title: "Active Workflow",
  message: "A workflow is already in progress. Start a new one?\nYes ends it for good; No goes on with it.",
} as const;

function nothingStarted(runId: string): Problem {
  return new Problem(
    [
      `A run is already in progress in this tree (${runId}). Nothing was started.`,
      "Go on with it: superteam resume. See where it stands: superteam status. End it: superteam abort.",
    ].join("\n"),
    exitCodes.waiting,
  );
}
