import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { answerIn, type Question } from "../../../core/flow/question.ts";
import { parseAnswers } from "./answers.ts";
import { type HeadlessOptions, headlessPerson } from "./headless.ts";

const signal = new AbortController().signal;
const escalation = (task: number) => ({
  kind: "select" as const,
  id: `execute.task.${task}.escalation`,
  title: `Task ${task} needs you`,
  message: "The reviewer still finds:\n- a missing test",
  options: [
    { key: "retry", label: "Retry" },
    { key: "skip", label: "Skip this task", hint: "The tree goes back" },
  ],
});
const approval = { kind: "confirm" as const, id: "plan.approval", title: "Approve the plan?", message: "3 tasks" };

function person(answers: unknown, options: Partial<HeadlessOptions> = {}) {
  const parsed = parseAnswers(JSON.stringify(answers ?? {}), "answers.json");
  assert.ok(parsed.ok);
  const out = new PassThrough();
  const made = headlessPerson({
    answers: answers === undefined ? undefined : parsed.answers,
    yes: false,
    out,
    served: new Map(),
    ...options,
  });
  /** The answer alone. */
  const ask = async (question: Question, until: AbortSignal) => answerIn(await made.ask(question, until));
  return { ...made, ask, said: made.ask, written: () => String(out.read() ?? "") };
}

test("a value serves one occurrence, then the run pauses and says why", async () => {
  const { ask, written } = person({ "execute.task.1.escalation": "retry" });
  assert.equal(await ask(escalation(1), signal), "retry");
  assert.equal(await ask(escalation(1), signal), undefined);
  assert.match(written(), /has used the one answer given for "execute\.task\.1\.escalation"/);
});

test("a list serves several occurrences in order", async () => {
  const { ask } = person({ "execute.task.1.escalation": ["retry", "2"] });
  assert.deepEqual(
    [await ask(escalation(1), signal), await ask(escalation(1), signal), await ask(escalation(1), signal)],
    ["retry", "skip", undefined],
  );
});

test("a list under a glob is shared by the questions it stands for", async () => {
  const { ask } = person({ "execute.task.*.escalation": ["retry", "skip"], "execute.task.9.escalation": "skip" });
  assert.equal(await ask(escalation(1), signal), "retry");
  assert.equal(await ask(escalation(9), signal), "skip");
  assert.equal(await ask(escalation(2), signal), "skip");
  assert.equal(await ask(escalation(3), signal), undefined);
});

test("answers that an earlier process has used are not used again", async () => {
  const served = new Map([
    ["execute.task.1.escalation", 1],
    ["execute.task.2.escalation", 1],
    ["plan.approval", 1],
  ]);
  const { ask } = person(
    { "execute.task.1.escalation": ["retry", "skip"], "*.escalation": ["skip", "retry"] },
    { served },
  );
  assert.equal(await ask(escalation(1), signal), "skip");
  assert.equal(await ask(escalation(2), signal), "retry");
});

test("an answer that is none to the question pauses the run and is kept as a problem", async () => {
  const { ask, problems, written } = person({ "execute.task.1.escalation": "rety" }, { yes: true });
  assert.equal(await ask({ ...escalation(1), recommended: "retry" }, signal), undefined);
  assert.equal(problems.length, 1);
  assert.match(
    problems[0] ?? "",
    /answers\.json: "rety" is not an answer to execute\.task\.1\.escalation.*retry.*skip/,
  );
  assert.match(written(), /■ {2}answers\.json: "rety"/);
});

test("--yes takes what is recommended, and pauses where nothing is", async () => {
  const { ask } = person(undefined, { yes: true });
  assert.equal(await ask({ ...approval, recommended: "no" }, signal), "no");
  assert.equal(await ask({ ...escalation(1), recommended: "skip" }, signal), "skip");
  assert.equal(await ask({ ...approval, kind: "input", recommended: "main" }, signal), "main");
  assert.equal(await ask({ ...approval, kind: "input", default: "main" }, signal), undefined);
  assert.equal(await ask(escalation(1), signal), undefined);
});

test("the answers file comes before --yes, and --yes after it", async () => {
  const { ask } = person({ "plan.approval": "no" }, { yes: true });
  assert.equal(await ask({ ...approval, recommended: "yes" }, signal), "no");
  assert.equal(await ask({ ...approval, recommended: "yes" }, signal), "yes");
});

test("who decided is told: the answers file, or a policy", async () => {
  const { said } = person({ "plan.approval": "no" }, { yes: true });
  const recommended = { ...approval, recommended: "yes" as const };
  assert.deepEqual(await said(recommended, signal), { answer: "no", by: "file" });
  assert.deepEqual(await said(recommended, signal), { answer: "yes", by: "policy" });
});

test("a question that says what is taken where nobody is does not pause the run; the answers file comes before that", async () => {
  const trust = { ...escalation(1), unattended: "skip" };
  const { said } = person({ "execute.task.1.escalation": "retry" });
  assert.deepEqual(await said(trust, signal), { answer: "retry", by: "file" });
  assert.deepEqual(await said(trust, signal), { answer: "skip", by: "policy" });
});

test("without an answer nothing is taken, and it is said how to answer", async () => {
  const { ask, problems, written } = person(undefined);
  assert.equal(await ask({ ...escalation(1), recommended: "retry" }, signal), undefined);
  const text = written();
  for (const part of [
    "Task 1 needs you",
    "execute.task.1.escalation",
    "- a missing test",
    "1) Retry ★",
    "The tree goes back",
  ]) {
    assert.ok(text.includes(part), part);
  }
  assert.match(text, /superteam answer <retry\|skip> --id execute\.task\.1\.escalation/);
  assert.equal(await ask(approval, signal), undefined);
  assert.match(written(), /superteam answer <no\|yes> --id plan\.approval/);
  assert.equal(await ask({ ...approval, kind: "input" }, signal), undefined);
  assert.match(written(), /superteam answer "<your text>" --id plan\.approval/);
  assert.deepEqual(problems, []);
});

test("a question that is no longer asked uses no answer", async () => {
  const { ask } = person({ "execute.task.1.escalation": "retry" });
  assert.equal(await ask(escalation(1), AbortSignal.abort()), undefined);
  assert.equal(await ask(escalation(1), signal), "retry");
});

test("what was answered is one line, or the whole question where it is to be shown", async () => {
  const short = person({ "execute.*": "skip" });
  await short.ask(escalation(1), signal);
  assert.equal(short.written(), "◇  Task 1 needs you → Skip this task  execute.task.1.escalation, answers.json\n");
  const long = person({ "execute.*": "skip" }, { show: true });
  await long.ask({ ...escalation(1), recommended: "retry" }, signal);
  assert.deepEqual(long.written().trim().split("\n"), [
    "◇  Task 1 needs you  execute.task.1.escalation",
    "│",
    "│  The reviewer still finds:",
    "│  - a missing test",
    "│",
    "│  1) Retry ★",
    "│  2) Skip this task",
    "│     The tree goes back",
    "└  → Skip this task",
  ]);
});
