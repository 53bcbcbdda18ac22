// The one way in which a test waits for what another process, or a later turn of the event loop, brings about. It never waits for
// ever, and it waits long enough for a machine that is busy with other things.

import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

export const patienceMs = 180_000;

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  await found(async () => ((await holds()) ? true : undefined), String(holds));
}

/** Looks until there is something, and gives it. `what` is for the message. */
export async function found<T>(look: () => T | undefined | Promise<T | undefined>, what = String(look)): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (Date.now() > deadline) throw new Error(`waited ${patienceMs / 1000} s in vain for ${what}`);
    await pause(5);
  }
}

/** Tries until it no longer throws. At the end of patience it throws what it threw last. */
export async function eventually(assertion: () => void | Promise<void>): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      return await assertion();
    } catch (failure) {
      if (Date.now() > deadline) throw failure;
    }
    await pause(5);
  }
}

/** The number that a process has written into a file. */
export function pidIn(file: string): Promise<number> {
  return found(
    async () => Number(await readFile(file, "utf8").catch(() => "")) || undefined,
    `a process id in ${file}`,
  );
}
