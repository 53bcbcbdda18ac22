// Dialogs as a person at a real terminal meets them.

import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import type { Question } from "../../../src/core/flow/question.ts";
import { noScreen } from "../../rig/person/pane.ts";
import { personInTerminal, personWithoutTerminal, type TerminalRig } from "../../rig/person/remote-person.ts";

const never = new AbortController().signal;
const approach: Question = {
  kind: "select",
  id: "brainstorm.approach",
  title: "Which approach?",
  message: "Both are well known.",
  options: [
    { key: "window", label: "Fixed window", hint: "A counter per minute" },
    { key: "bucket", label: "Token bucket", hint: "Smooth" },
  ],
  recommended: "bucket",
};
const approval = { kind: "confirm" as const, id: "plan.approval", title: "Approve the plan?", message: "" };

async function open(t: TestContext, options: Parameters<typeof personInTerminal>[0] = {}): Promise<TerminalRig> {
  const rig = await personInTerminal(options);
  t.after(rig.close);
  return rig;
}

describe("a dialog at a terminal", { skip: noScreen() ?? false }, () => {
  test("a choice shows its message above, hints below the labels, and stands on the recommended option", async (t) => {
    const { person, pane } = await open(t);
    void person.ask(approach, never);
    const screen = await pane.until("Fixed window");
    assert.equal(
      screen,
      [
        "",
        "◇  Which approach?  brainstorm.approach",
        "│",
        "│  Both are well known.",
        "│",
        "◆  Choose  press 1–2, or ↑↓ and Enter · Esc to pause",
        "│  ● 1 Token bucket ★",
        "│    Smooth",
        "│  ○ 2 Fixed window",
        "│    A counter per minute",
        "└",
      ].join("\n"),
    );
  });

  test("arrows move, Enter answers, and only question and answer stay on the screen", async (t) => {
    const { person, pane } = await open(t);
    const answer = person.ask(approach, never);
    await pane.until("◆");
    await pane.press("Down");
    await pane.until("● 2 Fixed window");
    await pane.press("Enter");
    assert.equal(await answer, "window");
    const screen = await pane.until("→");
    assert.deepEqual(screen.split("\n"), [
      "",
      "◇  Which approach?  brainstorm.approach",
      "│",
      "│  Both are well known.",
      "└  → Fixed window",
    ]);
    assert.equal(await pane.cursorIsVisible(), true);
  });

  test("a key that means nothing says which keys work, and Enter with it takes no option", async (t) => {
    const { person, pane } = await open(t);
    const answer = person.ask(approach, never);
    await pane.until("◆");
    await pane.type("7");
    await pane.until('"7" is not an answer here: 1–2, ↑↓, Enter and Esc work.');
    await pane.press("Down");
    const screen = await pane.until("● 2 Fixed window");
    assert.doesNotMatch(screen, /is not an answer here/);
    await pane.type("1");
    assert.equal(await answer, "bucket");
    assert.deepEqual((await pane.until("→")).split("\n").slice(1), [
      "◇  Which approach?  brainstorm.approach",
      "│",
      "│  Both are well known.",
      "└  → Token bucket",
    ]);
    const confirmed = person.ask(approval, never);
    await pane.until("press y or n, or ↑↓ and Enter");
    await pane.type("maybe\r");
    await pane.until('"maybe" is not an answer here: y or n, ↑↓, Enter and Esc work.');
    await pane.type("y");
    assert.equal(await confirmed, "yes");
  });

  test("Escape closes the dialog and interrupts nothing", async (t) => {
    const rig = await open(t);
    const answer = rig.person.ask(approach, never);
    await rig.pane.until("◆");
    await rig.pane.press("Escape");
    assert.equal(await answer, undefined);
    const screen = await rig.pane.until("└  not answered");
    assert.doesNotMatch(screen, /◆/);
    assert.deepEqual(rig.unheeded(), []);
  });

  test("Ctrl-C interrupts and leaves the question without an answer", async (t) => {
    const rig = await open(t);
    const answer = rig.person.ask({ ...approval, kind: "input", default: "something" }, never);
    await rig.pane.until("◆");
    await rig.pane.type("half a sen");
    await rig.pane.press("C-c");
    assert.equal(await answer, undefined);
    await rig.heard("interrupt in dialog");
    assert.doesNotMatch(await rig.pane.until("└  interrupted"), /◆|half a sen/);
  });

  test("Ctrl-D closes and Ctrl-Z does nothing", async (t) => {
    const rig = await open(t);
    const answer = rig.person.ask(approach, never);
    await rig.pane.until("◆");
    await rig.pane.press("C-z", "Down");
    await rig.pane.until("● 2 Fixed window");
    await rig.pane.press("C-d");
    assert.equal(await answer, undefined);
  });

  test("an aborted dialog is gone from the screen, and the next one works", async (t) => {
    const { person, pane } = await open(t);
    person.notify("before", "info");
    const abort = new AbortController();
    const answer = person.ask(approach, abort.signal);
    await pane.until("◆");
    abort.abort();
    assert.equal(await answer, undefined);
    assert.deepEqual((await pane.until("no longer asked")).split("\n"), [
      "●  before",
      "",
      "◇  Which approach?  brainstorm.approach",
      "│",
      "│  Both are well known.",
      "└  no longer asked",
    ]);
    assert.equal(await pane.cursorIsVisible(), true);
    const next = person.ask(approval, never);
    await pane.until("◆");
    await pane.press("y");
    assert.equal(await next, "yes");
  });

  test("the cursor of a confirmation without a recommendation stands on No", async (t) => {
    const { person, pane } = await open(t);
    const answer = person.ask(approval, never);
    await pane.until("● 1 No");
    await pane.press("Enter");
    assert.equal(await answer, "no");
  });

  test("a text that is needed is asked for until there is one", async (t) => {
    const { person, pane } = await open(t);
    const answer = person.ask({ ...approval, kind: "input" }, never);
    await pane.until("◆");
    await pane.press("Enter");
    await pane.until("Type some text");
    await pane.type("words");
    await pane.press("Enter");
    assert.equal(await answer, "words");
  });

  test("a number that is none is refused with what is needed, and an example is not taken for an answer", async (t) => {
    const { person, pane } = await open(t);
    const amount = {
      kind: "input" as const,
      id: "budget.amount",
      title: "Raise limit",
      message: "To how many dollars?",
    };
    const answer = person.ask({ ...amount, placeholder: "40", above: 20 }, never);
    await pane.until("for example: 40");
    await pane.press("Enter");
    await pane.until("Type some text");
    await pane.type("abc");
    await pane.press("Enter");
    await pane.until('budget.amount needs a number above 20, such as 30, not "abc".');
    await pane.press("C-u");
    await pane.type("$25");
    await pane.press("Enter");
    assert.equal(await answer, "25");
  });

  test("what was typed before a dialog opened does not answer it", async (t) => {
    const rig = await open(t);
    await rig.tell({ call: "listen keys" });
    await rig.pane.press("Enter", "y", "Enter", "Escape");
    await rig.heard("escape");
    const answer = rig.person.ask(approval, never);
    await rig.pane.until("● 1 No");
    await rig.pane.press("Down");
    await rig.pane.until("● 2 Yes");
    await rig.pane.press("Enter");
    assert.equal(await answer, "yes");
  });

  test("a second question waits until the first is answered", async (t) => {
    const { person, pane } = await open(t);
    const first = person.ask(approval, never);
    const second = person.ask(approach, never);
    assert.doesNotMatch(await pane.until("◆"), /Which approach/);
    await pane.press("y");
    assert.equal(await first, "yes");
    await pane.asked("Which approach?");
    await pane.press("Enter");
    assert.equal(await second, "bucket");
  });

  test("what is reported during a dialog is shown after it", async (t) => {
    const { person, pane } = await open(t);
    const answer = person.ask(approval, never);
    await pane.until("◆");
    person.notify("agent finished", "info");
    person.status("run", "still at work");
    await pane.press("Down");
    assert.doesNotMatch(await pane.until("● 2 Yes"), /agent finished|still at work/);
    await pane.press("Enter");
    assert.equal(await answer, "yes");
    assert.match(await pane.until("still at work"), /→ Yes\n● {2}agent finished\n\n\S still at work/);
  });

  test("a long message is wrapped between words to the width of the terminal", async (t) => {
    const { person, pane } = await open(t, { columns: 44, rows: 40 });
    const words = Array.from({ length: 60 }, (_, n) => `word${n}`);
    void person.ask({ ...approval, message: `${words.join(" ")}\n\n- item ${words.slice(0, 9).join(" ")}` }, never);
    const screen = await pane.until("◆");
    const body = screen.split("\n").filter((line) => /word\d/.test(line));
    assert.deepEqual(screen.match(/word\d+/g)?.slice(0, 60), words, "no word is broken or lost");
    assert.ok(body.every((line) => line.startsWith("│  ")));
    assert.match(screen, /│ {2}- item word0 .*\n│ {4}word/, "a list item's further lines stand under its text");
  });

  test("a message cannot move the cursor, change colours or clear the screen", async (t) => {
    const { person, pane } = await open(t);
    person.notify("stays", "info");
    void person.ask({ ...approval, title: "A\x1b[2Jtitle", message: "\x1b[1;1Hmoved\x1b[31m\x07\rback" }, never);
    const screen = await pane.until("◆");
    assert.match(screen, /^● {2}stays\n\n◇ {2}Atitle/);
    assert.match(screen, /│ {2}moved\n│ {2}back/);
  });

  test("a dialog is drawn anew when the terminal is resized, and leaves nothing behind", async (t) => {
    const { person, pane } = await open(t, { columns: 90 });
    const answer = person.ask(approach, never);
    await pane.until("◆");
    await pane.resize(40, 30);
    await pane.press("Down");
    await pane.until("● 2 Fixed window");
    await pane.resize(100, 30);
    await pane.press("Up");
    await pane.until("● 1 Token bucket");
    await pane.press("Enter");
    assert.equal(await answer, "bucket");
    assert.doesNotMatch(await pane.until("→ Token bucket"), /◆|Fixed window|Esc to pause/);
  });
});

