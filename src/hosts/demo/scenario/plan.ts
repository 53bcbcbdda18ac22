// The planner's part: the plan is a file, written with a tool.

import { planText } from "./plan-text.ts";
import { planPath, quotedIn } from "./prompt.ts";
import { looks, read, type Scene, scene, writes } from "./scene.ts";

export const planScene: Scene = (turn) => {
  const path = planPath(turn.prompt);
  if (path === null) return { text: "I was not told where to write the plan." };
  const wish = quotedIn(turn.prompt, "The person read your plan and wants this changed");
  const remarks = wish === "" ? "" : `(${turn.header?.attempt ?? 1}) ${wish}`;
  const moves = [
    looks("I look at what there is.", read("src/index.js")),
    writes("I write the plan.", path, planText(remarks)),
  ];
  return scene(moves, () => `The plan is in ${path}: three tasks, test first.`)(turn);
};
