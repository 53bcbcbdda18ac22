// Whose keys they are at pi's terminal: while a run goes on pi can be used, and what is done there has them for itself.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { openCli, project } from "../../rig/cli/cli.ts";
import { noScreen } from "../../rig/person/pane.ts";
import { enter, openPersonPane, openPiPane } from "../../rig/pi-host/terminal.ts";

const never = new AbortController().signal;
const question = { kind: "confirm" as const, id: "q", title: "Plan Approval", message: "Is it good?" };

describe("keys at pi's terminal", { skip: noScreen() ?? false }, () => {
  test("what is being written is not taken for an answer: the question waits until it is sent or cleared", async (context) => {
    const { pane, remote } = await openPersonPane(context);
    await pane.type("one more");
    await pane.until("one more");
    const answer = remote.person.ask({ ...question, recommended: "yes" }, never);
    await pane.until("A question waits: Plan Approval.");
    assert.doesNotMatch(await pane.screen(), /Is it good\?/);
    for (const _letter of "one more") await pane.press("BSpace");
    await pane.until("Is it good?");
    await pane.press("Down", "Enter");
    assert.equal(await answer, "no");
  });

  test("words at a choice move nothing, and Enter takes what they say; an Enter after an answer takes nothing", async (context) => {
    const { pane, remote } = await openPersonPane(context);
    const options = ["approve", "revise", "abort"].map((key) => ({ key, label: `${key} it` }));
    const choice = { kind: "select" as const, id: "q", title: "Plan Approval", message: "", options };
    const first = remote.person.ask(choice, never);
    await pane.until("3. abort it");
    await pane.type("j");
    await pane.type("2");
    await pane.until('"j2" is not an answer here. Enter clears it');
    await pane.paste("2\n");
    await pane.until("Pasted text is not an answer here");
    await pane.type("just do it");
    await pane.press("Enter");
    await pane.until('"just do it" is not an answer here');
    assert.match(await pane.screen(), /→ 1\. approve it/);
    await pane.type("revise");
    await pane.press("Enter");
    assert.equal(await first, "revise");
    const second = remote.person.ask({ ...choice, title: "Another" }, never);
    await pane.press("Enter");
    await pane.until("Another");
    await pane.until("3. abort it");
    await pane.press("Down", "Enter");
    assert.equal(await second, "revise");
  });

  test("a question that is taken back while it waits is not asked", async (context) => {
    const { pane, remote } = await openPersonPane(context);
    await pane.type("one more");
    await pane.until("one more");
    const abort = new AbortController();
    const answer = remote.person.ask(question, abort.signal);
    await pane.until("A question waits: Plan Approval.");
    abort.abort();
    assert.equal(await answer, undefined);
  });

  test("Escape where /workflow asks what to build starts nothing", async (context) => {
    const cli = await openCli(context);
    const options = { folder: cli.root, environment: cli.environment, extension: project, columns: 80, rows: 24 };
    const pane = await openPiPane(options);
    context.after(pane.close);
    await pane.until("scripted-model");
    await enter(pane, "/workflow");
    await pane.until(/^ Start Workflow\n\n What do you want to build\?$/m);
    await pane.press("Escape");
    await pane.until((screen) => !screen.includes("Start Workflow"));
    assert.doesNotMatch(await pane.screen(), /⚡/);
    assert.deepEqual(cli.traces(), []);
  });

  test("a question waits until somebody who writes has paused, also when there is nothing in the editor", async (context) => {
    const { pane, remote } = await openPersonPane(context);
    await pane.type("zz");
    await pane.until("zz");
    await pane.press("BSpace");
    const answer = remote.person.ask(question, never);
    await pane.until("A question waits");
    for (let again = 0; again < 8; again++) {
      await pane.press("BSpace");
      await setTimeout(250);
      assert.doesNotMatch(await pane.screen(), /Is it good\?/);
      await pane.type("z");
    }
    await pane.press("BSpace");
    await pane.until("Is it good?");
    await pane.press("Escape");
    assert.equal(await answer, undefined);
  });

  test("Escape closes a list of pi's own, which a question waits for, and is heard once that is closed", async (context) => {
    const { pane, remote } = await openPersonPane(context);
    await remote.tell({ call: "listen keys" });
    remote.person.widget?.("workflow-activity", ["an agent at work"]);
    await pane.until("an agent at work");
    await pane.type("/model");
    await pane.until("/model");
    await pane.press("Enter");
    await pane.until("Only showing models");
    const answer = remote.person.ask(question, never);
    await pane.until(/A question waits[\s\S]*Only showing models/);
    await pane.press("Escape");
    await pane.until("Is it good?");
    await pane.press("Enter");
    assert.equal(
      await answer,
      "no",
      "whoever takes the first of a question without a recommendation agrees to nothing",
    );
    assert.deepEqual(remote.unheeded(), []);
    await pane.press("Escape");
    await remote.heard("escape");
  });
});
