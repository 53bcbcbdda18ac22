// Processes started ahead: an agent's program boots while nothing has been asked yet, and waits on its stdin. A spare
// serves exactly one dispatch. Closed without a prompt it exits without asking a model.

import { hash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { AgentOrder } from "../../ports/agents.ts";
import { codeOf } from "../files/present.ts";
import type { Running } from "../process/launch.ts";
import { birthOf } from "../process/table.ts";

/** Starts the program for an order, with files of its own in the folder, which others of the same setup share. Rejects when that does not work. */
export type Starter = (order: AgentOrder, folder: string) => Promise<Running>;

export function sparesOf(start: Starter, limits: { readonly count: number; readonly idleMs: number }) {
  const spares = new Map<string, Waiting>();
  const folders = foldersBySetup();
  let swept: Promise<void> | undefined;
  /** Undefined when none waits. Its timer would keep all that belongs to its process for as long as it could have waited. */
  const remove = (key: string): Promise<Running | undefined> | undefined => {
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
      const folder = folders.of(key);
      if (folder === undefined) return;
      const spare = start(order, folder).catch(() => undefined);
      const forget = (): void => {
        if (spares.get(key)?.spare === spare) void drop(key);
      };
      spares.set(key, { spare, timer: setTimeout(forget, limits.idleMs).unref() });
      void spare.then((booted) => (booted === undefined ? forget() : booted.exit.then(forget)));
    },
    /** A spare for an order like this one that is alive, if there is one. It is the caller's from now on. */
    async take(order: AgentOrder): Promise<Running | undefined> {
      const booted = await remove(setupKey(order));
      if (booted !== undefined && (await isAlive(booted))) return booted;
      void retire(booted);
      return undefined;
    },
    async close(): Promise<void> {
      await Promise.all([swept, ...[...spares.keys()].map(drop)]);
      folders.remove();
    },
  };
}

interface Waiting {
  readonly spare: Promise<Running | undefined>;
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

/**
 * The order's own folder is not known yet, so its system texts are in one for all processes of the same setup: a folder for each process,
 * made and removed again, took longer than the texts in it.
 */
function foldersBySetup() {
  let root: string | undefined;
  return {
    /** Undefined where none can be made. The folder may be used again after somebody has cleaned up. */
    of(key: string): string | undefined {
      try {
        root ??= mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
        const folder = join(root, hash("sha256", key).slice(0, 16));
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        return folder;
      } catch {
        return undefined;
      }
    },
    /** What cannot be removed is swept later. */
    remove(): void {
      try {
        if (root !== undefined) rmSync(root, { recursive: true, force: true });
      } catch (error) {
        if (codeOf(error) === "") throw error;
      }
      root = undefined;
    },
  };
}

async function retire(running: Running | undefined): Promise<void> {
  if (running === undefined) return;
  running.stdin.end();
  await Promise.race([running.exit, pause(politeMs, undefined, { ref: false })]);
  await running.end();
}

/** How long a spare may take to leave by itself. */
const politeMs = 2_000;
