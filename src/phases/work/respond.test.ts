// How a failure is put to the person.

import assert from "node:assert/strict";
import { test } from "node:test";
import { play, resultOf } from "../../../test/rig/flow.ts";
import { escalate } from "./respond.ts";

const question = {
  id: "finalize.fix",
  title: "Fails",
  message: "It fails.",
  options: [{ key: "retry", label: "Retry" }],
} as const;

/** The question as it is shown with a diff of so many lines; `asked`: how often the diff was asked for. */
function shownWith(lines: number, action: string): { readonly message: string; readonly asked: number } {
  let asked = 0;
  const diff = (): string => {
    asked++;
    return Array.from({ length: lines }, (_, index) => `+${index + 1}`).join("\n");
  };
  const config = { failureActions: { "validation-failure": action } };
  const { end } = play(escalate("validation-failure", question, { ended: "ended", diff }), { config });
  assert.ok(end.how === "waiting");
  return { message: end.question.message, asked };
}

test("of a diff that is to be shown the first 60 lines are, and how many more there are", () => {
  const { message } = shownWith(60, "stop-show-diff");
  assert.match(message, /^It fails\.\nWhat was changed:\n\+1\n[\s\S]*\n\+60$/);
  for (const more of [1, 40])
    assert.match(
      shownWith(60 + more, "stop-show-diff").message,
      new RegExp(`\\n\\+60\\n\\(${more} more line${more === 1 ? "" : "s"}\\)$`),
    );
});

test("a diff that is not to be shown is not asked for", () => {
  assert.deepEqual(shownWith(3, "escalate"), { message: "It fails.", asked: 0 });
});

test("the person's answer is what the caller gets", () => {
  const flow = escalate("validation-failure", question, { ended: "ended" });
  assert.equal(resultOf(play(flow, { answers: { [question.id]: "retry" } })), "retry");
});
