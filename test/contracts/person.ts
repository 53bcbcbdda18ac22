// What every adapter of the person port keeps, whoever answers and however.

import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { answerIn } from "../../src/core/flow/question.ts";
import type { Person } from "../../src/ports/person.ts";

/** What the person does about the one question they are asked. */
export type Gesture =
  /** Takes the option with this key; `yes` or `no` of a confirmation. */
  | { readonly do: "choose"; readonly key: string }
  | { readonly do: "say"; readonly text: string }
  /** Takes what is proposed. */
  | { readonly do: "accept" }
  /** Leaves this text in the editor. */
  | { readonly do: "write"; readonly text: string }
  /** Gives something that is no answer. */
  | { readonly do: "mistake" }
  | { readonly do: "close" }
  /** Lets the question stand. */
  | { readonly do: "nothing" };

export interface PersonUnderTest {
  readonly person: Person;
  /** Resolves when the question has been shown and is waiting, or has been given up already. */
  shown(): Promise<void>;
  /** Everything that came out of stdout. */
  stdout(): Promise<string>;
}

/** Makes a person who will do this about the question with this id. What it starts, it ends with the test. */
export type MakePerson = (t: TestContext, id: string, gesture: Gesture) => Promise<PersonUnderTest>;

const options = [
  { key: "window", label: "Fixed window", hint: "Simple" },
  { key: "bucket", label: "Token bucket", hint: "Smooth" },
  { key: "none", label: "No limit" },
];
const approach = {
  id: "brainstorm.approach",
  kind: "select" as const,
  title: "Which approach?",
  message: "There are three.",
  options,
};
const approval = { kind: "confirm" as const, id: "plan.approval", title: "Approve?", message: "" };
const name = { kind: "input" as const, id: "configure.name", title: "Name?", message: "It is shown in the report." };
const draft = { kind: "editor" as const, id: "plan.approval.feedback", title: "Edit", message: "", prefill: "draft" };
const never = new AbortController().signal;

export function personContract(adapter: string, make: MakePerson, skip: string | false): void {
  describe(`${adapter} keeps the contract of a person`, { skip, concurrency: false }, () => {
    choices(make);
    texts(make);
    endings(make);
    reports(make);
  });
}

function choices(make: MakePerson): void {
  test("a choice is answered with the key of its option", async (t) => {
    const { person } = await make(t, approach.id, { do: "choose", key: "none" });
    assert.equal(answerIn(await person.ask(approach, never)), "none");
  });
  test("a choice other than the recommended one is possible", async (t) => {
    const { person } = await make(t, approach.id, { do: "choose", key: "window" });
    assert.equal(answerIn(await person.ask({ ...approach, recommended: "bucket" }, never)), "window");
  });
  for (const answer of ["yes", "no"] as const) {
    test(`a confirmation is answered with ${answer}`, async (t) => {
      const { person } = await make(t, approval.id, { do: "choose", key: answer });
      assert.equal(answerIn(await person.ask({ ...approval, recommended: "yes" }, never)), answer);
    });
  }
  test("what is not among the options is never returned", async (t) => {
    const { person } = await make(t, approach.id, { do: "mistake" });
    const answer = answerIn(await person.ask(approach, never));
    assert.ok(answer === undefined || options.some((option) => option.key === answer), answer);
  });
}

function texts(make: MakePerson): void {
  test("a text is returned as it was given", async (t) => {
    const { person } = await make(t, name.id, { do: "say", text: "Größe: 3 日本" });
    assert.equal(answerIn(await person.ask({ ...name, placeholder: "some name" }, never)), "Größe: 3 日本");
  });
  test("an empty text takes the default", async (t) => {
    const { person } = await make(t, name.id, { do: "accept" });
    assert.equal(answerIn(await person.ask({ ...name, default: "limiter" }, never)), "limiter");
  });
  test("edited text keeps its lines", async (t) => {
    const { person } = await make(t, draft.id, { do: "write", text: "one\n\n  two" });
    assert.equal(answerIn(await person.ask(draft, never)), "one\n\n  two");
  });
}

function endings(make: MakePerson): void {
  test("a choice that is closed has no answer", async (t) => {
    const { person } = await make(t, approach.id, { do: "close" });
    assert.equal(answerIn(await person.ask(approach, never)), undefined);
  });
  test("a confirmation that is closed has no answer, not even the recommended one", async (t) => {
    const { person } = await make(t, approval.id, { do: "close" });
    assert.equal(answerIn(await person.ask({ ...approval, recommended: "yes" }, never)), undefined);
  });
  test("a text that is closed has no answer, not even the default", async (t) => {
    const { person } = await make(t, name.id, { do: "close" });
    assert.equal(answerIn(await person.ask({ ...name, default: "limiter" }, never)), undefined);
  });
  test("an editor that is closed has no answer, not even what it began with", async (t) => {
    const { person } = await make(t, draft.id, { do: "close" });
    assert.equal(answerIn(await person.ask(draft, never)), undefined);
  });
  test("aborting takes the question away", async (t) => {
    const { person, shown } = await make(t, approach.id, { do: "nothing" });
    const abort = new AbortController();
    const answer = person.ask(approach, abort.signal);
    await shown();
    abort.abort();
    assert.equal(await answer, undefined);
  });
}

function reports(make: MakePerson): void {
  test("what is reported never reaches stdout, whatever is in it", async (t) => {
    const { person, stdout } = await make(t, approval.id, { do: "close" });
    for (const text of ["plain", "", "two\nlines", "\x1b[31mred\x1b[2J", "日本語", "x".repeat(10_000)]) {
      for (const level of ["info", "warning", "error"] as const) person.notify(text, level);
      person.status("slot", text);
      person.widget?.("widget", [text, text]);
    }
    person.status("slot", undefined);
    person.status("never set", undefined);
    person.widget?.("widget", undefined);
    assert.equal(answerIn(await person.ask(approval, never)), undefined);
    assert.equal(await stdout(), "");
  });
}
