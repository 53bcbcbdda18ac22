// Ends the whole tree of processes that came from one start (E8): its group, its descendants, and whatever carries its tag
// (tools start sessions of their own, and outlive their parents). What has been seen once is remembered, so that it is
// still found when its parent is gone.

import { setTimeout as pause } from "node:timers/promises";
import type { ProcessMark } from "../../ports/agents.ts";
import { codeOf } from "../files/present.ts";
import { birthOf, isOfThisBoot, processTable, type Row, variableOf, youngerProcesses } from "./table.ts";

/** Every process of a start inherits this variable. A superteam inside an agent appends its own tag to the outer one. */
export const tagVariable = "SUPERTEAM_TAG";

/** Processes of a start by number, with their birth: found again when parent, group and tag no longer tell. */
export type Seen = Map<number, string>;

interface GracePeriod {
  /** How long processes may take to end by themselves after SIGTERM. */
  readonly graceMs: number;
  /** How long to keep on killing what does not die, such as a process in an uninterruptible wait. */
  readonly giveUpMs: number;
}

const usualPatience: GracePeriod = { graceMs: 5_000, giveUpMs: 30_000 };

/** SIGTERM, then SIGKILL until nothing is left. Resolves with what could not be ended: almost always nothing. */
export async function endTree(
  mark: ProcessMark,
  patience: GracePeriod = usualPatience,
  seen: Seen = new Map(),
): Promise<readonly number[]> {
  const started = performance.now();
  let left = treeIn(await processTable(), mark, seen);
  if (left.length === 0) return [];
  send(left, mark, "SIGTERM");
  for (let wait = 5; left.length > 0; wait = Math.min(wait * 2, 100)) {
    await pause(wait);
    left = treeIn(await processTable(), mark, seen);
    const elapsed = performance.now() - started;
    if (elapsed > patience.graceMs + patience.giveUpMs) break;
    if (elapsed >= patience.graceMs) send(left, mark, "SIGKILL");
  }
  return left.map((row) => row.pid);
}

/** Ends a process of our own that carries no tag, with all that came from it. */
export async function endProcess(pid: number): Promise<void> {
  const birth = await birthOf(pid);
  if (birth !== "") await endTree({ pid, birth, tag: "" });
}

/** Whether anything that came from this start is alive. */
export async function treeIsAlive(mark: ProcessMark, seen: Seen = new Map()): Promise<boolean> {
  return treeIn(await processTable(), mark, seen).length > 0;
}

/** What is alive of one that this process started a short while ago, and all that is as young. What it finds is remembered in `seen`. */
export async function ownTree(
  mark: ProcessMark,
  elapsedMs: number,
  seen: Seen,
): Promise<{ readonly tree: readonly Row[]; readonly young: readonly Row[] }> {
  const young = await youngerProcesses(mark.pid, elapsedMs);
  return { tree: treeIn(young, mark, seen), young };
}

export function carriesTag(pid: number, tag: string): boolean {
  return variableOf(pid, tagVariable)?.split(":").includes(tag) ?? false;
}

function treeIn(table: readonly Row[], mark: ProcessMark, seen: Map<number, string>): readonly Row[] {
  if (!isOfThisBoot(mark.birth)) return [];
  const rows = table.filter((row) => row.pid !== process.pid && row.pid > 1);
  const leader = rows.find((row) => row.pid === mark.pid);
  // The kernel gives no pid away while a group of that number lives: with another leader, the group is another one.
  const reused = leader !== undefined && !isSame(leader, mark);
  const isRoot = (row: Row): boolean =>
    (!reused && mark.pid > 0 && (row.pid === mark.pid || row.group === mark.pid)) ||
    seen.get(row.pid) === row.birth ||
    (!isOlder(row, mark) && carriesTag(row.pid, mark.tag));
  const tree = withDescendants(rows.filter(isRoot), rows);
  for (const row of tree) seen.set(row.pid, row.birth);
  return tree;
}

function isSame(row: Row, mark: ProcessMark): boolean {
  return mark.birth === "" ? carriesTag(row.pid, mark.tag) : row.birth === mark.birth;
}

/** A process that started before the first one cannot come from it; comparing ticks saves reading its environment. */
export function isOlder(row: Row, mark: ProcessMark): boolean {
  return mark.birth !== "" && Number.parseInt(row.birth, 10) < Number.parseInt(mark.birth, 10);
}

function withDescendants(roots: readonly Row[], rows: readonly Row[]): readonly Row[] {
  if (roots.length === 0) return [];
  const children = Map.groupBy(rows, (row) => row.parent);
  const tree = new Set(roots);
  // A set visits what is added while it is walked.
  for (const row of tree) for (const child of children.get(row.pid) ?? []) tree.add(child);
  return [...tree];
}

function send(rows: readonly Row[], mark: ProcessMark, signal: NodeJS.Signals): void {
  if (rows.some((row) => row.group === mark.pid)) kill(-mark.pid, signal);
  for (const row of rows) kill(row.pid, signal);
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // Gone already, or no longer ours to signal: the next look at the table says which.
    if (!["ESRCH", "EPERM"].includes(codeOf(error))) throw error;
  }
}
