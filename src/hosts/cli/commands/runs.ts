// superteam runs, superteam report: the runs there have been in this repository, and the report of one.

import { runLine } from "../../../engine/views/show/runs.ts";
import { reportText, runLines, runsText } from "../../../runs/look/past.ts";
import { lookAtLine } from "../../../runs/look/queue.ts";
import { runsAt } from "../../wiring/runs-at.ts";
import { print } from "../say.ts";

export async function runs({ folder, json }: { readonly folder: string; readonly json?: boolean }): Promise<void> {
  print(json ? JSON.stringify(await runsObject(folder)) : await runsText(await runsAt(folder)));
}

async function runsObject(folder: string) {
  const runs = await runsAt(folder);
  const { inLine } = await lookAtLine(runs);
  return { runs: (await runLines(runs)).map(runLine), inLine };
}

export async function report({ folder, id }: { readonly folder: string; readonly id: string | undefined }) {
  process.stdout.write(await reportText(await runsAt(folder), id));
}
