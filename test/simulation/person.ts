// The person of a simulated run: answers most questions as recommended, some otherwise, leaves some open, answers from another
// process, works in the tree, and changes the configuration.

import { optionsOf, type Question } from "../../src/core/flow/question.ts";
import type { InboxMessage } from "../../src/ports/runs.ts";
import { documents, goesWrong, type Machine, personBranch, personWrites } from "./machine/machine.ts";
import { headOf } from "./repo/repository.ts";

/** undefined leaves the question open. */
export function answerTo(machine: Machine, question: Question, agrees: number): string | undefined {
  const answer = goesWrong(machine, "question left open") ? undefined : chosen(machine, question, agrees);
  machine.trace.push(`  the person answers ${question.id}: ${answer ?? "(leaves)"}`);
  if (answer === "task") giveAway(machine, question);
  if (answer === "retry") followAdvice(machine, question);
  return answer;
}

/** Whoever tries again when HEAD is elsewhere has gone back first, as the question says. */
function followAdvice(machine: Machine, { message }: Question): void {
  const [, branch] = /^Go back: git switch (?!--detach)(\S+)$/m.exec(message) ?? [];
  if (branch !== undefined) goTo(machine, branch);
}

/** Files that the person and an agent changed, and that the person wants in the task's commit. */
function giveAway({ written }: Machine, { id, message }: Question): void {
  if (!id.endsWith(".mixed")) return;
  for (const [path, each] of written) if (message.includes(path)) written.set(path, { ...each, isMixed: true });
}

/** Where a run begins most answers are the same, so that it gets anywhere. */
const usual: Readonly<Record<string, string>> = {
  "triage.mode": "standard",
  "configure.execution": "auto",
  "run.restore": "undo",
  "run.diverged": "again",
  "run.unhandled": "again",
};

/** Nothing is recommended there, and most people have it fixed. */
const likely: Readonly<Record<string, string>> = { "finalize.fix": "fix" };

function chosen({ chance, answers }: Machine, question: Question, agrees: number): string {
  // Whoever trusts what an agent wrote has decided so, and there would be nothing to find.
  const sure = question.id === "preflight.trust" ? "without" : answers[question.id];
  if (sure !== undefined) return sure;
  if (question.kind === "editor") return `${question.prefill}some words`;
  if (question.kind === "input") return question.above === undefined ? "some words" : String(question.above + 1);
  const keys = optionsOf(question).flatMap(({ key, shows }) => (shows === undefined ? [key] : []));
  const wanted = usual[question.id] ?? question.recommended ?? likely[question.id];
  if (wanted !== undefined && keys.includes(wanted) && chance.happens(agrees)) return wanted;
  const mild = keys.filter((key) => key !== "abort" && key !== "stop");
  return chance.pick(mild.length > 0 && chance.happens(0.95) ? mild : keys);
}

/** What the person says to the run from another terminal: an answer, at times to another question or to none. */
export function saysElsewhere(machine: Machine): InboxMessage {
  const { chance, shown } = machine;
  const said = shown === undefined ? "yes" : chosen(machine, shown, 0.5);
  const question = chance.pick([shown?.id ?? null, shown?.id ?? null, null, "plan.approval"]);
  machine.trace.push(`  another process answers ${question ?? "whatever is asked"}: ${said}`);
  if (said === "task" && shown !== undefined && question !== "plan.approval") giveAway(machine, shown);
  return { id: `m${machine.trace.length}`, kind: "answer", question, said: chance.happens(0.9) ? said : "nonsense" };
}

/** One thing a person does in their own tree while a run goes on. No text is written twice. */
export function personWorks(machine: Machine): void {
  const { chance, hands, trace, personCommits } = machine;
  const path = chance.pick(["notes.txt", "todo.txt", "README.md", "letters/draft.txt"]);
  const deed = chance.below(10);
  if (deed < 6) {
    personWrites(machine, path, `the person's ${trace.length}\n`);
  } else if (deed < 8) {
    trace.push(`  the person stages ${path}`);
    hands.stage(path);
    remember(machine, path);
    if (chance.happens(0.5)) personWrites(machine, path, `more of the person's ${trace.length}\n`);
  } else {
    trace.push("  the person commits what is staged");
    personCommits.add(hands.commit("the person's own", []));
  }
}

/** As `git clean` does, or one file alone. Of what is theirs, only what is staged is still to be kept. */
export function personCleans(machine: Machine): void {
  const { chance, hands, trace, clone, written } = machine;
  const untracked = [...hands.files().keys()].filter((path) => !clone.repository.index.entries.has(path));
  const gone = chance.happens(0.5) ? untracked : [chance.pick(["README.md", "notes.txt", ...documents])];
  trace.push(`  the person removes ${gone.join(", ")}`);
  for (const path of gone) {
    const text = hands.read(path);
    hands.remove(path);
    written.delete(path);
    machine.harmed.delete(path);
    letGo(machine, path, text);
  }
}

/** superteam may have read it just before, and give it again. */
function letGo({ given, removed }: Machine, path: string, text = ""): void {
  removed.set(path, text);
  for (const key of [...given.keys()].filter((one) => one.endsWith(` ${path}`))) given.delete(key);
}

/** To a branch of their own, or back. */
export function personSwitches(machine: Machine): void {
  const isOnTheirs = headOf(machine.clone.repository).branch === personBranch;
  goTo(machine, (isOnTheirs ? machine.start.branch : null) ?? personBranch);
}

function goTo(machine: Machine, branch: string): void {
  const { hands, trace } = machine;
  trace.push(`  the person switches to ${branch}`);
  machine.hasSwitched = true;
  const before = documents.map((path) => [path, hands.read(path)] as const);
  try {
    hands.checkout(branch);
  } catch (error) {
    trace.push(`  … which git refuses: ${String(error)}`);
  }
  for (const [path, text] of before) if (hands.read(path) !== text) letGo(machine, path, text);
}

/** Only what the person wrote: an agent may have written there since. */
function remember({ hands, written, staged }: Machine, path: string): void {
  const text = hands.read(path);
  if (text !== undefined && written.get(path)?.text === text) staged.set(path, text);
}

/** Between two lives. Nothing of it makes the run less strict. */
const otherSettings: readonly object[] = [
  { review: { mode: "iterative", maxTaskReviewCycles: 1 } },
  { review: { mode: "iterative", order: "parallel" } },
  { review: { mode: "iterative", optional: ["security-reviewer"] } },
  { documents: { commit: false } },
  { validationCommand: "check --all" },
  { tdd: "off" },
  { costs: { warnAtUsd: 1, hardLimitUsd: 3 } },
];

export function changeSettings(machine: Machine): void {
  const change = machine.chance.pick(otherSettings);
  machine.config = { ...machine.config, ...change };
  machine.trace.push(`  the person changes the configuration: ${JSON.stringify(change)}`);
}
