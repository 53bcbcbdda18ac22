// What it costs to understand pi's stream, and that a long one needs no more memory than a short one.

import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { piReader } from "../../src/adapters/agents/pi/stream-reader.ts";
import { inFolder } from "../folder.ts";
import { type Measured, type Row, sideBySide, timed } from "../row.ts";
import { recordStream } from "../stream/record.ts";

export const streamRows: readonly Row[] = [
  {
    name: "stream",
    what: "our decoding of a stream pi wrote / bare split and JSON.parse of the same chunks",
    bar: 1.5,
    measure: decoding,
  },
  {
    name: "stream-memory",
    what: "peak memory of a dispatch with a 100 MB stream / with a 20 MB stream",
    // Buffers wait for the collector, so the peak wanders a little (1.1 to 1.16); a dispatch that kept its stream would be at 1.8.
    bar: 1.2,
    measure: (strain) => inFolder((folder) => memory(folder, strain)),
  },
];

const megabyte = 1024 * 1024;

async function decoding(strain: number): Promise<Measured> {
  const chunks = inChunks(repeated(await recordStream(), 16 * megabyte));
  return sideBySide(9, "ms", {
    ours: () => timed(strain, () => decode(chunks)),
    theirs: () => timed(1, () => parseBare(chunks)),
  });
}

const order = { backend: "pi", model: null, capabilities: [], characters: 0 };

function decode(chunks: readonly Buffer[]): void {
  const reader = piReader(order);
  for (const chunk of chunks) reader.read(chunk);
  const last = reader.close({ exit: { how: "exited", code: 0 }, stop: undefined, stderr: "" }).at(-1);
  if (last?.type !== "finished") throw new Error("The recorded stream was not understood.");
}

function parseBare(chunks: readonly Buffer[]): void {
  const decoder = new TextDecoder();
  let rest = "";
  for (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) JSON.parse(line);
  }
}

function repeated(stream: Buffer, size: number): Buffer {
  return Buffer.concat(Array.from({ length: Math.ceil(size / stream.length) }, () => stream));
}

/** A pipe gives 64 KB at a time. */
function inChunks(bytes: Buffer): readonly Buffer[] {
  const size = 64 * 1024;
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}

/** Under strain the dispatch leaks what it has read. */
async function memory(folder: string, strain: number): Promise<Measured> {
  const file = join(folder, "recorded.jsonl");
  await writeFile(file, await recordStream());
  const leak = strain > 1 ? "leak" : "keep-nothing";
  let round = 0;
  const peak = async (megabytes: number): Promise<number> => {
    const args = [program, file, String(megabytes), join(folder, String(round++)), leak];
    return Number((await run(process.execPath, args)).stdout);
  };
  return sideBySide(5, "MB", { ours: () => peak(100), theirs: () => peak(20) });
}

const program = join(import.meta.dirname, "../stream/peak.ts");
const run = promisify(execFile);
