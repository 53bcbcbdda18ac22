// A run as a host runs it in this process: what it is started or continued with, and how it is held. It can be stopped,
// looked at and waited for.

import type { Answerer } from "../core/flow/question.ts";
import type { Mode, ReviewMode } from "../core/run/config.ts";
import type { Halt } from "../engine/drive/halt.ts";
import type { RunEnd } from "../engine/drive/run.ts";
import type { RunView } from "../engine/views/fold/shape.ts";

export interface RunOptions {
  /** The repository's own settings and profiles take effect in this run without a question. */
  readonly trust?: boolean;
  readonly model?: string;
  readonly backend?: string;
  readonly execution?: "auto" | "checkpoint" | "batch";
  readonly batchSize?: number;
  readonly review?: ReviewMode;
  /** The hard limit in dollars, over the configuration's. */
  readonly budget?: number | undefined;
  /** Sleep while a provider's quota is used up, instead of suspending the run. */
  readonly wait?: boolean;
}

export interface NextOptions extends RunOptions {
  readonly dryRun?: boolean;
}

export interface StartOptions extends NextOptions {
  readonly goal: string;
  /** Who starts it; the person unless a host says otherwise. */
  readonly by?: Answerer;
  readonly mode?: Mode | undefined;
  readonly skipBrainstorm?: boolean;
}

export interface RunEnded {
  readonly runId: string;
  readonly end: RunEnd;
  /** It waits at its budget. */
  readonly isOverBudget: boolean;
  /** Answers that were given beforehand and are none to their question. */
  readonly problems: readonly string[];
}

/** When one queued run is finished the next follows: `stop` and `look` are about the current one. */
export interface RunHandle {
  readonly runId: string;
  /** Of the last run of a line. Rejects for bugs and for trouble outside, such as a full disk. */
  readonly ended: Promise<RunEnded>;
  /** Stops its agents and suspends it. */
  stop(): void;
  look(): RunView;
}

/** A run that has begun, and how it is halted. */
export interface Underway {
  readonly runId: string;
  readonly halt: Halt;
  readonly view: RunView;
}

export type OnBegin = (now: Underway) => void;

/** Gives the handle once the first run has begun; what goes wrong before that is thrown. */
export function handleOf(act: (onBegin: OnBegin) => Promise<RunEnded>): Promise<RunHandle> {
  return new Promise((resolve, reject) => {
    let stopped = false;
    let current: Underway | undefined;
    const stop = (): void => {
      stopped = true;
      current?.halt.stop("interrupted");
    };
    const ended = act((now) => {
      current = now;
      if (stopped) stop();
      const look = (): RunView => (current ?? now).view;
      resolve({ runId: now.runId, ended, stop, look });
    });
    ended.catch(reject);
  });
}
