// What a run says to people, without secrets. What a person edits is theirs, and stays as it is.

import type { Question } from "../../core/flow/question.ts";
import type { Redact } from "../../core/text/secrets.ts";
import type { Person } from "../../ports/person.ts";

export function redactedPerson(person: Person, redact: Redact): Person {
  // The status is told again with every entry, and seldom says anything new.
  const told = new Map<string, { readonly text: string; readonly shown: string }>();
  const redactedStatus = (slot: string, text: string): string => {
    const last = told.get(slot);
    const next = last?.text === text ? last : { text, shown: redact(text) };
    told.set(slot, next);
    return next.shown;
  };
  return {
    ask: (question, signal) => person.ask(redactedQuestion(question, redact), signal),
    notify: (message, level) => person.notify(redact(message), level),
    ...(person.attention === undefined ? {} : { attention: (message: string) => person.attention?.(redact(message)) }),
    status: (slot, text) => person.status(slot, text === undefined ? undefined : redactedStatus(slot, text)),
    ...(person.widget === undefined ? {} : { widget: redactedWidget(person, redact) }),
  };
}

function redactedWidget(person: Person, redact: Redact): NonNullable<Person["widget"]> {
  return (id, lines) => person.widget?.(id, lines?.map(redact));
}

function redactedQuestion(question: Question, redact: Redact): Question {
  const said = { title: redact(question.title), message: redact(question.message) };
  if (question.kind !== "select") return { ...question, ...said };
  const options = question.options.map(({ hint, shows, ...option }) => ({
    ...option,
    label: redact(option.label),
    ...(hint === undefined ? {} : { hint: redact(hint) }),
    ...(shows === undefined ? {} : { shows: redact(shows) }),
  }));
  return { ...question, ...said, options };
}
