// Loaded before the command line: at its end it writes down what its process computed, held and wrote.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";

export interface Usage {
  readonly processorMs: number;
  readonly peakMb: number;
  /** By the process itself, to files and to others. */
  readonly writtenBytes: number;
}

const into = process.env["BENCH_USAGE"];
if (into !== undefined)
  process.on("exit", () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const usage: Usage = {
      processorMs: (userCPUTime + systemCPUTime) / 1000,
      peakMb: maxRSS / 1024,
      writtenBytes: writtenByThreads(),
    };
    writeFileSync(into, JSON.stringify(usage));
  });

/** The process's own count has that of every child in it whose end it has seen, and not of others. */
function writtenByThreads(): number {
  const texts = readdirSync("/proc/self/task").map((id) => readFileSync(`/proc/self/task/${id}/io`, "utf8"));
  return texts.reduce((sum, text) => sum + Number(/^wchar: (\d+)/m.exec(text)?.[1]), 0);
}
