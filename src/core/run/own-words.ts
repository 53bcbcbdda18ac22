// What an implementer says of its work, as it goes into a commit's body and the report: plain text, without answer blocks,
// and without a line that git would take for a trailer. The views import it, so it loads no package.

import { clean, oneLine } from "../text/format.ts";

/** What a writer wants known of its work, and the findings it holds to be wrong. */
export interface Told {
  concerns?: string[] | undefined;
  disputed?: string[] | undefined;
}

export function claimLines({ concerns = [], disputed = [] }: Readonly<Told>): readonly string[] {
  return [...concerns.map((concern) => `Concern: ${oneLine(concern)}`), ...disputed.map((why) => `Disputes ${why}`)];
}

/** What was said of a piece of work, with all claims. */
export function inFull(said: string, told: Readonly<Told>): string {
  return [said, claimLines(told).join("\n")].filter((text) => text !== "").join("\n\n");
}

/** The first sentences, for a line of the report. */
export function inSentences(said: string, max = 300): string {
  const text = oneLine(
    wordsIn(said)
      .join(" ")
      .replace(/[*_`]{1,3}/g, ""),
  );
  if (text.length <= max) return text;
  const end = text.slice(0, max).search(/[.!?](?=\s[^.!?]*$)/);
  return end > 0 ? text.slice(0, end + 1) : oneLine(text, max);
}

export function wordsIn(said: string): readonly string[] {
  // "Done." says nothing that the commit itself does not.
  if (/^\s*\w+[.!]?\s*$/.test(said)) return [];
  const text = clean(said).replace(/^(```+|~~~+)[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, "");
  const lines = text.split("\n").map((line) => line.replace(/^\s{0,3}#{1,6}\s+/, "").trimEnd());
  return lines
    .filter((line) => !/^\s*[-*]?\s*Superteam-/i.test(line))
    .filter((line, index, all) => line !== "" || all[index - 1] !== "");
}
