// The one table of what facts say. A new kind of fact is its type and an entry in the file of its subject: the compiler
// asks for the entry here.

import type { Fact } from "../../../core/flow/fact.ts";
import type { FactEntry, FactTable } from "./fact-entry.ts";
import { planFacts } from "./plan.ts";
import { runFacts } from "./run.ts";
import { taskFacts } from "./task.ts";

const facts: FactTable = { ...runFacts, ...planFacts, ...taskFacts };

/** Undefined for a kind of fact that only another build knows: it changes nothing and is told nowhere. */
export function entryOf(fact: Fact): FactEntry<Fact> | undefined {
  if (!Object.hasOwn(facts, fact.type)) return undefined;
  // The table gives each type its own entry; that they belong together is more than the compiler can follow.
  return facts[fact.type] as FactEntry<Fact>;
}
