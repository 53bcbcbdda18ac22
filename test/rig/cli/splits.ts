// A goal that falls into two letters which have nothing to do with each other, in the mode that takes the least: a scout,
// an implementer and a reviewer per letter.

import type { ModelPlay, Turn } from "../../../src/demo/model/play.ts";
import { scouted } from "../triage.ts";
import { smallPlay } from "./small-play.ts";

export const goal = "Write two letters";
export const parts = ["First letter", "Second letter"].map((title) => ({ title, scope: `${title} and no other` }));
export const answers = { "triage.mode": "hotfix", "triage.breadth": "splits" };

const usual = smallPlay();

export const splitPlay: ModelPlay = (turn) => {
  const step = turn.header?.step ?? "";
  if (step === "brainstorm/scout") return { text: scouted("A README.", proposal(turn)) };
  if (step === "execute/task-1/implement" && turn.turn === 0) {
    const path = /First letter:/.test(turn.prompt) ? "first.txt" : "second.txt";
    return { text: "I write it.", tools: [{ name: "write", args: { path, content: "Dear reader,\n" } }] };
  }
  return usual(turn);
};

/** A run that was split off sees the larger goal too. */
function proposal({ prompt }: Turn) {
  const mode = "hotfix";
  return /This is part \d of 2/.test(prompt) ? ({ mode } as const) : ({ mode, breadth: "splits", parts } as const);
}
