// What the mutation command prints.

import { wilson } from "./sample.ts";
import type { Trial, Verdict } from "./trial.ts";

export function reportSurvivor({ mutant, verdict }: Trial): void {
  if (verdict === "killed" || verdict === "timed out") return;
  console.log(`${verdict}  ${mutant.file}:${mutant.line}  ${mutant.change}`);
}

/** The score is the share that tests noticed. A mutant that no longer ends was noticed. */
export function reportFolder(folder: string, trials: readonly Trial[], outOf: number): void {
  const count = (verdict: Verdict): number => trials.filter((each) => each.verdict === verdict).length;
  const noticed = count("killed") + count("timed out");
  const share = trials.length === 0 ? 0 : noticed / trials.length;
  const [low, high] = wilson(noticed, trials.length);
  const percent = (share: number): string => (share * 100).toFixed(1);
  console.log(
    [
      `${folder}: ${percent(share)} % (95 % interval ${percent(low)} to ${percent(high)})`,
      `${trials.length} of ${outOf} mutants`,
      `killed ${count("killed")}`,
      `timed out ${count("timed out")}`,
      `survived ${count("survived")}`,
      `unreached ${count("unreached")}`,
    ].join(", "),
  );
}
