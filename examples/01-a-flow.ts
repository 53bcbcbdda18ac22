// A flow of three steps. It is suspended at a question and resumed from its journal; the command before the question is
// not run again. Run it: node examples/01-a-flow.ts

import { ask, bareOutline, type CheckRun, check, type Flow, Halt, type Journal, onlyTree, run } from "../src/index.ts";
import { begunJournal, nothingThere, worldWith } from "./support/world.ts";

/** A plain generator: it yields what it wants done and gets the outcome. */
function* greet(): Flow<string> {
  const who = yield* check("who", "whoami");
  const word = yield* ask({ id: "greeting", kind: "input", title: "Which greeting?", message: "For a friend." });
  return `${word}, ${who.output}!`;
}

/** One process's life: the person answers, or has gone home. */
async function live(journal: Journal, answer: string | undefined): Promise<void> {
  const command = (line: string): Promise<CheckRun> => {
    console.log(`  runs ${line}`);
    return Promise.resolve({ exitCode: 0, signal: null, timedOut: false, output: "Ada", durationMs: 1 });
  };
  const person = {
    ...worldWith({ journal }).person,
    ask: ({ title }: { readonly title: string }) => {
      console.log(`  asks ${title} ${answer ?? "(nobody is there)"}`);
      return Promise.resolve(answer);
    },
  };
  const world = worldWith({
    journal,
    person,
    places: onlyTree({ ...nothingThere, checks: { ...nothingThere.checks, run: command } }),
  });
  const end = await run(world, { flows: {}, start: greet }, new Halt());
  console.log(end.how === "finished" ? `  finished: ${end.value}` : `  ${end.how}`);
}

const journal = await begunJournal(bareOutline("greet"), null);

console.log("The first life:");
await live(journal, undefined);
console.log("The second life, with the same journal:");
await live(journal, "Good morning");
