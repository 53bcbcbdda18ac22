// Processes that may come from an agent although nothing links them to it (E8): they started while it ran, in the folder it worked in, with an
// empty environment and in a session of their own, and their parent ended before it was seen. The person may have started them as well, so
// they are named and not ended.

import type { ProcessMark } from "../../ports/agents.ts";
import { bornAt, folderOf, nameOf, type Row, variableOf } from "./table.ts";
import { isOlder, tagVariable } from "./tree.ts";

export interface Stray {
  readonly pid: number;
  readonly name: string;
}

/**
 * `rows`: what is left when everything that is known to come from the agent was ended. `goneAt`: when that was, if it was in an
 * earlier life. Whatever started later is the person's.
 */
export function straysIn(
  rows: readonly Row[],
  mark: ProcessMark,
  folder: string,
  goneAt = Number.POSITIVE_INFINITY,
): readonly Stray[] {
  const isInTime = (row: Row): boolean => !isOlder(row, mark) && (bornAt(row.birth) ?? 0) <= goneAt + slackMs;
  const found = rows.filter((row) => isInTime(row) && isOrphan(row) && isIn(folderOf(row.pid), folder));
  // Whatever carries a tag is another agent's. git tidies up by itself, and is done soon.
  const strays = found.filter(({ pid }) => variableOf(pid, tagVariable) === undefined);
  return strays.map(({ pid }) => ({ pid, name: nameOf(pid) })).filter(({ name }) => name !== "git");
}

export const strayText = ({ pid, name }: Stray): string =>
  `Process ${pid} (${name}) was started in this folder while an agent was at work, and still runs. If it is not yours, end it: kill ${pid}`;

/** The kernel counts from a boot whose time is known to the second. */
const slackMs = 2_000;

/** Its parent is gone: whoever collects such processes has it, the first process or that of a session. */
const isOrphan = ({ parent }: Row): boolean => parent === 1 || nameOf(parent) === "systemd";

function isIn(folder: string | undefined, root: string): boolean {
  return folder !== undefined && (folder === root || folder.startsWith(`${root}/`));
}
