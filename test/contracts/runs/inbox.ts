// Messages from other processes to the runner of a run (E7).

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Inbox, InboxMessage } from "../../../src/ports/runs.ts";
import type { MakeRuns } from "../runs.ts";
import { begin } from "./begin.ts";

const waitMs = 20_000;
const answer = (said: string) => ({ kind: "answer", question: "plan.approval", said }) as const;

export function inboxContract(make: MakeRuns): void {
  test("E7: the runner hears each message once, and each sender gets its own receipt", async (t) => {
    const { runs, again } = await make(t);
    const id = await begin(runs);
    const heard = listen(t, await runs.inbox(id));
    const words = Array.from({ length: 20 }, (_, n) => `word ${n} \u2028 é`);
    const sent = await Promise.all(words.map((word) => again.send(id, answer(word), waitMs)));
    for (const [index, each] of sent.entries()) {
      assert.deepEqual(each, { how: "received", receipt: { ok: true, text: words[index] } });
    }
    const said = heard.map((message) => message.kind === "answer" && message.said);
    assert.deepEqual(said.toSorted(), words.toSorted());
  });

  test("E7: a message that waits when the runner starts is heard", async (t) => {
    const { runs, again } = await make(t);
    const id = await begin(runs);
    const sending = again.send(id, { kind: "stop" }, waitMs);
    const heard = listen(t, await runs.inbox(id));
    assert.equal((await sending).how, "received");
    assert.deepEqual(
      heard.map(({ kind }) => kind),
      ["stop"],
    );
  });

  test("E7: without a runner a message is withdrawn, and the sender is told that nothing happened", async (t) => {
    const { runs, again } = await make(t);
    const id = await begin(runs);
    const sent = await again.send(id, { kind: "abort" }, 50);
    assert.equal(sent.how, "unheard");
    assert.match(sent.how === "unheard" ? sent.text : "", /nothing happened.*superteam status/s);
    const heard = listen(t, await runs.inbox(id));
    await again.send(id, { kind: "stop" }, waitMs);
    assert.deepEqual(
      heard.map(({ kind }) => kind),
      ["stop"],
    );
  });

  test("who has stopped listening takes no more messages", async (t) => {
    const { runs, again } = await make(t);
    const id = await begin(runs);
    const inbox = await runs.inbox(id);
    const heard: InboxMessage[] = [];
    const stop = inbox.listen((message) => {
      heard.push(message);
      void inbox.receipt(message.id, { ok: true, text: "heard" });
    });
    assert.equal((await again.send(id, { kind: "stop" }, waitMs)).how, "received");
    stop();
    assert.equal((await again.send(id, { kind: "stop" }, 100)).how, "unheard");
    assert.equal(heard.length, 1);
  });
}

/** A runner that confirms what it hears. */
function listen(t: TestContext, inbox: Inbox): readonly InboxMessage[] {
  const heard: InboxMessage[] = [];
  const stop = inbox.listen((message) => {
    heard.push(message);
    void inbox.receipt(message.id, { ok: true, text: message.kind === "answer" ? message.said : message.kind });
  });
  t.after(stop);
  return heard;
}
