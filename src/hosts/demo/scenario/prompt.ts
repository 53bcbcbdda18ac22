// What the scripted agents take from their prompts: the sections they were given, and what stands in them.

import { Section } from "../../../core/brainstorm.ts";

/** The text under a heading of the prompt; empty when there is none. */
export function sectionOf(prompt: string, title: string): string {
  const start = prompt.indexOf(`\n## ${title}\n`);
  if (start === -1) return "";
  const body = prompt.slice(start + `\n## ${title}\n`.length);
  const end = body.indexOf("\n## ");
  return (end === -1 ? body : body.slice(0, end)).trim();
}

/** The ids of findings that a reviewer has to answer, or an implementer to mend. */
export function findingIds(prompt: string, title: string): readonly string[] {
  return [...sectionOf(prompt, title).matchAll(/^- (F\d+) /gm)].map(([, id = ""]) => id);
}

/** Where the plan is to be written. */
export function planPath(prompt: string): string | null {
  return /to exactly `([^`\n]+)`/.exec(prompt)?.[1] ?? null;
}

/** The section a person wants revised, as the prompt gives it. */
export function sectionToRevise(prompt: string): Section | null {
  const json = /^(`{3,})json\n([\s\S]*?)\n\1$/m.exec(sectionOf(prompt, "The section to revise"))?.[2];
  if (json === undefined) return null;
  const section = Section.safeParse(JSON.parse(json));
  return section.success ? section.data : null;
}

/** What is quoted under a heading, without its fence. */
export function quotedIn(prompt: string, title: string): string {
  return /^(`{3,})\n([\s\S]*?)\n\1$/m.exec(sectionOf(prompt, title))?.[2] ?? "";
}
