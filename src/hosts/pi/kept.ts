// What is kept with the process and not with a module. There may be several of this module: superteam may be loaded twice, or pi's own
// loader loads it again for each session. The next one has to find the run at work, the chat to write to, and when superteam was
// loaded first.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const runPlace = Symbol.for("superteam.live-run");
const chatPlace = Symbol.for("superteam.chat");
const loadedPlace = Symbol.for("superteam.loaded-at");
const versionPlace = Symbol.for("superteam.loaded-version");
const commandPlace = Symbol.for("superteam.command");
const kept = globalThis as {
  [runPlace]?: LiveRun | undefined;
  [chatPlace]?: Chat;
  [loadedPlace]?: number;
  [versionPlace]?: string;
  [commandPlace]?: string;
};

/** When this process met superteam first. Whatever was loaded since then stays, also when pi loads its extensions again. */
export const loadedAt: number = kept[loadedPlace] ?? Date.now();
kept[loadedPlace] = loadedAt;

const packageFile = join(import.meta.dirname, "../../../package.json");

export function versionOnDisk(): string {
  return /"version": "([^"]*)"/.exec(readFileSync(packageFile, "utf8"))?.[1] ?? "";
}

/** The version this process met first. */
export const loadedVersion: string = kept[versionPlace] ?? versionOnDisk();
kept[versionPlace] = loadedVersion;

/** What pi calls the main command: another extension may have taken its name. */
export const ownCommand = (): string => kept[commandPlace] ?? "workflow";

export function nameCommand(name: string): void {
  kept[commandPlace] = name;
}

/** The run or team that is running in this pi. */
export interface LiveRun {
  /** False for a team: it is never the tree's active run, and ends with the call it works for. */
  readonly isActive: boolean;
  /** Stops its agents and suspends it. */
  readonly stop: () => void;
  /** Resolves when it has ended or stopped, in any way, and its place is free. */
  readonly atRest: Promise<void>;
  /** Whether nothing more is asked or told, and only its traces are put away. */
  readonly isLeaving: () => boolean;
}

export function liveRun(): LiveRun | undefined {
  return kept[runPlace];
}

/** How long a run is there for the session. */
export interface Stay {
  /** Aborted when the session ends. */
  readonly away: AbortSignal;
  /** Whether nothing more is asked or told. */
  leaving: boolean;
}

export interface Occupying {
  readonly isActive: boolean;
  /** Stops it too, as Escape does. */
  readonly signal?: AbortSignal | undefined;
}

/** Whoever starts something looks for a live run right before, without waiting in between: there is one place. */
export function occupy<T>({ isActive, signal }: Occupying, act: (stay: Stay) => Promise<T>): Promise<T> {
  const away = new AbortController();
  const stay: Stay = { away: AbortSignal.any([away.signal, ...(signal ? [signal] : [])]), leaving: false };
  const running = act(stay);
  const leave = (): void => {
    if (kept[runPlace] === run) kept[runPlace] = undefined;
  };
  const atRest = running.then(leave, leave);
  const run: LiveRun = { isActive, stop: () => away.abort(), atRest, isLeaving: () => stay.leaving };
  kept[runPlace] = run;
  return running;
}

/**
 * The run at work, once one that is only putting its traces away is gone: whoever reads that a run is over may be
 * faster than that. After a run that was split another one runs instead.
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

// superteam's own lines in pi's chat. There the notices of pi replace one another, so that of all that a run tells only the
// last would be seen; entries of the session stay, come back with it, and are no part of what its model is given.

export const entryType = "superteam";

/** What an entry keeps. */
export interface Said {
  readonly text: string;
  /** Whether it stands right below the line before, if that is the entry before. */
  readonly follows: boolean;
  /** Whether its beginning is enough, unless the person wants to see all. */
  readonly isBrief: boolean;
}

export interface Chat {
  say(text: string, isBrief: boolean): void;
  /** Something else was shown: the next message starts a new block. */
  interrupt(): void;
}

/** The chat of the current session. Code of an earlier session writes here too. */
export function chat(): Chat | undefined {
  return kept[chatPlace];
}

export function keepChat(pi: Pick<ExtensionAPI, "appendEntry">): void {
  let isOpen = false;
  kept[chatPlace] = {
    say(text, isBrief) {
      const isLine = !text.includes("\n");
      pi.appendEntry<Said>(entryType, { text, follows: isOpen && isLine, isBrief: isBrief && !isLine });
      isOpen = isLine;
    },
    interrupt() {
      isOpen = false;
    },
  };
}
