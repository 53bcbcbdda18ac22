// What the brainstormer answers on the way from a goal to a design: questions, approaches, sections. Each schema is
// the type, the validator and the contract text of its prompt.

import { z } from "zod";

const text = z.string().trim().min(1);
const id = z
  .string()
  .overwrite((said) => said.trim().replaceAll(/\s+/g, "-"))
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, "must be a short id of letters, digits and hyphens");

export const BrainstormQuestion = z.discriminatedUnion("type", [
  z.object({
    id,
    text,
    type: z.literal("choice"),
    options: z.array(text).min(2).max(8),
    /** The option the brainstormer would choose. */
    recommended: text.optional(),
  }),
  z.object({ id, text, type: z.literal("input"), placeholder: z.string().optional() }),
]);
export type BrainstormQuestion = z.infer<typeof BrainstormQuestion>;

const QuestionList = z.array(BrainstormQuestion).max(7).superRefine(uniqueIds);
type QuestionList = z.infer<typeof QuestionList>;

export const BrainstormQuestions = z.object({
  type: z.literal("questions"),
  questions: z.preprocess<unknown, typeof QuestionList, QuestionList>(plainQuestions, QuestionList),
});
export type BrainstormQuestions = z.infer<typeof BrainstormQuestions>;

/** A question without an id is known by its number, one of another kind by its options; an option with an explanation is both. */
function plainQuestions(said: unknown): unknown {
  if (!Array.isArray(said)) return said;
  return said.map((question: unknown, index) => {
    if (!isRecord(question)) return question;
    const type = Array.isArray(question["options"]) ? "choice" : "input";
    const isKnown = question["type"] === "choice" || question["type"] === "input";
    const named = { id: `q${index + 1}`, text: question["question"], ...question, ...(isKnown ? {} : { type }) };
    if (!Array.isArray(question["options"])) return named;
    const options = question["options"].map(optionText);
    const place = question["options"].findIndex(
      (option) => isRecord(option) && option["label"] === question["recommended"],
    );
    return { ...named, options, ...(place < 0 ? {} : { recommended: options[place] }) };
  });
}

