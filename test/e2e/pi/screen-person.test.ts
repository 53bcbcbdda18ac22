// Dialogs, status and keys at pi's real terminal, in its smallest usual size.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { noScreen } from "../../rig/person/pane.ts";
import { openPersonPane } from "../../rig/pi-host/terminal.ts";

const never = new AbortController().signal;

/** The lines of the dialog: between the two rules. */
function dialogOf(screen: string): readonly string[] {
  const lines = screen.split("\n");
  const [from = 0, to = 0] = lines.flatMap((line, index) => (/^─{80}$/.test(line) ? [index] : []));
  return lines.slice(from + 1, to).filter((line) => line !== "");
}

describe("the person at pi's terminal", { skip: noScreen() ?? false }, () => {
  test("a long choice is laid out below its words, begins at the recommended one, and Enter takes that", async (context) => {
    const { pane, remote } = await openPersonPane(context);
    const hint = "questions, approaches, a design, a reviewed plan, reviews of each task and of the whole of it";
    const answer = remote.person.ask(
      {
        kind: "select",
        id: "triage.mode",
        title: "Mode",
        message: `## The mode\n\n- **R1** a first point that takes more than the eighty columns there are in this terminal, surely`,
        options: [
          { key: "hotfix", label: "Hotfix", hint },
          { key: "standard", label: "Standard", hint },
        ],
        recommended: "standard",
      },
      never,
    );
    const screen = await pane.until("navigate");
    assert.deepEqual(dialogOf(screen).slice(0, -1), [
      " Mode",
      " The mode",
      " - R1 a first point that takes more than the eighty columns there are in",
      "   this terminal, surely",
      " → 1. Standard ★ — questions, approaches, a design, a reviewed plan, reviews of",
      "      each task and of the whole of it",
      "   2. Hotfix — questions, approaches, a design, a reviewed plan, reviews of",
      "      each task and of the whole of it",
    ]);
    const colours = (await pane.colours()).split("\n");
    assert.match(colours.find((line) => line.includes("Mode")) ?? "", /\x1b\[1m/);
    assert.match(colours.find((line) => line.includes("The mode")) ?? "", /\x1b\[1m/);
    const point = colours.find((line) => line.includes("a first point")) ?? "";
    assert.match(point, /\x1b\[1mR1/);
    assert.doesNotMatch(point, /\x1b\[1m.*a first point.*\x1b\[1m|\x1b\[38/);
    await pane.press("Enter");
    assert.equal(await answer, "standard");
    await pane.until("❯ Mode: Standard");
  });

  test("U4, U2: a digit takes its option, one that shows a text leaves the question, and pasted lines are kept", async (context) => {
    const { pane, remote } = await openPersonPane(context);
    const options = [
      { key: "yes", label: "Approve" },
      { key: "read", label: "Read it all", shows: "the whole plan" },
      { key: "no", label: "Abort" },
    ];
    const chosen = remote.person.ask({ kind: "select", id: "q", title: "Good?", message: "", options }, never);
    await pane.until("3. Abort");
    await pane.press("2");
    await pane.until(/the whole plan[\s\S]*"Read it all" is above\. Scroll up to read it\.[\s\S]*3\. Abort/);
    await pane.press("3");
    assert.equal(await chosen, "no");
    const said = remote.person.ask({ kind: "input", id: "w", title: "What?", message: "" }, never);
    await pane.until("submit");
    await pane.paste("Add a limit.\nKeep the API.\n");
    await pane.until("Add a limit.⏎Keep the API.");
    await pane.press("Enter");
    assert.equal(await said, "Add a limit.\nKeep the API.");
  });

  test("what an empty text stands for is shown, and Escape closes the dialog", async (context) => {
    const { pane, remote } = await openPersonPane(context);
    const question = {
      kind: "input" as const,
      id: "q",
      title: "How many?",
      message: "Tasks at a time.",
      default: "3",
      placeholder: "5",
    };
    const taken = remote.person.ask(question, never);
    assert.deepEqual(dialogOf(await pane.until("submit")).slice(0, 3), [
      " How many?",
      " Tasks at a time.",
      " Enter for: 3 · for example: 5",
    ]);
    await pane.press("Enter");
    assert.equal(await taken, "3");
    const { default: _none, ...open } = question;
    const named = remote.person.ask({ ...open, title: "How many then?" }, never);
    assert.deepEqual(dialogOf(await pane.until("How many then?")).slice(2, 3), [" for example: 5"]);
    await pane.type("4");
    await pane.press("Enter");
    assert.equal(await named, "4");
    const closed = remote.person.ask({ kind: "confirm", id: "c", title: "Go on?", message: "" }, never);
    await pane.until("Go on?");
    await pane.press("Escape");
    assert.equal(await closed, undefined);
  });

  test("a status that is too long is cut before the time it ends with", async (context) => {
    const { pane, remote } = await openPersonPane(context);
    remote.person.status("workflow", "⚡ Workflow: execute (task 3/7 — reviewing) | $4.18");
    remote.person.status("workflow-action", "⚡ implementer: running npm test -- --watch=false... 1m 20s");
    const shown = await pane.until(/1m 20s$/);
    assert.match(shown, /\n⚡ Workflow: execute \(task 3\/7 — reviewing\) \| \$4\.18 ⚡ implementer: runn… 1m 20s$/);
    remote.person.status("workflow-action", undefined);
    await pane.until(/\$4\.18$/);
    remote.person.status("workflow", undefined);
    await pane.until((screen) => !screen.includes("⚡"));
  });

  test("Escape is heard where nothing is written, and belongs to pi where something is", async (context) => {
    const { pane, remote } = await openPersonPane(context);
    await remote.tell({ call: "listen keys" });
    await pane.type("/mod");
    await pane.until("→ model");
    await pane.press("Escape");
    await pane.until((screen) => !screen.includes("→ model"));
    assert.deepEqual(remote.unheeded(), []);
    for (const _letter of "/mod") await pane.press("BSpace");
    await pane.until((screen) => !screen.includes("/mod"));
    await pane.press("Escape");
    await remote.heard("escape");
  });
});
