// Loaded before the command line: at its end it writes down what its process computed, held and wrote.

import { readFileSync, writeFileSync } from "node:fs";

export interface Usage {
  readonly processorMs: number;
  readonly peakMb: number;
  readonly writtenBytes: number;
}

const into = process.env["BENCH_USAGE"];
if (into !== undefined)
  process.on("exit", () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const written = /^wchar: (\d+)/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1];
    const usage: Usage = {
      processorMs: (userCPUTime + systemCPUTime) / 1000,
      peakMb: maxRSS / 1024,
      writtenBytes: Number(written),
    };
    writeFileSync(into, JSON.stringify(usage));
  });
