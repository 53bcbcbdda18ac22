// A reporter for the test command: a line of JSON for each test that ended and each suite that was skipped, so that it can count by file.
// At the end one with what all of it took of the processors.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";

export default async function* tally(events) {
  for await (const { type, data } of events) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    // A suite is counted by its tests, but one that is skipped has none.
    const isCounted = data.details?.type !== "suite" || data.skip !== undefined;
    if (!isCounted) continue;
    const { file, name, skip } = data;
    // A file without a test is reported as a test of its own name that passed.
    const passed = type === "test:pass";
    yield `${JSON.stringify({ passed, file, name, skip, isFile: passed && resolve(name) === file })}\n`;
  }
  yield `${JSON.stringify({ processorSeconds: processorSeconds() })}\n`;
}

/** Of this process and of all it started and waited for. Node tells of itself alone; Linux has the rest in its process table. */
function processorSeconds() {
  if (process.platform !== "linux") return undefined;
  const table = readFileSync("/proc/self/stat", "utf8");
  const [own, system, ofChildren, systemOfChildren] = table
    .slice(table.lastIndexOf(")"))
    .split(" ")
    .slice(12)
    .map(Number);
  return (own + system + ofChildren + systemOfChildren) / ticksPerSecond;
}

/** The same on every Linux that Node runs on. */
const ticksPerSecond = 100;
