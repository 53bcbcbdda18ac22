// The planner's part: the plan is a file, written with a tool; so is the patch that reviewers ask for.

import type { Turn } from "../model/play.ts";
import { firstDraft, forgotten, noteInHeader } from "./plan-text.ts";
import { documentPath, findingIds, planPath, quotedIn, requirementsIn, sectionOf } from "./prompt.ts";
import { edits, looks, read, type Scene, type SceneMove, scene, writes } from "./scene.ts";

export const planScene: Scene = (turn) => {
  const path = planPath(turn.prompt) ?? documentPath(sectionOf(turn.prompt, "Your step: revise"), "plan");
  if (path === null) return { text: "I was not told where to write the plan." };
  const wish = quotedIn(turn.prompt, "What the person says");
  const moves = wish === "" ? writing(turn, path) : revising(turn, path, wish);
  return scene(moves, () => `The plan is in ${path}: three tasks, test first.`)(turn);
};

function writing({ prompt }: Turn, path: string): readonly SceneMove[] {
  const required = requirementsIn(quotedIn(prompt, "The approved design"));
  return [
    looks("I look at what there is.", read("src/index.js")),
    writes("I write the plan.", path, firstDraft(required)),
  ];
}

function revising({ header }: Turn, path: string, wish: string): readonly SceneMove[] {
  return [
    looks("I read the plan as it is.", read(path)),
    edits("I make the change you asked for.", path, [noteInHeader(`(${header?.attempt ?? 1}) ${wish}`)]),
  ];
}

/** Fixes what the architect found, in the plan as it was read, and owns up to what it cannot fix. */
export const patchScene: Scene = (turn) => {
  const path = documentPath(turn.prompt, "plan");
  if (path === null) return { text: "I was not told where the plan is." };
  const found = sectionOf(turn.prompt, findingsTitle);
  if (!/does not depend on/.test(found)) return { text: `I do not know how to fix this:\n\n${found}` };
  const moves = [
    looks("I read the plan as it is.", read(path)),
    edits("I patch the one place.", path, [{ oldText: forgotten.draft, newText: forgotten.mended }]),
  ];
  const ids = findingIds(turn.prompt, findingsTitle).join(", ");
  return scene(moves, () => `${ids}: task 3 depends on task 2 now; nothing else has changed.`)(turn);
};

const findingsTitle = "What was found";
