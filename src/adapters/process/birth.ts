// Tells a process from a later one with the same pid: by when it was born.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { codeOf } from "../files/failure.ts";

/** The birth of a process that is alive, undefined for one that is not. The same process always gives the same text. */
export function birthOf(pid: number): Promise<string | undefined> {
  return process.platform === "linux" ? birthFromProc(pid) : birthFromPs(pid);
}

/** The start time counts from the boot, so the boot is part of it. */
async function birthFromProc(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in brackets, and may hold spaces and brackets itself.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (isDead(fields[0])) return undefined;
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
    return `${boot.trim()}/${fields[19]}`;
  } catch (cause) {
    if (codeOf(cause) === "ENOENT" || codeOf(cause) === "ESRCH") return undefined;
    throw cause;
  }
}

export async function birthFromPs(pid: number): Promise<string | undefined> {
  const environment = { ...process.env, LC_ALL: "C", TZ: "UTC" };
  try {
    const { stdout } = await run("ps", ["-o", "stat=", "-o", "lstart=", "-p", String(pid)], { env: environment });
    const [state, ...birth] = stdout.trim().split(/\s+/);
    return isDead(state) ? undefined : birth.join(" ");
  } catch (cause) {
    // `ps` exits with 1 when there is no such process.
    if (cause instanceof Error && "code" in cause && cause.code === 1) return undefined;
    throw cause;
  }
}

const run = promisify(execFile);

/** A process that ended but whose parent has not looked yet still has its pid. */
function isDead(state: string | undefined): boolean {
  return state === undefined || state === "" || state.startsWith("Z") || state.startsWith("X");
}
