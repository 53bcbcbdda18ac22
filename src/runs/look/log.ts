// What happened in a run, as lines.

import { applyEntry } from "../../engine/views/fold/run-view.ts";
import { RunView } from "../../engine/views/fold/shape.ts";
import { logLine } from "../../engine/views/tell/entries.ts";
import { EventLines } from "../../engine/views/tell/event-lines.ts";
import type { Entry } from "../../ports/journal.ts";
import type { Followed, Runs } from "../../ports/runs.ts";
import { runnerOf } from "../at-work.ts";

export interface LogOptions {
  /** One object per line, for programs. */
  readonly json: boolean;
  /** Until the run ends, or the signal is aborted. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

export async function* logOf(runs: Runs, runId: string, options: LogOptions): AsyncGenerator<readonly string[]> {
  const { json, follow, signal } = options;
  const read = json ? eventReader() : lineReader();
  const hasRunner = async (): Promise<boolean> => (await runnerOf(runs, runId)) !== undefined;
  // Before each look: a runner that is gone by then has told of every entry that is seen, or will never do so. One that is at work
  // gives the numbers: it may have told of something else meanwhile.
  let isRunning = await hasRunner();
  let hasEnded = false;
  for await (const seen of runs.follow(runId, signal)) {
    yield read(seen, isRunning);
    hasEnded ||= seen.entries.some(({ type }) => type === "end");
    if (!follow || (hasEnded && !isRunning)) return;
    isRunning = await hasRunner();
  }
}

type Read = (seen: Followed, isRunning: boolean) => readonly string[];

function eventReader(): Read {
  const lines = new EventLines();
  return ({ entries, events }, isRunning) => {
    const kept = lines.kept(events);
    lines.journaled(entries);
    return isRunning ? kept : [...kept, ...lines.made()];
  };
}

function lineReader(): Read {
  const read = logReader();
  return ({ entries }) => read(entries);
}

/** Reads lines for the entries that follow those read before. */
export function logReader(): (entries: readonly Entry[]) => readonly string[] {
  const view = new RunView();
  return (entries) => entries.flatMap((entry) => logLine(entry, applyEntry(view, entry)) ?? []);
}
