// Plays one run from one seed: lives that begin and are killed, until the run is over. Says what was violated, and what happened.

import { Halt } from "../../src/engine/drive/halt.ts";
import { run } from "../../src/engine/drive/run.ts";
import { superteam } from "../../src/pipelines/superteam.ts";
import type { InboxMessage } from "../../src/ports/runs.ts";
import { Chance } from "./chance.ts";
import { cutPower, type Fault, goesWrong, type Machine, makeMachine } from "./machine.ts";
import { otherEnd, violationsOf } from "./oracles.ts";
import { personWorks } from "./person.ts";
import { attempt, bornOn, type LifeOptions } from "./ports.ts";

/** What may go wrong, and how likely: at each turn, unless it says otherwise. */
export interface Profile extends LifeOptions {
  readonly kills: number;
  /** Of the kills, the share in which the power fails. */
  readonly powerCuts: number;
  readonly personWorks: number;
  readonly stops: number;
}

export interface Verdict {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly records: number;
  readonly lives: number;
  /** `finished`, `failed`, `aborted`, or that it never was over. */
  readonly end: string;
  readonly trace: readonly string[];
  readonly happened: ReadonlyMap<Fault, number>;
  readonly faultCount: number;
}

/** Past this many lives nothing goes wrong any more, so that a run can end. */
const troubledLives = 12;
const mostLives = 40;
const mostTurns = 20_000;

/** `spared`: the numbers of faults that are not to happen. */
export async function simulate(
  seed: number,
  profile: Profile,
  spared: ReadonlySet<number> = new Set(),
): Promise<Verdict> {
  const machine = makeMachine(new Chance(seed), spared);
  for (let lives = 1; lives <= mostLives; lives++) {
    machine.trace.push(`life ${lives}`);
    const { end, violations } = await live(machine, lives <= troubledLives ? profile : calmed(profile));
    if (end === "suspended" || end === "killed") continue;
    const wrong = isPlain(profile) ? otherEnd(machine, end) : [];
    return verdict(machine, { seed, lives, end, violations: [...violations, ...wrong] });
  }
  return verdict(machine, { seed, lives: mostLives, end: "never", violations: ["the run does not come to an end"] });
}

/** Nobody does anything but their part: whatever dies, the run ends as if nothing had. */
function isPlain({ manners, leaves, agrees, personWorks: works }: Profile): boolean {
  const { misbehaves, finds, fails } = manners;
  return agrees === 1 && misbehaves + finds + fails + leaves + works === 0;
}

function calmed(profile: Profile): Profile {
  return { ...profile, kills: 0, personWorks: 0, stops: 0, leaves: 0, manners: { misbehaves: 0, finds: 0, fails: 0 } };
}

interface Lived {
  readonly end: string;
  readonly violations: readonly string[];
}

async function live(machine: Machine, profile: Profile): Promise<Lived> {
  const { scheduler } = machine;
  const halt = new Halt();
  const { world, say } = bornOn(machine, profile);
  let turns = 0;
  const course = await scheduler.drive(run(world, superteam, halt), (next) => {
    turns += 1;
    if (goesWrong(machine, "person works", profile.personWorks)) personWorks(machine);
    if (goesWrong(machine, "stop", profile.stops)) stop(machine, halt, say);
    const isKilled = goesWrong(machine, "killed", profile.kills) || turns > mostTurns;
    if (isKilled) machine.trace.push(`  killed, before: ${next}`);
    return isKilled;
  });
  if (turns > mostTurns) return { end: "never", violations: [`a life took more than ${mostTurns} turns`] };
  if (course.how === "threw") return { end: "threw", violations: [`it threw ${reason(course.error)}`] };
  if (course.how === "deadlock") return { end: "deadlock", violations: ["nothing can happen any more"] };
  if (course.how === "ended") return { end: course.value.how, violations: [] };
  bury(machine, profile);
  return { end: "killed", violations: [] };
}

const reason = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** By Escape, which lets agents finish, or from another process, which does not. */
function stop(machine: Machine, halt: Halt, say: (message: InboxMessage) => void): void {
  machine.stoppedAt ??= machine.given;
  machine.trace.push("  the run is stopped");
  if (machine.chance.happens(0.5)) halt.drain("stopped");
  else say({ id: `m${machine.trace.length}`, kind: "stop" });
}

/** Agents go on for a moment after their superteam is dead. */
function bury(machine: Machine, { powerCuts }: Profile): void {
  const { chance, scheduler } = machine;
  const isDark = goesWrong(machine, "power cut", powerCuts);
  for (const agent of machine.processes.values()) {
    if (!agent.alive) continue;
    if (!isDark && goesWrong(machine, "orphan works on", 0.5)) attempt(machine, agent);
    agent.alive = !isDark && chance.happens(0.3);
    if (!isDark && !agent.alive) machine.gone.set(agent.id, scheduler.now());
  }
  if (isDark) cutPower(machine);
  scheduler.pass(5000);
}

function verdict(machine: Machine, lived: Lived & { readonly seed: number; readonly lives: number }): Verdict {
  const isOver = ["finished", "failed", "aborted"].includes(lived.end);
  const violations = [...lived.violations, ...violationsOf(machine, isOver)];
  const { entries, trace, happened, faultCount } = machine;
  return { ...lived, violations, records: entries.length, trace, happened, faultCount };
}
