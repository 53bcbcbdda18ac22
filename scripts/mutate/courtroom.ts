// The process in which many mutants are tried. It has loaded the tests once, with sources in which each mutant can be switched
// on, so a trial costs no start of Node, and runs only the tests that execute the mutant's place. It does what trial.ts tells it.

import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import type { Answer, Order } from "./courtroom-client.ts";

const place = new URL("./collect.ts", import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "node:test" ? { url: place, shortCircuit: true } : next(specifier, context),
});

const { files } = JSON.parse(readFileSync(process.env["SUPERTEAM_MUTANTS"] ?? "", "utf8")) as { files: string[] };
const { collect, end, kept } = await import("./collect.ts");

const hits = new Set<number>();
let current = -1;
Object.assign(globalThis, {
  isOn: (id: number): boolean => {
    hits.add(id);
    return id === current;
  },
});

/** What goes wrong outside of any test belongs to the one that runs. */
const strays: unknown[] = [];
process.on("unhandledRejection", (error) => strays.push(error));
process.on("uncaughtException", (error) => strays.push(error));

process.on("message", async (order: Order) => {
  answer(order.do === "measure" ? await measure() : await attempt(order.id, order.tests));
});
process.on("disconnect", async () => {
  await end();
  process.exit(0);
});
for (const file of files) await collect(file, pathToFileURL(file).href);
const atLoading = [...hits];
answer({ did: "load", atLoading });

function answer(each: Answer): void {
  process.send?.(each);
}

/** Every test once, without a mutant: the processor time it takes, and the mutants whose place it executes. */
async function measure(): Promise<Answer> {
  const tests = [];
  for (const test of kept) {
    hits.clear();
    const start = process.cpuUsage();
    const failure = await failureOf(test);
    if (failure !== undefined) return { did: "fail", file: test.file, failure: `${test.name}\n${failure}` };
    const { user, system } = process.cpuUsage(start);
    tests.push({ file: test.file, seconds: (user + system) / 1e6, hits: [...hits] });
  }
  return { did: "measure", tests };
}

/** A test that fails has to pass without the mutant and fail with it again: else something is left of an earlier trial. */
async function attempt(id: number, tests: readonly number[]): Promise<Answer> {
  for (const test of tests.map((index) => kept[index]).filter((each) => each !== undefined)) {
    if ((await failureWith(id, test)) === undefined) continue;
    const isSteady = (await failureWith(-1, test)) === undefined && (await failureWith(id, test)) !== undefined;
    return { did: "try", verdict: isSteady ? "killed" : "unsteady" };
  }
  return { did: "try", verdict: "survived" };
}

async function failureWith(id: number, test: (typeof kept)[number]): Promise<string | undefined> {
  current = id;
  // For programs that the test starts.
  process.env["SUPERTEAM_MUTANT"] = String(id);
  try {
    return await failureOf(test);
  } finally {
    current = -1;
  }
}

async function failureOf(test: (typeof kept)[number]): Promise<string | undefined> {
  strays.length = 0;
  try {
    await test.run();
    // A promise that nobody awaited fails a turn later.
    await new Promise(setImmediate);
  } catch (error) {
    return String(error);
  }
  return strays.length === 0 ? undefined : String(strays[0]);
}
