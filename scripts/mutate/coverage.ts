// Which places of the source a check executes, by V8's own count. A mutant is only tried on the checks that execute its place:
// no other can notice it. Types are stripped without moving anything, so V8's offsets are those of the source.

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { runNode } from "../test/run-node.ts";
import { argumentsFor, type Check } from "./checks.ts";

export interface Coverage {
  readonly seconds: number;
  executes(file: string, offset: number): boolean;
}

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface Script {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly Range[] }[];
}

/** Measures a check the first time it is asked for. */
export function coverageMeter(): (check: Check) => Promise<Coverage> {
  const known = new Map<string, Promise<Coverage>>();
  return (check) => {
    const measured = known.get(check.file) ?? coverageOf(check);
    known.set(check.file, measured);
    return measured;
  };
}

type Ranges = Readonly<Record<string, readonly (readonly Range[])[]>>;

interface Measured {
  readonly seconds: number;
  /** By the URL of a file; a list for each process that loaded it. */
  readonly ranges: Ranges;
}

async function coverageOf(check: Check): Promise<Coverage> {
  const { seconds, ranges } = await remembered(check);
  return { seconds, executes: (file, offset) => isExecuted(ranges[urlOf(file)] ?? [], offset) };
}

/** A measurement holds until something that the check imports is changed. */
async function remembered(check: Check): Promise<Measured> {
  const texts = [...check.reach].sort().map((file) => (existsSync(file) ? readFileSync(file, "utf8") : ""));
  const key = JSON.stringify([process.version, resolve(check.file), check.options, texts]);
  const path = join(tmpdir(), "superteam-coverage", createHash("sha256").update(key).digest("hex"));
  if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8")) as Measured;
  const measured = await measure(check);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(measured));
  return measured;
}

async function measure(check: Check): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), "superteam-coverage-"));
  const start = performance.now();
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_V8_COVERAGE: folder };
  const { code, output } = await runNode(argumentsFor([check], "spec"), { seconds: 600, env });
  const seconds = (performance.now() - start) / 1000;
  const ranges = await readRanges(folder);
  await rm(folder, { recursive: true, force: true });
  if (code !== 0) throw new Error(`${check.file} fails without any mutant. Fix it first.\n${output}`);
  return { seconds, ranges };
}

async function readRanges(folder: string): Promise<Ranges> {
  const found: Record<string, (readonly Range[])[]> = {};
  const ours = urlOf("src");
  for (const name of await readdir(folder)) {
    const { result } = JSON.parse(await readFile(join(folder, name), "utf8")) as { result: readonly Script[] };
    for (const { url, functions } of result.filter((each) => each.url.startsWith(ours))) {
      found[url] = [...(found[url] ?? []), functions.flatMap(({ ranges }) => ranges)];
    }
  }
  return found;
}

/** The innermost range around a place says whether it was executed. */
function isExecuted(processes: readonly (readonly Range[])[], offset: number): boolean {
  return processes.some((ranges) => {
    const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset);
    const size = (range: Range): number => range.endOffset - range.startOffset;
    return (around.sort((a, b) => size(a) - size(b))[0]?.count ?? 0) > 0;
  });
}

function urlOf(file: string): string {
  return pathToFileURL(resolve(file)).href;
}
