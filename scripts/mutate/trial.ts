// Puts one mutant on trial: the checks that execute its place run against it, the likeliest first, until one fails.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { runNode } from "../test/run-node.ts";
import { argumentsFor, type Check, isNamedAfter } from "./checks.ts";
import type { Coverage } from "./coverage.ts";
import type { Mutant } from "./mutants.ts";

/** Killed: a check failed. Timed out: one did not end. Unreached: none executes the place. The last two survive. */
export type Verdict = "killed" | "timed out" | "survived" | "unreached";

export interface Court {
  readonly checksFor: (file: string) => readonly (readonly Check[])[];
  readonly coverageOf: (check: Check) => Promise<Coverage>;
  /** Where compiled modules are kept between trials. */
  readonly cache: string;
}

/** A check that takes longer gets a process of its own, after the others. */
const quickSeconds = 2;

export async function judge(mutant: Mutant, court: Court): Promise<Verdict> {
  let wasTried = false;
  for (const checks of court.checksFor(mutant.file)) {
    const timed = await executing(mutant, checks, court);
    for (const batch of batches(mutant, timed)) {
      wasTried = true;
      const verdict = await tryOut(mutant, batch, court);
      if (verdict !== "survived") return verdict;
    }
  }
  return wasTried ? "survived" : "unreached";
}

interface Timed {
  readonly check: Check;
  readonly seconds: number;
}

async function executing(mutant: Mutant, checks: readonly Check[], court: Court): Promise<readonly Timed[]> {
  const timed: Timed[] = [];
  for (const check of checks) {
    const { seconds, executes } = await court.coverageOf(check);
    if (executes(mutant.file, mutant.start)) timed.push({ check, seconds });
  }
  return timed;
}

function batches(mutant: Mutant, timed: readonly Timed[]): readonly (readonly Timed[])[] {
  const isSlow = ({ check, seconds }: Timed): boolean => seconds > quickSeconds || check.options !== undefined;
  const quick = timed.filter((each) => !isSlow(each));
  const named = quick.filter(({ check }) => isNamedAfter(check, mutant.file));
  const slow = timed.filter(isSlow).sort((a, b) => a.seconds - b.seconds);
  const others = quick.filter((each) => !named.includes(each));
  return [named, others, ...slow.map((each) => [each])].filter((batch) => batch.length > 0);
}

async function tryOut(mutant: Mutant, batch: readonly Timed[], { cache }: Court): Promise<Verdict> {
  const { file, start, end, replacement } = mutant;
  const usual = batch.reduce((sum, { seconds }) => sum + seconds, 0);
  const env = {
    ...process.env,
    NODE_TEST_CONTEXT: undefined,
    NODE_COMPILE_CACHE: cache,
    NODE_OPTIONS: `--import=${pathToFileURL(`${import.meta.dirname}/apply.mjs`).href}`,
    SUPERTEAM_MUTANT: JSON.stringify({ url: pathToFileURL(resolve(file)).href, start, end, replacement }),
  };
  const checks = batch.map(({ check }) => check);
  const args = argumentsFor(checks, `${import.meta.dirname}/first-failure.mjs`);
  const { code, isLate } = await runNode(args, { seconds: 5 + 3 * usual, env });
  if (isLate) return "timed out";
  return code === 0 ? "survived" : "killed";
}
