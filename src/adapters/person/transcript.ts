// What stays on the screen of a question: its title, its message, and in the end what was answered. The same in a
// terminal, where a dialog stood in between, and without one.

import { answersTo, answerText, optionsOf, type Question } from "../../core/flow/question.ts";
import { emphasized } from "../../core/text/emphasis.ts";
import { clean, oneLine } from "../../core/text/format.ts";
import { truncate, widthOf, wrap, wrapWords } from "../../core/text/width.ts";
import type { Level } from "../../ports/person.ts";
import type { Colour, OutputStyle } from "./output.ts";

const bar = "│";
const margin = 3;

/** Title and id, then the message. */
export function questionLines(question: Question, style: OutputStyle): readonly string[] {
  const title = oneLine(question.title);
  const id = widthOf(title) + widthOf(question.id) + margin + 2 <= style.columns ? `  ${question.id}` : "";
  const headline = wrap(title, style.columns - margin).map((line, index) =>
    index === 0
      ? `${style.paint("cyan", "◇")}  ${style.paint("bold", line)}${style.paint("dim", id)}`
      : `${style.paint("gray", bar)}  ${style.paint("bold", line)}`,
  );
  const message = clean(question.message).trim();
  if (message === "") return headline;
  return [...headline, style.paint("gray", bar), ...barred(messageLines(message, style), style)];
}

/** The options as a list, for those who cannot move through them. */
export function optionLines(question: Question, style: OutputStyle): readonly string[] {
  const options = answersTo(question).flatMap(({ number, label, hint, isRecommended }) => {
    const lines = hint === "" ? [] : wrap(hint, style.columns - margin - 3);
    return [
      `${number}) ${label}${isRecommended ? style.paint("yellow", " ★") : ""}`,
      ...lines.map((line) => `   ${style.paint("dim", line)}`),
    ];
  });
  return options.length === 0 ? [] : [style.paint("gray", bar), ...barred(options, style)];
}

/** The end of a question that was answered. */
export function answerLine(question: Question, answer: string, style: OutputStyle): string {
  const shown = brief(answerText(question, answer), style.columns - margin - 2);
  return `${style.paint("gray", "└")}  ${style.paint("green", `→ ${shown}`)}`;
}

/** Question and answer on one line, with where the answer came from. */
export function answeredLine(question: Question, answer: string, source: string, style: OutputStyle): string {
  const shown = style.paint("green", `→ ${brief(answerText(question, answer), 60)}`);
  const title = truncate(oneLine(question.title), Math.max(20, style.columns / 2));
  return `${style.paint("cyan", "◇")}  ${title} ${shown}${style.paint("dim", `  ${question.id}, ${oneLine(source)}`)}`;
}

/** The end of a question that was not answered. */
export function unansweredLines(why: string, style: OutputStyle): readonly string[] {
  return wrapWords(clean(why), style.columns - margin).map(
    (line, index) => `${index === 0 ? style.paint("gray", "└") : " "}  ${style.paint("yellow", line)}`,
  );
}

/** A question nobody is there to answer, with all one needs to answer it later. */
export function waitingLines(question: Question, style: OutputStyle, why?: string): readonly string[] {
  return [
    "",
    ...questionLines(question, style),
    ...optionLines(question, style),
    style.paint("gray", "│"),
    ...unansweredLines(`${why ?? "Waiting for your answer."}\n${answerCommand(question)}`, style),
  ];
}

export function noticeLines(message: string, level: Level, style: OutputStyle): readonly string[] {
  const [sign, usual] = signs[level];
  const plain = (line: string): string => emphasized(line, inBold(style));
  const { colour = usual, paint = plain } = level === "info" ? meaningOf(message, style) : {};
  return wrapWords(clean(message).trimEnd(), style.columns - margin).map((line, index) =>
    index === 0 ? `${style.paint(colour, sign)}  ${paint(line)}` : line === "" ? "" : `   ${paint(line)}`,
  );
}

interface Meaning {
  readonly colour?: Colour;
  readonly paint?: (line: string) => string;
}

/** Green is done, bold is a new part of the run, dim is what may be ignored. */
function meaningOf(message: string, style: OutputStyle): Meaning {
  if (/^── .* ──$/.test(message.trim())) return { paint: (line) => style.paint("bold", line) };
  if (/^(?:✓|✅|⚡ Complete)/.test(message)) return { colour: "green" };
  if (/^[a-z-]+ answered: /.test(message)) return { colour: "gray", paint: (line) => style.paint("dim", line) };
  return {};
}

const signs: Readonly<Record<Level, readonly [string, Colour]>> = {
  info: ["●", "blue"],
  warning: ["▲", "yellow"],
  error: ["■", "red"],
};

function messageLines(message: string, style: OutputStyle): readonly string[] {
  return wrapWords(message, style.columns - margin).map((line) => emphasized(line, inBold(style)));
}

const inBold =
  (style: OutputStyle) =>
  (text: string): string =>
    style.paint("bold", text);

function barred(lines: readonly string[], style: OutputStyle): readonly string[] {
  return lines.map((line) => (line === "" ? style.paint("gray", bar) : `${style.paint("gray", bar)}  ${line}`));
}

/** The first line of an answer; of a longer one, also how long it is. */
function brief(answer: string, columns: number): string {
  const lines = clean(answer).trim().split("\n");
  const more = lines.length > 1 ? ` (${lines.length} lines)` : "";
  return truncate(lines[0] ?? "", columns - more.length) + more;
}

function answerCommand(question: Question): string {
  const keys = optionsOf(question).map((option) => option.key);
  const value = keys.length === 0 ? '"<your text>"' : keys.length <= 4 ? `<${keys.join("|")}>` : "<number or key>";
  return `superteam answer ${value} --id ${question.id}`;
}
