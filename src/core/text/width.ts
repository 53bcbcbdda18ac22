// Text in the columns of a terminal: how wide it is, cut to fit, and wrapped. Expects clean text (format.ts).

import stringWidth from "fast-string-width";

export function widthOf(text: string): number {
  return stringWidth(text);
}

/** At most `columns` wide; what was cut shows as an ellipsis. */
export function truncate(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (columns < 1) return "";
  const [head] = split(text, columns - 1);
  return widthOf(head) < columns ? `${head.replace(/[.\s]+$/, "")}…` : "…";
}

/** Broken at spaces where possible; a list item's further lines stand under its text. Lines that fit are left as they are. */
export function wrap(text: string, columns: number): readonly string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(columns, 1), { cut: split, words: wordsOf }));
}

/** The same, but what is too long for a line stays whole: a path, a ref, or the command after a colon, so that it can be copied. */
export function wrapWords(text: string, columns: number): readonly string[] {
  const cut: typeof split = (whole) => [whole, ""];
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(columns, 1), { cut, words: wordsAndCommand }));
}

interface Breaking {
  readonly cut: typeof split;
  /** What a line is broken between, each with the spaces after it. */
  readonly words: (text: string) => readonly string[];
}

const wordsOf: Breaking["words"] = (text) => text.split(/(?<=\s)(?=\S)/);

const wordsAndCommand: Breaking["words"] = (text) => {
  const found = /(?<=: )(?:`(?:git|superteam|npm|npx|rm) [^`]+`\S*\s*|(?:git|superteam|npm|npx|rm) \S.*)/.exec(text);
  if (!found) return wordsOf(text);
  const [command] = found;
  const end = found.index + command.length;
  return [...wordsOf(text.slice(0, found.index)), command, ...(end < text.length ? wordsOf(text.slice(end)) : [])];
};

function wrapLine(line: string, columns: number, { cut, words }: Breaking): readonly string[] {
  if (widthOf(line) <= columns) return [line.trimEnd()];
  const margin = marginOf(line, columns);
  const hang = " ".repeat(widthOf(margin));
  const lines: string[] = [];
  let current = margin;
  for (const word of words(line.slice(margin.length))) {
    if (widthOf(current + word.trimEnd()) > columns && current !== margin && current !== hang) {
      lines.push(current.trimEnd());
      current = hang;
    }
    current += word;
    while (widthOf(current.trimEnd()) > columns) {
      const [head, tail] = cut(current, columns);
      lines.push(head.trimEnd());
      current = hang + tail;
    }
  }
  return current === hang ? lines : [...lines, current.trimEnd()];
}

/** A line's indent and bullet; empty where they would leave less than half of the line, or no room for a wide character. */
function marginOf(line: string, columns: number): string {
  const [margin] = /^\s*(?:(?:[-*•+]|\d{1,3}[.)])\s+)?/.exec(line) ?? [""];
  return columns - widthOf(margin) < Math.max(2, columns / 2) ? "" : margin;
}

/** The part that fits (at least one character, so that a cut always makes progress) and the rest. */
function split(text: string, columns: number): readonly [string, string] {
  let width = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    width += widthOf(segment);
    if (width > columns && index > 0) return [text.slice(0, index), text.slice(index)];
  }
  return [text, ""];
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
