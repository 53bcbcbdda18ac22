// npm run simulate: plays runs in which everything goes wrong that can, from seeds.
//   --seeds N --from S   which seeds, of every profile (100 from 1)
//   --minutes M          stop after so long
//   --random             seeds that nobody has tried; what they violate is printed and does not fail
//   --profile NAME       this profile only
//   --seed S --profile P replay one run: prints its shortest trace that is still violated
//   --version V          which simulation the seed is of: says so if this is another one

import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { type Campaign, campaign, shortest, unseenIn } from "./campaign.ts";
import { otherVersion, simulationVersion } from "./version.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string" },
    from: { type: "string" },
    minutes: { type: "string", default: "60" },
    random: { type: "boolean", default: false },
    profile: { type: "string" },
    seed: { type: "string" },
    version: { type: "string" },
  },
});

/** Fewer runs than these may miss something by chance. */
const enoughRuns = 600;
const version = simulationVersion();

process.exitCode =
  values.seed === undefined ? await many() : await replay(Number(values.seed), values.profile ?? "all");

async function replay(seed: number, profile: string): Promise<number> {
  const warning = otherVersion(values.version, version);
  if (warning !== undefined) console.log(warning);
  const { trace, violations } = await shortest(seed, profile);
  console.log(trace.join("\n"));
  for (const violation of violations) console.log(`violated: ${violation}`);
  return violations.length === 0 ? 0 : 1;
}

async function many(): Promise<number> {
  const end = Date.now() + Number(values.minutes) * 60_000;
  const start = process.cpuUsage();
  const told = await campaign({
    from: Number(values.from ?? (values.random ? randomInt(1_000_000, 2 ** 31) : 1)),
    seeds: Number(values.seeds ?? (values.random ? Number.MAX_SAFE_INTEGER : 100)),
    ...(values.profile === undefined ? {} : { profiles: [values.profile] }),
    goesOn: () => Date.now() < end,
  });
  const { user, system } = process.cpuUsage(start);
  tell(told, (user + system) / 1e6);
  const unseen = told.runs < enoughRuns || values.profile !== undefined ? [] : unseenIn(told);
  for (const what of unseen) console.log(`never happened, so nothing was shown about it: ${what}`);
  return values.random || told.found.length + unseen.length === 0 ? 0 : 1;
}

function tell({ runs, records, found, known, ends, happened, reached }: Campaign, seconds: number): void {
  const listed = (counts: ReadonlyMap<string, number>): string =>
    [...counts].map(([what, times]) => `${what} ${times}`).join(", ");
  console.log(
    `${runs} runs (${listed(ends)}), ${records} records, ${Math.round(records / seconds)} per processor second`,
  );
  console.log(`went wrong: ${listed(happened)}`);
  console.log(`reached, in so many runs: ${listed(reached)}`);
  for (const [id, times] of known) console.log(`known as ${id}: ${times} times`);
  for (const { seed, profile, violation } of found) {
    console.log(
      `violated: ${violation}\n  npm run simulate -- --seed ${seed} --profile ${profile} --version ${version}`,
    );
  }
}
