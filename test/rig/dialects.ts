// What holds in both dialects of the scripted model is tried in one of them, by turns, so that each is tried in about half of the tests: every
// try is a start of the real pi. `npm run test:slow` tries all in both.

import type { DialectName } from "../../src/demo/model/dialect.ts";
import { turnOf } from "./turns.ts";

export const dialects: readonly DialectName[] = ["anthropic", "chat"];

/** Whether what comes as the next one is to be tried in a dialect. */
export const turnsOf = (dialect: DialectName): (() => boolean) => turnOf(dialects.indexOf(dialect), dialects.length);
