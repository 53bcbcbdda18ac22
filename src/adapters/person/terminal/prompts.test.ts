import assert from "node:assert/strict";
import { test } from "node:test";
import type { Question } from "../../../core/flow/question.ts";
import { promptFor } from "./prompts.ts";

const style = { columns: 80, paint: (_: string, text: string) => text };

test("U2: a number chooses its option, also when Enter comes with it", () => {
  const options = [
    { key: "a", label: "A" },
    { key: "b", label: "B" },
  ];
  const question = { id: "q", kind: "select", title: "Which?", message: "", options } as const satisfies Question;
  const heard = (keys: string) => promptFor(question, style).hear?.(keys);
  for (const keys of ["2", "2\r"]) assert.deepEqual(heard(keys), { answer: "b" });
  for (const keys of ["3", "3\r", "21"]) assert.deepEqual(heard(keys), { forList: "" });
  assert.deepEqual(heard("\r"), { forList: "\r" });
});
