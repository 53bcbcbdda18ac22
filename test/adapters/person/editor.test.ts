// Longer texts: the person's own editor, and what there is without one.

import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { editorsFor } from "../../../src/adapters/person/terminal/editor.ts";
import { noScreen } from "../../rig/person/pane.ts";
import { personInTerminal, type TerminalRig } from "../../rig/person/remote-person.ts";

const never = new AbortController().signal;
const draft = {
  kind: "editor" as const,
  id: "plan.approval.feedback",
  title: "The plan",
  message: "Change what you like.",
  prefill: "a\nb",
};

describe("an editor", { skip: noScreen() ?? false }, () => {
  test("is given the text on the terminal and hands back what was saved", async (t) => {
    const script = await program(t, `cat "$1"; read line; printf '%s\\n' "$line" >> "$1"`);
    const { person, pane, tell, unheeded } = await open(t, { EDITOR: script });
    await tell({ call: "listen keys" });
    const answer = person.ask(draft, never);
    await pane.until(`● 1 Open ${script}`.slice(0, 40));
    await pane.press("Enter");
    await pane.until((screen) => screen.endsWith("a\nb"));
    await pane.type("typed into the editor");
    await pane.press("Enter");
    assert.equal(await answer, "a\nbtyped into the editor");
    await pane.until("→ a (2 lines)");
    assert.deepEqual(unheeded(), []);
  });

  test("VISUAL wins over EDITOR, and a command with arguments and quotes is understood", async (t) => {
    const script = await program(t, `printf '%s,%s' "$1" "$2" > "$3"`);
    const { person, pane } = await open(t, { VISUAL: `${script} --wait 'two words'`, EDITOR: "false" });
    const answer = person.ask(draft, never);
    await pane.until("◆");
    await pane.press("Enter");
    assert.equal(await answer, "--wait,two words");
  });

  test("whose file is gone when it ends has closed the question", async (t) => {
    const { person, pane } = await open(t, { EDITOR: await program(t, `rm -r "$(dirname "$1")"`) });
    const answer = person.ask(draft, never);
    await pane.until("◆");
    await pane.press("Enter");
    assert.equal(await answer, undefined);
    await pane.until("not answered");
  });

  test("that fails takes nothing, and may be opened again or left: nobody is thrown out of the run by it", async (t) => {
    const { person, pane } = await open(t, { EDITOR: await program(t, `echo changed > "$1"; exit 1`) });
    const answer = person.ask(draft, never);
    await pane.until("◆");
    await pane.press("Enter");
    await pane.until("ended with exit code 1, so its text is not used.");
    await pane.until("2 Leave the text as it is");
    await pane.press("2");
    assert.equal(await answer, "a\nb");
  });

  test("that cannot be started is named, and the text is edited in place", async (t) => {
    const { person, pane } = await open(t, { EDITOR: "no-such-editor-here" });
    const answer = person.ask(draft, never);
    await pane.until("◆");
    await pane.press("Enter");
    await pane.until("[ submit ]");
    assert.match(await pane.screen(), /▲ {2}The editor "no-such-editor-here" could not be started: no such program\./);
    await pane.press("Tab", "Enter");
    assert.equal(await answer, "a\nb");
  });

  test("is ended when the question is taken away, and leaves no file", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "superteam-editor-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const note = join(folder, "note");
    const { person, pane } = await open(t, {
      EDITOR: await program(t, `echo "$1" > '${note}'; echo editing; exec cat`),
    });
    const abort = new AbortController();
    const answer = person.ask(draft, abort.signal);
    await pane.until("◆");
    await pane.press("Enter");
    await pane.until("editing");
    abort.abort();
    assert.equal(await answer, undefined);
    const file = (await readFile(note, "utf8")).trim();
    await assert.rejects(readFile(file), { code: "ENOENT" });
  });

  test("is not needed: several lines can be typed in place", async (t) => {
    const { person, pane } = await open(t, {});
    const answer = person.ask(draft, never);
    await pane.until("[ submit ]");
    await pane.press("Enter");
    await pane.type("c");
    await pane.press("Tab", "Enter");
    assert.equal(await answer, "a\nb\nc");
  });
});

test("an editor that nobody chose is one that is there, and none for a text that fits", async (t) => {
  const vi = await program(t, "true", "vi");
  const environment = { PATH: `/no/such/folder:${dirname(vi)}` };
  const long = "line\n".repeat(60);
  assert.deepEqual(editorsFor({ text: long, rows: 24, environment }), ["vi"]);
  assert.deepEqual(editorsFor({ text: long, rows: 100, environment }), []);
  assert.deepEqual(editorsFor({ text: "short", rows: 24, environment: { ...environment, EDITOR: "joe" } }), ["joe"]);
});

async function open(t: TestContext, environment: Readonly<Record<string, string>>): Promise<TerminalRig> {
  const rig = await personInTerminal({ environment });
  t.after(rig.close);
  return rig;
}

async function program(t: TestContext, body: string, name = "edit"): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "superteam-editor-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, name);
  await writeFile(file, `#!/bin/sh\n${body}\n`);
  await chmod(file, 0o755);
  return file;
}
