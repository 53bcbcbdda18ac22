// One runner per working tree: a file that says who it is.
//
// The file appears with its whole content (a link to a finished file), so exactly one of many takers gets it. The lock
// of a dead owner is removed only by the process that holds the token for that exact content. Tokens are files of the same kind,
// one per stale lock, so two recoverers cannot both remove it, and neither can remove the fresh lock of the other.

import { hash, randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { dateTime } from "../../core/text/format.ts";
import { parseJson } from "../../core/text/json.ts";
import { OutsideFailure, type OutsideFailureKind } from "../../ports/failure.ts";
import type { Lease, LeaseOwner, Leasing } from "../../ports/runs.ts";
import { codeOf, isMissing, readIfPresent, removeIfPresent, withoutWaiting } from "../files/present.ts";
import { birthOf } from "../process/table.ts";

export type Locking = { readonly taken: true; readonly lease: HeldLock } | Extract<Leasing, { readonly taken: false }>;

export interface HeldLock extends Omit<Lease, "lost" | "replaced"> {
  /** Whether the file is still the one this process made. */
  isOurs(): Promise<boolean>;
}

/** Takes the lock, over a dead owner's if need be, or says who holds it. */
export async function takeLock(path: string, runId: string, now: number): Promise<Locking> {
  const owner = await ourselves(runId, now);
  const text = JSON.stringify({ ...owner, nonce: randomBytes(8).toString("hex") });
  await mkdir(dirname(path), { recursive: true });
  for (let round = 1; ; round++) {
    if (await appear(path, text)) {
      // An agent may have put a file where the folder was: then there is no lock either.
      const isOurs = (): Promise<boolean> =>
        readFile(path, { encoding: "utf8", flag: withoutWaiting }).then(
          (found) => found === text,
          (cause) => (isMissing(cause) ? false : Promise.reject(cause)),
        );
      const release = async (): Promise<void> => void ((await isOurs()) && (await removeIfPresent(path)));
      return { taken: true, lease: { owner, isOurs, release } };
    }
    const held = await readIfPresent(path);
    if (held === undefined) continue;
    const holder = await liveOwner(held);
    if (holder) return { taken: false, owner: holder, message: heldBy(path, holder) };
    const rival = await removeStale(path, path, { stale: held, ours: text });
    if (rival && round > patience) return { taken: false, owner: rival, message: heldBy(path, rival) };
    if (rival) await delay(2);
  }
}

/** Runs `act` alone on a file. Waits for others to be done, and throws what `busy` says when that takes too long. */
export async function withLock<T>(
  path: string,
  limits: { readonly waitMs: number; readonly kind: OutsideFailureKind; readonly busy: (owner: LeaseOwner) => string },
  act: () => Promise<T>,
): Promise<T> {
  for (const until = Date.now() + limits.waitMs; ; await delay(10)) {
    const locking = await takeLock(`${path}.lock`, "", Date.now());
    if (locking.taken) return act().finally(() => locking.lease.release());
    if (Date.now() >= until) throw new OutsideFailure(limits.kind, limits.busy(locking.owner));
  }
}

/** Who holds the lock and is alive. */
export async function lockOwner(path: string): Promise<LeaseOwner | undefined> {
  const held = await readIfPresent(path);
  return held === undefined ? undefined : liveOwner(held);
}

async function ourselves(runId: string, now: number): Promise<LeaseOwner> {
  return { pid: process.pid, birth: await birthOf(process.pid), host: hostname(), runId, since: now };
}

/** Makes a file with this content, unless there is one. */
async function appear(path: string, text: string): Promise<boolean> {
  const finished = `${path}.${randomBytes(8).toString("hex")}.tmp`;
  await writeFile(finished, text, { flag: "wx" });
  try {
    await link(finished, path);
    return true;
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return false;
    throw cause;
  } finally {
    await rm(finished, { force: true });
  }
}

/** How many rounds another recoverer is waited for: some seconds, for what takes it a millisecond unless it is halted. */
const patience = 1000;

/**
 * Removes `file` if it still holds `stale`, the text of a dead owner. A recoverer that died on the way leaves its token
 * behind: that is a stale file itself, and removed in the same way. Gives the live recoverer that is at it already.
 */
async function removeStale(
  lock: string,
  file: string,
  texts: { readonly stale: string; readonly ours: string },
): Promise<LeaseOwner | undefined> {
  const token = `${lock}.stale-${hash("sha256", texts.stale).slice(0, 16)}`;
  if (await appear(token, texts.ours)) {
    if ((await readIfPresent(file)) === texts.stale) await rm(file);
    await rm(token);
    return undefined;
  }
  const other = await readIfPresent(token);
  if (other === undefined) return undefined;
  return (await liveOwner(other)) ?? removeStale(lock, token, { stale: other, ours: texts.ours });
}

/** A text without an owner is left by a power cut. A process on another machine cannot be checked, so it counts as alive. */
async function liveOwner(text: string): Promise<LeaseOwner | undefined> {
  const owner = parseOwner(text);
  if (!owner) return undefined;
  if (owner.host !== hostname()) return owner;
  const birth = await birthOf(owner.pid);
  return birth !== "" && birth === owner.birth ? owner : undefined;
}

/** Checked by hand: loading a schema library takes longer than all else that `superteam status` does. */
function parseOwner(text: string): LeaseOwner | undefined {
  const json = parseJson(text);
  const read: Partial<Record<keyof LeaseOwner, unknown>> = Object(json.ok ? json.value : undefined);
  const { pid, birth, host, runId, since } = read;
  if (typeof pid !== "number" || typeof birth !== "string" || typeof host !== "string") return undefined;
  if (typeof runId !== "string" || typeof since !== "number") return undefined;
  return { pid, birth, host, runId, since };
}

function heldBy(path: string, { pid, host, runId, since }: LeaseOwner): string {
  const elsewhere = host === hostname() ? "" : ` on ${host}`;
  const remedy =
    elsewhere === ""
      ? "Wait for it, or: superteam stop"
      : `Stop it there. If it is gone for good, remove ${path}, then try again.`;
  return `Another runner is at work in this tree: process ${pid}${elsewhere}, run ${runId}, since ${dateTime(since)}. ${remedy}`;
}
