// Messages from other processes to the live runner. A message is a file in the run's inbox, <id>.message.json, answered by
// <id>.receipt.json. Both appear whole. The process that removes a message owns it: the runner takes it by removing it, the sender
// withdraws it by removing it, so a message that was withdrawn is never acted on.
//
// This is the sender's side. It loads no package, so that a run hears at once.

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { InboxReply, Sent, Unsent } from "../../ports/runs.ts";
import { writeAtomically } from "../files/atomic.ts";
import { readIfPresent, removeIfPresent } from "../files/present.ts";

export const messageEnd = ".message.json";
export const messagePath = (folder: string, id: string): string => join(folder, id + messageEnd);
export const receiptPath = (folder: string, id: string): string => join(folder, `${id}.receipt.json`);

/** Says something to the live runner and waits for its receipt. */
export async function send(folder: string, unsent: Unsent, waitMs: number): Promise<Sent> {
  // Sorts by time.
  const id = `${Date.now().toString(36).padStart(9, "0")}-${randomBytes(6).toString("hex")}`;
  const file = messagePath(folder, id);
  await writeAtomically(file, JSON.stringify({ id, ...unsent }));
  const receipt = await receiptBy(performance.now() + waitMs, folder, id);
  if (receipt) return { how: "received", receipt };
  if (await removeIfPresent(file)) {
    const text = `No runner took the message within ${waitMs / 1000} s. It was withdrawn: nothing happened. See who is at work: superteam status`;
    return { how: "unheard", text };
  }
  // Too late to take it back: the receipt may have come in the meantime.
  const late = await takeReceipt(folder, id);
  if (late) return { how: "received", receipt: late };
  const text = `The runner took the message but did not confirm it within ${waitMs / 1000} s. See the result: superteam status`;
  return { how: "unconfirmed", text };
}

async function receiptBy(deadline: number, folder: string, id: string): Promise<InboxReply | undefined> {
  for (let wait = 1; ; wait = Math.min(wait * 2, 20)) {
    const receipt = await takeReceipt(folder, id);
    if (receipt || performance.now() >= deadline) return receipt;
    await delay(wait);
  }
}

async function takeReceipt(folder: string, id: string): Promise<InboxReply | undefined> {
  const file = receiptPath(folder, id);
  const text = await readIfPresent(file);
  if (text === undefined) return undefined;
  await removeIfPresent(file);
  return receiptIn(text) ?? { ok: false, text: "The runner's receipt could not be read." };
}

function receiptIn(json: string): InboxReply | undefined {
  try {
    const { ok, text } = Object(JSON.parse(json));
    return typeof ok === "boolean" && typeof text === "string" ? { ok, text } : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
