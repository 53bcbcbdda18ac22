// Many runs from many seeds, of every profile in turn: what was violated, by which seed, and what went wrong how often.

import { allStates, type State } from "./coverage.ts";
import { knownAs } from "./known.ts";
import { type Fault, faults } from "./machine/faults.ts";
import { profiles } from "./profiles.ts";
import { simulate, type Verdict } from "./simulate.ts";

export interface Campaign {
  readonly runs: number;
  readonly records: number;
  /** Violations that nobody knows of. */
  readonly found: readonly { readonly seed: number; readonly profile: string; readonly violation: string }[];
  /** How often a known one was met. */
  readonly known: ReadonlyMap<string, number>;
  readonly ends: ReadonlyMap<string, number>;
  readonly happened: ReadonlyMap<Fault, number>;
  /** In how many runs each state was reached. */
  readonly reached: ReadonlyMap<State, number>;
}

export interface Range {
  readonly from: number;
  readonly seeds: number;
  readonly profiles?: readonly string[];
  /** Whether to go on: asked before each run. */
  readonly goesOn?: () => boolean;
}

export async function campaign({
  from,
  seeds,
  profiles: names = Object.keys(profiles),
  goesOn,
}: Range): Promise<Campaign> {
  const tally = new Tally();
  for (let seed = from; seed < from + seeds; seed++) {
    for (const name of names) {
      if (goesOn?.() === false) return tally;
      tally.add(await simulate(seed, profileNamed(name)), name);
    }
  }
  return tally;
}

export function profileNamed(name: string) {
  const profile = profiles[name];
  if (profile === undefined)
    throw new Error(`There is no profile ${name}. There are: ${Object.keys(profiles).join(", ")}`);
  return profile;
}

class Tally implements Campaign {
  runs = 0;
  records = 0;
  readonly found: { seed: number; profile: string; violation: string }[] = [];
  readonly known = new Map<string, number>();
  readonly ends = new Map<string, number>();
  readonly happened = new Map<Fault, number>(faults.map((fault) => [fault, 0]));
  readonly reached = new Map<State, number>(allStates.map((state) => [state, 0]));

  add({ seed, violations, records, end, happened, states }: Verdict, profile: string): void {
    this.runs += 1;
    this.records += records;
    count(this.ends, end.split(":")[0] ?? end, 1);
    for (const state of states) count(this.reached, state, 1);
    for (const [fault, times] of happened) count(this.happened, fault, times);
    for (const violation of violations) {
      const id = knownAs(violation);
      if (id === undefined) this.found.push({ seed, profile, violation });
      else count(this.known, id, 1);
    }
  }
}

function count<Key>(counts: Map<Key, number>, key: Key, times: number): void {
  counts.set(key, (counts.get(key) ?? 0) + times);
}

/** What was claimed and never happened, so that nothing was shown about it. */
export function unseenIn({ happened, reached }: Campaign): readonly string[] {
  return [...happened, ...reached].filter(([, times]) => times === 0).map(([what]) => what);
}

/** Takes away, one by one, what need not go wrong for the run to be violated all the same. */
export async function shortest(seed: number, name: string): Promise<Verdict> {
  const profile = profileNamed(name);
  let best = await simulate(seed, profile);
  const kind = kindOf(best);
  if (kind === undefined) return best;
  const spared = new Set<number>();
  for (let fault = best.faultCount; fault >= 1; fault--) {
    const tried = await simulate(seed, profile, new Set([...spared, fault]));
    if (kindOf(tried) !== kind) continue;
    spared.add(fault);
    best = tried;
  }
  return best;
}

/** Without names and numbers, so that another run's violation of the same kind counts as the same. */
const kindOf = ({ violations: [first] }: Verdict): string | undefined =>
  first?.replaceAll(/[\d.]+|".*?"|into \S+/g, "");
