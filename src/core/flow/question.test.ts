import assert from "node:assert/strict";
import { test } from "node:test";
import {
  answerIn,
  answersTo,
  answerText,
  asShown,
  numberedOptions,
  optionsOf,
  optionText,
  type Question,
  readAnswer,
  readAnswerBy,
} from "./question.ts";

const question: Question = {
  id: "execute.task.1.escalation",
  kind: "select",
  title: "Task Escalation",
  message: "It failed.",
  options: [
    { key: "retry", label: "Retry", aliases: ["continue"] },
    { key: "skip", label: "Skip this task" },
  ],
};
const read = (said: string) => {
  const reading = readAnswer(question, said);
  return reading.ok ? reading.answer : "refused";
};

test("an option is chosen by its key, its label, its number or another word for it", () => {
  assert.deepEqual(["retry", "RETRY", "1", "continue", " Continue "].map(read), Array(5).fill("retry"));
  assert.deepEqual(["skip", "Skip this task", "2"].map(read), Array(3).fill("skip"));
});

test("anything else is refused, and the choices that are told do not list the other words", () => {
  assert.deepEqual(["contin", "3", "0", "1x", ""].map(read), Array(5).fill("refused"));
  const reading = readAnswer(question, "no");
  assert.ok(!reading.ok && !reading.problem.includes("continue"));
});

test("a text that is left empty is the default, and none without one", () => {
  const input = { id: "configure.batch-size", kind: "input", title: "Batch Size", message: "" } as const;
  assert.deepEqual(readAnswer({ ...input, default: "3" }, " "), { ok: true, answer: "3" });
  assert.deepEqual(readAnswer({ ...input, default: "3" }, "5"), { ok: true, answer: "5" });
  assert.deepEqual(readAnswer(input, ""), {
    ok: false,
    problem: "configure.batch-size needs an answer: type some text.",
  });
});

test("a text that was edited is the answer, even when nothing is left of it", () => {
  const editor = { id: "e", kind: "editor", title: "", message: "", prefill: "before" } as const;
  assert.deepEqual(readAnswer(editor, ""), { ok: true, answer: "" });
  assert.deepEqual([optionsOf(editor), asShown(editor)], [[], editor]);
  assert.equal(answerText(editor, "as it is"), "as it is");
});

test("an answer is shown as its option's label, and read the same whether a person or a model gave it", () => {
  assert.deepEqual([answerText(question, "skip"), answerText(question, "gone")], ["Skip this task", "gone"]);
  assert.deepEqual(
    [answerIn({ answer: "skip", by: "model" }), answerIn("skip"), answerIn(undefined)],
    ["skip", "skip", undefined],
  );
});

test("options are shown in one line each, with their number and what is recommended", () => {
  const options = [
    { key: "a", label: "A\nlong one" },
    { key: "b", label: "B", hint: "the\nsecond", shows: "a text" },
  ];
  const shown: Question = { ...question, options, recommended: "b" };
  assert.deepEqual(numberedOptions(shown), [
    { number: 1, key: "b", label: "B", hint: "the second", isRecommended: true, shows: "a text" },
    { number: 2, key: "a", label: "A long one", hint: "", isRecommended: false },
  ]);
  assert.deepEqual(
    numberedOptions(shown).map((option) => optionText(option.label, option)),
    ["B — the second", "A long one"],
  );
  const told = asShown(shown);
  assert.deepEqual(told.kind === "select" && told.options, [{ key: "b", label: "B", hint: "the\nsecond" }, options[0]]);
});

test("a key wins over another option's other word", () => {
  const taken: Question = {
    ...question,
    options: [
      { key: "a", label: "A", aliases: ["b"] },
      { key: "b", label: "B" },
    ],
  };
  assert.deepEqual(readAnswer(taken, "b"), { ok: true, answer: "b" });
});

test("a model's words count only where the question says so, and are read like anybody's there", () => {
  const refusal = "execute.task.1.escalation is the person's decision: a model cannot answer it.";
  assert.deepEqual(readAnswerBy("model", question, "retry"), { ok: false, problem: refusal });
  assert.deepEqual(readAnswerBy("person", question, "retry"), { ok: true, answer: "retry" });
  const open: Question = { ...question, modelMayAnswer: true };
  assert.deepEqual(readAnswerBy("model", open, "2"), { ok: true, answer: "skip" });
  assert.equal(readAnswerBy("model", open, "3").ok, false);
});

test("what is recommended is counted first, and without a recommendation No comes before Yes", () => {
  const options = ["hotfix", "quick", "standard"].map((key) => ({ key, label: key }));
  const mode = { id: "m", kind: "select", title: "Mode", message: "", options, recommended: "standard" } as const;
  assert.deepEqual(readAnswer(mode, "1"), { ok: true, answer: "standard" });
  assert.deepEqual(readAnswer(mode, "2"), { ok: true, answer: "hotfix" });
  assert.deepEqual(
    optionsOf(mode).map(({ key }) => key),
    ["standard", "hotfix", "quick"],
  );
  const sure = { id: "s", kind: "confirm", title: "Sure?", message: "" } as const;
  assert.deepEqual(readAnswer(sure, "1"), { ok: true, answer: "no" });
  assert.deepEqual(readAnswer({ ...sure, recommended: "yes" }, "1"), { ok: true, answer: "yes" });
});

test("a wrong answer lists each choice once: no number or word twice", () => {
  const options = [
    { key: "1", label: "Memory" },
    { key: "2", label: "Redis" },
    { key: "discuss", label: "Discuss" },
    { key: "judgment", label: "Use your best judgment" },
  ];
  const question: Question = { id: "q", kind: "select", title: "", message: "", options };
  assert.deepEqual(readAnswer(question, "9"), {
    ok: false,
    problem:
      '"9" is not an answer to q. Choose one of: 1) Memory, 2) Redis, 3) discuss, 4) judgment (Use your best judgment)',
  });
});

test("an option that only shows a text is numbered like the others, and is never an answer", () => {
  const options = [
    { key: "yes", label: "Approve" },
    { key: "read", label: "Read it all", shows: "the plan" },
    { key: "abort", label: "Abort" },
  ];
  const question: Question = { id: "q", kind: "select", title: "", message: "", options };
  assert.equal(readAnswer(question, "3").ok, true);
  assert.deepEqual(
    answersTo(question).map(({ number, key }) => `${number} ${key}`),
    ["1 yes", "3 abort"],
  );
  for (const said of ["read", "2", "Read it all"]) {
    assert.deepEqual(readAnswer(question, said), {
      ok: false,
      problem: `"${said}" is not an answer to q. Choose one of: 1) yes (Approve), 3) abort`,
    });
  }
});
