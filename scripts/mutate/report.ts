// What the mutation command prints.

import { wilson } from "./sample.ts";
import type { Trial, Verdict } from "./trial.ts";

export function isUnnoticed({ verdict }: Trial): boolean {
  return verdict === "survived" || verdict === "unreached";
}

export function reportSurvivor(trial: Trial): void {
  const { mutant, verdict } = trial;
  if (isUnnoticed(trial)) console.log(`${verdict}  ${mutant.file}:${mutant.line}  ${mutant.change}`);
}

/** The score is the share that tests noticed; a mutant that no longer ends was noticed. A second share adds those that only the compiler refuses. */
export function reportFolder(folder: string, trials: readonly Trial[], outOf: number): void {
  const count = (verdict: Verdict): number => trials.filter((each) => each.verdict === verdict).length;
  const noticed = count("killed") + count("timed out");
  const percent = (share: number): string => (share * 100).toFixed(1);
  const shareOf = (some: number): string => percent(trials.length === 0 ? 0 : some / trials.length);
  const [low, high] = wilson(noticed, trials.length);
  console.log(
    [
      `${folder}: ${shareOf(noticed)} % by tests (95 % interval ${percent(low)} to ${percent(high)})`,
      `${shareOf(noticed + count("refused"))} % with the compiler`,
      `${trials.length} of ${outOf} mutants`,
      `killed ${count("killed")}`,
      `timed out ${count("timed out")}`,
      `refused ${count("refused")}`,
      `survived ${count("survived")}`,
      `unreached ${count("unreached")}`,
    ].join(", "),
  );
}
