// A goal that is worked off in parts, one building on the other: what the design asks of each part, and what is left of
// it when one is done.

import { z } from "zod";
import type { Settled } from "../run/report.ts";
import { shorten } from "../text/format.ts";
import type { Requirement, RevisedSection, Section } from "./brainstorm.ts";
import { CutDesign, requirementsOf, revisionOf } from "./brainstorm.ts";
import type { Part } from "./triage.ts";

/** A part with its own share of the design. They count from 1. */
export interface WorkPart extends Part {
  readonly number: number;
  readonly of: number;
  readonly requirements: readonly Requirement[];
}

/** Nothing of the design is lost: what names no part is done first. */
export function cutInParts(parts: readonly Part[], sections: readonly Section[]): readonly WorkPart[] {
  return parts.map(({ title, scope }, index) => {
    const number = index + 1;
    const own = sections.filter(({ part = 1 }) => part === number);
    return { title, scope, number, of: parts.length, requirements: requirementsOf(own) };
  });
}

/** What keeps a plan to its own part. */
export const PlanScope = z.object({
  number: z.int(),
  of: z.int(),
  title: z.string(),
  scope: z.string(),
  /** Ids of the requirements this plan is for. */
  requirements: z.array(z.string()),
  /** The number of its first task: earlier parts have those before it. */
  firstTask: z.int(),
});
export type PlanScope = z.infer<typeof PlanScope>;

export function scopeOf({ number, of, title, scope, requirements }: WorkPart, done: readonly Settled[]): PlanScope {
  const firstTask = 1 + Math.max(0, ...done.map(({ task }) => task));
  return { number, of, title, scope, requirements: requirements.map(({ id }) => id), firstTask };
}

/** The design of a goal whose parts are clear as they stand: each is its own requirement. */
export function partsAsDesign(parts: readonly Part[]): readonly Section[] {
  return parts.map(({ title, scope }, index) => {
    const part = index + 1;
    const requirements = [{ id: `R${part}`, text: `${title}: ${scope}` }];
    return { id: `part-${part}`, title, content: scope, requirements, part };
  });
}

/** A design of which every part gets something to do. */
export function designInParts(parts: number): z.ZodType<z.infer<typeof CutDesign>> {
  return CutDesign.superRefine(({ sections }, issues) => {
    for (const problem of misplaced(sections, parts)) issues.addIssue(problem);
  });
}

/** The answer to "revise this section", in such a design: the section stays in its part, if there are any. */
export function revisionInParts(
  section: Section,
  sections: readonly Section[],
  parts: number,
): z.ZodType<RevisedSection> {
  if (parts === 0) return revisionOf(section, sections);
  return revisionOf(section, sections).superRefine((answer, issues) => {
    const now = sections.map((other) => (other.id === section.id ? { ...answer.section, part: section.part } : other));
    for (const problem of misplaced(now, parts)) issues.addIssue(problem);
  });
}

function misplaced(sections: readonly Section[], parts: number): readonly string[] {
  const numbers = Array.from({ length: parts }, (_, index) => index + 1);
  const placed = sections.filter(({ requirements }) => requirements.length > 0);
  return [
    ...placed
      .filter(({ part }) => part === undefined || !numbers.includes(part))
      .map(({ id }) => `section "${id}" states requirements, so it must say to which part it belongs: 1 to ${parts}`),
    ...numbers
      .filter((number) => !placed.some(({ part }) => part === number))
      .map((number) => `no requirement belongs to part ${number}`),
  ];
}

/** What the scout makes of the parts that are left, once a part is done. */
export const Reassessment = z.object({
  holds: z.boolean().describe("whether the parts that are left are right as they are described, now"),
  reassessment: z
    .string()
    .trim()
    .min(1)
    .overwrite((said) => shorten(said, 2000))
    .describe("what is different for them now; for the person who decides"),
});
export type Reassessment = z.infer<typeof Reassessment>;
