// What an estimate in this run can be based on: its own ledger, earlier runs, and the models that would be asked now.

import { difficulties } from "../../core/flow/dispatch.ts";
import type { Experience } from "../../core/money/experience.ts";
import type { PipelineRole } from "../../core/run/pipeline.ts";
import { count } from "../../core/text/format.ts";
import type { World } from "../drive/world.ts";
import { samplesIn } from "../views/fold/ledger.ts";
import type { Tally } from "./tally.ts";

/** Older runs say less about the next one, and the outcome is kept in the journal. */
const runsKept = 50;
const samplesKept = 16;

export async function gatherExperience(
  world: World,
  tally: Tally,
  roles: readonly PipelineRole[],
): Promise<Experience> {
  const { runs, skipped } = await world.history.read();
  if (skipped > 0) {
    const lines = count(skipped, "line");
    world.watch({ type: "told", text: `${lines} of the history of past runs cannot be read and are ignored.` });
  }
  const past = runs.slice(-runsKept).map((run) => ({
    ...run,
    samples: run.samples.map((sample) => ({
      ...sample,
      costsUsd: sample.costsUsd.slice(-samplesKept),
      ms: sample.ms.slice(-samplesKept),
    })),
  }));
  const raisedUsd = tally.view.raised.usd;
  return {
    own: samplesIn(tally.view.spend),
    past,
    spentUsd: tally.spent.usd,
    ...(raisedUsd > 0 ? { raisedUsd } : {}),
    models: await modelsNow(world, roles),
  };
}

/** Who writes may have another model by the difficulty of the work. */
async function modelsNow(world: World, roles: readonly PipelineRole[]): Promise<Experience["models"]> {
  const models: Record<string, string | null> = {};
  for (const { name, access } of roles) {
    models[name] = (await world.roles.resolve(name, {})).model;
    for (const difficulty of access === "write" ? difficulties : []) {
      models[`${name}/${difficulty}`] = (await world.roles.resolve(name, { difficulty })).model;
    }
  }
  return models;
}
