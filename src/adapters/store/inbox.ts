// The runner's side of messages from other processes; the other is sending.ts.

import { mkdir, readdir } from "node:fs/promises";
import { z } from "zod";
import { answerers } from "../../core/flow/question.ts";
import { reasonOf } from "../../ports/failure.ts";
import type { Inbox, InboxMessage, InboxReply } from "../../ports/runs.ts";
import { writeAtomically } from "../files/atomic.ts";
import { parseChecked } from "../files/checked-json.ts";
import { readIfPresent, removeIfPresent } from "../files/present.ts";
import { looksAt } from "../files/watch.ts";
import { messageEnd, messagePath, receiptPath } from "./sending.ts";

const Message = z.discriminatedUnion("kind", [
  z.object({
    id: z.string(),
    kind: z.literal("answer"),
    question: z.string().nullable(),
    said: z.string(),
    by: z.enum(answerers).optional(),
    at: z.number().optional(),
  }),
  z.object({ id: z.string(), kind: z.enum(["stop", "abort"]) }),
]);

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
