// superteam answer: answers the pending question, then goes on.

import * as runs from "../../run/answer.ts";
import type { Watching } from "../../run/host.ts";
import { type Asking, hostOf } from "../people.ts";

export async function answer(options: runs.AnswerOptions & Asking, watching: Watching | undefined): Promise<number> {
  return runs.answer(options, await hostOf(options, watching));
}
