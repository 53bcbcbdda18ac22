// Calls of a port that fail, as the real adapters fail: with an OutsideFailure, before they act or after.

import { OutsideFailure, type OutsideFailureKind } from "../../../src/ports/failure.ts";
import { goesWrong, type Machine } from "../machine/machine.ts";

/** A failure that the simulation raised: a life that ends with it is no violation. */
export function raise(machine: Machine, kind: OutsideFailureKind, message: string): OutsideFailure {
  const failure = new OutsideFailure(kind, message);
  machine.raised.add(failure);
  machine.trace.push(`  fails: ${message}`);
  return failure;
}

export const noSpace = (machine: Machine, what: string): OutsideFailure =>
  raise(machine, "unwritable", `writing ${what} failed (ENOSPC: no space left on device)`);

/** Done at a turn of its own. Others may come first, before it and before its caller knows. */
export async function effect<T>({ scheduler }: Machine, what: string, act: () => T): Promise<T> {
  await scheduler.point(`before ${what}`);
  const value = act();
  await scheduler.point(`after ${what}`);
  return value;
}

/** As `effect`, on a disk that may be full. */
export function writing<T>(machine: Machine, what: string, act: () => T): Promise<T> {
  return effect(machine, what, () => {
    if (goesWrong(machine, "disk full")) throw noSpace(machine, what);
    return act();
  });
}

/** As `effect`, by a git that may be slow, or never return, or fail, or be killed when it is done. */
export function git<T>(machine: Machine, verb: string, act: () => T): Promise<T> {
  return effect(machine, `repo.${verb}`, () => {
    if (goesWrong(machine, "git is slow")) machine.scheduler.pass(600_000);
    if (goesWrong(machine, "git never returns")) {
      machine.scheduler.pass(3_600_000);
      throw raise(machine, "git-failed", `git (${verb}): it did not end within 60 minutes and was ended`);
    }
    if (goesWrong(machine, "git fails"))
      throw raise(machine, "git-failed", `git (${verb}): unable to create index.lock`);
    const value = act();
    if (goesWrong(machine, "git fails when it is done"))
      throw raise(machine, "git-failed", `git (${verb}): it was killed`);
    return value;
  });
}
