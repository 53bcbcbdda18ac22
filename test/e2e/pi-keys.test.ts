// Whose keys they are at pi's terminal: while a run goes on pi can be used, and what it shows then has Escape for itself.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { noScreen } from "../rig/person/pane.ts";
import { openPersonPane } from "../rig/pi-host/terminal.ts";

describe("Escape at pi's terminal", { skip: noScreen() ?? false }, () => {
  test("closes a list of pi's own, and is heard once that is closed", async (context) => {
    const { pane, remote } = await openPersonPane(context);
    await remote.tell({ call: "listen keys" });
    remote.person.widget("workflow-activity", ["an agent at work"]);
    await pane.until("an agent at work");
    await pane.type("/model");
    await pane.until("/model");
    await pane.press("Enter");
    await pane.until("Only showing models");
    await pane.press("Escape");
    await pane.until((screen) => !screen.includes("Only showing models"));
    assert.deepEqual(remote.unheeded(), []);
    await pane.press("Escape");
    await remote.heard("escape");
  });
});
