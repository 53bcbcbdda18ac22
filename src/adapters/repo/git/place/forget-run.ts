// Removes every ref that superteam made for a run. What only they hold is git's to collect.

import { git } from "../process/run.ts";
import { refFor } from "./checkout.ts";

export async function forgetRun(root: string, runId: string): Promise<void> {
  const refs = await git(root, ["for-each-ref", "--format=delete %(refname)", refFor(runId, "")]);
  if (refs.trim() !== "") await git(root, ["update-ref", "--stdin"], { input: refs });
}
