// Puts the mutants of a room on trial. All that can be switched share a process with the tests of a stage; what is left goes to
// the next stage. A place that is executed while its file is loaded is not switched in time: its mutant has a process of its own.
// What a module computes once and keeps can hide a mutant from later tests: a score may be too low by that, never too high.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { tryAlone } from "./alone.ts";
import { type Check, checksFor, isNamedAfter } from "./checks.ts";
import { type Courtroom, type Measured, openCourtroom } from "./courtroom-client.ts";
import type { Mutant } from "./mutants.ts";
import { isSwitchable, mutated, withSwitches } from "./switches.ts";

/** Killed: a check failed. Timed out: one did not end. Unreached: none executes the place. Refused: no check noticed it, but the compiler does. */
export type Verdict = "killed" | "timed out" | "survived" | "unreached" | "refused";

export interface Trial {
  readonly mutant: Mutant;
  readonly verdict: Verdict;
}

interface Suspect {
  readonly id: number;
  readonly mutant: Mutant;
  verdict: Verdict;
  /** The files of tests that may notice it when it has a process of its own, by stage. */
  readonly alone: (readonly string[])[];
}

/** A file of tests that takes longer gets a process of its own, after the others. */
const quickSeconds = 2;

export async function judge(room: string, mutants: readonly Mutant[], folder: string): Promise<readonly Trial[]> {
  const suspects = mutants.map((mutant, id): Suspect => ({ id, mutant, verdict: "unreached", alone: [] }));
  const seconds = new Map<string, number>();
  for (const checks of checksFor(room, [...new Set(mutants.map(({ file }) => file))].sort())) {
    const left = suspects.filter(isLeft);
    if (checks.length === 0 || left.length === 0) continue;
    const courtroom = await openCourtroom(folder, filesOf(checks), textsWith(left));
    for (const { file, seconds: taken } of courtroom.tests) seconds.set(file, (seconds.get(file) ?? 0) + taken);
    for (const suspect of left) await tryTogether(suspect, courtroom);
    courtroom.close();
    for (const suspect of left.filter(isLeft)) remember(suspect, checks, courtroom);
  }
  for (const suspect of suspects.filter(isLeft)) await tryByItself(suspect, folder, seconds);
  return suspects;
}

const isLeft = ({ verdict }: Suspect): boolean => verdict === "survived" || verdict === "unreached";

const filesOf = (checks: readonly Check[]): readonly string[] => checks.map(({ file }) => file);

const urlOf = (file: string): string => pathToFileURL(resolve(file)).href;

function textsWith(suspects: readonly Suspect[]): Readonly<Record<string, string>> {
  const byFile = Map.groupBy(suspects.filter(isSwitchable), ({ mutant }) => mutant.file);
  return Object.fromEntries(
    [...byFile].map(([file, switched]) => [urlOf(file), withSwitches(readFileSync(file, "utf8"), switched)]),
  );
}

async function tryTogether(suspect: Suspect, { tests, attempt }: Courtroom): Promise<void> {
  const { id, mutant } = suspect;
  const far = ({ file }: Measured): number => Number(!isNamedAfter(file, mutant.file));
  const executing = tests
    .map((test, index) => ({ test, index }))
    .filter(({ test }) => test.hits.includes(id))
    .sort((a, b) => far(a.test) - far(b.test) || a.test.seconds - b.test.seconds);
  if (executing.length === 0) return;
  suspect.verdict = await attempt(
    id,
    executing.map(({ index }) => index),
  );
}

/** For what is executed while a file is loaded: all that import it. */
function remember({ id, mutant, alone }: Suspect, checks: readonly Check[], { atLoading }: Courtroom): void {
  if (mutant.within !== undefined && !atLoading.has(id)) return;
  alone.push(filesOf(checks.filter(({ reach }) => reach.has(mutant.file))));
}

async function tryByItself(suspect: Suspect, folder: string, seconds: ReadonlyMap<string, number>): Promise<void> {
  const { mutant, alone } = suspect;
  const texts = { [urlOf(mutant.file)]: mutated(readFileSync(mutant.file, "utf8"), mutant) };
  const secondsOf = (file: string): number => seconds.get(file) ?? 0;
  const isQuick = (file: string): boolean => secondsOf(file) <= quickSeconds;
  const isNamed = (file: string): boolean => isQuick(file) && isNamedAfter(file, mutant.file);
  const others = alone.map((files) => files.filter((file) => isQuick(file) && !isNamed(file)));
  const slow = alone.flat().filter((file) => !isQuick(file));
  const named = alone.flat().filter(isNamed);
  for (const files of [named, ...others, ...slow.map((file) => [file])].filter((each) => each.length > 0)) {
    const usual = files.reduce((sum, file) => sum + secondsOf(file), 0);
    suspect.verdict = await tryAlone(files, { folder, texts, seconds: usual });
    if (suspect.verdict !== "survived") return;
  }
}
