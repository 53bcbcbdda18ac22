// Answers given beforehand: `{ "<question id or glob>": answer | [answer, ...] }`. A value serves one occurrence of its
// question, a list several in order.

import { z } from "zod";
import { oneLine } from "../../../core/text/format.ts";
import { parseJson } from "../../../core/text/json.ts";
import { canMatch } from "./question-ids.ts";

export interface AnswersFile {
  readonly fileName: string;
  /** In the order of the file. In a key, `*` stands for any text. */
  readonly entries: ReadonlyMap<string, readonly string[]>;
}

export type ParsedAnswers =
  | { readonly ok: true; readonly answers: AnswersFile }
  | { readonly ok: false; readonly problems: readonly string[] };

const expected = "text, a number, true or false";
const answer = z.union([z.string(), z.number(), z.boolean()], { error: `expected ${expected}` });
const list = z.array(answer).min(1, { error: "the list is empty: give at least one answer" });
const schema = z.record(z.string(), z.unknown(), {
  error: 'expected an object that maps question ids to answers, such as { "plan.approval": "approve" }',
});

export function parseAnswers(text: string, fileName: string): ParsedAnswers {
  const json = parseJson(text);
  if (!json.ok) return { ok: false, problems: [`${fileName} is not JSON: ${oneLine(json.problem)}`] };
  const file = schema.safeParse(json.value);
  if (!file.success) {
    return { ok: false, problems: file.error.issues.map((issue) => `${fileName}: ${issue.message}`) };
  }
  const entries = new Map<string, readonly string[]>();
  const problems: string[] = [];
  for (const [id, value] of Object.entries(file.data)) {
    const answers = Array.isArray(value) ? list.safeParse(value) : answer.safeParse(value);
    if (answers.success) entries.set(id, [answers.data].flat().map(asText));
    else
      problems.push(...answers.error.issues.map((issue) => `${fileName}: ${place(id, issue.path)}: ${issue.message}`));
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, answers: { fileName, entries } };
}

/** Keys that no question will ever have. */
export function unknownIds(answers: AnswersFile, known: readonly string[]): readonly string[] {
  return [...answers.entries.keys()].filter((key) => !known.some((pattern) => canMatch(key, pattern)));
}

/** The key that speaks for a question: its own id, else the glob with the most to say, else the earlier one. */
export function keyFor(answers: AnswersFile, id: string): string | undefined {
  if (answers.entries.has(id)) return id;
  const fitting = [...answers.entries.keys()].filter((key) => key.includes("*") && canMatch(key, id));
  return fitting.toSorted((one, other) => literals(other) - literals(one))[0];
}

function literals(glob: string): number {
  return glob.replaceAll("*", "").length;
}

function place(id: string, path: readonly PropertyKey[]): string {
  return JSON.stringify(id) + path.map((step) => `[${String(step)}]`).join("");
}

function asText(value: string | number | boolean): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}