/** `{"label": "Redis", "description": "shared"}` */
function optionText(option: unknown): unknown {
  if (!isRecord(option) || typeof option["label"] !== "string") return option;
  const { label, ...rest } = option;
  const [about, ...more] = Object.values(rest);
  if (more.length > 0 || (about !== undefined && typeof about !== "string")) return option;
  return about === undefined ? label : `${label}: ${about}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What was said about a question before it was answered. */
export type Talk = readonly { readonly topic: string; readonly reply: string }[];

/** A question with what the person decided, and what they and the brainstormer said on the way. */
export interface DecidedQuestion {
  readonly question: string;
  readonly answer: string;
  readonly talk?: Talk;
}

/** The answer of a person who has an approach of their own. */
export const otherApproach = "other";

const tasks = z.int().min(1).max(100);

export const Approach = z.object({
  id,
  title: text,
  summary: text,
  tradeoffs: z.preprocess<unknown, typeof text, string>(sides, text),
  taskEstimate: z.preprocess<unknown, typeof tasks, number>(withoutUnit, tasks),
});
export type Approach = z.infer<typeof Approach>;

/** `{"pros": "simple", "cons": ["one more service"]}` */
function sides(said: unknown): unknown {
  if (!isRecord(said)) return said;
  const isPlain = Object.values(said).every((side) => [side].flat().every((one) => typeof one === "string"));
  return isPlain
    ? Object.entries(said)
        .map(([side, what]) => `${side}: ${[what].flat().join(", ")}`)
        .join("; ")
    : said;
}

/** `"about 3 tasks"` */
function withoutUnit(said: unknown): unknown {
  const estimate = /^\s*(?:~|about|around|approx\.)?\s*(\d{1,3})(?:\s+(?:small\s+)?tasks?)?\s*$/i;
  const [, number] = (typeof said === "string" && estimate.exec(said)) || [];
  return number === undefined ? said : Number(number);
}

export const Approaches = z
  .object({
    type: z.literal("approaches"),
    approaches: z.array(Approach).min(2).max(3).superRefine(uniqueIds),
    recommendation: text.describe("the id of one of the approaches"),
    reasoning: text,
  })
  .overwrite((answer) => ({ ...answer, recommendation: approachNamed(answer.recommendation, answer.approaches) }))
  .refine((answer) => answer.approaches.some((approach) => approach.id === answer.recommendation), {
    path: ["recommendation"],
    message: "must be the id of one of the approaches",
  })
  .refine((answer) => answer.approaches.every((approach) => approach.id !== otherApproach), {
    path: ["approaches"],
    message: `the id "${otherApproach}" is taken`,
  });
export type Approaches = z.infer<typeof Approaches>;

/** The id of the approach that is named by id or title; else the name as it is, which is refused. */
function approachNamed(name: string, approaches: readonly Approach[]): string {
  const asId = name.replaceAll(/\s+/g, "-");
  const byTitle = approaches.filter(({ title }) => title.toLowerCase() === name.toLowerCase());
  if (approaches.some((approach) => approach.id === asId)) return asId;
  return byTitle.length === 1 && byTitle[0] ? byTitle[0].id : name;
}

const PlainRequirement = z.object({
  id: z
    .string()
    .overwrite((said) => said.trim().replace(/^r[\s_-]*(\d+)$/i, "R$1"))
    .regex(/^R[1-9][0-9]{0,2}$/, "must be R1, R2, …")
    .describe("R1, R2, …"),
  text,
});
/** One thing the finished work can be held against, named for good: plans cover it, reviews cite it. */
export type Requirement = z.infer<typeof PlainRequirement>;
export const Requirement = z.preprocess<unknown, typeof PlainRequirement, Requirement>(asRequirement, PlainRequirement);

/** `"R1: Each client has a bucket."` */
function asRequirement(said: unknown): unknown {
  const [, name, what] = (typeof said === "string" && /^\s*\**(R\d+)\**\s*[:.–—-]+\**\s+(.+)$/is.exec(said)) || [];
  return name === undefined ? said : { id: name, text: what };
}

/** A section carries the requirements it states, so that the person agrees to both at once. */
const PlainSection = z.object({ id, title: text, content: text, requirements: z.array(Requirement).default([]) });
export const Section = PlainSection.extend({
  part: z.int().min(1).optional().describe("the number of the part it belongs to"),
});
export type Section = z.infer<typeof Section>;

export const Design = designOf(PlainSection, 12);
export type Design = z.infer<typeof Design>;

/** A design that is agreed to as a whole. */
export const DesignPage = designOf(PlainSection, 1);

/** A design whose sections say to which part of the goal they belong. */
export const CutDesign = designOf(Section, 12);

const PlainRevision = z.object({ type: z.literal("section"), section: PlainSection });
export type RevisedSection = z.infer<typeof PlainRevision>;
export const RevisedSection = z.preprocess<unknown, typeof PlainRevision, RevisedSection>(asRevision, PlainRevision);

/** The section without the object around it, as it was shown, or as the only one of a design. */
function asRevision(said: unknown): unknown {
  if (!isRecord(said) || "section" in said) return said;
  const { sections } = said;
  if (Array.isArray(sections)) return sections.length === 1 ? { type: "section", section: sections[0] } : said;
  return "content" in said ? { type: "section", section: said } : said;
}

/** The answer to "revise this section": still that section, and no requirement id that another section has. */
export function revisionOf(section: Section, sections: readonly Section[]): z.ZodType<RevisedSection> {
  const others = sections.filter((other) => other.id !== section.id);
  const taken = new Set(requirementsOf(others).map((requirement) => requirement.id));
  const free = nextNumber(requirementsOf(sections));
  return RevisedSection.superRefine((answer, issues) => {
    if (answer.section.id !== section.id) issues.addIssue(problem(`must keep the id "${section.id}"`, "id"));
    for (const name of repeated(answer.section.requirements)) issues.addIssue(problem(`${name} is given twice`));
    for (const requirement of answer.section.requirements) {
      if (taken.has(requirement.id)) {
        issues.addIssue(problem(`${requirement.id} belongs to another section: the next free number is ${free}`));
      }
    }
    if (requirementsOf([...others, answer.section]).length === 0) {
      issues.addIssue(problem("the design needs at least one requirement"));
    }
  });
}

/** Above every number that is taken. */
function nextNumber(requirements: readonly Requirement[]): string {
  return `R${Math.max(0, ...requirements.map(({ id: name }) => Number(name.slice(1)))) + 1}`;
}

export function requirementsOf(sections: readonly Section[]): readonly Requirement[] {
  return sections.flatMap((section) => section.requirements);
}

/** The design of a goal that is clear as it stands: the goal is its one requirement. */
export function goalAsDesign(goal: string): readonly Section[] {
  return [{ id: "goal", title: "The goal", content: goal, requirements: [{ id: "R1", text: goal }] }];
}

function designOf<S extends z.ZodType<Section>>(section: S, most: number) {
  return z.object({
    type: z.literal("design"),
    sections: z.array(section).min(1).max(most).superRefine(uniqueIds).superRefine(wellNumbered),
  });
}

function problem(message: string, field: "id" | "requirements" = "requirements") {
  return { code: "custom" as const, path: ["section", field], message };
}

function wellNumbered(sections: readonly Section[], issues: z.RefinementCtx): void {
  const requirements = requirementsOf(sections);
  if (requirements.length === 0) issues.addIssue("the design needs at least one requirement: R1, R2, …");
  for (const name of repeated(requirements)) issues.addIssue(`requirement ${name} is given twice`);
}

function uniqueIds(things: readonly { readonly id: string }[], issues: z.RefinementCtx): void {
  for (const name of repeated(things)) issues.addIssue(`id "${name}" is given twice`);
}

function repeated(things: readonly { readonly id: string }[]): readonly string[] {
  const ids = things.map((thing) => thing.id);
  return [...new Set(ids.filter((name, index) => ids.indexOf(name) !== index))];
}
