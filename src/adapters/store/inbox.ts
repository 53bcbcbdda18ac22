// Messages from other processes to the live runner. A message is a file in the run's inbox, <id>.message.json, answered by
// <id>.receipt.json. Both appear whole. The process that removes a message owns it: the runner takes it by removing it, the sender
// withdraws it by removing it, so a message that was withdrawn is never acted on.

import { randomBytes } from "node:crypto";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { answerers } from "../../core/flow/question.ts";
import { reasonOf } from "../../ports/failure.ts";
import type { Inbox, InboxMessage, InboxReply, Sent, Unsent } from "../../ports/runs.ts";
import { writeAtomically } from "../files/atomic.ts";
import { parseChecked } from "../files/checked-json.ts";
import { readIfPresent, removeIfPresent } from "../files/present.ts";
import { looksAt } from "../files/watch.ts";

const Message = z.discriminatedUnion("kind", [
  z.object({
    id: z.string(),
    kind: z.literal("answer"),
    question: z.string().nullable(),
    said: z.string(),
    by: z.enum(answerers).optional(),
  }),
  z.object({ id: z.string(), kind: z.enum(["stop", "abort"]) }),
]);
const Receipt = z.object({ ok: z.boolean(), text: z.string() });

const messageEnd = ".message.json";
const messagePath = (folder: string, id: string): string => join(folder, id + messageEnd);
const receiptPath = (folder: string, id: string): string => join(folder, `${id}.receipt.json`);

/** The runner's side. */
export function inboxOf(folder: string): Inbox {
  return {
    listen(hear) {
      const stopping = new AbortController();
      void handOver(folder, hear, stopping.signal);
      return () => stopping.abort();
    },
    receipt: (id, receipt) => writeReceipt(folder, id, receipt),
  };
}

/** Hands each message over once: those that wait already first, then new ones as they come. */
async function handOver(folder: string, hear: (message: InboxMessage) => void, stopped: AbortSignal): Promise<void> {
  // Where the folder cannot be made there is nothing to hear either; the journal beside it says why.
  await mkdir(folder, { recursive: true }).catch(() => undefined);
  for await (const _ of looksAt(folder, stopped)) {
    // A folder that cannot be read now may be readable at the next poll.
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((name) => name.endsWith(messageEnd)).toSorted()) {
      if (stopped.aborted) return;
      // One message that cannot be taken now must not hold up the others.
      const message = await take(folder, name.slice(0, -messageEnd.length)).catch(() => undefined);
      // What goes wrong in the listener is a bug there, and must not end here unseen.
      if (message) queueMicrotask(() => hear(message));
    }
  }
}

async function take(folder: string, id: string): Promise<InboxMessage | undefined> {
  const file = messagePath(folder, id);
  const text = await readIfPresent(file);
  if (text === undefined || !(await removeIfPresent(file))) return undefined;
  try {
    const message = parseChecked(Message, text);
    if (message.id === id) return message;
    throw new Error("its id is not that of its file");
  } catch (cause) {
    const problem = `The message could not be read (${reasonOf(cause)}). Send it again.`;
    await writeReceipt(folder, id, { ok: false, text: problem });
    return undefined;
  }
}

async function writeReceipt(folder: string, id: string, receipt: InboxReply): Promise<void> {
  await writeAtomically(receiptPath(folder, id), JSON.stringify(receipt));
}

/** The side of the others: says something to the live runner and waits for its receipt. */
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
  const text = `The runner took the message but did not confirm it within ${waitMs / 1000} s. See what came of it: superteam status`;
  return { how: "unconfirmed", text };
}

async function receiptBy(deadline: number, folder: string, id: string): Promise<InboxReply | undefined> {
  for (;;) {
    const receipt = await takeReceipt(folder, id);
    if (receipt || performance.now() >= deadline) return receipt;
    await delay(20);
  }
}

async function takeReceipt(folder: string, id: string): Promise<InboxReply | undefined> {
  const file = receiptPath(folder, id);
  const text = await readIfPresent(file);
  if (text === undefined) return undefined;
  await removeIfPresent(file);
  try {
    return parseChecked(Receipt, text);
  } catch (cause) {
    return { ok: false, text: `The runner's receipt could not be read (${reasonOf(cause)}).` };
  }
}
