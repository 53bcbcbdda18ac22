// What the scout and the brainstormer are told. Each brainstorm prompt begins with what the one before it began with,
// and ends with its own question, so that a provider can cache the beginning.

import {
  Approaches,
  type BrainstormQuestion,
  BrainstormQuestions,
  CutDesign,
  Design,
  DesignPage,
  RevisedSection,
  type Section,
} from "../core/plan/brainstorm.ts";
import { type Part, Triage } from "../core/plan/triage.ts";
import { ceremonies } from "../core/run/ceremony.ts";
import { modes } from "../core/run/config.ts";
import { fenced } from "../core/text/block.ts";
import { partsOfDesign } from "./part.ts";
import { answerIn, begunText, bullets, dataRule, section, sections } from "./parts.ts";

/** What is known so far on the way to a design. */
export interface Brief {
  readonly goal: string;
  /** What the scout reported; empty when it had nothing to say. */
  readonly map: string;
  /** The parts it is worked off in; none when it is one piece. */
  readonly parts?: readonly Part[];
  /** Files that hold a first attempt at the goal; empty when there was none. */
  readonly begun?: readonly string[];
  readonly answers: readonly { readonly question: string; readonly answer: string }[];
  /** The chosen approach in words; empty before the choice. */
  readonly approach: string;
}

export function scout(goal: string): string {
  return sections(
    `Explore this repository so that people who cannot see it can plan a change to it. Change nothing. ${dataRule}`,
    `Report in at most 60 lines, facts only, paths exact:
- what it is, and its stack
- the files that matter for the goal, and what each does
- conventions to keep: layout, naming, errors, tests
- existing patterns: where the like is done already, and how
- the commands that build, check and test it, and whether they pass now
- what could make the goal hard`,
    section(
      "Your proposal",
      `Then propose how much process the goal deserves, the least that will do:\n${bullets(modes.map((mode) => `${mode}: ${ceremonies[mode].meaning}`))}

It is "one" piece of work, unless it is too large for one plan: "batches" build on each other and are planned one after another, "splits" have nothing to do with each other.`,
    ),
    answerIn("superteam-json", Triage),
    section("Goal", goal),
  );
}

const steps = {
  questions: `Ask the person 3 to 7 questions whose answers would change the design: purpose, limits, success, edge cases. One matter each; "choice" with real alternatives where you can. Nothing the repository already answers.`,
  discuss:
    "Reply to the person in at most 150 words of plain text: facts from this repository, what each answer would mean, what you would choose and why. The question is asked again right below your words, so do not repeat it.",
  approaches:
    "Propose 2 or 3 approaches that differ in substance, each honest about its trade-offs, with the number of small tasks it takes. Recommend one and say why it fits this repository.",
  design: `Write the design of the chosen approach, no more and no less, in sections of 200 to 300 words: architecture, components, data flow, error handling, testing. Give every section the requirements it states: each one sentence that a reviewer can check, numbered R1, R2, … through the whole design. Leave out what nobody asked for.`,
  revision:
    "Revise this section alone so that it does what the person wants. Keep its id, and the ids of requirements that stay; new requirements get numbers that no section has.",
} as const;

const onOnePage = `Write the design as one section of at most 300 words: what changes where, what happens at the edges, how it is tested. Give it the requirements it states: each one sentence that a reviewer can check, numbered R1, R2, … Nobody was asked beforehand: choose what fits this repository best, and say what you chose. Leave out what nobody asked for.`;

function step(name: keyof typeof steps, words: string = steps[name]): string {
  return section(`Your step: ${name}`, words);
}

export function questions(brief: Brief): string {
  return sections(context(brief), step("questions"), answerIn("superteam-brainstorm", BrainstormQuestions));
}

/** What was said about a question before it was answered. */
export type Talk = readonly { readonly topic: string; readonly reply: string }[];

/** Answered in plain words: what comes back is shown to the person above the question. */
export function discuss(brief: Brief, question: BrainstormQuestion, talk: Talk, topic: string): string {
  const options = question.type === "choice" ? `\n${bullets(question.options)}` : "";
  const before = talk.map(({ topic: said, reply }) => `They: ${said}\nYou: ${reply}`).join("\n\n");
  return sections(
    context(brief),
    section("The question you asked", `${question.text}${options}`),
    section("Said about it so far", before === "" ? "" : fenced("", before)),
    section("Before they answer, the person says", fenced("", topic)),
    step("discuss"),
  );
}

export function approaches(brief: Brief): string {
  return sections(context(brief), step("approaches"), answerIn("superteam-brainstorm", Approaches));
}

export function design(brief: Brief): string {
  const parts = section("The parts", partsOfDesign(brief.parts ?? []));
  return sections(
    context(brief),
    step("design"),
    parts,
    answerIn("superteam-brainstorm", brief.parts ? CutDesign : Design),
  );
}

/** The same on one page, for a change that is clear enough to be agreed to as a whole. */
export function designPage(brief: Brief): string {
  return sections(context(brief), step("design", onOnePage), answerIn("superteam-brainstorm", DesignPage));
}

export function reviseSection(brief: Brief, old: Section, feedback: string, others: readonly Section[]): string {
  return sections(
    context(brief),
    section("The other sections", bullets(others.map(otherSection))),
    section("The section to revise", fenced("json", JSON.stringify(old, null, 2))),
    section("What the person wants changed", fenced("", feedback)),
    step("revision"),
    answerIn("superteam-brainstorm", RevisedSection),
  );
}

/** With the numbers it has taken. */
function otherSection({ id, title, requirements }: Section): string {
  const taken = requirements.map((requirement) => requirement.id).join(", ");
  return `${id}: ${title}${taken === "" ? "" : ` (${taken})`}`;
}

function context({ goal, map, begun = [], answers, approach }: Brief): string {
  return sections(
    `You help design a change to this repository. Read what you need; change nothing. ${dataRule}`,
    section("Goal", goal),
    section("The repository, as the scout reports it", map === "" ? "" : fenced("", map)),
    begunText(begun),
    section("What the person answered", answers.map(({ question, answer }) => `- ${question}\n  ${answer}`).join("\n")),
    section("The chosen approach", approach),
  );
}
