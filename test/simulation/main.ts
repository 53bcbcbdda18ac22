// npm run simulate: plays runs in which everything goes wrong that can, from seeds.
//   --seeds N --from S   which seeds, of every profile (100 from 1)
//   --minutes M          stop after so long
//   --profile NAME       this profile only
//   --seed S --profile P replay one run: prints its shortest trace that is still violated

import { parseArgs } from "node:util";
import { type Campaign, campaign, shortest } from "./campaign.ts";
import { faults } from "./machine.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "100" },
    from: { type: "string", default: "1" },
    minutes: { type: "string", default: "60" },
    profile: { type: "string" },
    seed: { type: "string" },
  },
});

process.exitCode =
  values.seed === undefined ? await many() : await replay(Number(values.seed), values.profile ?? "all");

async function replay(seed: number, profile: string): Promise<number> {
  const { trace, violations } = await shortest(seed, profile);
  console.log(trace.join("\n"));
  for (const violation of violations) console.log(`violated: ${violation}`);
  return violations.length === 0 ? 0 : 1;
}

async function many(): Promise<number> {
  const end = Date.now() + Number(values.minutes) * 60_000;
  const start = process.cpuUsage();
  const told = await campaign({
    from: Number(values.from),
    seeds: Number(values.seeds),
    ...(values.profile === undefined ? {} : { profiles: [values.profile] }),
    goesOn: () => Date.now() < end,
  });
  const { user, system } = process.cpuUsage(start);
  tell(told, (user + system) / 1e6);
  const unseen = told.runs < 400 ? [] : faults.filter((fault) => told.happened.get(fault) === 0);
  for (const fault of unseen) console.log(`never happened, so nothing was shown about it: ${fault}`);
  return told.found.length + (values.profile === undefined ? unseen.length : 0) === 0 ? 0 : 1;
}

function tell({ runs, records, found, known, ends, happened }: Campaign, seconds: number): void {
  const each = [...ends].map(([how, times]) => `${times} ${how}`).join(", ");
  console.log(`${runs} runs (${each}), ${records} records, ${Math.round(records / seconds)} per processor second`);
  console.log(`went wrong: ${[...happened].map(([fault, times]) => `${fault} ${times}`).join(", ")}`);
  for (const [id, times] of known) console.log(`known as ${id}: ${times} times`);
  for (const { seed, profile, violation } of found) {
    console.log(`violated: ${violation}\n  npm run simulate -- --seed ${seed} --profile ${profile}`);
  }
}