describe("keys at a terminal", { skip: noScreen() ?? false }, () => {
  test("U4: a digit answers with the option of that number", async (t) => {
    const { person, pane } = await open(t);
    const answer = person.ask(approach, never);
    await pane.until("◆");
    await pane.press("9");
    await pane.until('"9" is not an answer here');
    await pane.press("2");
    assert.equal(await answer, "window");
    await pane.until("→ Fixed window");
    const confirmed = person.ask({ ...approval, recommended: "yes" }, never);
    await pane.until("● 1 Yes");
    await pane.press("2");
    assert.equal(await confirmed, "no");
  });

  test("words that are typed at a choice move nothing, and Enter takes what they say and not what is marked", async (t) => {
    const { person, pane } = await open(t);
    const answer = person.ask(approach, never);
    await pane.asked("Which approach?");
    for (const key of ["o", "k"]) await pane.press(key);
    await pane.until('"ok" is not an answer here. Enter clears it.');
    assert.match(await pane.screen(), /● 1 Token bucket/);
    await pane.press("1");
    await pane.until('"ok1" is not an answer here. Enter clears it');
    await pane.press("Enter");
    await pane.until('"ok1" is not an answer here: 1–2, ↑↓, Enter and Esc work.');
    for (const key of ["w", "i", "n", "d", "o", "e", "BSpace", "w"]) await pane.press(key);
    await pane.until("Enter answers: Fixed window");
    await pane.press("Enter");
    assert.equal(await answer, "window");
    const confirmed = person.ask(approval, never);
    await pane.asked("Approve the plan?");
    for (const key of ["h", "a", "y"]) await pane.press(key);
    await pane.until('"hay" is not an answer here');
    await pane.press("Down", "Enter");
    assert.equal(await confirmed, "yes");
  });

  test("Enter right after an answer does not answer the question that follows, which shows when it takes keys", async (t) => {
    const { person, pane } = await open(t);
    const questions = [
      approach,
      approval,
      { ...approval, kind: "input" as const, id: "brainstorm.question.1", title: "Which one?", default: "any" },
    ];
    const answers = questions.map((question) => person.ask(question, never));
    await pane.asked("Which approach?");
    await pane.press("1");
    await pane.press("Enter");
    assert.equal(await answers[0], "bucket");
    await pane.until("● 1 No");
    await pane.press("Enter");
    await pane.asked("Approve the plan?");
    await pane.press("Down");
    await pane.press("Enter");
    assert.equal(await answers[1], "yes");
    await pane.until("Your answer");
    await pane.press("Enter");
    await pane.asked("Which one?");
    await pane.type("this one");
    await pane.press("Enter");
    assert.equal(await answers[2], "this one");
  });

  test("U2: several pasted lines are one answer", async (t) => {
    const { person, pane } = await open(t);
    const answer = person.ask({ ...approval, kind: "input" }, never);
    await pane.until("◆");
    await pane.type("Please: ");
    await pane.paste("Add a limit.\nKeep the API.\n");
    await pane.until("Please: Add a limit.⏎Keep the API.");
    await pane.press("Enter");
    assert.equal(await answer, "Please: Add a limit.\nKeep the API.");
    assert.match(await pane.until("→"), /→ Please: Add a limit\. \(2 lines\)/);
  });

  test("U2: a terminal that does not say what is pasted gets one answer too", async (t) => {
    const { person, pane } = await open(t);
    const answer = person.ask({ ...approval, kind: "input" }, never);
    await pane.until("◆");
    await pane.type("one\rtwo\r");
    await pane.until("one⏎two");
    await pane.press("Enter");
    assert.equal(await answer, "one\ntwo");
  });

  test("U2: what is pasted into a choice answers nothing, and into a text it keeps its lines", async (t) => {
    const { person, pane } = await open(t, { environment: { VISUAL: "", EDITOR: "" } });
    const answer = person.ask(approach, never);
    await pane.until("◆");
    await pane.paste("2\n1\n");
    await pane.until("Pasted text is not an answer here: 1–");
    await pane.press("Down");
    await pane.until("● 2 Fixed window");
    await pane.press("1");
    assert.equal(await answer, "bucket");
    const text = person.ask({ ...approval, kind: "editor", prefill: "" }, never);
    await pane.until("Your text");
    await pane.paste("one\n\n\ttwo\n");
    await pane.until("two");
    await pane.press("Tab", "Enter");
    assert.equal(await text, "one\n\n    two");
  });

  test("an option that shows a text opens the pager, without what would act on the terminal, and the question stays", async (t) => {
    const { person, pane } = await open(t, { environment: { PAGER: "head -n 2 --" } });
    const options = [
      { key: "yes", label: "Approve" },
      { key: "read", label: "Read it all", shows: "first\n\x1b[2Jsecond\nthird" },
    ];
    const answer = person.ask({ ...approval, kind: "select", options }, never);
    await pane.until("2 Read it all");
    await pane.press("2");
    assert.doesNotMatch(await pane.until(/first\nsecond\n[\s\S]*1 Approve/), /third/);
    await pane.press("1");
    assert.equal(await answer, "yes");
  });
});

describe("colours", { skip: noScreen() ?? false }, () => {
  const colour = /\x1b\[[0-9;]*m/;
  const show = async (t: TestContext, environment: Readonly<Record<string, string>>): Promise<string> => {
    const { person, pane } = await open(t, { environment });
    person.notify("a warning", "warning");
    const answer = person.ask(approach, never);
    await pane.until("◆");
    const during = await pane.colours();
    await pane.press("Enter");
    await answer;
    person.status("run", "at work");
    await pane.until("at work");
    return during + (await pane.colours());
  };
  test("are used at a terminal", async (t) => {
    assert.match(await show(t, {}), colour);
  });
  test("are not used where NO_COLOR is set", async (t) => {
    assert.doesNotMatch(await show(t, { NO_COLOR: "1" }), colour);
  });
});

test("without a terminal a question is not asked but left without an answer", async (t) => {
  const rig = await personWithoutTerminal({ person: "terminal" });
  t.after(rig.close);
  assert.equal(await rig.person.ask(approach, never), undefined);
  assert.equal(await rig.stdout(), "");
});
