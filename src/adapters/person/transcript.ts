// What stays on the screen of a question: its title, its message, and in the end what was answered. The same in a
// terminal, where a dialog stood in between, and without one.

import { optionsOf, type Question } from "../../core/flow/question.ts";
import { clean, oneLine } from "../../core/text/format.ts";
import { truncate, widthOf, wrap } from "../../core/text/width.ts";
import type { Level } from "../../ports/person.ts";
import type { OutputStyle, Style } from "./look.ts";

const bar = "│";
const margin = 3;

/** Title and id, then the message. */
export function questionLines(question: Question, look: OutputStyle): readonly string[] {
  const title = oneLine(question.title);
  const id = widthOf(title) + widthOf(question.id) + margin + 2 <= look.columns ? `  ${question.id}` : "";
  const headline = wrap(title, look.columns - margin).map((line, index) =>
    index === 0
      ? `${look.paint("cyan", "◇")}  ${look.paint("bold", line)}${look.paint("dim", id)}`
      : `${look.paint("gray", bar)}  ${look.paint("bold", line)}`,
  );
  const message = clean(question.message).trim();
  if (message === "") return headline;
  return [...headline, look.paint("gray", bar), ...barred(messageLines(message, look), look)];
}

/** The options as a list, for those who cannot move through them. */
export function optionLines(question: Question, look: OutputStyle): readonly string[] {
  const recommended = question.recommended;
  const options = optionsOf(question).flatMap((option, index) => {
    const mark = option.key === recommended ? look.paint("yellow", " ★") : "";
    const hint = option.hint ? wrap(oneLine(option.hint), look.columns - margin - 3) : [];
    return [`${index + 1}) ${oneLine(option.label)}${mark}`, ...hint.map((line) => `   ${look.paint("dim", line)}`)];
  });
  return options.length === 0 ? [] : [look.paint("gray", bar), ...barred(options, look)];
}

/** The end of a question that was answered. */
export function answerLine(question: Question, answer: string, look: OutputStyle): string {
  const shown = brief(labelOf(question, answer), look.columns - margin - 2);
  return `${look.paint("gray", "└")}  ${look.paint("green", `→ ${shown}`)}`;
}

/** Question and answer on one line, with where the answer came from. */
export function answeredLine(
  question: Question,
  answered: { readonly answer: string; readonly source: string },
  look: OutputStyle,
): string {
  const shown = labelOf(question, answered.answer);
  const source = look.paint("dim", `  ${question.id}, ${oneLine(answered.source)}`);
  const title = truncate(oneLine(question.title), Math.max(20, look.columns / 2));
  return `${look.paint("cyan", "◇")}  ${title} ${look.paint("green", `→ ${brief(shown, 60)}`)}${source}`;
}

/** The end of a question that was not answered. */
export function unansweredLines(why: string, look: OutputStyle): readonly string[] {
  return wrap(clean(why), look.columns - margin).map(
    (line, index) => `${index === 0 ? look.paint("gray", "└") : " "}  ${look.paint("yellow", line)}`,
  );
}

export function noticeLines(message: string, level: Level, look: OutputStyle): readonly string[] {
  const [sign, style] = signs[level];
  return wrap(clean(message).trimEnd(), look.columns - margin).map((line, index) =>
    index === 0 ? `${look.paint(style, sign)}  ${line}` : line === "" ? "" : `   ${line}`,
  );
}

const signs: Readonly<Record<Level, readonly [string, Style]>> = {
  info: ["●", "blue"],
  warning: ["▲", "yellow"],
  error: ["■", "red"],
};

function messageLines(message: string, look: OutputStyle): readonly string[] {
  return message.split("\n").flatMap((line) => {
    const lines = wrap(line, look.columns - margin);
    return /^#{1,6} /.test(line) ? lines.map((part) => heading(part, look)) : lines;
  });
}

/** The marks of a heading are left out only where boldness says the same. */
function heading(line: string, look: OutputStyle): string {
  const text = line.replace(/^#{1,6} /, "");
  const bold = look.paint("bold", text);
  return bold === text ? line : bold;
}

function barred(lines: readonly string[], look: OutputStyle): readonly string[] {
  return lines.map((line) => (line === "" ? look.paint("gray", bar) : `${look.paint("gray", bar)}  ${line}`));
}

function labelOf(question: Question, answer: string): string {
  return optionsOf(question).find((option) => option.key === answer)?.label ?? answer;
}

/** The first line of an answer; of a longer one, also how long it is. */
function brief(answer: string, columns: number): string {
  const lines = clean(answer).trim().split("\n");
  const more = lines.length > 1 ? ` (${lines.length} lines)` : "";
  return truncate(lines[0] ?? "", columns - more.length) + more;
}
