// What one process says to the runner of a run, and what it hears back.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";

import { inboxOf } from "../../../src/adapters/store/inbox.ts";
import { send } from "../../../src/adapters/store/sending.ts";
import type { InboxMessage } from "../../../src/ports/runs.ts";
import { start } from "../../rig/store/program.ts";
import { eventually } from "../../rig/until.ts";

const waitMs = 20_000;
const answer = (said: string) => ({ kind: "answer", question: "plan.approval", said }) as const;

test("the live runner hears a message of another process and its receipt comes back", async (t) => {
  const folder = await inboxFolder(t);
  const runner = await start(t, "hear-messages.ts", folder);
  const sent = await send(folder, answer("yes \u2028 é"), waitMs);
  assert.deepEqual(sent, { how: "received", receipt: { ok: true, text: "1: yes \u2028 é" } });
  assert.deepEqual(await send(folder, { kind: "stop" }, waitMs), {
    how: "received",
    receipt: { ok: true, text: "2: stop" },
  });
  const { heard } = await runner.tell("report");
  assert.deepEqual((heard as readonly InboxMessage[]).map(withoutId), [answer("yes \u2028 é"), { kind: "stop" }]);
  assert.deepEqual(await readdir(folder), []);
});

test("many messages at once are each heard once and each get their own receipt", async (t) => {
  const folder = await inboxFolder(t);
  const runner = await start(t, "hear-messages.ts", folder);
  const words = Array.from({ length: 40 }, (_, n) => `word ${n}`);
  const sent = await Promise.all(words.map((word) => send(folder, answer(word), waitMs)));
  for (const [index, each] of sent.entries()) {
    assert.equal(each.how === "received" && each.receipt.text.replace(/^\d+: /, ""), words[index]);
  }
  const { heard } = await runner.tell("report");
  const said = (heard as readonly InboxMessage[]).map((message) => message.kind === "answer" && message.said);
  assert.deepEqual(said.toSorted(), words.toSorted());
  assert.deepEqual(await readdir(folder), []);
});

test("a message that waits when the runner starts is heard first, in order, and once", async (t) => {
  const folder = await inboxFolder(t);
  const early = send(folder, answer("early"), waitMs);
  await eventually(async () => assert.ok((await messages(folder)).length === 1));
  const late = send(folder, answer("late"), waitMs);
  await eventually(async () => assert.ok((await messages(folder)).length === 2));
  const order = await saidInOrder(folder);
  await start(t, "hear-messages.ts", folder);
  for (const [sent, said] of [
    [await early, "early"],
    [await late, "late"],
  ] as const) {
    assert.deepEqual(sent, { how: "received", receipt: { ok: true, text: `${order.indexOf(said) + 1}: ${said}` } });
  }
});

test("a message that was taken but never confirmed is reported as such", async (t) => {
  const folder = await inboxFolder(t);
  const heard: InboxMessage[] = [];
  t.after(inboxOf(folder).listen((message) => heard.push(message)));
  let sent = await send(folder, { kind: "stop" }, 200);
  for (let longer = 400; sent.how === "unheard"; longer *= 2) {
    sent = await send(folder, { kind: "stop" }, longer);
  }
  assert.equal(heard.length, 1);
  assert.equal(sent.how, "unconfirmed");
  assert.match(sent.how === "unconfirmed" ? sent.text : "", /took the message but did not confirm.*superteam status/s);
});

for (const [what, text] of [
  ["no JSON", "{"],
  ["no message", '{"id":"0-bad","kind":"dance"}'],
  ["a message with another id", '{"id":"0-other","kind":"stop"}'],
] as const) {
  test(`a file that holds ${what} gets a receipt that says so, and those behind it are heard`, async (t) => {
    const folder = await inboxFolder(t);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "0-bad.message.json"), text);
    await mkdir(join(folder, "1-folder.message.json"));
    const runner = await start(t, "hear-messages.ts", folder);
    await send(folder, { kind: "stop" }, waitMs);
    const receipt = JSON.parse(await readFile(join(folder, "0-bad.receipt.json"), "utf8"));
    assert.equal(receipt.ok, false);
    assert.match(receipt.text, /could not be read .*Send it again/s);
    const { heard } = await runner.tell("report");
    assert.deepEqual((heard as readonly InboxMessage[]).map(withoutId), [{ kind: "stop" }]);
  });
}

test("the next runner hears what is said after the first was killed", async (t) => {
  const folder = await inboxFolder(t);
  const first = await start(t, "hear-messages.ts", folder);
  await send(folder, answer("one"), waitMs);
  await first.kill();
  const sending = send(folder, answer("two"), waitMs);
  await start(t, "hear-messages.ts", folder);
  assert.deepEqual(await sending, { how: "received", receipt: { ok: true, text: "1: two" } });
});

async function inboxFolder(t: TestContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "superteam-inbox-"));
  t.after(() => rm(root, { recursive: true }));
  return join(root, "run", "inbox");
}

async function messages(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith(".message.json")).sort();
}

async function saidInOrder(folder: string): Promise<string[]> {
  const texts = await Promise.all((await messages(folder)).map((name) => readFile(join(folder, name), "utf8")));
  return texts.map((text) => JSON.parse(text).said);
}

function withoutId({ id, ...message }: InboxMessage): unknown {
  assert.match(id, /./);
  return message;
}
