// The machine's processes as rows: read from /proc where there is one (Linux), from `ps` elsewhere.

import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { promisify } from "node:util";
import { codeOf } from "../files/present.ts";

export interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The start time as the kernel gives it: clock ticks and which boot they count from on Linux, a date elsewhere. */
  readonly birth: string;
}

/** Every process that is alive. Zombies are dead: they only wait for a parent that may never ask. */
export async function processTable(): Promise<readonly Row[]> {
  return hasProc ? procPids().map(procRow).filter(isLive) : psTable();
}

/**
 * At least every process that started since `first` did, `elapsedMs` ago. Numbers are given in turn, so what is younger
 * lies between that one and the last one given: a few rows instead of all, as long as the turn cannot have come round.
 */
export async function youngerProcesses(first: number, elapsedMs: number): Promise<readonly Row[]> {
  const last = Number(readProc("/proc/loadavg")?.trim().split(" ").at(-1));
  if (!hasProc || !(last > 0) || !(elapsedMs < turnMs)) return processTable();
  const isYounger = (pid: number): boolean =>
    last >= first ? pid >= first && pid <= last : pid >= first || pid <= last;
  const between = last - first;
  const pids = between >= 0 && between < few ? numbersFrom(first, between + 1) : procPids().filter(isYounger);
  return pids.map(procRow).filter(isLive);
}

/** To ask for so many, there or not, takes less time than to list all there are. */
const few = 32;

const numbersFrom = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => first + index);

/** The start time of one process; empty when it is not alive. */
export async function birthOf(pid: number): Promise<string> {
  const rows = hasProc ? [procRow(pid)].filter(isLive) : await psTable();
  return rows.find((row) => row.pid === pid)?.birth ?? "";
}

/** The start time of a child that may have ended meanwhile, as long as it has not been waited for. */
export async function birthOfChild(pid: number): Promise<string> {
  return hasProc ? (procRow(pid)?.birth ?? "") : birthOf(pid);
}

/** Whether a process born then can be alive: not if the machine was rebooted. */
export function isOfThisBoot(birth: string): boolean {
  return !birth.includes("@") || birth.endsWith(`@${boot}`);
}

/** When a process was born, in milliseconds since the epoch, to a second or two; undefined where that is unknown. */
export function bornAt(birth: string): number | undefined {
  const [, booted] = /^btime (\d+)$/m.exec(readProc("/proc/stat") ?? "") ?? [];
  return booted === undefined ? undefined : Number(booted) * 1000 + Number.parseInt(birth, 10) * msPerTick;
}

/** The value of a variable in the environment a process was started with; undefined where it cannot be read. */
export function variableOf(pid: number, name: string): string | undefined {
  const environment = environmentOf(pid)?.split("\0");
  return environment?.find((variable) => variable.startsWith(`${name}=`))?.slice(name.length + 1);
}

/**
 * A process that loads another program has neither an environment nor arguments for that moment: it is waited for. One that is
 * seen with arguments alone several times has no environment. The kernel's own processes have no program either.
 */
function environmentOf(pid: number): string | undefined {
  const read = (name: string): string | undefined => readProc(`/proc/${pid}/${name}`);
  for (let [looks, withArguments] = [1, 0]; ; looks++) {
    const environment = read("environ");
    if (environment !== "") return environment;
    if (read("cmdline") !== "") withArguments++;
    else if (unlessGone(() => readlinkSync(`/proc/${pid}/exe`)) === undefined) return environment;
    if (withArguments === 3 || looks === mostLooks) return environment;
    if (looks > 10) Atomics.wait(clock, 0, 0, 1);
  }
}

/** A program is loaded within a millisecond, unless the machine is very busy. */
const mostLooks = 60;
/** Nobody changes it: waiting for it passes time. */
const clock = new Int32Array(new SharedArrayBuffer(4));

/** The folder that a process works in; undefined where it cannot be read. */
export function folderOf(pid: number): string | undefined {
  return unlessGone(() => readlinkSync(`/proc/${pid}/cwd`));
}

/** What a process calls itself; empty where it cannot be read. */
export const nameOf = (pid: number): string => readProc(`/proc/${pid}/comm`)?.trim() ?? "";

const hasProc = existsSync("/proc/self/stat");

/** Elsewhere a program lists the processes: too much to do it now and then. */
export const isTableCheap = hasProc;
const boot = readProc("/proc/sys/kernel/random/boot_id")?.trim() ?? "";

/** Linux counts in hundredths of a second for programs, whatever its own clock does. */
const msPerTick = 10;

/** More processes than any machine starts in a millisecond. */
const startsPerMs = 20;
const turnMs = Number(readProc("/proc/sys/kernel/pid_max")) / startsPerMs;

function procPids(): readonly number[] {
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

type ProcRow = Row & { readonly state: string };

function isLive(row: ProcRow | undefined): row is ProcRow {
  return row !== undefined && row.state !== "Z" && row.state !== "X";
}

function procRow(pid: number): ProcRow | undefined {
  // To learn from an error that it is not there would take ten times as long.
  const stat = existsSync(`/proc/${pid}`) ? readProc(`/proc/${pid}/stat`) : undefined;
  if (stat === undefined) return undefined;
  // The name in parentheses may itself hold spaces and parentheses; what follows the last one is regular.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = "", parent, group] = fields;
  return { pid, parent: Number(parent), group: Number(group), birth: `${fields[19]}@${boot}`, state };
}

function readProc(path: string): string | undefined {
  return unlessGone(() => readFileSync(path, "latin1"));
}

/** Processes end while they are looked at, and others belong to someone else: both read as absent. */
function unlessGone(read: () => string): string | undefined {
  try {
    return read();
  } catch (error) {
    if (codeOf(error) !== "") return undefined;
    throw error;
  }
}

/** Exported for its test: where there is a /proc it is not used. */
export async function psTable(): Promise<readonly Row[]> {
  const columns = ["pid=", "ppid=", "pgid=", "stat=", "lstart="].flatMap((column) => ["-o", column]);
  const options = { env: { ...process.env, LC_ALL: "C", TZ: "UTC" }, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)("ps", ["-A", ...columns], options);
  return stdout.split("\n").flatMap(psRow);
}

function psRow(line: string): readonly Row[] {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*?)\s*$/.exec(line);
  if (match === null || match[4]?.startsWith("Z")) return [];
  return [{ pid: Number(match[1]), parent: Number(match[2]), group: Number(match[3]), birth: match[5] ?? "" }];
}
