// superteam runs prune.

import { placesFolder, removePlaces } from "../../../adapters/place/places-folder.ts";
import { forgetRun } from "../../../adapters/repo/git/place/forget-run.ts";
import { worktreesOf } from "../../../adapters/repo/git/place/worktree.ts";
import { settings } from "../../../adapters/settings/file.ts";
import { roleNames } from "../../../pipelines/pipelines.ts";
import { Problem } from "../../../runs/problem.ts";
import { prune as pruned, pruneLines } from "../../../runs/prune.ts";
import { runsAt } from "../../wiring/runs-at.ts";
import { anyTreeAt } from "../../wiring/tree-at.ts";
import { answerWith } from "../say.ts";

interface PruneWords {
  readonly folder: string;
  readonly keep: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export async function prune({ folder, keep, dryRun = false, json }: PruneWords): Promise<void> {
  if (!/^\d+$/.test(keep))
    throw new Problem(`--keep ${keep} is not a number of runs. Example: --keep 10`, "wrong-usage");
  const { root } = await anyTreeAt(folder);
  const { worktree } = await settings({ root, roles: roleNames })
    .holding(() => null)
    .read();
  const forget = async (runId: string): Promise<void> => {
    await removePlaces(placesFolder(worktree, root, runId), worktreesOf(root).remove);
    await worktreesOf(root).removeIn(runId);
    await forgetRun(root, runId);
  };
  const removed = await pruned(await runsAt(folder), { keep: Number(keep), dryRun, forget });
  answerWith(json, { ...removed, dryRun }, pruneLines(removed, dryRun));
}
