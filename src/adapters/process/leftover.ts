// What is left of an agent whose superteam was killed (E8, W5): what is known to come from it is ended, by group, tag, and by the
// numbers and births that were noted of processes without its tag. What may come from it is named.

import { readFile } from "node:fs/promises";
import type { EndedLeftover, ProcessMark } from "../../ports/agents.ts";
import { withoutWaiting } from "../files/present.ts";
import { goneAt, untaggedFile } from "./gone.ts";
import { straysIn, strayText } from "./strays.ts";
import { isOfThisBoot, isTableCheap, processTable } from "./table.ts";
import { endTree, type Seen, treeIsAlive } from "./tree.ts";

/** `folder`: that of the dispatch; `cwd`: the one in which it worked, if known. */
export async function endLeftover(
  mark: ProcessMark,
  { folder, cwd }: { readonly folder: string; readonly cwd: string | undefined },
): Promise<EndedLeftover> {
  const [seen, gone] = await Promise.all([notedIn(folder), goneAt(folder)]);
  const wasAlive = await treeIsAlive(mark, seen);
  if (wasAlive) await endTree(mark, undefined, seen);
  if (cwd === undefined || !isTableCheap || !isOfThisBoot(mark.birth)) return { wasAlive, strays: [] };
  const strays = straysIn(await processTable(), mark, cwd, gone ?? undefined);
  return { wasAlive, strays: strays.filter(({ pid }) => pid !== process.pid).map(strayText) };
}

/** A number alone says nothing: another process may have it by now. */
async function notedIn(folder: string): Promise<Seen> {
  const text = await readFile(untaggedFile(folder), { encoding: "utf8", flag: withoutWaiting }).catch(() => "");
  const lines = text.split("\n").map((line) => /^(\d+) (.+)$/.exec(line));
  return new Map(lines.flatMap((found) => (found ? [[Number(found[1]), found[2] ?? ""] as const] : [])));
}
