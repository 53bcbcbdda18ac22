// JSON that another program may have written, checked on the way in.

import { z } from "zod";

/** Throws with all that is wrong with the text. */
export function parseChecked<T>(schema: z.ZodType<T>, text: string): T {
  const parsed = schema.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  throw new Error(z.prettifyError(parsed.error), { cause: parsed.error });
}
