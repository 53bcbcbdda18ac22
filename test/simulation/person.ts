// The person of a simulated run: answers most questions as recommended, some otherwise, leaves some open, and works in the tree.

import { optionsOf, type Question } from "../../src/core/flow/question.ts";
import { goesWrong, type Machine, personWrites } from "./machine.ts";

interface Mood {
  readonly leaves: number;
  readonly agrees: number;
}

/** undefined leaves the question open. */
export function answerTo(machine: Machine, question: Question, { leaves, agrees }: Mood): string | undefined {
  const answer = goesWrong(machine, "question left open", leaves) ? undefined : chosen(machine, question, agrees);
  machine.trace.push(`  the person answers ${question.id}: ${answer ?? "(leaves)"}`);
  return answer;
}

/** Where a run begins most answers are the same, so that it gets anywhere. */
const usual: Readonly<Record<string, string>> = {
  "triage.mode": "standard",
  "configure.execution": "auto",
  "run.restore": "undo",
};

function chosen({ chance }: Machine, question: Question, agrees: number): string {
  if (question.kind === "editor") return question.prefill;
  if (question.kind === "input") return question.above === undefined ? "some words" : String(question.above + 1);
  const keys = optionsOf(question).map(({ key }) => key);
  const wanted = usual[question.id] ?? question.recommended;
  if (wanted !== undefined && keys.includes(wanted) && chance.happens(agrees)) return wanted;
  const mild = keys.filter((key) => key !== "abort" && key !== "stop");
  return chance.pick(mild.length > 0 && chance.happens(0.95) ? mild : keys);
}

/** One thing a person does in their own tree while a run goes on. */
export function personWorks(machine: Machine): void {
  const { chance, hands, trace } = machine;
  const path = chance.pick(["notes.txt", "todo.txt", "README.md", "letters/draft.txt"]);
  const deed = chance.below(10);
  if (deed < 6) {
    personWrites(machine, path, `the person's ${chance.below(1000)}\n`);
  } else if (deed < 8) {
    trace.push(`  the person stages ${path}`);
    hands.stage(path);
  } else {
    trace.push("  the person commits what is staged");
    hands.commit("the person's own", []);
  }
}
