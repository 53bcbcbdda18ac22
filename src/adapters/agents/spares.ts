// Processes started ahead: an agent's program boots while nothing has been asked yet, and waits on its stdin. A spare
// serves exactly one dispatch. Closed without a prompt it exits without asking a model.

import { mkdtempSync, rmSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { AgentOrder } from "../../ports/agents.ts";
import { codeOf } from "../files/present.ts";
import type { Running } from "../process/launch.ts";
import { birthOf } from "../process/table.ts";

/** Starts the program for an order, with files of its own in the folder. Rejects when that does not work. */
export type Starter = (order: AgentOrder, folder: string) => Promise<Running>;

export function sparesOf(start: Starter, limits: { readonly count: number; readonly idleMs: number }) {
  const spares = new Map<string, Waiting>();
  let swept: Promise<void> | undefined;
  /** Undefined when none waits. Its timer would keep all that belongs to its process for as long as it could have waited. */
  const remove = (key: string): Promise<Spare | undefined> | undefined => {
    const waiting = spares.get(key);
    spares.delete(key);
    clearTimeout(waiting?.timer);
    return waiting?.spare;
  };
  const drop = async (key: string): Promise<void> => retire(await remove(key));
  return {
    prepare(order: AgentOrder): void {
      const key = setupKey(order);
      if (spares.has(key) || spares.size >= limits.count) return;
      swept ??= sweep();
      const spare = boot(start, order);
      const forget = (): void => {
        if (spares.get(key)?.spare === spare) void drop(key);
      };
      spares.set(key, { spare, timer: setTimeout(forget, limits.idleMs).unref() });
      void spare.then((booted) => (booted === undefined ? forget() : booted.running.exit.then(forget)));
    },
    /** A spare for an order like this one that is alive, if there is one. It is the caller's from now on. */
    async take(order: AgentOrder): Promise<Running | undefined> {
      const booted = await remove(setupKey(order));
      if (booted !== undefined && (await isAlive(booted.running))) return booted.running;
      void retire(booted);
      return undefined;
    },
    async close(): Promise<void> {
      await Promise.all([swept, ...[...spares.keys()].map(drop)]);
    },
  };
}

interface Waiting {
  readonly spare: Promise<Spare | undefined>;
  readonly timer: NodeJS.Timeout;
}

/** It may have died meanwhile, before Node has reported its exit. */
async function isAlive({ exit, mark }: Running): Promise<boolean> {
  const isTold = (await Promise.race([exit, undefined])) !== undefined;
  return !isTold && (await birthOf(mark.pid)) === mark.birth;
}

/** Two orders with the same key can be served by the same process: all of this is fixed when it starts. */
function setupKey(order: AgentOrder): string {
  const { role, model, thinking, capabilities, system, context, cwd, environment, testFirst } = order;
  return JSON.stringify([role, model, thinking, capabilities, system, context, cwd, environment, testFirst]);
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
async function boot(start: Starter, order: AgentOrder): Promise<Spare | undefined> {
  const folder = makeFolder();
  if (folder === undefined) return undefined;
  const clear = (): void => removeFolder(folder);
  const running = await start(order, folder).catch(() => undefined);
  if (running !== undefined) return { running, cleared: running.exit.then(clear) };
  clear();
  return undefined;
}

/** In one go, as the process may be waited for. Undefined where none can be made. */
function makeFolder(): string | undefined {
  try {
    return mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  } catch {
    return undefined;
  }
}

/** In one go as well: there are two small files in it. What cannot be removed is swept later. */
function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (codeOf(error) === "") throw error;
  }
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
