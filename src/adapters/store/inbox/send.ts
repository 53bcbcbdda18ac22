// Messages from other processes to the live runner: the side of the others.

import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { InboxReply, Sent, Unsent } from "../../../ports/runs.ts";
import { writeAtomically } from "../../files/atomic.ts";
import { readIfPresent, removeIfPresent } from "../../files/present.ts";
import { messagePath, parseReceipt, receiptPath } from "./message.ts";

/** Says something to the live runner and waits for its receipt. */
export async function send(folder: string, unsent: Unsent, { waitMs }: { readonly waitMs: number }): Promise<Sent> {
  const id = newMessageId();
  const file = messagePath(folder, id);
  await mkdir(folder, { recursive: true });
  await writeAtomically(file, JSON.stringify({ id, ...unsent }));
  const receipt = (await receiptBy(performance.now() + waitMs, folder, id)) ?? (await withdraw(file, folder, id));
  if (receipt === "withdrawn") {
    const text = `No runner took the message within ${waitMs / 1000} s. It was withdrawn: nothing happened. See who is at work: superteam status`;
    return { how: "unheard", text };
  }
  if (receipt) return { how: "received", receipt };
  const text = `The runner took the message but did not confirm it within ${waitMs / 1000} s. See what came of it: superteam status`;
  return { how: "unconfirmed", text };
}

/** In the order of time when sorted as text. */
function newMessageId(): string {
  return `${Date.now().toString(36).padStart(9, "0")}-${randomBytes(6).toString("hex")}`;
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
  const read = parseReceipt(text);
  return read.ok ? read.value : { ok: false, text: `The runner's receipt could not be read (${read.why}).` };
}

/** Takes a message back; when it is too late for that, the receipt may have come in the meantime. */
async function withdraw(file: string, folder: string, id: string): Promise<InboxReply | "withdrawn" | undefined> {
  return (await removeIfPresent(file)) ? "withdrawn" : takeReceipt(folder, id);
}
