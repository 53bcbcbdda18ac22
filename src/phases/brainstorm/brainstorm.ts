// From a goal to a design that the person has agreed to, as far as the mode asks for one.

import { z } from "zod";
import { ask, type Flow, record, write } from "../../core/flow/flow.ts";
import { Approaches, Design, DesignPage, goalAsDesign, otherApproach, Section } from "../../core/plan/brainstorm.ts";
import { designDocument } from "../../core/plan/design-document.ts";
import { designInParts, partsAsDesign, revisionInParts } from "../../core/plan/parts.ts";
import { type Ceremony, ceremonies } from "../../core/run/ceremony.ts";
import * as prompts from "../../prompts/brainstorm.ts";
import { askBrainstormer, interview } from "./interview.ts";
import {
  approachQuestion,
  feedbackQuestion,
  isBackToQuestion,
  ownApproachQuestion,
  sectionQuestion,
} from "./questions.ts";
import { Triaged, type TriageWishes, triage } from "./triage.ts";

type Brief = prompts.Brief;

/** `design` is the document's text; empty when the goal alone has to do. */
export const Brainstormed = Triaged.extend({ design: z.string(), sections: z.array(Section) });
export type Brainstormed = z.infer<typeof Brainstormed>;

export interface BrainstormInput {
  readonly goal: string;
  /** Where the design is to be written. */
  readonly path: string;
  readonly wishes: TriageWishes & { readonly skipBrainstorm: boolean };
}

export function* brainstorm(beginning: BrainstormInput): Flow<Brainstormed> {
  const triaged = yield* triage(beginning.goal, beginning.wishes);
  if (triaged.breadth !== "splits") return yield* design(beginning, triaged);
  // What is split is designed where it is built.
  yield* record({ type: "brainstorm.step", step: "done" });
  return { ...triaged, design: "", sections: [] };
}

/** The design that the mode asks for. `begun` are files that hold a first attempt at the goal. */
export function* design(
  { goal, path, wishes }: BrainstormInput,
  triaged: Triaged,
  begun: readonly string[] = [],
): Flow<Brainstormed> {
  const { map, mode, breadth, parts } = triaged;
  const ceremony = ceremonies[mode];
  const isGiven = wishes.skipBrainstorm || ceremony.design === "none";
  const isCut = breadth === "batches";
  const brief: Brief = { goal, map, begun, ...(isCut ? { parts } : {}), answers: [], approach: "" };
  const given = isCut ? partsAsDesign(parts) : goalAsDesign(goal);
  const agreed = isGiven ? { ...brief, sections: [...given] } : yield* agreeOnDesign(brief, ceremony);
  const text = ceremony.planner ? designDocument(agreed) : "";
  if (text !== "") {
    yield* write(path, text);
    yield* record({ type: "design.written", path });
  }
  yield* record({ type: "brainstorm.step", step: "done" });
  return { ...triaged, design: text, sections: agreed.sections };
}

function* agreeOnDesign(start: Brief, ceremony: Ceremony): Flow<Brief & { readonly sections: Section[] }> {
  const answers = ceremony.questions ? yield* interview(start) : [];
  const approach = ceremony.approaches ? yield* chooseApproach({ ...start, answers }) : "";
  const brief = { ...start, answers, approach };
  const onOnePage = ceremony.design === "page" && start.parts === undefined;
  return { ...brief, sections: yield* agreeOnSections(brief, onOnePage) };
}

/** The chosen approach in words: one that was proposed, or the person's own. */
function* chooseApproach(brief: Brief): Flow<string> {
  yield* record({ type: "brainstorm.step", step: "approaches" });
  const proposed = yield* askBrainstormer("approaches", prompts.approaches(brief), Approaches);
  const { approaches, recommendation } = proposed;
  yield* record({ type: "brainstorm.approaches", approaches, recommendation });
  for (;;) {
    const choice = yield* ask(approachQuestion(proposed));
    const chosen = approaches.find((approach) => approach.id === choice);
    if (chosen) {
      yield* record({ type: "brainstorm.approach", id: chosen.id, title: chosen.title, custom: false });
      return `${chosen.title}: ${chosen.summary} Trade-offs: ${chosen.tradeoffs}`;
    }
    const own = yield* ask(ownApproachQuestion);
    if (isBackToQuestion(own)) continue;
    yield* record({ type: "brainstorm.approach", id: otherApproach, title: own, custom: true });
    return own;
  }
}

function* agreeOnSections(brief: Brief, onOnePage: boolean): Flow<Section[]> {
  yield* record({ type: "brainstorm.step", step: "design" });
  const prompt = onOnePage ? prompts.designPage(brief) : prompts.design(brief);
  const { sections } = yield* askBrainstormer("design", prompt, designSchema(brief, onOnePage));
  yield* record({ type: "brainstorm.sections", sections });
  for (const index of sections.keys()) yield* agree(brief, sections, index);
  return sections;
}

function designSchema({ parts }: Brief, onOnePage: boolean): z.ZodType<{ sections: Section[] }> {
  if (parts) return designInParts(parts.length);
  return onOnePage ? DesignPage : Design;
}

/** Asks about one section until the person agrees to it; only that section is revised. */
function* agree(brief: Brief, sections: Section[], index: number): Flow<void> {
  for (;;) {
    const section = sections[index];
    if (!section) return;
    const choice = yield* ask(sectionQuestion(section, index + 1, sections.length));
    yield* record({ type: "brainstorm.section", id: section.id, approved: choice === "yes" });
    if (choice === "yes") return;
    const feedback = yield* ask(feedbackQuestion(section, index + 1));
    if (isBackToQuestion(feedback)) continue;
    const others = sections.filter((other) => other.id !== section.id);
    const prompt = prompts.reviseSection(brief, section, feedback, others);
    const schema = revisionInParts(section, sections, brief.parts?.length ?? 0);
    const revised = yield* askBrainstormer(`section-${index + 1}`, prompt, schema);
    sections[index] = { ...revised.section, part: section.part };
    yield* record({ type: "brainstorm.sections", sections });
  }
}
