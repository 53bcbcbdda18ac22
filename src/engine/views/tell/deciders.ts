// Who decided, in words.

import type { Answerer } from "../../../core/flow/question.ts";

export const deciders: Readonly<Record<Answerer, string>> = {
  person: "by you",
  model: "by a model",
  policy: "automatically, by an option of the command line or because nobody was there",
  file: "from the answers file",
};
