// From a goal to a design that the person has agreed to, section by section.

import { z } from "zod";
import { Approaches, Design, otherApproach, revisionOf, Section } from "../core/brainstorm.ts";
import { designDocument } from "../core/design-document.ts";
import { ask, type Flow, record, write } from "../core/flow.ts";
import * as prompts from "../prompts/brainstorm.ts";
import { interview, reader } from "./brainstorm-interview.ts";
import { approachQuestion, feedbackQuestion, ownApproachQuestion, sectionQuestion } from "./brainstorm-questions.ts";
import { consult, engage, warn } from "./consult.ts";

type Brief = prompts.Brief;

export const Brainstormed = z.object({ map: z.string(), design: z.string(), sections: z.array(Section) });
export type Brainstormed = z.infer<typeof Brainstormed>;

export function* brainstorm(goal: string, path: string): Flow<Brainstormed> {
  const map = yield* explore(goal);
  const answers = yield* interview({ goal, map, answers: [], approach: "" });
  const approach = yield* chooseApproach({ goal, map, answers, approach: "" });
  const sections = yield* agreeOnSections({ goal, map, answers, approach });
  const design = designDocument({ goal, answers, approach, sections });
  yield* write(path, design);
  yield* record({ type: "design.written", path });
  yield* record({ type: "brainstorm.step", step: "done" });
  return { map, design, sections };
}

function* explore(goal: string): Flow<string> {
  yield* record({ type: "brainstorm.step", step: "scout" });
  const { text } = yield* engage({ ...reader("scout"), role: "scout", prompt: prompts.scout(goal) });
  if (text.trim() === "") yield* warn("The scout reported nothing; the design starts from the goal alone.");
  return text.trim();
}

/** The chosen approach in words: one that was proposed, or the person's own. */
function* chooseApproach(brief: Brief): Flow<string> {
  yield* record({ type: "brainstorm.step", step: "approaches" });
  const { value } = yield* consult(
    { ...reader("approaches"), prompt: prompts.approaches(brief) },
    { tag: "superteam-brainstorm", schema: Approaches },
  );
  const { approaches, recommendation } = value;
  yield* record({ type: "brainstorm.approaches", approaches, recommendation });
  const choice = yield* ask(approachQuestion(value));
  const chosen = approaches.find((approach) => approach.id === choice);
  if (chosen) {
    yield* record({ type: "brainstorm.approach", id: chosen.id, title: chosen.title, custom: false });
    return `${chosen.title}: ${chosen.summary} Trade-offs: ${chosen.tradeoffs}`;
  }
  const own = yield* ask(ownApproachQuestion);
  yield* record({ type: "brainstorm.approach", id: otherApproach, title: own, custom: true });
  return own;
}

function* agreeOnSections(brief: Brief): Flow<Section[]> {
  yield* record({ type: "brainstorm.step", step: "design" });
  const { value } = yield* consult(
    { ...reader("design"), prompt: prompts.design(brief) },
    { tag: "superteam-brainstorm", schema: Design },
  );
  const sections = [...value.sections];
  yield* record({ type: "brainstorm.sections", sections });
  for (const index of sections.keys()) yield* agree(brief, sections, index);
  return sections;
}

/** Asks about one section until the person agrees to it; only that section is revised. */
function* agree(brief: Brief, sections: Section[], index: number): Flow<void> {
  for (;;) {
    const section = sections[index];
    if (!section) return;
    const choice = yield* ask(sectionQuestion(section, index + 1));
    yield* record({ type: "brainstorm.section", id: section.id, approved: choice === "yes" });
    if (choice === "yes") return;
    const feedback = yield* ask(feedbackQuestion(section, index + 1));
    const others = sections.filter((other) => other.id !== section.id);
    const { value } = yield* consult(
      { ...reader(`section-${index + 1}`), prompt: prompts.reviseSection(brief, { section, feedback, others }) },
      { tag: "superteam-brainstorm", schema: revisionOf(section, sections) },
    );
    sections[index] = value.section;
    yield* record({ type: "brainstorm.sections", sections });
  }
}
