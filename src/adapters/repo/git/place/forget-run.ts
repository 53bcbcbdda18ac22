// Removes refs that superteam made for a run: all of them, but for those to keep. What only they hold is git's to collect.

import { git } from "../process/run.ts";
import { refFor } from "./checkout.ts";

export async function forgetRun(
  root: string,
  runId: string,
  isKept: (ref: string) => boolean = () => false,
): Promise<void> {
  const listed = await git(root, ["for-each-ref", "--format=%(refname)", refFor(runId, "")]);
  const refs = listed.split("\n").filter((ref) => ref !== "" && !isKept(ref));
  if (refs.length === 0) return;
  await git(root, ["update-ref", "--stdin"], { input: refs.map((ref) => `delete ${ref}\n`).join("") });
}
