// What `superteam run` does when it is not told what to build: it asks, where there is somebody to ask.

import { exitCodes, Problem } from "../../runs/problem.ts";
import type { Asking } from "./people.ts";

/** Throws a Problem when nobody is there, or the question was closed. */
export async function askForGoal(asking: Asking): Promise<string> {
  if (asking.answers !== undefined || asking.yes || !process.stdin.isTTY) throw notSaid();
  const { terminalPerson } = await import("../../adapters/person/terminal/terminal.ts");
  let interrupted = false;
  const person = terminalPerson({
    onInterrupt: () => {
      interrupted = true;
    },
    plain: asking.json === true,
  });
  try {
    if (!person.canAsk) throw notSaid();
    const goal = await person.input(question, new AbortController().signal);
    if (interrupted) throw new Problem("Nothing was started.", exitCodes.interrupted);
    if (goal === undefined) throw notSaid();
    return goal;
  } finally {
    person.close();
  }
}

const question = { id: "run.goal", title: "Start Workflow", message: "What do you want to build?" } as const;

function notSaid(): Problem {
  return new Problem(
    "Nothing was started: missing required argument 'goal'. Say what to build: superteam run \"<what to build>\"",
    exitCodes.wrongUsage,
  );
}
