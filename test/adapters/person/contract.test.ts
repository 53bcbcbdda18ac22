import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { optionsOf, type Question } from "../../../src/core/flow/question.ts";
import type { Person } from "../../../src/ports/person.ts";
import { type Gesture, type MakePerson, personContract } from "../../contracts/person.ts";
import { type Hands, noScreen } from "../../rig/person/pane.ts";
import { personInScript, personInTerminal, personWithoutTerminal } from "../../rig/person/remote-person.ts";
import { hasScript } from "../../rig/person/script-pane.ts";

const atTerminal: MakePerson = async (t, _id, gesture) => {
  const environment = gesture.do === "write" ? { EDITOR: await editorThatWrites(t, gesture.text) } : {};
  const rig = await (noScreen() ? personInScript : personInTerminal)({ environment, pipeStdout: true });
  t.after(rig.close);
  const shown = async (): Promise<void> => void (await rig.pane.until("◆"));
  const act = async (down: number): Promise<void> => {
    await shown();
    await perform(rig.pane, gesture, down);
  };
  return { person: acting(rig.person, gesture, act), shown, stdout: rig.stdout };
};

const absent: MakePerson = async (t, id, gesture) => {
  const rig = await personWithoutTerminal({ person: "headless", answers: given(id, gesture) });
  t.after(rig.close);
  return { person: rig.person, shown: async () => undefined, stdout: rig.stdout };
};

const noTerminal = noScreen() && !hasScript() ? "neither tmux nor script is installed: there is no terminal" : false;
personContract("the person at a terminal", atTerminal, noTerminal);
personContract("the headless person", absent, false);

function given(id: string, gesture: Gesture): Readonly<Record<string, string>> {
  if (gesture.do === "choose") return { [id]: gesture.key };
  if (gesture.do === "say" || gesture.do === "write") return { [id]: gesture.text };
  if (gesture.do === "accept") return { [id]: "" };
  return gesture.do === "mistake" ? { [id]: "no such answer" } : {};
}

/** Makes the gesture as soon as a question is asked. */
function acting(person: Person, gesture: Gesture, act: (down: number) => Promise<void>): Person {
  return {
    ...person,
    async ask(question, signal) {
      const answer = person.ask(question, signal);
      if (gesture.do !== "nothing") await act(stepsTo(question, gesture));
      return answer;
    },
  };
}

/** How far below the option the cursor stands on the wanted one is. */
function stepsTo(question: Question, gesture: Gesture): number {
  if (question.kind !== "select" || gesture.do !== "choose") return 0;
  return optionsOf(question).findIndex(({ key }) => key === gesture.key);
}

async function perform(pane: Hands, gesture: Gesture, down: number): Promise<void> {
  if (gesture.do === "close") return pane.press("Escape");
  // Enter that comes together with them is not taken either, so the question stays until it is closed.
  if (gesture.do === "mistake") {
    await pane.press("z", "9", "!", "Enter");
    return pane.press("Escape");
  }
  if (gesture.do === "choose" && (gesture.key === "yes" || gesture.key === "no"))
    return pane.press(gesture.key.slice(0, 1));
  if (gesture.do === "choose") for (let n = 0; n < Math.abs(down); n++) await pane.press(down > 0 ? "Down" : "Up");
  if (gesture.do === "say") await pane.type(gesture.text);
  if (gesture.do !== "nothing") await pane.press("Enter");
}

async function editorThatWrites(t: TestContext, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "superteam-editor-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "text"), `${text}\n`);
  const script = join(folder, "editor");
  await writeFile(script, `#!/bin/sh\ncp '${join(folder, "text")}' "$1"\n`);
  await chmod(script, 0o755);
  return script;
}
