// File systems that really say no: root ignores mode bits, so a tree that cannot be written is a read-only mount, and a
// full disk is a small one that was filled.

import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Why nothing can be mounted here; undefined when it can. */
export function cannotMount(folder: string): string | undefined {
  mkdirSync(folder, { recursive: true });
  const tried = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], { encoding: "utf8" });
  if (tried.status === 0) {
    unmount(folder);
    return undefined;
  }
  return `mounting is not allowed here: ${(tried.stderr ?? "").trim() || "there is no mount"}`;
}

/** A disk of so many megabytes, of its own. */
export function mountSmallDisk(folder: string, megabytes: number): void {
  mkdirSync(folder, { recursive: true });
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]);
}

/** From now on nothing below this folder can be written, not even by root. */
export function mountReadOnly(folder: string): void {
  execFileSync("mount", ["--bind", folder, folder]);
  execFileSync("mount", ["-o", "remount,bind,ro", folder]);
}

export function unmount(folder: string): void {
  execFileSync("umount", ["--lazy", folder]);
}

/** Takes up all the space that is left, or all but so many bytes. Gives back how to free it. */
export function fill(disk: string, leave = 0): () => void {
  const file = join(disk, "filler");
  const handle = openSync(file, "w");
  for (const size of [1 << 20, 1 << 12, 1]) {
    while (wrote(handle, size));
  }
  if (leave > 0) ftruncateSync(handle, Math.max(0, fstatSync(handle).size - leave));
  closeSync(handle);
  return () => rmSync(file);
}

function wrote(handle: number, size: number): boolean {
  try {
    return writeSync(handle, Buffer.alloc(size)) > 0;
  } catch {
    return false;
  }
}
