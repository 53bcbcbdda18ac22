// Processes started ahead: pi boots while nothing has been asked yet, and waits on its stdin. A spare serves exactly one
// dispatch. Closed without a prompt it exits without asking a model.

import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Running } from "../../process/launch.ts";
import { birthOf } from "../../process/table.ts";
import { type PiSetup, setupKey } from "./command-line.ts";

export interface Spares {
  prepare(setup: PiSetup): void;
  /** A spare for this setup that is alive, if there is one. It is the caller's from now on. */
  take(setup: PiSetup): Promise<Running | undefined>;
  close(): Promise<void>;
}

/** Starts pi for a setup, with its system texts in the folder; undefined when that does not work. */
export type Starter = (setup: PiSetup, folder: string) => Promise<Running | undefined>;

export function sparesOf(start: Starter, limits: { readonly count: number; readonly idleMs: number }): Spares {
  const spares = new Map<string, Promise<Spare | undefined>>();
  let swept: Promise<void> | undefined;
  const drop = async (key: string): Promise<void> => {
    const spare = spares.get(key);
    spares.delete(key);
    await retire(await spare);
  };
  return {
    prepare(setup) {
      const key = setupKey(setup);
      if (spares.has(key) || spares.size >= limits.count) return;
      swept ??= sweep();
      const spare = boot(start, setup);
      spares.set(key, spare);
      const forget = (): void => {
        if (spares.get(key) === spare) void drop(key);
      };
      setTimeout(forget, limits.idleMs).unref();
      void spare.then((booted) => (booted === undefined ? forget() : booted.running.exit.then(forget)));
    },
    async take(setup) {
      const key = setupKey(setup);
      const spare = spares.get(key);
      spares.delete(key);
      return (await spare)?.running;
    },
    async close() {
      await Promise.all([swept, ...[...spares.keys()].map(drop)]);
    },
  };
}

const prefix = "superteam-spare-";

/** Removes the folders of superteams that were killed. What belongs to someone else stays. */
async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const owner = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN;
    if (Number.isNaN(owner) || (await birthOf(owner)) !== "") continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

interface Spare {
  readonly running: Running;
  /** When its folder is gone too. */
  readonly cleared: Promise<void>;
}

/** The order's own folder is not known yet; the system texts wait in one that goes with the process. */
async function boot(start: Starter, setup: PiSetup): Promise<Spare | undefined> {
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`)).catch(() => undefined);
  if (folder === undefined) return undefined;
  const clear = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const running = await start(setup, folder);
  if (running !== undefined) return { running, cleared: running.exit.then(clear) };
  await clear();
  return undefined;
}

async function retire(spare: Spare | undefined): Promise<void> {
  if (spare === undefined) return;
  const { running, cleared } = spare;
  running.stdin.end();
  await Promise.race([running.exit, pause(politeMs, undefined, { ref: false })]);
  await running.end();
  await cleared;
}

/** How long a spare may take to leave by itself. */
const politeMs = 2_000;
