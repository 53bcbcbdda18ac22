// superteam costs: what a run has cost, from its journal. It only reads, so it answers at once, also while another process
// runs and after the run has ended.

import { costLines } from "../../../engine/views/show/cost-table.ts";
import { costsOf } from "../../../engine/views/show/costs.ts";
import { chooseRun, lookAt } from "../../../runs/look/look.ts";
import { runsAt } from "../../wiring/runs-at.ts";
import { print } from "../say.ts";

export interface CostsOptions {
  readonly folder: string;
  readonly id: string | undefined;
  readonly json?: boolean;
}

export async function costs({ folder, id, json }: CostsOptions): Promise<void> {
  const runs = await runsAt(folder);
  const { view, owner } = await lookAt(runs, await chooseRun(runs, id));
  const spent = costsOf(view, owner !== undefined);
  print(json ? JSON.stringify(spent) : costLines(spent).join("\n"));
}
