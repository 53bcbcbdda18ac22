// Removes the refs that superteam made for a run, except those to keep. git collects what only these refs held.

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
