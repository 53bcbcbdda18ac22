// A runner that listens to its inbox and confirms each message with what it has heard so far.
//   node hear-messages.ts <inbox folder>
// `report` on stdin answers with all messages heard.

import { createInterface } from "node:readline";
import { inboxOf } from "../../../src/adapters/store/inbox.ts";
import type { InboxMessage } from "../../../src/ports/runs.ts";

const [folder = ""] = process.argv.slice(2);
const inbox = inboxOf(folder);
const heard: InboxMessage[] = [];
let confirming = Promise.resolve();

inbox.listen((message) => {
  heard.push(message);
  const text = `${heard.length}: ${message.kind === "answer" ? message.said : message.kind}`;
  confirming = confirming.then(() => inbox.receipt(message.id, { ok: true, text }));
});

process.stdout.write(`${JSON.stringify({ ready: process.pid })}\n`);
for await (const _ of createInterface(process.stdin)) process.stdout.write(`${JSON.stringify({ heard })}\n`);
