// What the scripted agents take from their prompts: the sections they were given, and what stands in them. Sections
// are found in the syntax tree, so that a heading inside quoted material is none.

import { Section } from "../../core/plan/brainstorm.ts";
import { inShort } from "../../core/run/document-paths.ts";
import { topLevelOf } from "../../core/text/markdown.ts";
import { goal } from "./brainstorm-texts.ts";

/** The text under a heading of the prompt; empty when there is none. */
export function sectionOf(prompt: string, title: string): string {
  const headings = topLevelOf(prompt).flatMap((node) => {
    if (node.type !== "heading" || node.depth !== 2) return [];
    return [{ start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 }];
  });
  const index = headings.findIndex(({ start, end }) => prompt.slice(start, end) === `## ${title}`);
  const heading = headings[index];
  return heading ? prompt.slice(heading.end, headings[index + 1]?.start).trim() : "";
}

/** What is quoted first under a heading, without its fence; empty when nothing is. */
export function quotedIn(prompt: string, title: string): string {
  const quoted = topLevelOf(sectionOf(prompt, title)).find((node) => node.type === "code");
  return quoted?.value ?? "";
}

/** The ids of findings that a reviewer has to answer, or an implementer to fix. */
export function findingIds(prompt: string, title: string): readonly string[] {
  return [...sectionOf(prompt, title).matchAll(/^- (F\d+) /gm)].map(([, id = ""]) => id);
}

/** Where the plan is to be written. */
export function planPath(prompt: string): string | null {
  return /to exactly `([^`\n]+)`/.exec(prompt)?.[1] ?? null;
}

/** Where a document of the run is, as the prompt names it; null when it does not. */
export function documentPath(prompt: string, kind: "design" | "plan"): string | null {
  return new RegExp(`[\\w./-]+-${kind}\\.md`).exec(prompt)?.[0] ?? null;
}

/** The ids of the requirements that a design states. */
export function requirementsIn(design: string): readonly string[] {
  return [...design.matchAll(/^- \*\*(R\d+)\*\* /gm)].map(([, id = ""]) => id);
}

/** The one task of a run without a plan is named after the goal. */
export function isWholeTask(prompt: string): boolean {
  return sectionOf(prompt, `Task 1: ${inShort(goal)}`) !== "";
}

/** The section a person wants revised, as the prompt gives it. */
export function sectionToRevise(prompt: string): Section | null {
  const json = quotedIn(prompt, "The section to revise");
  if (json === "") return null;
  const section = Section.safeParse(JSON.parse(json));
  return section.success ? section.data : null;
}
