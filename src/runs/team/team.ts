// Roles that work for a caller who cannot be asked, such as a model: a run of the pipeline `team`. It is journaled and paid for like any run,
// but is not the tree's active run, because there is nothing to resume: what stops it ends it.

import type { Question } from "../../core/flow/question.ts";
import { type Amounts, limitsOf, reached, type Unit, units } from "../../core/money/budget.ts";
import { amount, limitKeys } from "../../core/money/budget-questions.ts";
import { couldWrite } from "../../core/run/capability.ts";
import { firstLine } from "../../core/text/format.ts";
import type { Asides } from "../../engine/asking/asides.ts";
import { Halt, type HaltReason } from "../../engine/drive/halt.ts";
import { append, type LiveEvent } from "../../engine/drive/recorder.ts";
import { run } from "../../engine/drive/run.ts";
import type { Granted, World } from "../../engine/drive/world.ts";
import { viewOf } from "../../engine/views/fold/run-view.ts";
import { pendingQuestion, type RunView } from "../../engine/views/fold/shape.ts";
import { accessOf, JobResult, jobAt, type TeamInput, team } from "../../pipelines/team.ts";
import type { Ending, Entry } from "../../ports/journal.ts";
import type { Person } from "../../ports/person.ts";
import type { Runs } from "../../ports/runs.ts";
import { locked } from "../active.ts";
import { type Host, stopWhen } from "../host.ts";
import { begin, prepare } from "../life/begin.ts";
import { trustedBefore } from "../life/trust.ts";
import { unfinishedLines } from "../life/unfinished.ts";
import { Problem } from "../problem.ts";
import type { WireOrder, Workplace } from "../workplace.ts";
import { undoReaders } from "./undo-readers.ts";

export interface TeamCall {
  readonly input: TeamInput;
  /** What calls before this one have spent of the same limit. */
  readonly spent: Amounts;
  /** Stops the agents, and ends the run. */
  readonly signal: AbortSignal;
  /** Whether the person lets roles of this session write in the tree. */
  readonly mayWrite: (question: Question) => Promise<boolean>;
  readonly watch: (sight: LiveEvent) => void;
}

export interface TeamRun {
  readonly input: TeamInput;
  readonly runId: string;
  readonly ending: Ending;
  readonly view: RunView;
  /** The roles that have a tool with which a tree can be changed. */
  readonly armed: ReadonlySet<string>;
  /** Of the jobs that came to an end. */
  readonly results: readonly JobResult[];
  /** What else there is to know: what did not count, what was put back, what is left in the tree. */
  readonly told: readonly string[];
}

/** Throws a Problem when nothing was started. */
export async function runTeam(place: Workplace, call: TeamCall, host: Host): Promise<TeamRun> {
  const { runs } = place;
  await refuseBeside(runs);
  const runId = runs.newId();
  return locked(runs, runId, async () => {
    const writers = await refuseWriters(runs, call);
    const ready = await prepare({ place, options: {}, host });
    const order = { ...ready, runId, repo: await place.openRepo(runId, []), roles: team.roles };
    const trust = await trustedBefore(ready.brought, place.trust);
    const granted = await withinLimit(await place.grant(order, () => trust.grant), call.spent);
    const armed = await armedAmong(call.input, granted);
    const ended = await perform(call, place, { ...order, writers }, granted);
    return { ...ended, armed, told: [...trust.told, ...ended.told] };
  });
}

async function refuseBeside(runs: Runs): Promise<void> {
  const owner = await runs.owner();
  if (owner === undefined) return;
  throw new Problem(
    `A run is at work in this tree (${owner.runId}, process ${owner.pid}) and must not be disturbed. Nothing was started. Wait for its end, or have the person stop it: superteam stop`,
    "not-possible",
  );
}

/** The question that the person said yes to, if one of the roles writes. A suspended run expects the tree as it left it. */
async function refuseWriters(runs: Runs, { input: { jobs }, mayWrite }: TeamCall): Promise<Question | undefined> {
  const writer = jobs.find(({ role }) => accessOf(role) === "write");
  if (writer === undefined) return undefined;
  const active = await runs.readActive();
  const question = writersQuestion(writer);
  if (active === undefined) {
    if (await mayWrite(question)) return question;
    throw new Problem(
      `The ${writer.role} writes in the tree, and the person has not allowed that in this session. Nothing was started. Roles that only read need no permission.`,
      "waiting",
    );
  }
  throw new Problem(
    `A run is suspended in this tree (${active}) and will continue with the tree as it is, so only roles that read may work here, and ${writer.role} writes. Nothing was started. The person can continue that run (superteam resume) or end it (superteam abort).`,
    "waiting",
  );
}

