// Takes agents' work back, and nothing of the person's (E3b): just its files, and what is staged of them. A commit of ours
// that holds the work goes with it.

import type { RestoreOutcome, UncommittedWork } from "../../../../core/flow/repository.ts";
import type { Checkout } from "../place/checkout.ts";
import { git } from "../process/run.ts";
import { stateWithout } from "../tree/anchor-without.ts";
import { look } from "../tree/look.ts";
import { restore } from "./restore.ts";

export async function undoWork(checkout: Checkout, work: UncommittedWork, name: string): Promise<RestoreOutcome> {
  const here = await look(checkout);
  const isOurs = work.commit !== undefined && here.sha === work.commit;
  const sha = isOurs ? (await git(checkout.root, ["rev-parse", `${here.sha}^`])).trim() : here.sha;
  const { excludes } = work.start;
  const back = await stateWithout(checkout, { ...here, sha, ...(excludes ? { excludes } : {}) }, work);
  return await restore(checkout, back, name);
}
