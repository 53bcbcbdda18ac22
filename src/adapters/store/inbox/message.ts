// A message to the live runner is a file in the run's inbox, <id>.message.json, answered by <id>.receipt.json. Both
// appear whole. Whoever removes a message owns it: the runner takes it by removing it, the sender withdraws it by
// removing it, so a message that was withdrawn is never acted on.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { reasonOf } from "../../../ports/failure.ts";
import type { InboxMessage, InboxReply } from "../../../ports/runs.ts";
import { writeAtomically } from "../../files/atomic.ts";

const messageSchema = z.discriminatedUnion("kind", [
  z.object({
    id: z.string(),
    kind: z.literal("answer"),
    question: z.string().nullable(),
    said: z.string(),
    by: z.enum(["person", "model"]).optional(),
  }),
  z.object({ id: z.string(), kind: z.literal("stop") }),
  z.object({ id: z.string(), kind: z.literal("abort") }),
]);
const receiptSchema = z.object({ ok: z.boolean(), text: z.string() });

const messageEnd = ".message.json";

export const messagePath = (folder: string, id: string): string => join(folder, id + messageEnd);
export const receiptPath = (folder: string, id: string): string => join(folder, `${id}.receipt.json`);

/** The id of the message in the file of this name; undefined for other files. */
export function idOfMessage(name: string): string | undefined {
  return name.endsWith(messageEnd) ? name.slice(0, -messageEnd.length) : undefined;
}

export async function writeReceipt(folder: string, id: string, receipt: InboxReply): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeAtomically(receiptPath(folder, id), JSON.stringify(receipt));
}

export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

export function parseMessage(id: string, text: string): Parsed<InboxMessage> {
  const read = parse<InboxMessage>(messageSchema, text);
  return read.ok && read.value.id !== id ? { ok: false, why: "its id is not that of its file" } : read;
}

export function parseReceipt(text: string): Parsed<InboxReply> {
  return parse(receiptSchema, text);
}

function parse<T>(schema: z.ZodType<T>, text: string): Parsed<T> {
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? { ok: true, value: parsed.data } : { ok: false, why: z.prettifyError(parsed.error) };
  } catch (cause) {
    return { ok: false, why: reasonOf(cause) };
  }
}
