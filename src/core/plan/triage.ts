// What the scout proposes after its look at the repository: how much process the goal deserves, and whether it is one
// piece of work. The person decides.

import { z } from "zod";
import { modes } from "../run/config.ts";
import { shorten } from "../text/format.ts";
import { pathIn } from "./path.ts";
import { NamedPath, testings } from "./plan.ts";

const text = z.string().trim().min(1);
/** What is too long is cut: the proposal is as good without its end. */
const reason = text.overwrite((said) => shorten(said, 600));

/** One of the parts a large goal falls into. */
export const Part = z.object({ title: text.max(120), scope: text.describe("what belongs to it, and what does not") });
export type Part = z.infer<typeof Part>;

export const mostParts = 8;

/** `batches` build on each other and are planned one after another; `splits` have nothing to do with each other. */
export const breadths = ["one", "batches", "splits"] as const;
export type Breadth = (typeof breadths)[number];

export const Triage = z
  .object({
    mode: z.enum(modes),
    title: z.string().trim().optional().describe("of the change, for a commit"),
    reason: reason.describe("why this much and no less, in a sentence"),
    files: z
      .array(z.preprocess(pathIn, NamedPath))
      .max(200)
      .default([])
      .describe("files the change will touch, as far as you can tell"),
    testing: z.enum(testings).default("required").describe("required unless there is nothing new to test"),
    breadth: z.enum(breadths).default("one"),
    parts: z.array(Part).max(mostParts).default([]).describe("in order; only for batches and splits"),
  })
  .refine(({ breadth, parts }) => breadth === "one" || parts.length >= 2, {
    path: ["parts"],
    message: "batches and splits have at least two parts",
  });
export type Triage = z.infer<typeof Triage>;

/** The default when the scout gives no usable proposal. */
export const unproposed: Triage = {
  mode: "standard",
  reason: "The scout made no proposal.",
  files: [],
  testing: "required",
  breadth: "one",
  parts: [],
};

/** The answer of an implementer who finds the work larger than expected. */
const proposal = z.object({ mode: z.enum(modes), reason });
export type Bigger = z.infer<typeof proposal>;
const bigger = proposal.nullish();
export const Bigger = z.object({
  bigger: z.preprocess<unknown, typeof bigger, Bigger | null | undefined>(unlessNone, bigger),
});

function unlessNone(said: unknown): unknown {
  return said === false || (typeof said === "string" && /^(?:no|none|false|)$/i.test(said.trim())) ? null : said;
}
