// Looks again whenever a folder changes. Watching is a courtesy of the file system and may miss things or not work at
// all, so there is a slow poll beside it.

import { type FSWatcher, watch } from "node:fs";

/** Calls `look` soon after each change in the folder, and every `pollMs`. Returns how to stop. */
export function lookOnChange(folder: string, pollMs: number, look: () => void): () => void {
  const timer = setInterval(look, pollMs);
  const watcher = tryWatch(folder, look);
  return () => {
    clearInterval(timer);
    watcher?.close();
  };
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
