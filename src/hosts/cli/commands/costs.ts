// superteam costs: what a run has cost, from its journal. It only reads, so it answers at once, also while another process
// runs and after the run has ended.

import { costLines } from "../../../engine/views/show/cost-table.ts";
import { costsOf } from "../../../engine/views/show/costs.ts";
import { chooseRun, lookAt, storeOf } from "../../../runs/look/look.ts";
import { print } from "../say.ts";

export interface CostsOptions {
  readonly folder: string;
  readonly id: string | undefined;
  readonly json?: boolean;
}

export async function costs({ folder, id, json }: CostsOptions): Promise<void> {
  const store = await storeOf(folder);
  const { view, owner } = await lookAt(store, await chooseRun(store, id));
  const spent = costsOf(view, owner !== undefined);
  print(json ? JSON.stringify(spent) : costLines(spent).join("\n"));
}
