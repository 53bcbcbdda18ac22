// The events of a run as a file beside its journal, events.jsonl. It is written at once and never synced: what a crash of the
// machine takes from it can be made from the journal.

import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { EventLog } from "../../ports/runs.ts";
import { ifPresent } from "../files/present.ts";

export const eventsFile = (folder: string): string => join(folder, "events.jsonl");

/** What it holds, and a way to append, without half a line before that. */
export function openEvents(folder: string): EventLog {
  const file = eventsFile(folder);
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const whole = bytes.lastIndexOf("\n") + 1;
  let handle: number | undefined;
  const opened = (): number => {
    const now = openSync(file, "a");
    if (whole < bytes.length) ftruncateSync(now, whole);
    return now;
  };
  return {
    lines: linesIn(bytes.subarray(0, whole)),
    append(line) {
      handle ??= opened();
      writeSync(handle, `${line}\n`);
    },
    close() {
      if (handle !== undefined) closeSync(handle);
    },
  };
}

/** Gives the whole lines that are new at each call. */
export function eventsReader(folder: string): () => Promise<readonly string[]> {
  let from = 0;
  return async () => {
    const handle = await ifPresent(open(eventsFile(folder)));
    if (handle === undefined) return [];
    try {
      const { size } = await handle.stat();
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.max(0, size - from)), { position: from });
      const whole = buffer.subarray(0, bytesRead).lastIndexOf("\n") + 1;
      from += whole;
      return linesIn(buffer.subarray(0, whole));
    } finally {
      await handle.close();
    }
  };
}

function linesIn(bytes: Buffer): readonly string[] {
  return bytes.toString("utf8").split("\n").slice(0, -1);
}
