// The messages for the scout and the brainstormer. Each one begins like the one before it and ends with its step, so that a
// provider can cache the beginning.

import type { BrainstormQuestion, DecidedQuestion, Section, Talk } from "../core/plan/brainstorm.ts";
import { sectionText } from "../core/plan/design-document.ts";
import type { Part } from "../core/plan/triage.ts";
import type { Mode } from "../core/run/config.ts";
import { fenced, fencedIfHeaded } from "../core/text/block.ts";
import { partsOfDesign } from "./part.ts";
import { begunText, bullets, goalText, indented, section, sections, step } from "./parts.ts";

/** What is known so far on the way to a design. */
export interface Brief {
  readonly goal: string;
  /** What the scout reported; empty when it had nothing to say. */
  readonly map: string;
  /** The parts it is built in; none when it is one piece. */
  readonly parts?: readonly Part[];
  /** Files that hold a first attempt at the goal; empty when there was none. */
  readonly begun?: readonly string[];
  readonly answers: readonly DecidedQuestion[];
  /** The chosen approach in words; empty before the choice. */
  readonly approach: string;
}

/** `chosen` is the mode that the person has chosen already. */
export function scout(goal: string, chosen?: Mode): string {
  return sections(
    goalText(goal),
    step(
      "scout",
      chosen === undefined ? "Report, and propose a mode." : `Report. The person has chosen the mode: ${chosen}.`,
    ),
  );
}

export function questions(brief: Brief): string {
  return sections(context(brief), step("questions", "Ask your questions."));
}

/** Answered in plain text, which is shown to the person above the question. */
export function discuss(brief: Brief, question: BrainstormQuestion, talk: Talk, topic: string): string {
  const options = question.type === "choice" ? `\n${bullets(question.options)}` : "";
  return sections(
    context(brief),
    section("The question you asked", `${question.text}${options}`),
    section("The discussion so far", talk.length === 0 ? "" : fenced("", talkText(talk))),
    section("The person says, before answering", fenced("", topic)),
    step("discuss", "Reply to the person."),
  );
}

export function approaches(brief: Brief): string {
  return sections(context(brief), step("approaches", "Propose approaches."));
}

export function design(brief: Brief): string {
  const parts = section("The parts", partsOfDesign(brief.parts ?? []));
  return sections(context(brief), parts, step("design", "Write the design."));
}

/** On one page, for a change that is clear enough to be approved as a whole. */
export function designPage(brief: Brief): string {
  return sections(context(brief), step("design on one page", "Write the design as one section."));
}

/** With the other sections in full: a revision has to fit them. */
export function reviseSection(brief: Brief, old: Section, feedback: string, others: readonly Section[]): string {
  return sections(
    context(brief),
    section("The other sections", others.length === 0 ? "" : fenced("markdown", others.map(sectionText).join("\n\n"))),
    section("The section to revise", fenced("json", JSON.stringify(old, null, 2))),
    section("What the person wants changed", fenced("", feedback)),
    step("revision", "Revise the section."),
  );
}

function context({ goal, map, begun = [], answers, approach }: Brief): string {
  return sections(
    goalText(goal),
    section("The repository, as the scout reports it", map === "" ? "" : fenced("", map)),
    begunText(begun),
    section("What the person answered", answers.map(answerText).join("\n")),
    section("The chosen approach", fencedIfHeaded(approach)),
  );
}

/** With what was said about the question before: it is part of what was decided. */
function answerText({ question, answer, talk = [] }: Brief["answers"][number]): string {
  const said = talk.length === 0 ? "" : `\n  Discussed first:\n${talkText(talk).replaceAll(/^/gm, "  > ")}`;
  return `- ${indented(question)}\n  ${indented(answer)}${said}`;
}

function talkText(talk: Talk): string {
  return talk.map(({ topic, reply }) => `The person: ${topic}\nYou: ${reply}`).join("\n\n");
}
