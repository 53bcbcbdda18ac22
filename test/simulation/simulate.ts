// Plays one run from one seed: lives that begin and are killed, until the run is over. Says what was violated, and what happened.

import { Halt } from "../../src/engine/drive/halt.ts";
import { run } from "../../src/engine/drive/run.ts";
import { OutsideFailure, reasonOf } from "../../src/ports/failure.ts";
import type { InboxMessage } from "../../src/ports/runs.ts";
import { Chance } from "./chance.ts";
import { type State, statesIn } from "./coverage.ts";
import type { Fault } from "./machine/faults.ts";
import { cutPower } from "./machine/journal.ts";
import { goesWrong, type Machine, makeMachine } from "./machine/machine.ts";
import { otherEnd, unanswered, violationsOf } from "./oracles/oracles.ts";
import { changeSettings, personCleans, personSwitches, personWorks, saysElsewhere } from "./person.ts";
import { attempt, die, pay } from "./ports/agents.ts";
import { bornOn } from "./ports/world.ts";
import { isPlain, type Profile } from "./profiles.ts";
import type { Course } from "./scheduler.ts";
import { programs } from "./versions.ts";

export interface Verdict {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly records: number;
  readonly lives: number;
  /** `finished`, `failed`, `aborted`, or that it never was over. */
  readonly end: string;
  readonly trace: readonly string[];
  readonly happened: ReadonlyMap<Fault, number>;
  readonly states: ReadonlySet<State>;
  readonly faultCount: number;
}

/** Past this many lives nothing goes wrong any more, so that a run can end. */
const troubledLives = 12;
const mostLives = 40;
const mostTurns = 20_000;

/** `spared`: the numbers of faults that are not to happen. `killAt`: the turn before which the first life is killed for sure. */
export async function simulate(
  seed: number,
  profile: Profile,
  spared: ReadonlySet<number> = new Set(),
  killAt?: number,
): Promise<Verdict> {
  const machine = makeMachine(new Chance(seed), spared, profile);
  let stuckAt = "";
  for (let lives = 1; lives <= mostLives; lives++) {
    machine.trace.push(`life ${lives}`);
    machine.odds = lives <= troubledLives ? profile.odds : {};
    if (lives > 1) meanwhile(machine);
    const { end, violations } = await live(machine, profile.agrees, lives === 1 ? killAt : undefined);
    if (end === "suspended" || end === "killed") continue;
    const place = `${end} (record ${progressOf(machine)})`;
    if (end.startsWith("stopped: ") && place !== stuckAt) {
      stuckAt = end === raisedStop ? "" : place;
      continue;
    }
    const wrong = isPlain(profile) ? otherEnd(machine, end) : [];
    const stuck = place === stuckAt ? [`the run cannot go on, in two lives in a row: ${end}`] : wrong;
    return verdict(machine, { seed, lives, end, violations: [...violations, ...stuck] });
  }
  return verdict(machine, { seed, lives: mostLives, end: "never", violations: ["the run does not come to an end"] });
}

/** Between two lives the person may install another version or change the configuration. */
function meanwhile(machine: Machine): void {
  if (goesWrong(machine, "configuration changed")) changeSettings(machine);
  if (!goesWrong(machine, "newer program")) return;
  machine.program = machine.chance.below(programs.length);
  machine.trace.push(`  version ${machine.program} of the program is installed`);
}

/** Outcomes, and whatever else a replay would not do again. */
function progressOf({ entries }: Machine): number {
  return entries.findLast(({ type }) => ["settle", "leave", "restart"].includes(type))?.seq ?? 0;
}

interface Lived {
  readonly end: string;
  readonly violations: readonly string[];
}

/** The simulation made something fail: the next life may be stopped by the same. */
const raisedStop = "stopped: by the simulation";

