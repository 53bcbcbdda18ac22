// superteam runs prune.

import { forgetRun } from "../../../adapters/repo/git/place/forget-run.ts";
import { Problem } from "../../../runs/problem.ts";
import { prune as pruned, pruneLines } from "../../../runs/prune.ts";
import { runsAt } from "../../wiring/runs-at.ts";
import { treeAt } from "../../wiring/tree-at.ts";
import { answerWith } from "../say.ts";

interface PruneWords {
  readonly folder: string;
  readonly keep: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export async function prune({ folder, keep, dryRun = false, json }: PruneWords): Promise<void> {
  if (!/^\d+$/.test(keep)) throw new Problem(`--keep ${keep}: say how many runs stay, as in --keep 10.`, "wrong-usage");
  const { root } = await treeAt(folder);
  const forget = (runId: string): Promise<void> => forgetRun(root, runId);
  const removed = await pruned(await runsAt(folder), { keep: Number(keep), dryRun, forget });
  answerWith(json, { ...removed, dryRun }, pruneLines(removed, dryRun));
}
