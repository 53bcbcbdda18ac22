// Takes and gives back a lock as it is told, one command per line on stdin, and answers each with a line of JSON:
//   take     tries to take the lock: what takeLock says
//   release  gives it back
//   crowd    takes it 30 times, each time proving that it is alone, and leaves it behind now as a dead owner would,
//            now in good order; refused tries are repeated. Says how often it was taken and how often refused.
//   node hold-lock.ts <lock file>

import { randomBytes } from "node:crypto";
import { mkdir, rename, rmdir, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { type HeldLock, takeLock } from "../../../src/adapters/store/lock.ts";

const [path = ""] = process.argv.slice(2);
let lock: HeldLock | undefined;

say({ ready: process.pid });
for await (const command of createInterface(process.stdin)) {
  if (command === "take") say(await take());
  if (command === "release") say({ released: await lock?.release() });
  if (command === "crowd") say(await crowd());
}

async function take(): Promise<unknown> {
  const locking = await takeLock(path, `run-of-${process.pid}`, 1234);
  if (!locking.taken) return locking;
  lock = locking.lease;
  return { taken: true, owner: lock.owner };
}

async function crowd(): Promise<unknown> {
  let refused = 0;
  for (let taken = 0; taken < 30; ) {
    const locking = await takeLock(path, `run-of-${process.pid}`, 1234);
    if (!locking.taken) {
      refused += 1;
      continue;
    }
    taken += 1;
    // Only one may be inside at a time: making the folder fails for a second one.
    await mkdir(`${path}.inside`);
    await rmdir(`${path}.inside`);
    if (taken % 3 === 0) await locking.lease.release();
    else await leaveAsDead(taken % 3 === 1 ? { ...locking.lease.owner, birth: "another" } : "cut o");
  }
  return { taken: 30, refused };
}

/** The lock is ours, so replacing it is ours to do: now its owner is one that does not live. */
async function leaveAsDead(owner: unknown): Promise<void> {
  const nonce = randomBytes(8).toString("hex");
  const stale = `${path}.${nonce}`;
  await writeFile(stale, typeof owner === "string" ? `${owner}${nonce}` : JSON.stringify({ ...Object(owner), nonce }));
  await rename(stale, path);
}

function say(what: unknown): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}
