// What a live run hears from outside: a stop, an abort, an answer. It loads little, so that a run hears at once.

import type { Answerer } from "../core/flow/question.ts";
import type { Runs } from "../ports/runs.ts";
import { activeRun, tellRunner } from "./active.ts";
import { runnerOf, teamAtWork } from "./at-work.ts";
import type { RunOptions } from "./handle.ts";
import { Problem } from "./problem.ts";

export interface AnswerOptions extends RunOptions {
  readonly value: string | undefined;
  readonly id?: string;
  readonly text?: string;
  /** Whose words they are; the person's unless a host says otherwise. */
  readonly by?: Answerer;
  /** When they were said. */
  readonly at?: number;
}

/** superteam stop: stops what is running in this tree, and says what it was. A team is never its active run. */
export async function stop(runs: Runs): Promise<string> {
  const team = await teamAtWork(runs);
  if (team) {
    await tellRunner(runs, team.runId, { kind: "stop" });
    return `The team at work in this tree is stopped (process ${team.pid}, run ${team.runId}).`;
  }
  const runId = await activeRun(runs);
  if ((await runnerOf(runs, runId)) === undefined)
    return `Run ${runId} is suspended already. superteam resume continues it.`;
  return tellRunner(runs, runId, { kind: "stop" });
}

/** Its receipt; undefined when no process is at work on the run. */
export async function abortLive(runs: Runs, runId: string): Promise<string | undefined> {
  return (await runnerOf(runs, runId)) && tellRunner(runs, runId, { kind: "abort" });
}

/** The receipt; undefined when no run is active, or no process is at work on it. */
export async function answerIfLive(runs: Runs, options: AnswerOptions): Promise<string | undefined> {
  const { id, by, at } = options;
  const message = { kind: "answer", question: id ?? null, said: saidIn(options), by, at } as const;
  const runId = await runs.readActive();
  return runId === undefined || !(await runnerOf(runs, runId)) ? undefined : tellRunner(runs, runId, message);
}

/** Answers a live run only; starts nothing. Returns its receipt. */
export async function answerLive(runs: Runs, options: AnswerOptions): Promise<string> {
  const told = await answerIfLive(runs, options);
  if (told !== undefined) return told;
  throw new Problem(
    "No question of a run was answered: the run is just starting, or has just stopped. Answer in its dialog, or try again in a moment. superteam status shows where it stands.",
    "not-possible",
  );
}

export function saidIn({ text, value }: AnswerOptions): string {
  const said = text ?? value;
  if (said !== undefined) return said;
  throw new Problem('Say what to answer: superteam answer <value>, or --text "..." for free text.', "wrong-usage");
}
