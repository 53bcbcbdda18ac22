// Five screens of a run in pi's terminal, with the demo's repository and its scripted model: a question, a task that is
// worked on, a review, a run that was stopped by Escape and goes on, and the end. They are the pictures in the guide, and
// tests compare what is there now with them.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { ModelPlay, Turn } from "../../../src/demo/model/play.ts";
import { openDemo } from "../../../src/demo/open.ts";
import { goal } from "../../../src/demo/scenario/brainstorm-texts.ts";
import { demoPlay } from "../../../src/demo/scenario/play.ts";
import { quickPiFile } from "../agents/backends.ts";
import { project } from "../cli/cli.ts";
import type { Pane } from "../person/pane.ts";
import { enter, openPiPane } from "./terminal.ts";

export const [columns, rows] = [100, 34];

/** With its colours, as escape sequences. */
export type Screens = Readonly<Record<"question" | "task" | "review" | "resumed" | "end", string>>;

export async function takeScreens(): Promise<Screens> {
  const folder = await mkdtemp(join(tmpdir(), "superteam-screens-"));
  const shutter = new Shutter();
  const demo = await openDemo(folder, shutter.waitedForBy(demoPlay({ latencyMs: 0 })));
  const person = { HOME: folder, XDG_CONFIG_HOME: join(folder, "config") };
  const environment = { ...demo.environment, ...person, SUPERTEAM_PI: quickPiFile };
  const pane = await openPiPane({ folder: demo.repository, environment, extension: project, columns, rows });
  try {
    return await wholeRun(pane, shutter);
  } finally {
    await pane.close();
    await demo.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Held = "task" | "review" | "resumed";

/** Where a screen is taken the model thinks until it is. */
class Shutter {
  readonly #taken = {
    task: Promise.withResolvers<void>(),
    review: Promise.withResolvers<void>(),
    resumed: Promise.withResolvers<void>(),
  };

  waitedForBy(play: ModelPlay): ModelPlay {
    return (turn) => {
      const screen = screenIn(turn);
      return { ...play(turn), ...(screen === undefined ? {} : { held: this.#taken[screen].promise }) };
    };
  }

  taken(screen: Held): void {
    this.#taken[screen].resolve();
  }
}

/** Which screen is taken while the model thinks about this. */
function screenIn({ header, turn, history }: Turn): Held | undefined {
  switch (header?.step) {
    case "execute/task-1/implement":
      return history.at(-1)?.calls[0]?.name === "edit" ? "task" : undefined;
    case "execute/task-2/spec-review":
      return turn === 1 && header.attempt === 1 ? "review" : undefined;
    case "execute/task-3/implement":
      return turn === 1 ? "resumed" : undefined;
    default:
      return undefined;
  }
}

async function wholeRun(pane: Pane, shutter: Shutter): Promise<Screens> {
  const take = async (wanted: RegExp): Promise<string> => {
    for (;;) {
      await pane.until(wanted);
      const screen = await pane.colours();
      if (wanted.test(plainText(screen))) return screen;
    }
  };
  await pane.until("scripted-model");
  await enter(pane, `/workflow ${goal}`);
  await asked(pane, "Trust this repository?");
  await pane.press("Down");
  await accept(pane, "Trust them", "How much process does this deserve?");
  const question = await take(/Question 1 of 3[\s\S]*Discuss[\s\S]*enter select/);
  await pane.press("Enter");
  await accept(pane, "Question 2 of 3");
  await asked(pane, "Question 3 of 3");
  await pane.type("60 requests per minute");
  await pane.press("Enter");
  await accept(
    pane,
    "Recommended: ",
    "Section: The bucket",
    "Section: Telling clients apart",
    "Section: Configuration",
  );
  // The dialog is longer than the screen.
  await accept(pane, "Read it all", "Execution Mode", "Review Mode");
  const task = await take(/edit src\/index\.js \(refactoring\)[\s\S]*\(thinking\.\.\.\)/);
  shutter.taken("task");
  const review = await take(/Task 2\/3: spec review[\s\S]*read test[\s\S]*\(analyzing spec compliance\.\.\.\)/);
  shutter.taken("review");
  await pane.until(/Task 3\/3: Configuration and tests ─[\s\S]*read test\/duration\.test\.js *│\n.*\(thinking\.\.\.\)/);
  await pane.press("Escape");
  await pane.until("Pausing after the running agents.");
  await pane.press("Escape");
  await pane.until("The run is suspended.");
  await enter(pane, "/workflow");
  const resumed = await take(/Run \S+: task 3\/3[\s\S]*read test\/duration\.test\.js *│\n.*\(thinking\.\.\.\)/);
  shutter.taken("resumed");
  const end = await take(/^ Requirements$[\s\S]*more lines[\s\S]*✓ Add rate limiting[\s\S]*Undo: git revert/m);
  return { question, task, review, resumed, end };
}

export function plainText(screen: string): string {
  return stripVTControlCharacters(screen)
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd();
}

/** Takes the first answer of each dialog as it comes: the recommended one. */
async function accept(pane: Pane, ...dialogs: readonly string[]): Promise<void> {
  for (const dialog of dialogs) {
    await asked(pane, dialog);
    await pane.press("Enter");
  }
}

/** Waits until this dialog takes keys: its words alone are on the screen before, where it is told that a question waits. */
async function asked(pane: Pane, dialog: string): Promise<void> {
  await pane.until((screen) => /enter (?:select|submit)/.test(screen.split(dialog).slice(1).at(-1) ?? ""));
}
