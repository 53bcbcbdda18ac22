// Where tests make their folders. On a disk they wait for it most of the time, because what they try syncs to it; nothing they try
// depends on what a disk keeps. TMPDIR decides where it is set.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const inMemory = "/dev/shm";
const neededBytes = 2 * 1024 ** 3;

/** A folder in memory, removed at the end; none where there is no room or nothing may be started from it. */
export function folderInMemory(parent = inMemory): string | undefined {
  if (process.env["TMPDIR"] !== undefined) return undefined;
  try {
    const { bavail, bsize } = statfsSync(parent);
    if (bavail * bsize < neededBytes) return undefined;
    const folder = mkdtempSync(join(parent, "superteam-tests-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    const program = join(folder, "program");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    execFileSync(program);
    return folder;
  } catch {
    // No such folder, or none for us: the disk is as good, only slower.
    return undefined;
  }
}
