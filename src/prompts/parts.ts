// The parts that messages share: sections, quoted material, the step, an answer that could not be used.

import { longestShownDiff } from "../core/flow/repository.ts";
import type { Diff } from "../core/review/anchor.ts";
import { fenced, fencedIfHeaded } from "../core/text/block.ts";
import { nameText } from "../core/text/format.ts";

/** What to do now: the last section of a message. */
export function step(name: string, words: string): string {
  return section(`Your step: ${name}`, words);
}

/** The same message once more, with what was wrong with the result. It is named as part of the step, because that is an order. */
export function onceMore(prompt: string, reason: string, problems: string, words: string): string {
  return sections(prompt, section(`Your step, again: ${reason}`, `${problems}\n\n${words}`));
}

export function again(prompt: string, problem: string): string {
  const words = "Do the work again, and answer in exactly the required form.";
  return onceMore(prompt, "your last answer could not be used", fenced("", problem), words);
}

/** The answer is complete but not in a readable form: only the form is asked for again. */
export function inForm(answer: string, problem: string): string {
  return sections(
    section("Your answer", fenced("", answer)),
    section("What is wrong with its form", fenced("", problem)),
    step(
      "repair the form",
      "You have already done the work; this was your answer. Do not do the work again and do not change what you found: give the same answer in the required form, with its block.",
    ),
  );
}

export function changesText({ files, diff, diffFile }: Diff): string {
  const list = files.map((file) => `- ${nameText(file.path)} (${file.change})`).join("\n");
  if (diff.length > longestShownDiff) {
    const where = diffFile === undefined ? "the files" : `it in ${diffFile}, and the files`;
    return `${list}\n\nThe diff is too long to show (${diff.length} characters): read ${where}.`;
  }
  return `${list}\n\n${fenced("diff", diff.trimEnd())}`;
}

/** What a smaller attempt at the same goal left in the tree. */
export function begunText(files: readonly string[]): string {
  if (files.length === 0) return "";
  return section(
    "In the tree already, uncommitted",
    `A first attempt at this goal, which turned out to be larger than expected. It becomes part of the first task.\n${bullets(files.map(nameText))}`,
  );
}

/** A goal that has headings of its own is quoted: they are no sections of the message. */
export function goalText(goal: string): string {
  return section("Goal", fencedIfHeaded(goal));
}

/** Of a text of several lines all belong to its bullet. */
export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${indented(line)}`).join("\n");
}

export function indented(text: string): string {
  return text.replaceAll(/\n(?=.)/g, "\n  ");
}

/** Joins sections, leaving out empty ones. */
export function sections(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

export function section(title: string, text: string): string {
  return text === "" ? "" : `## ${title}\n${text}`;
}