async function live(machine: Machine, agrees: number, killAt: number | undefined): Promise<Lived> {
  const halt = new Halt();
  const { world, say } = bornOn(machine, agrees);
  const program = programs[machine.program];
  if (program === undefined) throw new Error(`there is no program ${machine.program}`);
  let turns = 0;
  const course = await machine.scheduler.drive(run(world, program, halt), (next) => {
    turns += 1;
    happen(machine, halt, say);
    const isKilled = turns === killAt || goesWrong(machine, "killed") || turns > mostTurns;
    if (isKilled) machine.trace.push(`  killed, before: ${next}`);
    return isKilled;
  });
  if (turns > mostTurns) return { end: "never", violations: [`a life took more than ${mostTurns} turns`] };
  return ended(machine, course);
}

function ended(machine: Machine, course: Course<{ readonly how: string }>): Lived {
  if (course.how === "deadlock") return { end: "deadlock", violations: ["nothing can happen any more"] };
  if (course.how === "killed") {
    bury(machine, goesWrong(machine, "power cut"));
    return { end: "killed", violations: [] };
  }
  const violations = unanswered(machine);
  if (course.how === "ended") return { end: course.value.how, violations };
  const { error } = course;
  bury(machine, false);
  if (machine.raised.has(error as object)) return { end: raisedStop, violations };
  if (error instanceof OutsideFailure) return { end: `stopped: ${reasonOf(error)}`, violations };
  const stack = error instanceof Error ? error.stack : String(error);
  return { end: "threw", violations: [...violations, `it threw ${stack}`] };
}

/** What others do at this turn. */
function happen(machine: Machine, halt: Halt, say: (message: InboxMessage) => void): void {
  if (goesWrong(machine, "person works")) personWorks(machine);
  if (goesWrong(machine, "person cleans")) personCleans(machine);
  if (goesWrong(machine, "person switches branches")) personSwitches(machine);
  if (goesWrong(machine, "stop")) stop(machine, halt, say);
  if (goesWrong(machine, "answer from another process")) say(saysElsewhere(machine));
  if (!goesWrong(machine, "abort from another process")) return;
  machine.trace.push("  another process aborts the run");
  say({ id: `m${machine.trace.length}`, kind: "abort" });
}

/** By Escape, which lets agents finish, or from another process, which does not. */
function stop(machine: Machine, halt: Halt, say: (message: InboxMessage) => void): void {
  machine.stoppedAt ??= machine.handed;
  machine.trace.push("  the run is stopped");
  if (machine.chance.happens(0.5)) halt.drain("stopped");
  else say({ id: `m${machine.trace.length}`, kind: "stop" });
}

/** Agents go on for a moment after their superteam is dead. The turn in which one dies is paid all the same. */
function bury(machine: Machine, isDark: boolean): void {
  const { chance, scheduler } = machine;
  for (const agent of machine.processes.values()) {
    if (!agent.alive) continue;
    if (!isDark && agent.isThinking && goesWrong(machine, "orphan works on")) {
      attempt(machine, agent);
      pay(machine, agent, false);
      agent.isThinking = true;
    }
    if (!isDark && chance.happens(0.3)) continue;
    if (agent.isThinking) pay(machine, agent, true);
    if (isDark) agent.alive = false;
    else die(machine, agent);
  }
  // What the person does between two lives is theirs: an interrupted agent's work has its own question.
  machine.isWriting = false;
  forgetUnrecorded(machine);
  if (isDark) cutPower(machine);
  scheduler.pass(5000);
}

/** What was put back in the very moment of the kill is under a ref, but the record that names it was never written. */
function forgetUnrecorded({ harmed, entries }: Machine): void {
  for (const [path, { by, records }] of harmed) if (by === "the run" && records === entries.length) harmed.delete(path);
}

function verdict(machine: Machine, lived: Lived & { readonly seed: number; readonly lives: number }): Verdict {
  const violations = [...lived.violations, ...violationsOf(machine, lived.end)];
  const { entries, trace, happened, faultCount } = machine;
  return { ...lived, violations, records: entries.length, trace, happened, faultCount, states: statesIn(entries) };
}
