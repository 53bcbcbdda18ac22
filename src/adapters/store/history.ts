// The history of a repository's runs: one line per run that has ended. It feeds estimates and decides nothing, so that a
// line which cannot be used is counted and passed over.

import { appendFile, readFile } from "node:fs/promises";
import { PastRun } from "../../core/experience.ts";
import type { History } from "../../ports/world.ts";

export function historyOf(path: string): History & { add(run: PastRun): Promise<void> } {
  return {
    async add(run) {
      await appendFile(path, `${JSON.stringify(run)}\n`);
    },
    async read() {
      const lines = (await textOf(path)).split("\n").filter((line) => line.trim() !== "");
      const runs = lines.flatMap(readLine);
      return { runs, skipped: lines.length - runs.length };
    },
  };
}

function readLine(line: string): PastRun[] {
  try {
    const reading = PastRun.safeParse(JSON.parse(line));
    return reading.success ? [reading.data] : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}
