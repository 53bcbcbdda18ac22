// The history of a repository's runs: one line per run that has ended. It feeds estimates and decides nothing, so that a
// line which cannot be used is counted and passed over.

import { type FileHandle, open } from "node:fs/promises";
import { PastRun } from "../../core/money/experience.ts";
import { parseJson } from "../../core/text/json.ts";
import type { RunHistory } from "../../ports/runs.ts";
import { readIfPresent } from "../files/present.ts";

export function historyOf(path: string): RunHistory {
  return {
    async add(run) {
      const file = await open(path, "a+");
      try {
        // A line that a power cut tore off must not take this one with it.
        const torn = (await lastByte(file)) !== "\n";
        await file.appendFile(`${torn ? "\n" : ""}${JSON.stringify(run)}\n`);
      } finally {
        await file.close();
      }
    },
    async read() {
      const lines = ((await readIfPresent(path)) ?? "").split("\n").filter((line) => line.trim() !== "");
      const read = lines.flatMap(readLine);
      // A run that was killed while it ended is written down again.
      const runs = [...new Map(read.map((run) => [run.runId, run])).values()];
      return { runs, skipped: lines.length - read.length };
    },
  };
}

/** A line break for a file that is empty: nothing is torn there. */
async function lastByte(file: FileHandle): Promise<string> {
  const { size } = await file.stat();
  if (size === 0) return "\n";
  const { buffer } = await file.read({ buffer: Buffer.alloc(1), position: size - 1 });
  return buffer.toString("latin1");
}

function readLine(line: string): PastRun[] {
  const json = parseJson(line);
  const reading = PastRun.safeParse(json.ok ? json.value : undefined);
  return reading.success ? [reading.data] : [];
}