function writersQuestion({ role, task }: TeamInput["jobs"][number]): Question {
  return {
    id: "team.write",
    kind: "confirm",
    title: "Let agents write here?",
    message: `A model asks to have the ${role} change files in this repository. Yes is valid for this session. Its task:\n\n${task}`,
  };
}

/** One limit for all calls together: each is a run of its own, and could spend it all again. */
async function withinLimit(granted: Granted, spent: Amounts): Promise<Granted> {
  const limits = limitsOf(await granted.settings.read());
  const unit = reached(limits, spent);
  if (unit !== undefined) throw usedUp(unit, spent[unit], limits.hard[unit]);
  const read = async () => {
    const config = await granted.settings.read();
    const { hard } = limitsOf(config);
    // A limit that was lowered meanwhile is reached with the next that is spent.
    const left = units.map((one) => [limitKeys[one], Math.max(hard[one] - spent[one], Number.MIN_VALUE)]);
    return { ...config, costs: { ...config.costs, ...Object.fromEntries(left) } };
  };
  return { ...granted, settings: { read } };
}

function usedUp(unit: Unit, spent: number, limit: number): Problem {
  const whose = unit === "usd" ? "" : " of models that report no cost";
  return new Problem(
    `The roles you gave work to have spent ${amount(unit, spent)}${whose} since this pi was started, and the limit is ${amount(unit, limit)}. Nothing was started. The person can raise costs.${limitKeys[unit]} in their configuration.`,
    "over-budget",
  );
}

/** A role that is not available fails here, before anything has begun. */
async function armedAmong({ jobs }: TeamInput, { roles }: Granted): Promise<ReadonlySet<string>> {
  const armed = new Set<string>();
  for (const { role } of jobs) if (couldWrite(await roles.resolve(role, {}))) armed.add(role);
  return armed;
}

async function perform(
  { input, watch, signal }: TeamCall,
  place: Workplace,
  order: WireOrder & { readonly writers: Question | undefined },
  granted: Granted,
): Promise<Omit<TeamRun, "armed">> {
  const { runId } = order;
  const ports = await place.wire(order);
  const journal = await begin({ place, host: { watch } }, runId, { pipeline: team, input, by: "model" });
  const told: string[] = [];
  const person = nobody((text) => told.push(text));
  const preflight = async (asides: Asides): Promise<Granted> => {
    if (order.writers) await asides.ask(order.writers, "1", { answer: "yes", by: "person" });
    return granted;
  };
  const outside = { journal, person, watch, publish: () => Promise.resolve() };
  const world: World = { ...ports, ...outside, preflight };
  try {
    const halt = new Halt();
    stopWhen(signal, { halt });
    const end = await run(world, team, halt);
    const isOver = end.how !== "suspended";
    const ending = isOver ? end : await endedHere({ ...world, ...granted }, end.why, told);
    const { entries } = journal;
    const left = ending.how === "finished" ? [] : await unfinishedLines(place, entries);
    if (left.length > 0) told.push(left.join("\n"));
    return { runId, input, ending, view: viewOf(entries), results: resultsIn(entries), told };
  } finally {
    await ports.agents.close();
    await journal.close();
  }
}

/** It is never resumed: what a stopped agent left is undone now, and the run is over. */
async function endedHere(world: World, why: HaltReason, told: string[]): Promise<Ending> {
  told.push(...(await undoReaders(world)));
  const ending: Ending = { how: "aborted", detail: whyEnded(why, viewOf(world.journal.entries)) };
  await append(world, { type: "end", ending });
  return ending;
}

function whyEnded(why: HaltReason, view: RunView): string {
  const question = pendingQuestion(view)?.question;
  if (why === "question" && question) return `it cannot continue without the person: ${asked(question)}`;
  if (why === "quota") return "the quota of the model is used up for now";
  return why === "interrupted" || why === "stopped" ? "it was stopped before its end" : `it was stopped (${why})`;
}

function asked({ id, title, message }: Question): string {
  const first = firstLine(message);
  if (!id.startsWith("budget.")) return `${title}. ${first}`;
  return `${first} Beyond that costs.warnAtUsd, or the limit under costs that is reached, has to be raised in their configuration.`;
}

function resultsIn(entries: readonly Entry[]): readonly JobResult[] {
  return entries.flatMap((entry) => resultIn(entry) ?? []).toSorted((one, other) => one.number - other.number);
}

/** What a job came to, by the entry that says so. */
export function resultIn(entry: Entry): JobResult | undefined {
  if (entry.type !== "leave" || jobAt(entry.scope) === undefined || !entry.result.ok) return undefined;
  return JobResult.parse(entry.result.value);
}

/** A person who is never asked closes every question. */
function nobody(tell: (text: string) => void): Person {
  const nothing = (): void => undefined;
  return { ask: () => Promise.resolve(undefined), notify: tell, status: nothing, widget: nothing };
}
