// The structured answer of an agent: a block with the wanted tag in its final message, as JSON that fits a schema. Anything else is a problem in words that can be sent back; nothing is guessed.

import { z } from "zod";
import { everyBlock, lastBlock } from "./block.ts";
import { keyGivenTwice, parseJson } from "./json.ts";

export type AnswerTag = "superteam-json" | "superteam-brainstorm";

export type AnswerReading<T> =
  | { readonly ok: true; readonly value: T; readonly blocks: number }
  | { readonly ok: false; readonly problem: string };

/** Of proposals the last block counts. */
export function readAnswerBlock<S extends z.ZodType>(
  text: string,
  tag: AnswerTag,
  schema: S,
): AnswerReading<z.output<S>> {
  const reading = lastBlock(text, [tag]);
  if (!reading.ok) return reading;
  const { block } = reading;
  const answer = readBlock(block.text, tag, schema);
  return answer.ok ? { ...answer, blocks: block.count } : answer;
}

/** An answer that decides something, such as a review: all its blocks say the same, or none counts. */
export function readAgreedBlocks<S extends z.ZodType>(
  text: string,
  tag: AnswerTag,
  schema: S,
): AnswerReading<z.output<S>> {
  const reading = everyBlock(text, tag);
  if (!reading.ok) return reading;
  const answers = reading.texts.map((block) => readBlock(block, tag, schema));
  const [first, ...rest] = answers;
  const broken = answers.find((answer) => !answer.ok);
  if (first === undefined || broken) return broken ?? { ok: false, problem: `there is no ${tag} block` };
  if (rest.every((other) => JSON.stringify(other) === JSON.stringify(first))) return first;
  const problem = `there are ${answers.length} ${tag} blocks that do not say the same. Give one, and quote none.`;
  return { ok: false, problem };
}

function readBlock<S extends z.ZodType>(text: string, tag: AnswerTag, schema: S): AnswerReading<z.output<S>> {
  const json = parseJson(text);
  if (!json.ok) return { ok: false, problem: `the ${tag} block is not JSON: ${json.problem}` };
  const twice = keyGivenTwice(text);
  if (twice !== undefined)
    return { ok: false, problem: `the ${tag} block has "${twice}" twice in one object, with different values` };
  const checked = schema.safeParse(json.value);
  if (!checked.success) return { ok: false, problem: z.prettifyError(checked.error) };
  return { ok: true, value: checked.data, blocks: 1 };
}
