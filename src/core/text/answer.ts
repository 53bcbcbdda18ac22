// The structured answer of an agent: the last block with the wanted tag in its final message, as JSON that fits a
// schema. Anything else is a problem in words that can be sent back; nothing is guessed.

import { z } from "zod";
import { lastBlock } from "./block.ts";
import { parseJson } from "./json.ts";

export type AnswerTag = "superteam-json" | "superteam-brainstorm";

export type AnswerReading<T> =
  | { readonly ok: true; readonly value: T; readonly blocks: number }
  | { readonly ok: false; readonly problem: string };

export function readAnswerBlock<S extends z.ZodType>(
  text: string,
  tag: AnswerTag,
  schema: S,
): AnswerReading<z.output<S>> {
  const reading = lastBlock(text, [tag]);
  if (!reading.ok) return reading;
  const json = parseJson(reading.block.text);
  if (!json.ok) return { ok: false, problem: `the ${tag} block is not JSON: ${json.problem}` };
  const checked = schema.safeParse(json.value);
  if (!checked.success) return { ok: false, problem: z.prettifyError(checked.error) };
  return { ok: true, value: checked.data, blocks: reading.block.count };
}
