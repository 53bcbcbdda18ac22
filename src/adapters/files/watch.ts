// Looks again whenever a folder changes. Watching is a courtesy of the file system and may miss things or not work at
// all, so there is a slow poll beside it.

import { type FSWatcher, watch } from "node:fs";

/** Some file systems report no changes. */
const pollMs = 1000;

/** A turn to look at once, then one soon after each change in the folder, until the signal is aborted. */
export async function* looksAt(folder: string, signal: AbortSignal): AsyncGenerator<void> {
  let change = Promise.withResolvers<void>();
  const wake = (): void => change.resolve();
  const timer = setInterval(wake, pollMs);
  const watcher = tryWatch(folder, wake);
  signal.addEventListener("abort", wake, { once: true });
  try {
    while (!signal.aborted) {
      change = Promise.withResolvers();
      yield;
      await change.promise;
    }
  } finally {
    clearInterval(timer);
    watcher?.close();
    signal.removeEventListener("abort", wake);
  }
}

/** Without a watcher (too many of them, or a folder that is gone) the poll is all there is. */
function tryWatch(folder: string, look: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, look);
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
