// The structured answer of an agent: a block in its final message, as JSON that fits a schema. What has one reading is read as
// that; anything else is a problem in words that can be sent back. Nothing is guessed.

import { z } from "zod";
import { everyBlock, proposedBlock } from "./block.ts";
import { fit } from "./fit.ts";
import { readJson } from "./loose-json.ts";

export type AnswerTag = "superteam-json" | "superteam-brainstorm";

export type AnswerReading<T> = { readonly ok: true; readonly value: T; readonly blocks: number } | UnreadAnswer;

/** `isForm`: all that was to be said may be there, and only its form is wrong. What is cut off, quoted or contradictory is not. */
export interface UnreadAnswer {
  readonly ok: false;
  readonly problem: string;
  readonly isForm: boolean;
}

/** What an agent may write over the only block of a proposal instead of the tag. */
const ownTags = ["superteam-json", "superteam-brainstorm", "superteam_json", "superteam_brainstorm", "superteam"];
const otherTags = ["", "json", "jsonc", "json5", ...ownTags];

/** Of proposals the last block counts. */
export function readAnswerBlock<S extends z.ZodType>(
  text: string,
  tag: AnswerTag,
  schema: S,
): AnswerReading<z.output<S>> {
  const reading = proposedBlock(text, [tag], otherTags);
  if (!reading.ok) return unread(reading.problem, !text.includes(tag));
  const answer = readBlock(reading.block.text, tag, schema);
  if (!answer.ok) return answer;
  if (!reading.isTagged && answer.unknown)
    return unread(`the block at the end is not the object that was asked for, and has no tag ${tag}`, true);
  return { ok: true, value: answer.value, blocks: reading.block.count };
}

/** An answer that decides something, such as a review: all its blocks say the same, or none counts. */
export function readAgreedBlocks<S extends z.ZodType>(
  text: string,
  tag: AnswerTag,
  schema: S,
): AnswerReading<z.output<S>> {
  const reading = everyBlock(text, tag);
  // Without a block it is for nobody else to say what was decided: the message may quote anything.
  if (!reading.ok) return unread(reading.problem, false);
  const answers = reading.texts.map((block) => readBlock(block, tag, schema));
  const [first, ...rest] = answers;
  const broken = answers.find((answer) => !answer.ok);
  // Of several blocks only their author can say which one counts.
  if (broken) return rest.length === 0 ? broken : { ...broken, isForm: false };
  if (!first?.ok) return unread(`there is no ${tag} block`, false);
  const said = JSON.stringify(first.value);
  if (rest.every((other) => other.ok && JSON.stringify(other.value) === said))
    return { ok: true, value: first.value, blocks: 1 };
  return unread(`there are ${answers.length} ${tag} blocks that do not say the same. Give one, and quote none.`, false);
}

const unread = (problem: string, isForm: boolean): UnreadAnswer => ({ ok: false, problem, isForm });

type BlockAnswer<T> = { readonly ok: true; readonly value: T; readonly unknown: boolean } | UnreadAnswer;

function readBlock<S extends z.ZodType>(text: string, tag: AnswerTag, schema: S): BlockAnswer<z.output<S>> {
  const json = readJson(text);
  if (!json.ok) return unread(`the ${tag} block is not JSON: ${json.problem}`, !json.isCut);
  const { value, problems, unknown } = fit(schema, json.value);
  if (problems.length > 0) return unread(problems.join("\n"), true);
  const checked = schema.safeParse(value);
  if (!checked.success) return unread(z.prettifyError(checked.error), true);
  return { ok: true, value: checked.data, unknown };
}
