// The remaining processes of an agent whose superteam was killed (E8, W5). Those that certainly come from it are ended: by group, by tag, and
// by the pids and times of birth that were noted for processes without its tag. Those that may come from it are named.

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
