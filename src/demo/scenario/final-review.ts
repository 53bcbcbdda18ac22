// The final reviewer's part: read the design and every file the tasks were about, and hold one against the other.

import type { Turn } from "../model/play.ts";
import { answerWith } from "../model/texts.ts";
import { tasks } from "./plan-text.ts";
import { documentPath, findingIds, sectionOf } from "./prompt.ts";
import { judged, type Need, resolved, specNeeds, textsOf } from "./review.ts";
import { looks, read, type Scene, scene } from "./scene.ts";

const files = [...new Set(tasks.flatMap((task) => task.files))];

export const finalReviewScene: Scene = (turn) => {
  const design = documentPath(turn.prompt, "design");
  if (design === null) return { text: "I was not told where the design is." };
  return scene([looks("I read all of it.", read(design), ...files.map(read))], verdictOn)(turn);
};

function verdictOn(turn: Turn): string {
  const texts = textsOf(turn);
  const required = listed(turn.prompt, "Requirements", /^- (R\d+): /gm);
  const done = listed(turn.prompt, "Completed tasks", /^- Task (\d+): /gm);
  const complete = tasks.filter(({ id }) => done.includes(String(id)));
  const findings = complete.flatMap(({ id, covers = [] }) => {
    const requirement = covers.find((one) => required.includes(one)) ?? required[0] ?? "R1";
    const needs = (specNeeds[String(id)] ?? []).filter((need) => arises(need, texts));
    return needs.flatMap((need) =>
      judged(need, texts.get(need.file) ?? "").map((found) => acrossTasks(found, requirement)),
    );
  });
  const resolutions = findingIds(turn.prompt, "Your open findings").map((id) => resolved(id, texts));
  const passed = findings.length === 0 && resolutions.every(({ state }) => state === "resolved");
  const summary = passed
    ? "Every requirement of the design is met, and the parts fit together."
    : "Something of the design is missing.";
  return answerWith("superteam-json", { passed, findings, resolutions, summary }, "I have read all of it.");
}

function arises({ given }: Need, texts: ReadonlyMap<string, string>): boolean {
  return given === undefined || texts.has(given);
}

/** Criteria belong to one task; here it is the design's requirements that count. */
function acrossTasks({ severity, what }: { readonly severity: unknown; readonly what: string }, requirement: string) {
  return { category: "missing", severity, anchor: { requirement }, what };
}

/** What the prompt lists under a heading. */
function listed(prompt: string, title: string, line: RegExp): readonly string[] {
  return [...sectionOf(prompt, title).matchAll(line)].map(([, name = ""]) => name);
}
