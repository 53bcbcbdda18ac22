// The person at the real pi, over RPC: a client shows pi's dialogs and answers them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Gesture, type MakePerson, personContract } from "../../contracts/person.ts";
import { openCli } from "../../rig/cli/cli.ts";
import { openLine } from "../../rig/person/remote-person.ts";
import { openPi, type PiSession, type Shown } from "../../rig/pi-host/session.ts";
import { sharing } from "../../rig/pi-host/shared.ts";

const extension = fileURLToPath(new URL("../../rig/pi-host/person-extension.ts", import.meta.url));

/** Each test answers what it asks, and so one pi is enough for all of them. */
const openPerson = sharing(
  async (endings) => {
    const line = await openLine();
    endings.after(line.close);
    const cli = await openCli(endings);
    const pi = openPi(endings, cli, { extension, environment: { SUPERTEAM_TEST_LINE: line.path } });
    return { pi, remote: await line.connected() };
  },
  async ({ pi }) => pi.forget(),
);

const atPi: MakePerson = async (t, _id, gesture) => {
  const { pi, remote } = await openPerson(t);
  const seen = gesture.do === "nothing" ? pi.dialog() : perform(pi, gesture);
  return {
    person: remote.person,
    shown: async () => void (await seen),
    // The protocol's own records are how pi shows things; anything else would break it.
    stdout: async () => pi.strayOutput,
  };
};

personContract("the person at pi", atPi, false);

async function perform(pi: PiSession, gesture: Gesture): Promise<void> {
  const dialog = await pi.dialog();
  if (gesture.do === "choose") return pi.answer(dialog, optionFor(dialog, gesture.key));
  if (gesture.do === "say" || gesture.do === "write") return pi.answer(dialog, gesture.text);
  if (gesture.do === "accept") return pi.answer(dialog, "");
  if (gesture.do === "close") return pi.close(dialog);
  pi.answer(dialog, "no such answer");
  pi.close(await pi.dialog());
}

const labels: Readonly<Record<string, string>> = { window: "Fixed window", bucket: "Token bucket", none: "No limit" };

function optionFor({ options = [] }: Shown, key: string): string {
  const label = labels[key] ?? key;
  return options.find((option) => option.toLowerCase().startsWith(label.toLowerCase())) ?? assert.fail(key);
}

test("what is no answer is refused with the options, and the same question stands", async (t) => {
  const { pi, remote } = await openPerson(t);
  const options = [
    { key: "a", label: "Same", hint: "one" },
    { key: "b", label: "Same", hint: "one" },
  ];
  const answer = remote.person.ask(
    { kind: "select", id: "q", title: "Which?", message: "Two.", options },
    new AbortController().signal,
  );
  const first = await pi.dialog();
  assert.deepEqual([first.title, first.options], ["Which?\n\nTwo.", ["1. Same — one", "2. Same — one"]]);
  pi.answer(first, "Neither");
  const { notifyType } = await pi.told(
    /"Neither" is not an answer to q\. Choose one of: 1\) a \(Same\), 2\) b \(Same\)/,
  );
  assert.equal(notifyType, "warning");
  const again = await pi.dialog();
  assert.deepEqual(again.options, first.options);
  pi.answer(again, again.options?.[1] ?? "");
  assert.equal(await answer, "b");
});

test("a client that answers with a number means the place where it was shown", async (t) => {
  const { pi, remote } = await openPerson(t);
  const options = [
    { key: "fast", label: "Fast" },
    { key: "safe", label: "Safe" },
  ];
  const answer = remote.person.ask(
    { kind: "select", id: "q", title: "How?", message: "", options, recommended: "safe" },
    new AbortController().signal,
  );
  const shown = await pi.dialog();
  assert.deepEqual(shown.options, ["Safe ★", "Fast"]);
  pi.answer(shown, "2");
  assert.equal(await answer, "fast");
  const sure = remote.person.ask(
    { kind: "confirm", id: "c", title: "Sure?", message: "", recommended: "no" },
    new AbortController().signal,
  );
  const asked = await pi.dialog();
  assert.deepEqual(asked.options, ["No ★", "Yes"]);
  pi.answer(asked, "1");
  assert.equal(await sure, "no");
});

test("an editor that is withdrawn has no answer, and what is still written there has no effect", async (t) => {
  const { pi, remote } = await openPerson(t);
  const abort = new AbortController();
  const answer = remote.person.ask(
    { kind: "editor", id: "q", title: "Edit", message: "", prefill: "draft" },
    abort.signal,
  );
  const dialog = await pi.dialog();
  assert.equal(dialog.prefill, "draft");
  abort.abort();
  assert.equal(await answer, undefined);
  pi.answer(dialog, "too late");
  remote.person.notify("still there", "info");
  await pi.told(/^still there$/);
});

test("what has not changed is not sent again", async (t) => {
  const { pi, remote } = await openPerson(t);
  for (const text of ["one", "one", "two"]) {
    remote.person.status("workflow", text);
    remote.person.widget?.("workflow-activity", [text, "\x1b[31mred"]);
  }
  remote.person.notify("done", "info");
  await pi.told(/^done$/);
  const sent = pi.records.flatMap(({ statusText, widgetLines }) => statusText ?? widgetLines?.join("|") ?? []);
  assert.deepEqual(sent, ["one", "one|red", "two", "two|red"]);
});
