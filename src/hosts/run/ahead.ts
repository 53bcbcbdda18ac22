// An answer that was given on the command line to the question that waits: it is used once, then the person is asked.

import type { Dialog, Person } from "../../ports/person.ts";

export interface Ahead {
  readonly question: string;
  readonly answer: string;
}

export function answeringFirst(person: Person, ahead: Ahead | undefined): Person {
  if (ahead === undefined) return person;
  let left: Ahead | undefined = ahead;
  const first =
    <D extends Dialog>(ask: (dialog: D, signal: AbortSignal) => Promise<string | undefined>) =>
    (dialog: D, signal: AbortSignal): Promise<string | undefined> => {
      if (left?.question !== dialog.id) return ask(dialog, signal);
      const { answer } = left;
      left = undefined;
      return Promise.resolve(answer);
    };
  return {
    ...person,
    select: first(person.select),
    confirm: first(person.confirm),
    input: first(person.input),
    editor: first(person.editor),
  };
}
