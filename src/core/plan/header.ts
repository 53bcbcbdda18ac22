// The header of a plan: an implementer without other context needs to know what its task is part of.

import { headerOf } from "./sections.ts";

const parts = ["Goal", "Architecture", "Tech Stack"] as const;

/** The parts that the header lacks, or that say nothing. */
export function headerProblems(document: string): readonly string[] {
  return parts.flatMap((part) => {
    const texts = textsAt(part, document);
    if (texts.length === 0) return [`the header of the plan has no "${part}".`];
    if (texts.some(saysSomething)) return [];
    return [`"${part}" in the header of the plan says nothing: write it on its line, or right below.`];
  });
}

/** What the header says the whole is for, as it is written there; empty when it does not say. */
export function goalOf(document: string): string {
  const said = textsAt("Goal", document).find(saysSomething) ?? "";
  return said.replace(/^[\s*_]+/, "").trim();
}

/** What follows each label of a part. */
function textsAt(part: (typeof parts)[number], document: string): readonly string[] {
  const lines = headerOf(document).split("\n");
  return lines.flatMap((line, index) => (labelOf(line) === part ? [textAt(lines, index).join("\n")] : []));
}

function labelOf(line: string): string | undefined {
  return parts.find((part) =>
    new RegExp(`^[\\s>#*_|-]*${part.replace(" ", "[ _-]?")}[\\s*_]*([:|]|$)`, "i").test(line),
  );
}

/** What follows a label: the rest of its line, and the lines up to the next label or the next heading that is no deeper. */
function textAt(lines: readonly string[], place: number): readonly string[] {
  const label = lines[place] ?? "";
  const below = lines.slice(place + 1);
  const end = below.findIndex((line) => labelOf(line) !== undefined || endsAt(line, label));
  const said = label.replace(/^[\s|]*[^:|]*[:|]?/, "");
  return [said, ...below.slice(0, end < 0 ? below.length : end)];
}

function endsAt(line: string, label: string): boolean {
  const depth = headingDepth(line);
  return depth > 0 && depth <= (headingDepth(label) || 6);
}

/** 0 for a line that is no heading. */
function headingDepth(line: string): number {
  return /^ {0,3}(#{1,6})(\s|$)/.exec(line)?.[1]?.length ?? 0;
}

const saysSomething = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
