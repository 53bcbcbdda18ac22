// Changes on disk that are there for good when they resolve. Each failure says which file it is about.

import { type FileHandle, open } from "node:fs/promises";
import { unwritable } from "./failure.ts";

/** Writes a whole file; `wx` refuses one that exists. */
export async function writeSynced(path: string, flags: "w" | "wx", bytes: Uint8Array): Promise<void> {
  await withFile(path, flags, async (handle) => {
    await handle.writeFile(bytes);
    await handle.sync();
  });
}

export async function cutSynced(path: string, size: number): Promise<void> {
  await withFile(path, "r+", async (handle) => {
    await handle.truncate(size);
    await handle.sync();
  });
}

/** A new name in a folder is there for good only when the folder itself is synced. */
export async function syncFolder(folder: string): Promise<void> {
  await withFile(folder, "r", (handle) => handle.sync());
}

async function withFile(path: string, flags: string, act: (handle: FileHandle) => Promise<void>): Promise<void> {
  try {
    const handle = await open(path, flags);
    await act(handle).finally(() => handle.close());
  } catch (cause) {
    throw unwritable(path, cause);
  }
}
