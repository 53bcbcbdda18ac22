// What the journal says a flow did, step by step, so that a replay which takes another path is noticed before it
// does anything. Keys, roles, question ids and commands are compared; prompts, models and profiles never are.

import { Failed } from "../../core/flow/failure.ts";
import type { Request } from "../../core/flow/flow.ts";
import { atEpoch, parentOf, readAside, withoutEpoch } from "../../core/flow/keys.ts";
import { shorten } from "../../core/text/format.ts";
import { isFromOutside, reasonOf } from "../../ports/failure.ts";
import type { Entry } from "../../ports/journal.ts";
import type { Cursor } from "./cursor.ts";
import { Suspended } from "./halt.ts";

/** Code and journal disagree: inside this scope the flow now does something else than it did. */
export class Diverged extends Error {
  readonly scope: string;
  constructor(scope: string, detail: string) {
    super(detail);
    this.name = "Diverged";
    this.scope = scope;
  }
}

/** An outcome that a flow cannot handle, or a request that cannot be performed as it stands: a resume would only do the same again. */
export class Unhandled extends Diverged {
  constructor(scope: string, cause: unknown) {
    super(scope, shorten(reasonOf(cause), 600));
    this.name = "Unhandled";
    this.cause = cause;
  }
}

/** Trouble outside may pass; what else goes wrong comes from what the scope was given (E11). */
export function troubleIn(scope: string, error: unknown): unknown {
  const isTold = error instanceof Failed || error instanceof Diverged || error instanceof Suspended;
  return isTold || isFromOutside(error) ? error : new Unhandled(scope, error);
}

export class Replay {
  readonly #steps = new Map<string, string[]>();
  readonly #entered = new Set<string>();
  /** Scopes that take the place of another one, because the person had it run again: no step of their own. */
  readonly #instead = new Set<string>();

  constructor(entries: readonly Entry[]) {
    for (const entry of entries) {
      if (entry.type === "begin" && entry.tries === 1 && !readAside(entry.key))
        this.#add(parentOf(entry.key), entry.key);
      if (entry.type === "enter") this.#enter(entry.scope);
      if (entry.type === "restart" && entry.by === "person")
        this.#instead.add(atEpoch(withoutEpoch(entry.scope), entry.epoch));
    }
  }

  /** True when this scope was entered before, at this epoch. */
  entered(scope: string): boolean {
    return this.#entered.has(scope);
  }

  /** Compares the step a flow has just named with what it did at this point before, if it came this far. */
  expect(cursor: Cursor, step: string): void {
    const known = this.#steps.get(cursor.path);
    const index = cursor.steps - 1;
    if (known === undefined || index >= known.length || known[index] === step) return;
    throw new Diverged(cursor.path, `the journal has ${known[index]} where this version asks for ${step}`);
  }

  /** A scope that ends has to have done all that it did before. */
  ended(cursor: Cursor): void {
    const known = this.#steps.get(cursor.path) ?? [];
    if (cursor.steps >= known.length) return;
    throw new Diverged(cursor.path, `the journal has ${known[cursor.steps]} where this version ends`);
  }

  #add(scope: string, step: string): void {
    const steps = this.#steps.get(scope);
    if (steps) steps.push(step);
    else this.#steps.set(scope, [step]);
  }

  #enter(scope: string): void {
    if (!this.#entered.has(scope) && !this.#instead.has(scope) && scope !== "") this.#add(parentOf(scope), scope);
    this.#entered.add(scope);
  }
}

/** The epoch at which a scope starts over: no scope of this path has had it. */
export function nextEpoch(entries: readonly Entry[], path: string): number {
  const base = withoutEpoch(path);
  const last = entries.findLast((entry) => entry.type === "restart" && withoutEpoch(entry.scope) === base);
  return (last?.type === "restart" ? last.epoch : 1) + 1;
}

/** The same key can stand for another role, question or command when code has changed. */
export function sameRequest(before: Request, now: Request): boolean {
  if (before.do === "dispatch" && now.do === "dispatch") return before.role === now.role;
  if (before.do === "ask" && now.do === "ask") return before.question.id === now.question.id;
  if (before.do === "check" && now.do === "check") return before.command === now.command;
  if (before.do === "any" && now.do === "any") return before.flows.join() === now.flows.join();
  return before.do === now.do;
}
