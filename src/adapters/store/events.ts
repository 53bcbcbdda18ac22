// The events of a run as a file beside its journal, events.jsonl. It is written once a second and never synced: what a crash
// takes from it can be made from the journal.

import { closeSync, existsSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { EventLog } from "../../ports/runs.ts";
import { ifPresent } from "../files/present.ts";
import { firstBytes } from "../files/small-file.ts";

export const eventsFile = (folder: string): string => join(folder, "events.jsonl");

/** Each write dirties a page, which the next sync of the journal brings to disk: one for each event is too many. */
const everyMs = 1000;

/** What it holds, and a way to append, without half a line before that. */
export function openEvents(folder: string): EventLog {
  const file = eventsFile(folder);
  const { bytes, failure: unreadable } = bytesOf(file);
  const whole = bytes.lastIndexOf("\n") + 1;
  let handle: number | undefined;
  let waiting = "";
  let failure = unreadable;
  let timer: NodeJS.Timeout | undefined;
  const opened = (): number => {
    const now = openSync(file, "a");
    if (whole < bytes.length) ftruncateSync(now, whole);
    return now;
  };
  /** The next line that is appended fails with what went wrong here. */
  const write = (): void => {
    timer = undefined;
    try {
      if (waiting === "") return;
      handle ??= opened();
      writeSync(handle, waiting);
      waiting = "";
    } catch (cause) {
      failure = cause;
    }
  };
  return {
    lines: linesIn(bytes.subarray(0, whole)),
    append(line) {
      if (failure !== undefined) throw failure;
      waiting += `${line}\n`;
      timer ??= setTimeout(write, everyMs).unref();
    },
    close() {
      clearTimeout(timer);
      write();
      if (handle !== undefined) closeSync(handle);
    },
  };
}

/** What cannot be read cannot be added to either: the first line that is appended says so. */
function bytesOf(file: string): { readonly bytes: Buffer; readonly failure: unknown } {
  try {
    return {
      bytes: existsSync(file) ? firstBytes(file, Number.POSITIVE_INFINITY) : Buffer.alloc(0),
      failure: undefined,
    };
  } catch (failure) {
    return { bytes: Buffer.alloc(0), failure };
  }
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
