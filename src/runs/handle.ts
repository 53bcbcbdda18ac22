// A run that goes on in this process, as a host holds it: it can be stopped, looked at and waited for.

import type { Halt } from "../engine/drive/halt.ts";
import type { RunEnd } from "../engine/drive/run.ts";
import type { RunView } from "../engine/views/fold/shape.ts";

export interface RunEnded {
  readonly runId: string;
  readonly end: RunEnd;
  /** It waits at its budget. */
  readonly isOverBudget: boolean;
  /** Answers that were given beforehand and are none to their question. */
  readonly problems: readonly string[];
}

/** When one run of a line is finished the next follows: `stop` and `look` are about the one that goes on. */
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
