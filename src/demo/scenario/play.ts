// The demo's scenario: who says what, by the step that the prompt's first line names.

import type { ModelPlay, Reaction, Turn } from "../model/play.ts";
import { performanceReview, securityReview } from "./advice.ts";
import { approachesScene, designScene, questionsScene, reviseScene, scoutScene } from "./brainstorm.ts";
import { finalReviewScene } from "./final-review.ts";
import { fixScene, implementScenes } from "./implement.ts";
import { patchScene, planScene } from "./plan.ts";
import { architectScene, planSpecScene } from "./plan-review.ts";
import { isWholeTask } from "./prompt.ts";
import { qualityReview, specReview } from "./review.ts";
import { looks, read, type Scene, scene } from "./scene.ts";

/**
 * A play for the goal of the demo. `latencyMs` is how long the model thinks before each turn. It throws for a step it
 * does not know: the agent is refused, with the reason.
 */
export function demoPlay({ latencyMs }: { readonly latencyMs: number }): ModelPlay {
  return (turn) => ({ ...react(turn), ...(latencyMs > 0 ? { latencyMs } : {}) });
}

function react(turn: Turn): Reaction {
  if (turn.header === null) throw new Error("the prompt does not start with the line that names a dispatch");
  const { step } = turn.header;
  const scene = sceneFor(step, turn.prompt);
  if (!scene) throw new Error(`the demo has no scene for the step ${step}`);
  return scene(turn);
}

/** A step is a path. Scopes that were restarted (`task-2@2`) or are there again (`architect#2`) make no other part. */
function sceneFor(step: string, prompt: string): Scene | undefined {
  const parts = step.split("/").map((part) => part.replace(/[@#]\d+$/, ""));
  const name = parts.at(-1) ?? "";
  const task = parts.find((part) => /^task-\d+$/.test(part))?.slice("task-".length);
  if (task !== undefined) return taskScenes[name]?.(isWholeTask(prompt) ? "whole" : task);
  if (/^section-\d+$/.test(name)) return reviseScene;
  return /^discuss-\d+$/.test(name) ? discussScene : projectScenes[name];
}

/** A person at the keyboard may ask anything; a script can only say what it is. */
const discussScene: Scene = scene([looks("I look at what is there.", read("README.md"))], () =>
  [
    "This model is scripted and cannot think about your question, but a real one would answer here.",
    "The library is small and has one process: whatever is simplest to test is a good choice.",
  ].join(" "),
);

const docsScene: Scene = scene(
  [looks("I look whether the README says it already.", read("README.md"))],
  () => "README.md says how rate limiting is used since the last task. There is nothing to change.",
);

const projectScenes: Readonly<Record<string, Scene>> = {
  scout: scoutScene,
  questions: questionsScene,
  approaches: approachesScene,
  design: designScene,
  plan: planScene,
  revise: planScene,
  "architect-review": architectScene,
  "plan-spec-review": planSpecScene,
  patch: patchScene,
  "final-review": finalReviewScene,
  "final-fix": fixScene,
  docs: docsScene,
};

const taskScenes: Readonly<Record<string, (task: string) => Scene | undefined>> = {
  implement: (task) => implementScenes[task],
  fix: () => fixScene,
  "spec-review": specReview,
  "quality-review": qualityReview,
  "security-review": securityReview,
  "performance-review": performanceReview,
};
