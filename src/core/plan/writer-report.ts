// How a writer ends: done, or blocked; with its concerns, and with findings that it disputes. All of it is a claim.

import { z } from "zod";
import { Dispute } from "../review/dispute.ts";
import type { Register } from "../review/register.ts";
import type { Told } from "../run/own-words.ts";
import { readAnswerBlock } from "../text/answer.ts";
import { withoutBlocks } from "../text/block.ts";
import { oneLine, shorten } from "../text/format.ts";
import { Bigger } from "./triage.ts";

const text = z.string().trim();
/** What is too long is cut: the rest of the report still counts. */
const words = (max: number) => text.overwrite((said) => shorten(said, max, "..."));

const status = z.enum(["done", "blocked"]);
const concerns = z.array(words(1000).min(1));
const disputed = z.array(Dispute);

export const WriterReport = Bigger.extend({
  status: z.preprocess<unknown, typeof status, z.infer<typeof status>>(ownWord, status).default("done"),
  /** What was changed and why, for the commit and for reviewers. */
  summary: words(2000).default(""),
  concerns: z.preprocess<unknown, typeof concerns, string[]>(withoutNone, concerns).default([]),
  /** For `blocked`: why, and what would help. */
  reason: words(2000).default(""),
  needs: words(1000).default(""),
  disputed: z.preprocess<unknown, typeof disputed, Dispute[]>(eachDispute, disputed).default([]),
});
export type WriterReport = z.infer<typeof WriterReport>;

/** What a writer that cannot go on says of it, whatever the rest of its report looks like. */
const Blocked = WriterReport.pick({ status: true, reason: true, needs: true, summary: true });

function ownWord(said: unknown): unknown {
  if (typeof said !== "string") return said;
  if (/^(?:completed?|finished|success|succeeded|ok|done[ _-]with[ _-]concerns)$/i.test(said.trim())) return "done";
  return /^needs[ _-](?:context|info|information|input)$/i.test(said.trim()) ? "blocked" : said;
}

function withoutNone(said: unknown): unknown {
  const isNone = (one: unknown): boolean =>
    typeof one === "string" && /^(?:none|no concerns|n\/a|-|)\.?$/i.test(one.trim());
  return Array.isArray(said) ? said.filter((one) => !isNone(one)) : said;
}

/** `{"F1": "why", "F2": "why"}` */
function eachDispute(said: unknown): unknown {
  const some = withoutNone(said);
  if (!Array.isArray(some)) return some;
  return some.flatMap((one: unknown) => {
    const pairs = typeof one === "object" && one !== null ? Object.entries(one) : [];
    const isById = pairs.length > 0 && pairs.every(([id]) => /^F\d+$/i.test(id));
    return isById ? pairs.map(([id, why]) => ({ id, why })) : [one];
  });
}

export interface ReadReport {
  readonly report: WriterReport;
  /** Why the block that is there could not be used; null when it could, or there is none. */
  readonly problem: string | null;
  /** Whether it said so in the form it was asked for. */
  readonly isStructured: boolean;
}

/** What a writer said at its end. One that gave no block is done, as its words say. */
export function readWriterReport(said: string): ReadReport {
  const summary = shorten(oneLine(withoutBlocks(said, "superteam-json")), 600, "...");
  const plain = WriterReport.parse({ summary });
  const reading = readAnswerBlock(said, "superteam-json", WriterReport);
  if (!reading.ok) {
    const problem = said.includes("superteam-json") ? reading.problem : null;
    const blocked = readAnswerBlock(said, "superteam-json", Blocked);
    if (blocked.ok && blocked.value.status === "blocked")
      return { report: { ...plain, ...blocked.value }, problem, isStructured: true };
    return { report: plain, problem, isStructured: false };
  }
  const { value } = reading;
  return {
    report: { ...value, summary: value.summary === "" ? summary : value.summary },
    problem: null,
    isStructured: true,
  };
}

/** What the writers of one piece of work want known, over all their reports. */
export type Claims = Readonly<Pick<WriterReport, "concerns" | "disputed">>;
export const noClaims: Claims = { concerns: [], disputed: [] };

/** A finding that is disputed once stays so, with the last reason. */
export function withClaims(before: Claims, { concerns, disputed }: WriterReport): Claims {
  const others = before.disputed.filter(({ id }) => !disputed.some((other) => other.id === id));
  return { concerns: [...new Set([...before.concerns, ...concerns])], disputed: [...others, ...disputed] };
}

/** For the result and its report. A finding is named with what it says: its id means nothing outside of the run. */
export function claimTexts({ concerns, disputed }: Claims, register: Register): Told {
  const texts = disputed.map(({ id, why }) => {
    const what = register.find((entry) => entry.id === id)?.finding.what;
    return `${id}${what === undefined ? "" : ` (${oneLine(what).replace(/[.!]$/, "")})`}: ${oneLine(why)}`;
  });
  return {
    ...(concerns.length === 0 ? {} : { concerns }),
    ...(texts.length === 0 ? {} : { disputed: texts }),
  };
}
