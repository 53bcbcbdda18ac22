// A folder for one measurement, on the disk the project lies on: a tmpfs would make fsync free.

import { rmSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";

const parent = new URL("../node_modules/.cache/superteam-bench/", import.meta.url).pathname;

export async function inFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, "b-"));
  try {
    return await act(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** One that stays until the benchmark ends, for what several rows look at. */
export async function keptFolder(): Promise<string> {
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, "k-"));
  if (kept.push(folder) === 1) process.once("exit", forgetKept);
  return folder;
}

const kept: string[] = [];

function forgetKept(): void {
  for (const folder of kept) rmSync(folder, { recursive: true, force: true });
}
