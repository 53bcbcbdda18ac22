import { z } from "zod";
import type { Anchor } from "./repository.ts";

/** An anchor that is handed on from one part of a run to another. */
export const KeptTree = z.object({
  sha: z.string(),
  branch: z.string().nullable(),
  tree: z.string(),
  index: z.string().exactOptional(),
  bytes: z.string().exactOptional(),
  closed: z.record(z.string(), z.number()).readonly().exactOptional(),
  ref: z.string(),
  leftAlone: z.array(z.string()).readonly(),
  excludes: z.array(z.string()).readonly().exactOptional(),
  around: z.string().exactOptional(),
}) satisfies z.ZodType<Anchor>;
