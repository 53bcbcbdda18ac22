// A person of your own, who is asked line by line over any pair of streams, such as a chat or a socket. It passes the contract
// that every adapter of the port keeps (test/docs/examples-person.test.ts). Run it and answer, or let a pipe answer: printf '2\nAda\n' | node examples/03-a-person-of-your-own.ts

import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import {
  ask,
  bareOutline,
  type Flow,
  Halt,
  optionsOf,
  type Person,
  type Question,
  readAnswer,
  run,
} from "../src/index.ts";
import { begunJournal, worldWith } from "./support/world.ts";

/** Asks on `out`, reads answers from `input`. The end of the input closes the question: the run is suspended there. */
export function linePerson({ input, out }: { readonly input: Readable; readonly out: Writable }): Person {
  const lines = linesOf(input);
  const say = (text: string): void => void out.write(`${text}\n`);
  return {
    async ask(question, signal) {
      say(textOf(question));
      for (;;) {
        const said = await (question.kind === "editor" ? pageOf(lines, signal) : lines(signal));
        if (said === undefined) return undefined;
        const reading = readAnswer(question, said);
        if (reading.ok) return reading.answer;
        say(reading.problem);
      }
    },
    notify: (message, level) => say(`${level}: ${message}`),
    status: (_slot, text) => text !== undefined && say(`(${text})`),
    widget: () => undefined,
  };
}

function textOf(question: Question): string {
  const options = optionsOf(question).map(({ label }, index) => `  ${index + 1}) ${label}`);
  const last = question.kind === "editor" ? [question.prefill, "(write, then a line with just a dot)"] : [];
  return [`${question.title} [${question.id}]`, question.message, ...options, ...last].filter(Boolean).join("\n");
}

type Lines = (signal: AbortSignal) => Promise<string | undefined>;

/** Reads line after line; undefined at the end of the input, or when the answer is no longer wanted. */
function linesOf(input: Readable): Lines {
  const waiting: string[] = [];
  let over = false;
  let wake: () => void = () => undefined;
  const reader = createInterface({ input });
  reader.on("line", (line) => {
    waiting.push(line);
    wake();
  });
  reader.on("close", () => {
    over = true;
    wake();
  });
  return async (signal) => {
    while (waiting.length === 0 && !over && !signal.aborted) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
    return signal.aborted ? undefined : waiting.shift();
  };
}

async function pageOf(lines: Lines, signal: AbortSignal): Promise<string | undefined> {
  const page: string[] = [];
  for (;;) {
    const line = await lines(signal);
    if (line === undefined) return undefined;
    if (line === ".") return page.join("\n");
    page.push(line);
  }
}

function* hello(): Flow<string> {
  const options = [
    { key: "morning", label: "Good morning" },
    { key: "evening", label: "Good evening" },
  ];
  const when = yield* ask({ id: "when", kind: "select", title: "Which greeting?", message: "", options });
  const who = yield* ask({ id: "who", kind: "input", title: "Whom?", message: "", default: "all" });
  return `Good ${when}, ${who}.`;
}

if (process.argv[1] === import.meta.filename) {
  const journal = await begunJournal(bareOutline("hello"), null);
  const person = linePerson({ input: process.stdin, out: process.stderr });
  const end = await run(worldWith({ journal, person }), { flows: {}, start: hello }, new Halt());
  console.log(end.how === "finished" ? end.value : `The run is ${end.how}.`);
}
