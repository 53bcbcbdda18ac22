// The run that goes on in this pi, or the team at work. It is kept with the process and not with this module: pi loads an extension anew for
// each session, and whoever comes next has to find it.

export interface LiveRun {
  /** False for a team: it is never the tree's active run, and ends with the call it works for. */
  readonly isActive: boolean;
  /** Stops its agents and suspends it. */
  readonly stop: () => void;
  /** Resolves when it has come to rest, however it did, and its place is free. */
  readonly atRest: Promise<void>;
  /** Whether nothing more is asked or told, and only its traces are put away. */
  readonly isLeaving: () => boolean;
}

const place = Symbol.for("superteam.live-run");
const kept = globalThis as { [place]?: LiveRun | undefined };

export function liveRun(): LiveRun | undefined {
  return kept[place];
}

/** Whoever starts something looks for a live run right before, without waiting in between: there is one place. */
export function keep(begun: Omit<LiveRun, "atRest"> & { readonly atRest: Promise<unknown> }): void {
  const leave = (): void => {
    if (kept[place] === run) kept[place] = undefined;
  };
  const run: LiveRun = { ...begun, atRest: begun.atRest.then(leave, leave) };
  kept[place] = run;
}

/**
 * The run that goes on, once one that is only putting its traces away is gone: whoever reads that a run is over may be
 * faster than that. After a run that was split another one goes on instead.
 */
export async function runAtWork(): Promise<LiveRun | undefined> {
  for (let run = liveRun(); run?.isLeaving(); run = liveRun()) {
    await Promise.race([run.atRest, new Promise((resolve) => setTimeout(resolve, 20))]);
  }
  return liveRun();
}

/** Nothing of a run is left behind: called as often as one likes. */
export async function suspendLiveRun(): Promise<void> {
  const run = liveRun();
  run?.stop();
  await run?.atRest;
}
